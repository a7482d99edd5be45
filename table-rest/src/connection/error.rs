/// Reason why a connection string is invalid. Messages contain neither unknown names nor values, since these may be
/// secret.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ConnectionStringError {
    /// A setting, counted from 1, that is not of the form `Name=Value`.
    #[error("setting {0} of the connection string does not have the form Name=Value")]
    NoSetting(usize),
    /// A setting, counted from 1, that is not supported in connection strings.
    #[error("setting {0} of the connection string has an unknown name")]
    Unknown(usize),
    /// A duplicate setting.
    #[error("duplicate `{0}` in the connection string")]
    Twice(&'static str),
    /// A setting with an invalid value.
    #[error("invalid `{name}` in the connection string: {reason}")]
    Value {
        /// The setting.
        name: &'static str,
        /// The cause.
        reason: String,
    },
    /// A missing setting that other settings require.
    #[error("`{0}` is missing in the connection string")]
    Missing(&'static str),
    /// Both a key and a signature.
    #[error("the connection string has both `AccountKey` and `SharedAccessSignature`; specify only one")]
    TwoCredentials,
    /// Settings in addition to those of the emulator.
    #[error("`UseDevelopmentStorage=true` allows no other setting except `DevelopmentStorageProxyUri`")]
    MoreThanEmulator,
}
