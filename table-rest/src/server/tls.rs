use std::{
    io,
    path::{Path, PathBuf},
    sync::Arc,
};

use rustls::{
    ServerConfig,
    crypto::ring,
    pki_types::{
        CertificateDer, PrivateKeyDer,
        pem::{self, PemObject},
    },
};

/// The certificate and key of a server, for TLS 1.2 and 1.3.
#[derive(Clone, Debug)]
pub struct Identity(pub(super) Arc<ServerConfig>);

/// Reason why a certificate or its key is invalid.
#[derive(Debug, thiserror::Error)]
pub enum IdentityError {
    /// A file does not exist or is unreadable.
    #[error("the {what} file {} {}", .path.display(), unreadable(.error))]
    File {
        /// `certificate` or `key`.
        what: &'static str,
        /// The path of the file.
        path: PathBuf,
        /// The cause.
        error: io::Error,
    },
    /// The certificate file contains no certificates.
    #[error("the certificate file contains no PEM certificates: {0}")]
    Certificate(pem::Error),
    /// The key file contains no private key.
    #[error("the key file contains no PEM private key: {0}")]
    Key(pem::Error),
    /// Certificate and key do not match, or their kind is unsupported.
    #[error("the certificate and the key are unusable: {0}")]
    Unusable(#[from] rustls::Error),
}

impl Identity {
    /// Reads a certificate chain, starting with the server certificate, and its private key from PEM files.
    ///
    /// # Errors
    ///
    /// Returns [`IdentityError`] if a file is unreadable, or if certificate and key do not match or are unsupported.
    pub fn from_files(certificates: &Path, key: &Path) -> Result<Self, IdentityError> {
        let chain = read("certificate", certificates)?;
        let chain = CertificateDer::pem_slice_iter(&chain);
        let chain: Vec<_> = chain.collect::<Result<_, _>>().map_err(IdentityError::Certificate)?;
        if chain.is_empty() {
            return Err(IdentityError::Certificate(pem::Error::NoItemsFound));
        }
        let key = PrivateKeyDer::from_pem_slice(&read("key", key)?).map_err(IdentityError::Key)?;
        let mut config = ServerConfig::builder_with_provider(Arc::new(ring::default_provider()))
            .with_safe_default_protocol_versions()?
            .with_no_client_auth()
            .with_single_cert(chain, key)?;
        config.alpn_protocols = vec![b"http/1.1".to_vec()];
        Ok(Self(Arc::new(config)))
    }
}

fn read(what: &'static str, path: &Path) -> Result<Vec<u8>, IdentityError> {
    std::fs::read(path).map_err(|error| IdentityError::File { what, path: path.into(), error })
}

fn unreadable(error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::NotFound => "does not exist".to_owned(),
        _ => format!("cannot be read: {error}"),
    }
}
