//! Every query, header and connection string is parsed or rejected. A parsed signature round-trips through its printed
//! form, and an unrelated key never verifies it. Input: a query.

#![no_main]

use libfuzzer_sys::fuzz_target;
use table_rest::{
    auth::{
        AccountKey, Authorization,
        sas::{SasToken, Scope},
    },
    connection::ConnectionString,
    wire::{http_date::HttpDate, query_string::QueryString},
};

const SCOPES: [Scope<'static>; 5] = [
    Scope::Account,
    Scope::Table("people"),
    Scope::Queue("photos"),
    Scope::Container("films"),
    Scope::Blob("films", "jo"),
];

fuzz_target!(|data: &[u8]| {
    let Ok(text) = std::str::from_utf8(data) else { return };
    let _ = Authorization::read(text);
    let _ = text.parse::<HttpDate>();
    if let Ok(connection) = text.parse::<ConnectionString>() {
        assert_eq!(connection.expose().parse().as_ref(), Ok(&connection));
    }
    let Ok(query) = QueryString::parse(text) else { return };
    let Ok(Some(token)) = SasToken::read(&query) else { return };
    let printed = QueryString::parse(&token.to_string()).expect("it was printed");
    assert_eq!(SasToken::read(&printed), Ok(Some(token.clone())));
    let (_, _) = (token.terms(None), token.key_range());
    // A key that no input is signed with.
    let key = AccountKey::new(*b"not known to who makes the inputs").expect("it has bytes");
    for scope in SCOPES {
        let _ = token.check_for(scope);
        assert!(!token.is_signed(&key, "acme", scope));
    }
});
