//! Parameters that are one of a few words.

/// A parameter type with a fixed list of words.
pub(super) trait Choice: Copy + 'static {
    /// Every word, in declaration order.
    const NAMES: &'static [&'static str];

    /// The word of this value.
    fn name(self) -> &'static str;

    /// The value of a word.
    fn from_name(name: &str) -> Option<Self>;
}

macro_rules! choice {
    ($(#[$doc:meta])+ $type:ident { $($(#[$variant_doc:meta])+ $variant:ident = $name:literal,)+ }) => {
        $(#[$doc])+
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum $type {
            $($(#[$variant_doc])+ $variant,)+
        }

        impl Choice for $type {
            const NAMES: &'static [&'static str] = &[$($name),+];

            fn name(self) -> &'static str {
                match self {
                    $(Self::$variant => $name,)+
                }
            }

            fn from_name(name: &str) -> Option<Self> {
                match name {
                    $($name => Some(Self::$variant),)+
                    _ => None,
                }
            }
        }
    };
}

choice! {
    /// Which value map leads the hero to gold beyond the horizon of the search.
    StrategyKind {
        /// The field of the gold nearest to the hero.
        Nearest = "nearest",
        /// The sum of the fields of all golds.
        Sum = "sum",
        /// The best chain of golds, each worth what can be taken after it.
        Chain = "chain",
    }
}

choice! {
    /// Which search decides.
    EngineKind {
        /// The exact one over few ticks.
        Dp = "dp",
        /// The beam over many ticks; the exact one where every line of the beam ends in death or misses gold.
        Beam = "beam",
        /// Passes over the best positions of many ticks, better after each; the exact one where the beam would let it.
        Chokudai = "chokudai",
    }
}

impl EngineKind {
    /// The engine of this name, which is the name of the bot that it decides for.
    pub fn named(name: &str) -> Option<EngineKind> {
        EngineKind::from_name(name)
    }
}

choice! {
    /// What a death costs that is not certain.
    PricingKind {
        /// Always the same.
        Fixed = "fixed",
        /// What the series would still have brought.
        Series = "series",
    }
}

choice! {
    /// When the bot may kill itself.
    SuicidePolicy {
        /// Not at all.
        Never = "never",
        /// Only when nothing else leads to gold any more.
        Stuck = "stuck",
        /// Whenever a new place is worth more than the present one.
        Free = "free",
    }
}
