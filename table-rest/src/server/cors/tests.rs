use http::HeaderMap;
use table_model::Uuid;

use super::*;
use crate::{
    ServiceKind,
    server::{Probe, Spelling},
    wire::query_string::QueryString,
};

fn call(method: Method, headers: &[(&'static str, &str)]) -> Call {
    let mut map = HeaderMap::new();
    for (name, value) in headers {
        map.insert(*name, HeaderValue::from_str(value).unwrap());
    }
    Call {
        kind: ServiceKind::Table,
        method,
        signed_path: "/acme/people".to_owned(),
        path: "/people".to_owned(),
        raw_query: String::new(),
        query: QueryString::default(),
        headers: map,
        spelling: Spelling::default(),
        probe: Probe::default(),
        account: "acme".to_owned(),
        secondary: false,
        root: "http://127.0.0.1:10002/acme".to_owned(),
        peer: [127, 0, 0, 1].into(),
        secure: false,
        id: Uuid::nil(),
        received: "2024-03-01".parse().unwrap(),
    }
}

fn rule(origin: &str, methods: &[CorsMethod]) -> CorsRule {
    CorsRule {
        origins: vec![origin.to_owned()],
        methods: methods.to_vec(),
        max_age: 500,
        exposed_headers: vec!["ETag".to_owned(), "x-ms-meta-*".to_owned(), "x-ms-r*".to_owned()],
        allowed_headers: vec!["x-ms-meta-target*".to_owned(), "Content-Type".to_owned()],
    }
}

fn rules(rules: &[CorsRule]) -> CorsRules {
    CorsRules::new(rules.to_vec()).unwrap()
}

const ORIGIN: &str = "http://a.com";

fn header(reply: &Reply, name: &str) -> Option<String> {
    reply.headers.get(name).map(|value| value.to_str().unwrap().to_owned())
}

fn asked(rules: &CorsRules, headers: &[(&'static str, &str)]) -> Result<Reply, ErrorCode> {
    preflight(rules, &call(Method::OPTIONS, headers)).map_err(|refusal| refusal.error.code())
}

#[test]
fn a_question_is_answered_by_the_rule_that_fits() {
    let rules = rules(&[rule(ORIGIN, &[CorsMethod::Put]), rule("*", &[CorsMethod::Get])]);
    let wanted = "content-type, x-ms-meta-target1";
    let reply = asked(
        &rules,
        &[
            ("origin", ORIGIN),
            ("access-control-request-method", "PUT"),
            ("access-control-request-headers", wanted),
        ],
    );
    let reply = reply.unwrap();
    assert_eq!(reply.status, StatusCode::OK);
    for (name, value) in [
        ("access-control-allow-origin", ORIGIN),
        ("access-control-allow-methods", "PUT"),
        ("access-control-allow-headers", wanted),
        ("access-control-max-age", "500"),
        ("access-control-allow-credentials", "true"),
    ] {
        assert_eq!(header(&reply, name).as_deref(), Some(value), "{name}");
    }
    let plain = asked(&rules, &[("origin", "http://b.com"), ("access-control-request-method", "GET")]);
    let plain = plain.unwrap();
    assert_eq!(header(&plain, "access-control-allow-origin").as_deref(), Some("http://b.com"));
    assert_eq!(header(&plain, "access-control-allow-headers"), None);
}

#[test]
fn a_question_without_its_headers_or_without_a_rule_is_refused() {
    let rules = rules(&[rule(ORIGIN, &[CorsMethod::Put]), rule("*", &[CorsMethod::Get])]);
    let method = "access-control-request-method";
    let none = Some(ErrorCode::CorsPreflightFailure);
    let missing = Some(ErrorCode::InvalidHeaderValue);
    assert_eq!(asked(&rules, &[("origin", ORIGIN)]).err(), missing);
    assert_eq!(asked(&rules, &[(method, "PUT")]).err(), missing);
    assert_eq!(asked(&rules, &[("origin", "http://b.com"), (method, "PUT")]).err(), none);
    assert_eq!(asked(&rules, &[("origin", ORIGIN), (method, "LOOK")]).err(), none);
    assert_eq!(asked(&CorsRules::default(), &[("origin", ORIGIN), (method, "PUT")]).err(), none);
    let headers = ("access-control-request-headers", "x-ms-version");
    assert_eq!(asked(&rules, &[("origin", ORIGIN), (method, "PUT"), headers]).err(), none);
}

#[test]
fn no_later_rule_is_tried_for_headers() {
    let open = CorsRule { allowed_headers: vec!["*".to_owned()], ..rule("*", &[CorsMethod::Put]) };
    let rules = rules(&[rule(ORIGIN, &[CorsMethod::Put]), open]);
    let headers = |origin| {
        [
            ("origin", origin),
            ("access-control-request-method", "PUT"),
            ("access-control-request-headers", "x"),
        ]
    };
    assert_eq!(asked(&rules, &headers(ORIGIN)).err(), Some(ErrorCode::CorsPreflightFailure));
    assert_eq!(asked(&rules, &headers("http://b.com")).err(), None);
}

/// `Vary`, `Access-Control-Allow-Origin`, exposed headers present, credentials allowed.
type Told = (Option<String>, Option<String>, bool, bool);

fn told(rules: &CorsRules, method: Method, origin: Option<&str>) -> Told {
    let headers: Vec<_> = origin.map(|origin| ("origin", origin)).into_iter().collect();
    let mut reply = Reply::new(StatusCode::OK);
    if !rules.as_slice().is_empty() {
        tell(rules, &call(method, &headers), &mut reply);
    }
    (
        header(&reply, "vary"),
        header(&reply, "access-control-allow-origin"),
        header(&reply, "access-control-expose-headers").is_some(),
        header(&reply, "access-control-allow-credentials").is_some(),
    )
}

#[test]
fn what_a_read_tells_is_as_in_the_table_of_the_service() {
    let exact = rules(&[rule(ORIGIN, &[CorsMethod::Get, CorsMethod::Head])]);
    let all = rules(&[rule("*", &[CorsMethod::Get, CorsMethod::Head])]);
    let vary = || Some("Origin".to_owned());
    let other = Some("http://b.com");
    for method in [Method::GET, Method::HEAD] {
        let told = |rules: &CorsRules, origin| told(rules, method.clone(), origin);
        assert_eq!(told(&CorsRules::default(), None), (None, None, false, false));
        assert_eq!(told(&exact, None), (vary(), None, false, false));
        assert_eq!(told(&all, None), (None, Some("*".to_owned()), true, false));
        assert_eq!(told(&CorsRules::default(), Some(ORIGIN)), (None, None, false, false));
        assert_eq!(told(&exact, Some(ORIGIN)), (vary(), Some(ORIGIN.to_owned()), true, true));
        assert_eq!(told(&exact, other), (vary(), None, false, false));
        assert_eq!(told(&all, other), (None, Some("*".to_owned()), true, false));
    }
}

#[test]
fn what_a_write_tells_does_not_vary() {
    let rules = rules(&[rule(ORIGIN, &[CorsMethod::Put]), rule("*", &[CorsMethod::Post])]);
    assert_eq!(told(&rules, Method::PUT, None), (None, None, false, false));
    assert_eq!(told(&rules, Method::POST, None), (None, None, false, false));
    assert_eq!(told(&rules, Method::PUT, Some(ORIGIN)), (None, Some(ORIGIN.to_owned()), true, true));
    assert_eq!(told(&rules, Method::DELETE, Some(ORIGIN)), (None, None, false, false));
    assert_eq!(told(&rules, Method::POST, Some(ORIGIN)), (None, Some("*".to_owned()), true, false));
}

#[test]
fn beginnings_of_names_stand_for_the_headers_that_are_there() {
    let rules = rules(&[rule(ORIGIN, &[CorsMethod::Get])]);
    let mut reply = Reply::new(StatusCode::OK)
        .header(HeaderName::from_static("etag"), "x")
        .header(HeaderName::from_static("x-ms-meta-data"), "1");
    tell(&rules, &call(Method::GET, &[("origin", ORIGIN)]), &mut reply);
    let exposed = header(&reply, "access-control-expose-headers");
    assert_eq!(exposed.as_deref(), Some("ETag,x-ms-meta-data,x-ms-request-id"));
}
