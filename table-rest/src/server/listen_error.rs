use std::{error::Error, fmt, io, net::SocketAddr};

use crate::ServiceKind;

/// The service and the address that cannot be bound: the inner error of [`Builder::bind`](super::Builder::bind).
#[derive(Debug)]
#[non_exhaustive]
pub struct ListenError {
    /// The service.
    pub kind: ServiceKind,
    /// The requested address.
    pub address: SocketAddr,
    /// The cause.
    pub error: io::Error,
}

impl fmt::Display for ListenError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "cannot listen on {} ({}): ", self.address, self.kind.as_str())?;
        match self.error.kind() {
            io::ErrorKind::AddrInUse => f.write_str("address in use"),
            _ => self.error.fmt(f),
        }
    }
}

impl Error for ListenError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        Some(&self.error)
    }
}

impl From<ListenError> for io::Error {
    fn from(error: ListenError) -> Self {
        Self::new(error.error.kind(), error)
    }
}
