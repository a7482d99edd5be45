use super::*;

const KEY: &str = "Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw==";

fn read(text: &str) -> ConnectionString {
    text.parse().unwrap()
}

fn refused(text: &str) -> String {
    let error = text.parse::<ConnectionString>().unwrap_err();
    error.to_string()
}

#[test]
fn the_short_form_is_the_full_form_of_the_emulator() {
    let short = read("UseDevelopmentStorage=true");
    assert!(
        matches!(short.credential(), Credential::Key(name, key) if name.is_emulator() && *key.expose() == KEY)
    );
    let full = read(&format!(
        "DefaultEndpointsProtocol=http;AccountName=devstoreaccount1;AccountKey={KEY};\
         BlobEndpoint=http://127.0.0.1:10000/devstoreaccount1;QueueEndpoint=http://127.0.0.1:10001/devstoreaccount1/;\
         TableEndpoint=http://127.0.0.1:10002/devstoreaccount1;"
    ));
    assert_eq!(full.credential(), short.credential());
    for kind in ServiceKind::ALL {
        assert_eq!(full.endpoint(kind), short.endpoint(kind));
    }
    let elsewhere = read("usedevelopmentstorage=True;DevelopmentStorageProxyUri=http://myhost");
    assert_eq!(elsewhere.endpoint(ServiceKind::Queue), Some("http://myhost:10001/devstoreaccount1"));
    assert_eq!(
        elsewhere.secondary(ServiceKind::Blob),
        Some("http://myhost:10000/devstoreaccount1-secondary")
    );
}

#[test]
fn endpoints_follow_from_the_name_where_none_is_written() {
    let cloud = read(
        "DefaultEndpointsProtocol=https;AccountName=acme;AccountKey=a2V5;EndpointSuffix=core.chinacloudapi.cn;\
         QueueEndpoint=https://queues.acme.com",
    );
    assert_eq!(cloud.endpoint(ServiceKind::Table), Some("https://acme.table.core.chinacloudapi.cn"));
    assert_eq!(
        cloud.secondary(ServiceKind::Table),
        Some("https://acme-secondary.table.core.chinacloudapi.cn")
    );
    assert_eq!(cloud.endpoint(ServiceKind::Queue), Some("https://queues.acme.com"));
    assert_eq!(cloud.secondary(ServiceKind::Queue), None);
}

#[test]
fn a_signature_needs_no_name() {
    let signed =
        read("TableEndpoint=https://a.table.core.windows.net/;SharedAccessSignature=?sv=2019-02-02&sig=a%3D");
    assert_eq!(signed.account(), None);
    assert_eq!(signed.endpoint(ServiceKind::Table), Some("https://a.table.core.windows.net"));
    assert_eq!(signed.endpoint(ServiceKind::Blob), None);
    let Credential::Signature(query) = signed.credential() else { panic!("{signed:?}") };
    assert_eq!(query.as_str(), "sv=2019-02-02&sig=a%3D");
    assert!(!format!("{signed:?}").contains("a%3D"));
}

#[test]
fn what_is_printed_is_read_as_the_same() {
    for text in [
        "UseDevelopmentStorage=true",
        "AccountName=acme;AccountKey=a2V5",
        "AccountName=acme;SharedAccessSignature=sv=1&sig=2;EndpointSuffix=localhost:8443",
        "TableEndpoint=https://a.b/;TableSecondaryEndpoint=https://c.d/",
    ] {
        let read = read(text);
        assert_eq!(read.expose().parse(), Ok(read), "{text}");
    }
}

#[test]
fn what_is_wrong_is_said_without_what_is_secret() {
    for (text, expected) in [
        ("", "`AccountName` is missing in the connection string"),
        ("AccountKey=c2VjcmV0", "`AccountName` is missing in the connection string"),
        ("AccountName=acme;c2VjcmV0", "setting 2 of the connection string does not have the form Name=Value"),
        ("AccountName=acme;c2VjcmV0==", "setting 2 of the connection string has an unknown name"),
        ("AccountName=acme;AccountName=c2VjcmV0", "duplicate `AccountName` in the connection string"),
        (
            "AccountName=acme;AccountKey=c2VjcmV0c",
            "invalid `AccountKey` in the connection string: invalid account key; expected a non-empty Base64 string",
        ),
        (
            "AccountName=c2VjcmV0",
            "invalid `AccountName` in the connection string: invalid account name; expected 3 to 24 lower-case letters and digits",
        ),
        (
            "AccountName=acme;AccountKey=c2VjcmV0;SharedAccessSignature=sig=c2VjcmV0",
            "the connection string has both `AccountKey` and `SharedAccessSignature`; specify only one",
        ),
        (
            "UseDevelopmentStorage=true;AccountKey=c2VjcmV0",
            "`UseDevelopmentStorage=true` allows no other setting except `DevelopmentStorageProxyUri`",
        ),
        (
            "UseDevelopmentStorage=c2VjcmV0",
            "invalid `UseDevelopmentStorage` in the connection string: expected true",
        ),
        (
            "AccountName=acme;DefaultEndpointsProtocol=ftp",
            "invalid `DefaultEndpointsProtocol` in the connection string: expected http or https",
        ),
        ("TableSecondaryEndpoint=https://a.b", "`TableEndpoint` is missing in the connection string"),
    ] {
        assert_eq!(refused(text), expected, "{text}");
    }
    for url in ["acme.com", "ftp://a.b", "http://", "http://key@a.b", "https://a.b?sig=c2VjcmV0", "/a"] {
        let said = refused(&format!("TableEndpoint={url}"));
        let expected = "invalid `TableEndpoint` in the connection string: expected an endpoint";
        assert!(said.starts_with(expected), "{url}: {said}");
    }
}

#[test]
fn a_key_may_hold_any_sign_of_base64() {
    let read = read(&format!(" accountname = acme ; ACCOUNTKEY = {KEY} ; "));
    assert!(matches!(read.credential(), Credential::Key(_, key) if *key == AccountKey::emulator()));
}
