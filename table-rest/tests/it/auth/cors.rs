//! CORS rules, from the request that sets them to the response headers for a browser.

use table_rest::ServiceKind::{Queue, Table};

use crate::auth::site::{Request, Site};

const PROPERTIES: &str = "/?restype=service&comp=properties";
const ORIGIN: &str = "http://a.com";

fn rules() -> String {
    format!(
        "<StorageServiceProperties><Cors><CorsRule><AllowedOrigins>{ORIGIN}</AllowedOrigins>\
         <AllowedMethods>GET,PUT</AllowedMethods><MaxAgeInSeconds>500</MaxAgeInSeconds>\
         <ExposedHeaders>x-ms-*</ExposedHeaders><AllowedHeaders>*</AllowedHeaders></CorsRule></Cors>\
         </StorageServiceProperties>"
    )
}

fn question(target: &str) -> Request {
    let request = Request::new(Table, "OPTIONS", target).unsigned();
    request.header("origin", ORIGIN).header("access-control-request-method", "PUT")
}

#[test]
fn a_question_needs_no_signature_and_nothing_to_be_there() {
    let site = Site::new();
    assert_eq!(site.send(&question("/others")).expect(403).code(), "CorsPreflightFailure");
    site.send(&Request::new(Table, "PUT", PROPERTIES).body(&rules())).expect(202);
    for target in ["/others", "/people", "/"] {
        let answer = site.send(&question(target)).expect(200);
        assert_eq!(answer.header("access-control-allow-origin"), ORIGIN);
        assert_eq!(answer.header("access-control-max-age"), "500");
    }
    let incomplete = Request::new(Table, "OPTIONS", "/people").unsigned().header("origin", ORIGIN);
    let answer = site.send(&incomplete).expect(400);
    assert_eq!(answer.code(), "InvalidHeaderValue");
    assert!(answer.body.contains("A required CORS header is not present."), "{}", answer.body);
}

#[test]
fn an_account_that_is_not_there_answers_a_question_like_one_without_rules() {
    let site = Site::new();
    let known = question("/people").call();
    let mut unknown = known.clone();
    unknown.account = "acmf".to_owned();
    let (known, unknown) =
        (site.call(&known, &bytes::Bytes::new()), site.call(&unknown, &bytes::Bytes::new()));
    assert_eq!((known.status, known.body), (unknown.status, unknown.body));
}

#[test]
fn answers_tell_who_may_see_them_also_where_they_refuse() {
    let site = Site::new();
    let get = Request::new(Table, "GET", "/people()").header("origin", ORIGIN);
    assert_eq!(site.send(&get).expect(403).code(), "CorsPreflightFailure");
    site.send(&Request::new(Table, "PUT", PROPERTIES).body(&rules())).expect(202);
    for (request, status) in [(get.clone(), 200), (get.unsigned(), 401)] {
        let answer = site.send(&request).expect(status);
        assert_eq!(answer.header("access-control-allow-origin"), ORIGIN);
        assert_eq!(answer.header("vary"), "Origin");
        assert!(answer.header("access-control-expose-headers").contains("x-ms-request-id"));
    }
    let other = Request::new(Table, "GET", "/people()").header("origin", "http://b.com");
    let answer = site.send(&other).expect(403);
    assert_eq!((answer.code(), answer.header("vary")), ("CorsPreflightFailure", "Origin"));
    assert!(answer.body.contains("http://b.com"), "{}", answer.body);
    assert!(!answer.headers.contains_key("access-control-allow-origin"));
    // The rules apply to a single service.
    let queue = Request::new(Queue, "GET", "/photos?comp=metadata").header("origin", ORIGIN);
    assert!(!site.send(&queue).expect(403).headers.contains_key("access-control-allow-origin"));
}
