use std::path::Path;

/// The kind of a location string.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Kind<'t> {
    ConnectionString(&'t str),
    /// The address of a PostgreSQL database.
    Database(&'t str),
    SignedUrl(&'t str),
    /// An address without credentials.
    Unsigned,
    /// Neither an address nor a connection string, and probably not a path. It may contain a key.
    Malformed,
    Empty,
    Path(&'t Path),
}

/// Possible prefixes of a connection string, in lower case.
const SETTINGS: [&str; 8] = [
    "accountkey",
    "accountname",
    "blobendpoint",
    "defaultendpointsprotocol",
    "endpointsuffix",
    "sharedaccesssignature",
    "tableendpoint",
    "usedevelopmentstorage",
];

impl<'t> Kind<'t> {
    pub(super) fn of(text: &'t str) -> Self {
        let text = text.trim();
        if text.is_empty() {
            return Self::Empty;
        }
        let lower = text.to_ascii_lowercase();
        if lower.starts_with("http://") || lower.starts_with("https://") {
            let query = lower.split_once('?').map_or("", |(_, query)| query);
            let is_signed = query.split('&').any(|parameter| parameter.starts_with("sig="));
            return if is_signed { Self::SignedUrl(text) } else { Self::Unsigned };
        }
        if lower.starts_with("postgres://") || lower.starts_with("postgresql://") {
            return Self::Database(text);
        }
        let begins =
            |part: &str| part.split_once('=').is_some_and(|(name, _)| SETTINGS.contains(&name.trim()));
        if lower.split(';').any(begins) {
            return Self::ConnectionString(text);
        }
        let is_malformed =
            lower.contains("://") || lower.contains(';') && lower.contains('=') || lower.contains("sig=");
        if is_malformed { Self::Malformed } else { Self::Path(Path::new(text)) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_says_itself_what_it_is() {
        for text in [
            "UseDevelopmentStorage=true",
            "DefaultEndpointsProtocol=https;AccountName=a1;AccountKey=a2V5",
            " accountname=a1;accountkey=a2V5 ",
            "TableEndpoint=http://127.0.0.1:1/a1;SharedAccessSignature=sig=x",
        ] {
            assert_eq!(Kind::of(text), Kind::ConnectionString(text.trim()));
        }
        for text in ["postgres://tables@db/tables", "PostgreSQL://db/?options=a;b=c"] {
            assert_eq!(Kind::of(text), Kind::Database(text));
        }
        let url = "https://a1.table.core.windows.net/?sv=2019-02-02&sig=x%3D";
        assert_eq!(Kind::of(url), Kind::SignedUrl(url));
        for text in ["https://a1.table.core.windows.net", "http://localhost/?design=1"] {
            assert_eq!(Kind::of(text), Kind::Unsigned);
        }
        for text in
            ["ftp://a1/?sig=x", "AccountNam=a1;AccountKy=a2V5", "a1.table.core.windows.net/?sv=1&sig=x"]
        {
            assert_eq!(Kind::of(text), Kind::Malformed);
        }
        assert_eq!((Kind::of(""), Kind::of(" ")), (Kind::Empty, Kind::Empty));
        for text in ["company.tables", "./data", "a=b.tables", "data/AccountName", "http.tables"] {
            assert_eq!(Kind::of(text), Kind::Path(Path::new(text)));
        }
    }
}
