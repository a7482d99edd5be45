use table_model::Capabilities;

use super::Endpoint;

/// The implementation behind an endpoint. It determines the [`Capabilities`] that the client reports.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Backend {
    /// Azure storage accounts.
    Azure,
    /// The Azurite emulator.
    Azurite,
    /// The table API of Cosmos DB: tables only.
    Cosmos,
    /// The server of this crate.
    Server,
}

impl Backend {
    /// Detects the backend from its address. A loopback address is assumed to be Azurite, the more cautious guess: the
    /// server of this crate supports everything that Azurite supports.
    #[must_use]
    pub fn of(endpoint: &Endpoint) -> Self {
        let host = endpoint.host();
        let ends = |suffix: &str| host.len() > suffix.len() && host.ends_with(suffix);
        if ends(".table.cosmos.azure.com") || ends(".table.cosmosdb.azure.com") {
            return Self::Cosmos;
        }
        let services = [".table.", ".queue.", ".blob."];
        let is_azure =
            [".core.windows.net", ".core.chinacloudapi.cn", ".core.usgovcloudapi.net", ".core.cloudapi.de"];
        if is_azure.into_iter().any(ends) && services.iter().any(|service| host.contains(service)) {
            return Self::Azure;
        }
        Self::Azurite
    }

    /// Returns the capabilities of the backend.
    #[must_use]
    pub const fn capabilities(self) -> Capabilities {
        match self {
            Self::Azure => Capabilities::azure(),
            Self::Azurite => Capabilities::azurite(),
            Self::Cosmos => Capabilities::cosmos(),
            Self::Server => Capabilities::server(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_says_what_answers_there() {
        for (url, backend) in [
            ("https://a1.table.core.windows.net", Backend::Azure),
            ("https://a1-secondary.queue.core.chinacloudapi.cn", Backend::Azure),
            ("https://a1.table.cosmos.azure.com:443", Backend::Cosmos),
            ("https://a1.table.cosmosdb.azure.com", Backend::Cosmos),
            ("http://127.0.0.1:10002/devstoreaccount1", Backend::Azurite),
            ("http://devstoreaccount1.table.localhost:10002", Backend::Azurite),
            ("https://core.windows.net.example.org", Backend::Azurite),
        ] {
            assert_eq!(Backend::of(&Endpoint::parse(url).unwrap()), backend, "{url}");
        }
    }
}
