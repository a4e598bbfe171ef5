//! The table agrees with everything made from it, and bad input is told, not taken.

use super::*;
use proptest::prelude::*;
use std::collections::BTreeSet;

fn error(result: Result<Params, ParamsError>) -> String {
    result.unwrap_err().to_string()
}

/// A value of the row that is not its default.
fn another_value(row: &Parameter) -> Value {
    match row.kind {
        Kind::Real { min, max, .. } => Value::Real(if row.default == Value::Real(max) {
            min
        } else {
            max
        }),
        Kind::Whole { min, max, .. } => Value::Whole(if row.default == Value::Whole(max) {
            min
        } else {
            max
        }),
        Kind::Choice { words } => Value::Word(
            words
                .iter()
                .find(|word| row.default != Value::Word(word))
                .unwrap(),
        ),
    }
}

#[test]
fn every_row_is_sound() {
    let mut names = BTreeSet::new();
    let mut symbols = BTreeSet::new();
    for row in TABLE.iter() {
        assert!(
            names.insert(row.name),
            "{} stands twice in the table",
            row.name
        );
        assert!(
            row.symbol.is_empty() || symbols.insert(row.symbol),
            "symbol {} stands twice in the table",
            row.symbol
        );
        assert_eq!(
            row.check(row.default),
            Ok(row.default),
            "default of {}",
            row.name
        );
        assert!(
            row.doc().ends_with('.') && row.doc().len() > 10,
            "doc of {}",
            row.name
        );
        assert!(!row.doc().contains("  "), "doc of {}", row.name);
        match row.bounds() {
            Some((min, max, step)) => {
                assert!(
                    min < max && step > 0.0 && step <= (max - min) / 2.0,
                    "{}",
                    row.name
                );
                assert!(!row.unit.is_empty(), "unit of {}", row.name);
            }
            None => assert!(row.unit.is_empty(), "unit of {}", row.name),
        }
    }
}

#[test]
fn defaults_agree_everywhere() {
    let params = Params::default();
    for row in TABLE.iter() {
        assert_eq!(params.get(row.name), Some(row.default));
    }
    assert_eq!(params.values().count(), TABLE.len());
    assert_eq!(Params::from_toml("").unwrap(), params);
    assert_eq!(Params::from_toml(&params.to_toml()).unwrap(), params);
    assert_eq!(params.differences(), "");
    assert!((params.death - -100_500.0).abs() < 1e-9 && params.depth == 8);
}

#[test]
fn every_parameter_can_be_set_by_every_way() {
    for row in TABLE.iter() {
        let value = another_value(row);
        let assignment = format!("{}={value}", row.name);
        let mut assigned = Params::default();
        assigned.assign(&assignment).unwrap();
        assert_eq!(assigned.get(row.name), Some(value));
        assert_eq!(assigned.differences(), assignment);
        assert_eq!(Params::from_toml(&assigned.to_toml()).unwrap(), assigned);
        assert_ne!(
            assigned.content_hash(),
            Params::default().content_hash(),
            "{}",
            row.name
        );

        let mut others = assigned;
        others.set(row.name, row.default).unwrap();
        assert_eq!(others, Params::default());

        let json = serde_json::Value::from(value);
        match value {
            Value::Real(number) => assert_eq!(json, number),
            Value::Whole(number) => assert_eq!(json, number),
            Value::Word(word) => assert_eq!(json, word),
        }
    }
}

#[test]
fn listings_hold_every_parameter() {
    let params = Params::resolve(None, &["depth=9"]).unwrap();
    let text = list_text(&params);
    let json = list_json(&params);
    for (index, row) in TABLE.iter().enumerate() {
        assert!(text.contains(&format!(" {} = ", row.name)), "{}", row.name);
        assert!(text.contains(&row.doc()), "{}", row.name);
        assert_eq!(json[index]["name"], row.name);
        assert_eq!(json[index]["doc"], row.doc());
        assert_eq!(
            json[index]["type"] == "choice",
            json[index]["words"].is_array()
        );
        assert_eq!(
            json[index]["type"] != "choice",
            json[index]["step"].is_number()
        );
    }
    assert!(
        text.contains("* depth = 9  (1 to 24 actions; default 8)  N\n"),
        "{text}"
    );
    assert_eq!(
        text.matches("default").count(),
        1,
        "only changed values show their default"
    );
    let depth = json
        .as_array()
        .and_then(|rows| rows.iter().find(|row| row["name"] == "depth"));
    assert_eq!(depth.map(|row| &row["value"]), Some(&9.into()));
}

#[test]
fn unknown_names_get_a_suggestion() {
    let assign = |text: &str| error(Params::resolve(None, &[text]));
    assert_eq!(
        assign("detph=8"),
        "unknown parameter `detph`; did you mean `depth`?"
    );
    assert_eq!(
        assign("E=0.9"),
        "unknown parameter `E`; did you mean `inflation`?"
    );
    assert_eq!(
        assign("kappa=0"),
        "unknown parameter `kappa`; did you mean `potential_share`?"
    );
    assert_eq!(
        assign("zzz=1"),
        "unknown parameter `zzz`; `params list` shows them all"
    );
    assert_eq!(assign("depth"), "`depth` is not of the form name=value");
    assert_eq!(assign("=8"), "`=8` is not of the form name=value");
}

#[test]
fn values_out_of_range_name_value_and_range() {
    let assign = |text: &str| error(Params::resolve(None, &[text]));
    assert_eq!(
        assign("depth=25"),
        "parameter `depth` = 25 is out of range: 1 to 24 actions"
    );
    assert_eq!(
        assign("depth=-1"),
        "parameter `depth` = -1 is out of range: 1 to 24 actions"
    );
    assert_eq!(
        assign("depth=99999999999"),
        "parameter `depth` = 99999999999 is out of range: 1 to 24 actions"
    );
    assert_eq!(
        assign("death=1"),
        "parameter `death` = 1.0 is out of range: -10000000 to 0 value"
    );
    for number in ["nan", "inf", "-inf", "1e999"] {
        assert!(
            assign(&format!("gold={number}")).contains("out of range"),
            "{number}"
        );
    }
    assert_eq!(
        assign("depth=deep"),
        "parameter `depth` cannot be `deep`: expected a whole number, 1 to 24"
    );
    assert_eq!(
        assign("suicide=often"),
        "parameter `suicide` cannot be `often`: expected one of these words, never|stuck|free"
    );
    assert!(assign("depth=8.5").contains("expected a whole number"));
    assert!(assign("gold=").contains("expected a number"));
}

#[test]
fn toml_errors_name_the_line() {
    let read = |text: &str| error(Params::from_toml(text));
    assert_eq!(
        read("depth = 8\n\ngoldd = 5\n"),
        "line 3: unknown parameter `goldd`; did you mean `gold`?"
    );
    assert_eq!(
        read("gold = 100\ndepth = 0\nzzz = 1"),
        "line 2: parameter `depth` = 0 is out of range: 1 to 24 actions"
    );
    assert_eq!(
        read("depth = -3"),
        "line 1: parameter `depth` = -3.0 is out of range: 1 to 24 actions"
    );
    assert!(read("gold = 100\ndepth = \"8\"").starts_with("line 2: parameter `depth` cannot be"));
    assert!(read("gold = [1]").starts_with("line 1: parameter `gold` cannot be `[1]`"));
    assert!(read("strategy = 3").starts_with("line 1: parameter `strategy` cannot be `3`"));
    assert!(read("gold = 1\ngold = 2").starts_with("line 2: "));
    assert!(read("a\nb = 1").starts_with("line 1: "));
}

#[test]
fn files_are_read_and_named_in_errors() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("bot.toml");
    std::fs::write(
        &path,
        "# tuned\ndepth = 10\nstrategy = \"sum\"\ngold = 90\n",
    )
    .unwrap();
    let params = Params::resolve(Some(&path), &["gold=80", "depth=11"]).unwrap();
    assert_eq!(params.differences(), "gold=80.0,strategy=sum,depth=11");

    let absent = folder.path().join("absent.toml");
    assert!(error(Params::load(&absent)).contains("absent.toml: "));
    std::fs::write(&path, "depht = 10").unwrap();
    assert!(
        error(Params::load(&path))
            .ends_with("bot.toml: line 1: unknown parameter `depht`; did you mean `depth`?")
    );
}

#[test]
fn the_hash_depends_on_values_only() {
    let mut first = Params::default();
    first.assign("depth=9").unwrap();
    first.assign("gold=90").unwrap();
    let mut second = Params::default();
    second.assign("gold=90.0").unwrap();
    second.assign("depth=9").unwrap();
    assert_eq!(first.content_hash(), second.content_hash());

    let mut negative_zero = Params::default();
    negative_zero.assign("death=-0").unwrap();
    let mut zero = Params::default();
    zero.assign("death=0").unwrap();
    assert_eq!(negative_zero.content_hash(), zero.content_hash());
}

#[test]
fn a_tuner_gets_the_nearest_allowed_value() {
    let depth = parameter("depth").unwrap();
    assert_eq!(depth.nearest(8.6), Some(Value::Whole(9)));
    assert_eq!(depth.nearest(-5.0), Some(Value::Whole(1)));
    assert_eq!(depth.nearest(f64::NAN), None);
    assert_eq!(
        parameter("death").unwrap().nearest(f64::INFINITY),
        Some(Value::Real(0.0))
    );
    assert_eq!(parameter("strategy").unwrap().nearest(1.0), None);
}

proptest! {
    #[test]
    fn any_reachable_set_survives_a_file(numbers in prop::collection::vec(any::<f64>(), 1..60)) {
        let mut params = Params::default();
        for (number, row) in numbers.iter().zip(TABLE.iter().cycle()) {
            if let Some(value) = row.nearest(*number) {
                params.set(row.name, value).unwrap();
                prop_assert_eq!(params.get(row.name), Some(value));
            }
        }
        let read = Params::from_toml(&params.to_toml()).unwrap();
        prop_assert_eq!(read, params);
        prop_assert_eq!(read.content_hash(), params.content_hash());
    }

    #[test]
    fn no_text_brings_it_down(text in ".{0,60}", name in 0..TABLE.len()) {
        let _ = Params::default().assign(&text);
        let _ = Params::default().assign(&format!("{}={text}", TABLE[name].name));
        let _ = Params::from_toml(&text);
        let _ = Params::from_toml(&format!("{} = {text}", TABLE[name].name));
    }
}
