//! The table for people and for machines.

use super::{Kind, Params};
use serde_json::{Value as Json, json};
use std::fmt::Write;

/// Every parameter with value, range, unit and meaning, group by group. `*` marks values that are not
/// the default.
pub fn list_text(params: &Params) -> String {
    let mut text = String::new();
    let mut group = "";
    for (row, value) in params.values() {
        if row.group != group {
            group = row.group;
            let gap = if text.is_empty() { "" } else { "\n" };
            let _ = writeln!(text, "{gap}{group}");
        }
        let changed = if row.default == value { ' ' } else { '*' };
        let _ = write!(text, "{changed} {} = {value}  ({}", row.name, row.range());
        if !row.unit.is_empty() {
            let _ = write!(text, " {}", row.unit);
        }
        if changed == '*' {
            let _ = write!(text, "; default {}", row.default);
        }
        text.push(')');
        if !row.symbol.is_empty() {
            let _ = write!(text, "  {}", row.symbol);
        }
        let _ = writeln!(text, "\n      {}", row.doc());
    }
    text
}

/// The same as a JSON array of objects; keys `name`, `value`, `default`, `type` (`real`, `whole`,
/// `choice`), `min`, `max`, `step` or `words`, `unit`, `symbol`, `group`, `doc`.
pub fn list_json(params: &Params) -> Json {
    params
        .values()
        .map(|(row, value)| {
            let mut object = json!({
                "name": row.name, "value": Json::from(value), "default": Json::from(row.default),
                "unit": row.unit, "symbol": row.symbol, "group": row.group, "doc": row.doc(),
            });
            match row.kind {
                Kind::Real { min, max, step } => {
                    object["type"] = json!("real");
                    object["min"] = json!(min);
                    object["max"] = json!(max);
                    object["step"] = json!(step);
                }
                Kind::Whole { min, max, step } => {
                    object["type"] = json!("whole");
                    object["min"] = json!(min);
                    object["max"] = json!(max);
                    object["step"] = json!(step);
                }
                Kind::Choice { words } => {
                    object["type"] = json!("choice");
                    object["words"] = json!(words);
                }
            }
            object
        })
        .collect()
}
