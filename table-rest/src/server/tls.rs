use std::{path::Path, sync::Arc};

use rustls::{
    ServerConfig,
    crypto::ring,
    pki_types::{CertificateDer, PrivateKeyDer, pem::PemObject},
};

/// The certificate and key of a server, for TLS 1.2 and 1.3.
#[derive(Clone, Debug)]
pub struct Identity(pub(super) Arc<ServerConfig>);

/// Reason why a certificate or its key is invalid.
#[derive(Debug, thiserror::Error)]
pub enum IdentityError {
    /// The certificate file is unreadable.
    #[error("the certificate file contains no PEM certificates: {0}")]
    Certificate(rustls::pki_types::pem::Error),
    /// The key file is unreadable.
    #[error("the key file contains no PEM private key: {0}")]
    Key(rustls::pki_types::pem::Error),
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
        let chain = CertificateDer::pem_file_iter(certificates).map_err(IdentityError::Certificate)?;
        let chain: Vec<_> = chain.collect::<Result<_, _>>().map_err(IdentityError::Certificate)?;
        if chain.is_empty() {
            return Err(IdentityError::Certificate(rustls::pki_types::pem::Error::NoItemsFound));
        }
        let key = PrivateKeyDer::from_pem_file(key).map_err(IdentityError::Key)?;
        let mut config = ServerConfig::builder_with_provider(Arc::new(ring::default_provider()))
            .with_safe_default_protocol_versions()?
            .with_no_client_auth()
            .with_single_cert(chain, key)?;
        config.alpn_protocols = vec![b"http/1.1".to_vec()];
        Ok(Self(Arc::new(config)))
    }
}
