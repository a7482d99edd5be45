//! Names of states, as rows of the registry contain them.

/// Implements the names of an enum of states, and their reading.
macro_rules! stored_names {
    ($state:ident { $($variant:ident = $name:literal),+ $(,)? }) => {
        impl $state {
            #[cfg(test)]
            const ALL: [Self; [$($name),+].len()] = [$(Self::$variant),+];

            /// Returns the name stored in the registry.
            pub(crate) const fn name(self) -> &'static str {
                match self {
                    $(Self::$variant => $name,)+
                }
            }

            pub(crate) fn of(name: &str) -> Option<Self> {
                match name {
                    $($name => Some(Self::$variant),)+
                    _ => None,
                }
            }
        }

        impl std::fmt::Display for $state {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(self.name())
            }
        }
    };
}

pub(super) use stored_names;
