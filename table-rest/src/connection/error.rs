/// Why a text is no connection string. Neither names that are not known nor values are shown: they may be secret.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ConnectionStringError {
    /// A setting, counted from 1, is not written `Name=Value`.
    #[error("setting {0} of the connection string is not written Name=Value")]
    NoSetting(usize),
    /// A setting, counted from 1, that connection strings do not have.
    #[error("setting {0} of the connection string has a name that is not known")]
    Unknown(usize),
    /// A setting that says two things.
    #[error("`{0}` stands twice in the connection string")]
    Twice(&'static str),
    /// A setting that says nothing useful.
    #[error("`{name}` in the connection string: {why}")]
    Value {
        /// The setting.
        name: &'static str,
        /// What is wrong with it.
        why: String,
    },
    /// A setting that others need.
    #[error("`{0}` is missing in the connection string")]
    Missing(&'static str),
    /// A key and a signature.
    #[error("the connection string has both `AccountKey` and `SharedAccessSignature`; leave one out")]
    TwoCredentials,
    /// More than is needed to name the emulator.
    #[error("beside `UseDevelopmentStorage=true` only `DevelopmentStorageProxyUri` can stand")]
    MoreThanEmulator,
}
