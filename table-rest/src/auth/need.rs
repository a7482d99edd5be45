/// The level of a resource: `srt` of an account shared access signature.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ResourceType {
    /// The service itself: its properties, the list of its tables, queues or containers.
    Service,
    /// A table, a queue, a container.
    Container,
    /// An entity, a message, a blob.
    Object,
}

impl ResourceType {
    /// Returns the letter of the level in `srt`.
    #[must_use]
    pub const fn letter(self) -> char {
        match self {
            Self::Service => 's',
            Self::Container => 'c',
            Self::Object => 'o',
        }
    }
}

/// The permissions that a shared access signature must grant for an operation. The account key grants every operation.
///
/// Permissions are alternatives, each a set of letters that must all be granted: `["c", "w"]` requires either letter,
/// `["au"]` both. Without alternatives, a shared access signature never allows the operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Need {
    /// Accepted values of `srt` in an account signature; one is sufficient.
    pub resource: &'static [ResourceType],
    /// Required `sp` of an account signature.
    pub account: &'static [&'static str],
    /// Required `sp` of a signature for one table, queue, container or blob.
    pub service: &'static [&'static str],
}

impl Need {
    /// The operation requires the account key.
    pub const KEY: Self = Self { resource: &[], account: &[], service: &[] };

    /// Returns `true` if `letters` contains all letters of one alternative.
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
