/// The level of what an operation touches: `srt` of an account's shared access signature.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ResourceType {
    /// The service as a whole: its properties, the list of what it holds.
    Service,
    /// A table, a queue, a container.
    Container,
    /// An entity, a message, a blob.
    Object,
}

impl ResourceType {
    /// Its letter in `srt`.
    #[must_use]
    pub const fn letter(self) -> char {
        match self {
            Self::Service => 's',
            Self::Container => 'c',
            Self::Object => 'o',
        }
    }
}

/// What a shared access signature must grant for an operation. The account's key may do everything.
///
/// Permissions are alternatives, each a set of letters that must all be there: `["c", "w"]` is either of two, `["au"]`
/// both. No alternative: such signatures never allow it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Need {
    /// `srt`, of an account's signature; one of these.
    pub resource: &'static [ResourceType],
    /// `sp` of an account's signature.
    pub account: &'static [&'static str],
    /// `sp` of a signature for one table, queue, container or blob.
    pub service: &'static [&'static str],
}

impl Need {
    /// Only the account's key will do.
    pub const KEY: Self = Self { resource: &[], account: &[], service: &[] };

    /// Whether letters grant one of the alternatives.
    ///
    /// ```
    /// use table_rest::auth::Need;
    ///
    /// assert!(Need::is_met(&["c", "w"], "rw"));
    /// assert!(!Need::is_met(&["au"], "ra"));
    /// assert!(!Need::is_met(&[], "raud"));
    /// ```
    #[must_use]
    pub fn is_met(alternatives: &[&str], letters: &str) -> bool {
        alternatives.iter().any(|all| all.chars().all(|letter| letters.contains(letter)))
    }
}
