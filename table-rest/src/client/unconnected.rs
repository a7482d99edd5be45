//! Connections that are not established.

use std::error::Error;

use table_model::TableError;

use super::{
    Endpoint,
    sender::{Certainty, Failure},
};

/// Returns the failure of a request for which no connection was established. An invalid certificate is not tried again.
pub(super) fn failure(endpoint: &Endpoint, cause: &str) -> Failure {
    let is_refused = cause.contains("invalid peer certificate");
    let certainty = if is_refused { Certainty::Refused } else { Certainty::NotDone };
    let message = format!("cannot connect to {}: {cause}{}", endpoint.root(), remedy(cause));
    Failure { error: TableError::not_connected(message), certainty, asked: None }
}

/// Returns the remedy for a connection that is refused, an unknown host or an invalid certificate, or nothing.
fn remedy(cause: &str) -> &'static str {
    if cause.contains("CaUsedAsEndEntity") {
        "; the certificate of the server is that of an authority: create one with basicConstraints=CA:FALSE"
    } else if cause.contains("UnknownIssuer") {
        "; the certificate authority of the server is unknown: if you trust it, name its file in the environment \
         variable SSL_CERT_FILE, such as SSL_CERT_FILE=ca.pem (Linux), or install it in the system"
    } else if cause.contains("lookup address") || cause.contains("dns error") {
        "; check the host name in the endpoint or connection string, and the name resolution of this machine"
    } else if cause.to_ascii_lowercase().contains("refused") {
        "; no server listens there: start it, or correct the address in the connection string"
    } else {
        ""
    }
}

/// Returns the innermost cause of an error of a connection. The outer errors only repeat the address and the step.
pub(super) fn cause(error: &dyn Error) -> String {
    let mut cause = error;
    while let Some(inner) = cause.source() {
        cause = inner;
    }
    cause.to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_address_the_cause_and_the_remedy_are_said() {
        let account = crate::client::Account::from_connection_string("UseDevelopmentStorage=true").unwrap();
        let endpoint = account.endpoint(crate::ServiceKind::Table).unwrap();
        let refused = failure(endpoint, "Connection refused (os error 111)");
        let said = "cannot connect to http://127.0.0.1:10002/devstoreaccount1: Connection refused (os error 111); no \
                    server listens there: start it, or correct the address in the connection string";
        assert_eq!(refused.error.to_string(), said);
        assert!(refused.error.is_not_connected() && refused.certainty == Certainty::NotDone);
        let nowhere = failure(endpoint, "failed to lookup address information: Name or service not known");
        assert!(nowhere.error.to_string().contains("check the host name"));
        let unknown = failure(endpoint, "invalid peer certificate: UnknownIssuer");
        assert!(unknown.error.to_string().contains("SSL_CERT_FILE=ca.pem"));
        assert!(unknown.certainty == Certainty::Refused);
        let authority = failure(endpoint, "invalid peer certificate: Other(OtherError(CaUsedAsEndEntity))");
        assert!(authority.error.to_string().contains("CA:FALSE"));
    }

    #[test]
    fn the_innermost_cause_is_the_reason() {
        let inner = std::io::Error::other("Connection refused");
        let outer =
            azure_core::Error::with_error(azure_core::error::ErrorKind::Connection, inner, "error sending");
        assert_eq!(cause(&outer), "Connection refused");
    }
}
