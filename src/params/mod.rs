//! Every tunable number of the bot, in one declarative table.
//!
//! From the table come the typed [`Params`] with their defaults, `--set name=value`, the TOML loader,
//! the listing and the space a tuner searches. A parameter is added by adding a row to `table.rs`.
//!
//! Not for the settings of a server's game (those are part of the rules), nor for what only one
//! command wants to know.

mod choice;
mod definition;
mod error;
mod file;
mod listing;
mod suggestion;
mod table;

pub use choice::{EngineKind, PricingKind, StrategyKind, SuicidePolicy};
pub use definition::{Kind, Parameter, Value};
pub use error::ParamsError;
pub use listing::{list_json, list_text};
pub use suggestion::nearest_name;
pub use table::{Params, TABLE};

impl Default for Params {
    fn default() -> Self {
        Self::DEFAULT
    }
}

/// The row of a parameter.
///
/// # Errors
/// [`ParamsError::Unknown`], with the most similar name or the name behind a symbol.
pub fn parameter(name: &str) -> Result<&'static Parameter, ParamsError> {
    TABLE
        .iter()
        .find(|row| row.name == name)
        .ok_or_else(|| ParamsError::Unknown {
            name: name.to_string(),
            suggestion: TABLE
                .iter()
                .find(|row| !row.symbol.is_empty() && row.symbol == name)
                .map(|row| row.name)
                .or_else(|| nearest_name(name, TABLE.iter().map(|row| row.name))),
        })
}

impl Params {
    /// The value of a parameter; `None` if there is no such parameter.
    pub fn get(&self, name: &str) -> Option<Value> {
        self.field(name).map(definition::Field::read)
    }

    /// Sets a parameter.
    ///
    /// # Errors
    /// [`ParamsError`] if there is no such parameter, or the value is of another kind or out of range;
    /// nothing is changed then.
    pub fn set(&mut self, name: &str, value: Value) -> Result<(), ParamsError> {
        let row = parameter(name)?;
        let value = row.check(value)?;
        if let Some(field) = self.field_mut(row.name) {
            field.write(value);
        }
        Ok(())
    }

    /// Sets a parameter from `name=value`, as typed after `--set`.
    ///
    /// # Errors
    /// As [`Params::set`], and [`ParamsError::NotAnAssignment`].
    pub fn assign(&mut self, assignment: &str) -> Result<(), ParamsError> {
        let (name, text) = assignment
            .split_once('=')
            .map(|(name, text)| (name.trim(), text.trim()))
            .filter(|(name, _)| !name.is_empty())
            .ok_or_else(|| ParamsError::NotAnAssignment(assignment.to_string()))?;
        let value = parameter(name)?.parse(text)?;
        self.set(name, value)
    }

    /// Every parameter with its value, in table order.
    pub fn values(&self) -> impl Iterator<Item = (&'static Parameter, Value)> + '_ {
        TABLE
            .iter()
            .filter_map(|row| Some((row, self.get(row.name)?)))
    }

    /// The parameters that are not at their defaults, as `name=value`, joined by commas.
    pub fn differences(&self) -> String {
        let changed: Vec<String> = self
            .values()
            .filter(|(row, value)| row.default != *value)
            .map(|(row, value)| format!("{}={value}", row.name))
            .collect();
        changed.join(",")
    }

    /// A number that names this set of values: equal for equal values, on every machine, and changed by
    /// a change of the table (FNV-1a of the `name=value` lines).
    pub fn content_hash(&self) -> u64 {
        let mut hash = 0xcbf2_9ce4_8422_2325_u64;
        for (row, value) in self.values() {
            for byte in format!("{}={value}\n", row.name).bytes() {
                hash = (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
            }
        }
        hash
    }
}

#[cfg(test)]
mod tests;
