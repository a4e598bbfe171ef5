//! The bench signature: what the program computes on fixed boards is what the repository says it is.

use lodebot::bench::{SIGNATURE_BOARDS, signature};
use lodebot::levels;

#[test]
fn the_signature_is_the_one_of_the_repository() {
    for (name, _) in SIGNATURE_BOARDS {
        assert!(levels::find(name).is_some(), "{name} is no shipped level");
    }
    let found = signature();
    let expected = include_str!("../benches/signature.txt").trim();
    assert_eq!(
        found, expected,
        "\nthe program computes something else than before on the fixed boards; if that is meant, \
         write {found} to benches/signature.txt and say in the commit why"
    );
}
