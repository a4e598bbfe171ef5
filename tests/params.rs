//! `lodebot params list` and the options that set parameters, through the real binary.

mod binary;

use binary::{run, text};
use lodebot::params::{Params, TABLE};

fn stdout(arguments: &[&str]) -> String {
    binary::stdout(arguments, b"")
}

#[test]
fn the_list_names_every_parameter() {
    let text = stdout(&["params", "list"]);
    let json: serde_json::Value =
        serde_json::from_str(&stdout(&["params", "list", "--json"])).expect("JSON");
    let names: Vec<&str> = json
        .as_array()
        .expect("an array")
        .iter()
        .filter_map(|row| row["name"].as_str())
        .collect();
    assert_eq!(names, TABLE.iter().map(|row| row.name).collect::<Vec<_>>());
    for name in names {
        assert!(text.contains(&format!(" {name} = ")), "{name}");
    }
}

#[test]
fn a_listed_file_is_read_back() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join("bot.toml");
    let path_text = path.to_str().expect("UTF-8");
    let listed = stdout(&["params", "list", "--toml", "--set", "depth=10"]);
    std::fs::write(&path, listed).expect("written");
    let again = stdout(&[
        "params", "list", "--toml", "--params", path_text, "--set", "gold=90",
    ]);
    let params = Params::from_toml(&again).expect("readable");
    assert_eq!(params.differences(), "gold=90.0,depth=10");
}

#[test]
fn mistakes_are_told_in_one_line() {
    for (arguments, wanted) in [
        (&["--set", "detph=8"][..], "did you mean `depth`?"),
        (
            &["--set", "depth=99"],
            "`depth` = 99 is out of range: 1 to 24 actions",
        ),
        (&["--set", "depth"], "not of the form name=value"),
        (
            &["--params", "absent.toml"],
            "absent.toml: cannot be read: ",
        ),
    ] {
        let output = run(&[&["params", "list"], arguments].concat(), b"");
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        assert!(output.stdout.is_empty(), "{arguments:?}");
        let complaint = text(&output.stderr);
        assert_eq!(complaint.lines().count(), 1, "{complaint}");
        assert!(complaint.contains(wanted), "{complaint}");
    }
}
