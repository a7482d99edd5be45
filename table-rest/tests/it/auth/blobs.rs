//! Blob signatures that set response headers.

use table_rest::{
    ServiceKind,
    auth::sas::{Field, Sas},
};

use crate::auth::site::{Request, Site, key, later, name};

#[test]
fn a_signature_sets_headers_of_the_blob_and_of_nothing_else() {
    let site = Site::new();
    let sas = Sas::container("films", "rl")
        .expiry(later())
        .with(Field::ContentType, "text/html")
        .with(Field::ContentDisposition, "inline")
        .with(Field::CacheControl, "no-store");
    let token = sas.sign(&name(), &key()).unwrap();
    let get = |method, target| site.send(&Request::new(ServiceKind::Blob, method, target).sas(&token));
    for method in ["GET", "HEAD"] {
        let answer = get(method, "/films/jo").expect(200);
        assert_eq!(answer.header("content-type"), "text/html");
        assert_eq!(answer.header("content-disposition"), "inline");
        assert_eq!(answer.header("cache-control"), "no-store");
    }
    let list = get("GET", "/films?restype=container&comp=list").expect(200);
    assert_eq!(list.header("content-type"), "application/xml");
    let missing = get("GET", "/films/others").expect(404);
    assert_eq!(
        (missing.header("content-type"), missing.header("content-disposition")),
        ("application/xml", "")
    );
}

#[test]
fn a_header_that_cannot_be_is_no_signature() {
    let site = Site::new();
    let sas = Sas::blob("films", "jo", "r").expiry(later()).with(Field::ContentType, "text\u{7f}");
    assert!(sas.sign(&name(), &key()).is_err());
    let get = |token: &str| {
        let call = Request::new(ServiceKind::Blob, "GET", &format!("/films/jo?{token}")).unsigned();
        site.send(&call).status
    };
    let sound = Sas::blob("films", "jo", "r").expiry(later()).with(Field::ContentType, "text/html");
    let token = sound.sign(&name(), &key()).unwrap().to_string();
    assert_eq!(get(&token), 200);
    assert_eq!(get(&token.replace("text%2Fhtml", "text%0D%0A")), 403);
}
