//! Parameters in TOML: `name = value` lines, every one optional, unknown names refused.

use super::{Params, ParamsError, Value, parameter};
use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::Path;
use toml::Spanned;

impl Params {
    /// The parameters of a command: defaults, then a file, then `name=value` assignments in order.
    ///
    /// # Errors
    /// [`ParamsError`] names the file and line, or the assignment.
    pub fn resolve<S: AsRef<str>>(
        file: Option<&Path>,
        assignments: &[S],
    ) -> Result<Self, ParamsError> {
        let mut params = match file {
            Some(path) => Self::load(path)?,
            None => Self::DEFAULT,
        };
        for assignment in assignments {
            params.assign(assignment.as_ref())?;
        }
        Ok(params)
    }

    /// Reads a file of parameters; what it does not name keeps its default.
    ///
    /// # Errors
    /// [`ParamsError::File`] with the path and what is wrong.
    pub fn load(path: &Path) -> Result<Self, ParamsError> {
        let fail = |reason: String| ParamsError::File {
            path: path.display().to_string(),
            reason,
        };
        let text = std::fs::read_to_string(path)
            .map_err(|error| fail(format!("cannot be read: {error}")))?;
        Self::from_toml(&text).map_err(|error| fail(error.to_string()))
    }

    /// Reads parameters from TOML text; what it does not name keeps its default.
    ///
    /// # Errors
    /// [`ParamsError::Line`], for the first line that is wrong.
    pub fn from_toml(text: &str) -> Result<Self, ParamsError> {
        let line = |offset: usize| {
            1 + text
                .bytes()
                .take(offset)
                .filter(|&byte| byte == b'\n')
                .count()
        };
        let entries: BTreeMap<Spanned<String>, Spanned<toml::Value>> = toml::from_str(text)
            .map_err(|error| ParamsError::Line {
                line: line(error.span().map_or(0, |span| span.start)),
                reason: error
                    .message()
                    .lines()
                    .next()
                    .unwrap_or("not TOML")
                    .to_string(),
            })?;
        let mut entries: Vec<_> = entries.into_iter().collect();
        entries.sort_by_key(|(name, _)| name.span().start);
        let mut params = Self::DEFAULT;
        for (name, value) in entries {
            params
                .set_toml(name.get_ref(), value.get_ref())
                .map_err(|error| ParamsError::Line {
                    line: line(name.span().start),
                    reason: error.to_string(),
                })?;
        }
        Ok(params)
    }

    fn set_toml(&mut self, name: &str, value: &toml::Value) -> Result<(), ParamsError> {
        let row = parameter(name)?;
        let value = match value {
            toml::Value::Float(number) => Value::Real(*number),
            toml::Value::Integer(number) => match u32::try_from(*number) {
                Ok(number) => Value::Whole(number),
                // Beyond the type: negative reals and large numbers.
                Err(_) => Value::Real(*number as f64),
            },
            toml::Value::String(word) => row.parse_word(word)?,
            other => return Err(row.mistyped(other)),
        };
        self.set(name, value)
    }

    /// The whole set as a TOML file with groups, units and ranges as comments; reads back as the same.
    pub fn to_toml(&self) -> String {
        let mut text = String::new();
        let mut group = "";
        for (row, value) in self.values() {
            if row.group != group {
                group = row.group;
                let gap = if text.is_empty() { "" } else { "\n" };
                let _ = writeln!(text, "{gap}# {group}");
            }
            let value = match value {
                Value::Word(word) => format!("{word:?}"),
                number => number.to_string(),
            };
            let space = if row.unit.is_empty() { "" } else { " " };
            let _ = writeln!(
                text,
                "{} = {value} # {}{space}{}",
                row.name,
                row.range(),
                row.unit
            );
        }
        text
    }
}
