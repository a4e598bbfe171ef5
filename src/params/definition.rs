//! What a parameter is, and the macro that turns the table's rows into [`Params`](super::Params) and
//! [`TABLE`](super::TABLE). The macro knows nothing of the single parameters.

use super::choice::Choice;
use super::error::ParamsError;
use std::fmt;

/// The value of one parameter.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Value {
    /// A real number.
    Real(f64),
    /// A whole number.
    Whole(u32),
    /// One of a few words.
    Word(&'static str),
}

impl fmt::Display for Value {
    /// The shortest text that reads back as the same value.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Real(value) => write!(f, "{value:?}"),
            Self::Whole(value) => write!(f, "{value}"),
            Self::Word(value) => f.write_str(value),
        }
    }
}

impl From<Value> for serde_json::Value {
    /// A number, or a text for a word.
    fn from(value: Value) -> serde_json::Value {
        match value {
            Value::Real(number) => number.into(),
            Value::Whole(number) => number.into(),
            Value::Word(word) => word.into(),
        }
    }
}

/// What values a parameter may have.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Kind {
    /// Real numbers from `min` to `max`, both included.
    Real {
        /// Smallest value.
        min: f64,
        /// Largest value.
        max: f64,
        /// A change that may just matter: the first step of a tuner. Values need not be multiples.
        step: f64,
    },
    /// Whole numbers from `min` to `max`, both included.
    Whole {
        /// Smallest value.
        min: u32,
        /// Largest value.
        max: u32,
        /// As for real numbers.
        step: u32,
    },
    /// One of these words.
    Choice {
        /// The words.
        words: &'static [&'static str],
    },
}

/// A row of the table.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Parameter {
    /// The name in `--set`, in files and in [`Params`](super::Params).
    pub name: &'static str,
    /// The symbol in the description of the algorithm; may be empty.
    pub symbol: &'static str,
    /// Heading under which it is listed.
    pub group: &'static str,
    /// Default.
    pub default: Value,
    /// Range.
    pub kind: Kind,
    /// Unit; empty for words.
    pub unit: &'static str,
    /// Lines of the description, as written in the source.
    pub(super) doc_lines: &'static [&'static str],
}

impl Parameter {
    /// What the parameter means, in one line.
    pub fn doc(&self) -> String {
        let lines: Vec<&str> = self.doc_lines.iter().map(|line| line.trim()).collect();
        lines.join(" ")
    }

    /// The allowed values, for people.
    pub fn range(&self) -> String {
        match self.kind {
            Kind::Real { min, max, .. } => format!("{min} to {max}"),
            Kind::Whole { min, max, .. } => format!("{min} to {max}"),
            Kind::Choice { words } => words.join("|"),
        }
    }

    /// Smallest value, largest value and step, as real numbers; `None` for a choice.
    pub fn bounds(&self) -> Option<(f64, f64, f64)> {
        match self.kind {
            Kind::Real { min, max, step } => Some((min, max, step)),
            Kind::Whole { min, max, step } => Some((min.into(), max.into(), step.into())),
            Kind::Choice { .. } => None,
        }
    }

    /// The nearest allowed value to a number, as a tuner needs it; `None` for a choice or not-a-number.
    pub fn nearest(&self, number: f64) -> Option<Value> {
        if number.is_nan() {
            return None;
        }
        match self.kind {
            Kind::Real { min, max, .. } => Some(Value::Real(number.clamp(min, max) + 0.0)),
            Kind::Whole { min, max, .. } => Some(Value::Whole(
                number.round().clamp(min.into(), max.into()) as u32,
            )),
            Kind::Choice { .. } => None,
        }
    }

    /// Reads a value as typed after `name=`.
    ///
    /// # Errors
    /// [`ParamsError::Mistyped`] if it is no value of this kind, [`ParamsError::OutOfRange`].
    pub fn parse(&self, text: &str) -> Result<Value, ParamsError> {
        let text = text.trim();
        let value = match self.kind {
            Kind::Real { .. } => text.parse().ok().map(Value::Real),
            Kind::Whole { .. } => text.parse().ok().map(Value::Whole),
            Kind::Choice { words } => words
                .iter()
                .find(|&&word| word == text)
                .map(|word| Value::Word(word)),
        };
        match value {
            Some(value) => self.check(value),
            // A whole number too large for the type is out of range rather than mistyped.
            None if matches!(self.kind, Kind::Whole { .. }) && text.parse::<i128>().is_ok() => {
                Err(self.out_of_range(text))
            }
            None => Err(self.mistyped(text)),
        }
    }

    /// Reads a quoted word of a file: for a number it is mistyped, even if it spells one.
    pub(super) fn parse_word(&self, word: &str) -> Result<Value, ParamsError> {
        match self.kind {
            Kind::Choice { .. } => self.parse(word),
            _ => Err(self.mistyped(format!("{word:?}"))),
        }
    }

    /// The value itself, brought to this parameter's kind, if it is allowed: a whole number is also a
    /// real one, and a real number without fraction also a whole one.
    ///
    /// # Errors
    /// [`ParamsError::Mistyped`], [`ParamsError::OutOfRange`].
    pub fn check(&self, value: Value) -> Result<Value, ParamsError> {
        match (self.kind, value) {
            (Kind::Real { min, max, .. }, Value::Real(number)) => {
                if number >= min && number <= max {
                    // No negative zero: equal values have one text and one hash.
                    Ok(Value::Real(number + 0.0))
                } else {
                    Err(self.out_of_range(value))
                }
            }
            (Kind::Real { .. }, Value::Whole(number)) => self.check(Value::Real(number.into())),
            (Kind::Whole { min, max, .. }, Value::Whole(number)) => {
                if (min..=max).contains(&number) {
                    Ok(value)
                } else {
                    Err(self.out_of_range(value))
                }
            }
            (Kind::Whole { min, max, .. }, Value::Real(number)) if number.fract() == 0.0 => {
                if number >= f64::from(min) && number <= f64::from(max) {
                    Ok(Value::Whole(number as u32))
                } else {
                    Err(self.out_of_range(value))
                }
            }
            (Kind::Choice { words }, Value::Word(word)) if words.contains(&word) => Ok(value),
            _ => Err(self.mistyped(value)),
        }
    }

    pub(super) fn mistyped(&self, value: impl fmt::Display) -> ParamsError {
        let expected = match self.kind {
            Kind::Real { .. } => "a number",
            Kind::Whole { .. } => "a whole number",
            Kind::Choice { .. } => "one of these words",
        };
        ParamsError::Mistyped {
            name: self.name,
            value: value.to_string(),
            expected: format!("{expected}, {}", self.range()),
        }
    }

    pub(super) fn out_of_range(&self, value: impl fmt::Display) -> ParamsError {
        ParamsError::OutOfRange {
            name: self.name,
            value: value.to_string(),
            range: self.range(),
            unit: self.unit,
        }
    }
}

/// A field of `Params`, whatever its type.
pub(super) trait Field {
    fn read(&self) -> Value;

    /// Stores a value that [`Parameter::check`] has passed; one of another kind is ignored.
    fn write(&mut self, value: Value);
}

impl Field for f64 {
    fn read(&self) -> Value {
        Value::Real(*self)
    }

    fn write(&mut self, value: Value) {
        if let Value::Real(value) = value {
            *self = value;
        }
    }
}

impl Field for u32 {
    fn read(&self) -> Value {
        Value::Whole(*self)
    }

    fn write(&mut self, value: Value) {
        if let Value::Whole(value) = value {
            *self = value;
        }
    }
}

impl<C: Choice> Field for C {
    fn read(&self) -> Value {
        Value::Word(self.name())
    }

    fn write(&mut self, value: Value) {
        if let Value::Word(word) = value
            && let Some(value) = C::from_name(word)
        {
            *self = value;
        }
    }
}

/// Type, default and range of a row, taken from its `Kind(..)`.
macro_rules! row {
    (type Real $rest:tt) => {
        f64
    };
    (type Whole $rest:tt) => {
        u32
    };
    (type Choice ($type:ident :: $variant:ident)) => {
        $type
    };

    (default Real ($default:literal, $($rest:tt)*)) => {
        $default
    };
    (default Whole ($default:literal, $($rest:tt)*)) => {
        $default
    };
    (default Choice ($type:ident :: $variant:ident)) => {
        $type::$variant
    };

    (kind Real ($default:literal, $min:literal ..= $max:literal, step $step:literal)) => {
        $crate::params::Kind::Real {
            min: $min,
            max: $max,
            step: $step,
        }
    };
    (kind Whole ($default:literal, $min:literal ..= $max:literal, step $step:literal)) => {
        $crate::params::Kind::Whole {
            min: $min,
            max: $max,
            step: $step,
        }
    };
    (kind Choice ($type:ident :: $variant:ident)) => {
        $crate::params::Kind::Choice {
            words: <$type as $crate::params::choice::Choice>::NAMES,
        }
    };
}

/// Makes `Params`, its defaults, its access by name and `TABLE` from the rows.
macro_rules! parameters {
    ($($group:literal { $(
        $(#[doc = $doc:literal])+
        $name:ident: $kind:ident $values:tt, $unit:literal, $symbol:literal;
    )+ })+) => {
        /// One value for every parameter of the table; always within the ranges when set by name.
        #[derive(Clone, Copy, Debug, PartialEq)]
        pub struct Params {
            $($($(#[doc = $doc])+ pub $name: $crate::params::definition::row!(type $kind $values),)+)+
        }

        impl Params {
            /// The defaults.
            pub const DEFAULT: Self = Self {
                $($($name: $crate::params::definition::row!(default $kind $values),)+)+
            };

            pub(super) fn field(&self, name: &str) -> Option<&dyn $crate::params::definition::Field> {
                match name {
                    $($(stringify!($name) => Some(&self.$name),)+)+
                    _ => None,
                }
            }

            pub(super) fn field_mut(
                &mut self,
                name: &str,
            ) -> Option<&mut dyn $crate::params::definition::Field> {
                match name {
                    $($(stringify!($name) => Some(&mut self.$name),)+)+
                    _ => None,
                }
            }
        }

        /// Every parameter, group by group.
        pub static TABLE: std::sync::LazyLock<Vec<$crate::params::Parameter>> =
            std::sync::LazyLock::new(|| vec![
                $($($crate::params::Parameter {
                    name: stringify!($name),
                    symbol: $symbol,
                    group: $group,
                    default: $crate::params::definition::Field::read(&Params::DEFAULT.$name),
                    kind: $crate::params::definition::row!(kind $kind $values),
                    unit: $unit,
                    doc_lines: &[$($doc),+],
                },)+)+
            ]);
    };
}

pub(super) use {parameters, row};
