use crate::serve::{AccountError, ServeError};

/// Error of starting or stopping the emulator.
#[derive(Debug, thiserror::Error)]
pub(crate) enum EmulatorError {
    #[error(
        "--pwd is not supported: certificates in PFX format are not read; convert it with `openssl pkcs12 -in FILE \
         -nodes -out both.pem`, and use --cert both.pem --key both.pem"
    )]
    Pfx,
    #[error("--cert and --key require each other")]
    HalfAnIdentity,
    #[error("--oauth requires TLS: use --cert FILE --key FILE")]
    TokensInTheClear,
    #[error("invalid AZURITE_ACCOUNTS: {0} (value not shown, as it contains keys)")]
    Accounts(#[from] AccountError),
    #[error("cannot write the log to {}: {error}", .path.display())]
    Debug { path: std::path::PathBuf, error: std::io::Error },
    #[error(transparent)]
    Serve(#[from] ServeError),
}

impl EmulatorError {
    /// Returns whether the command line or the environment is invalid.
    pub(crate) const fn is_usage(&self) -> bool {
        !matches!(self, Self::Serve(_) | Self::Debug { .. })
    }
}
