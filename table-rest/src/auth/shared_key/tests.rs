use http::{HeaderName, HeaderValue};

use super::*;

const DATE: (&str, &str) = ("x-ms-date", "Fri, 01 Mar 2024 00:00:00 GMT");
const VERSION: (&str, &str) = ("x-ms-version", "2021-12-02");
const ACCOUNT: &str = "devstoreaccount1";

struct Case {
    kind: ServiceKind,
    method: Method,
    path: &'static str,
    query: &'static str,
    headers: Vec<(&'static str, &'static str)>,
}

impl Case {
    fn table(method: Method, path: &'static str) -> Self {
        Self { kind: ServiceKind::Table, method, path, query: "", headers: vec![DATE] }
    }

    fn blob(path: &'static str, query: &'static str, headers: &[(&'static str, &'static str)]) -> Self {
        Self { kind: ServiceKind::Blob, method: Method::GET, path, query, headers: headers.to_vec() }
    }

    /// Returns the string to sign and its signature.
    fn signed(&self, scheme: Scheme) -> (String, String) {
        let mut headers = HeaderMap::new();
        for (name, value) in &self.headers {
            headers.append(HeaderName::from_static(name), HeaderValue::from_static(value));
        }
        let request = SignedRequest {
            kind: self.kind,
            account: ACCOUNT,
            method: &self.method,
            path: self.path,
            query: &QueryString::parse(self.query).unwrap(),
            headers: &headers,
        };
        let text = request.string_to_sign(scheme);
        let signature = AccountKey::emulator().sign(&text);
        assert_eq!(
            request.authorization(scheme, &AccountKey::emulator()),
            format!("{scheme} {ACCOUNT}:{signature}")
        );
        (text, signature)
    }
}

#[track_caller]
fn check(case: &Case, scheme: Scheme, text: &str, signature: &str) {
    assert_eq!(case.signed(scheme), (text.to_owned(), signature.to_owned()));
}

#[test]
fn known_requests_to_tables_are_signed_as_known() {
    let date = DATE.1;
    let tables = Case::table(Method::GET, "/devstoreaccount1/Tables");
    check(
        &tables,
        Scheme::SharedKey,
        &format!("GET\n\n\n{date}\n/devstoreaccount1/devstoreaccount1/Tables"),
        "fBZplnGyvhPt1xQikeM26vx3IuDg/nHYSEItiL6nVtM=",
    );
    check(
        &tables,
        Scheme::SharedKeyLite,
        &format!("{date}\n/devstoreaccount1/devstoreaccount1/Tables"),
        "S1WHStrdxsPC1MwdigsETAETjzLo6AK8pxUHRjslgeA=",
    );
    let mut insert = Case::table(Method::POST, "/devstoreaccount1/people");
    insert.headers.push(("content-type", "application/json"));
    check(
        &insert,
        Scheme::SharedKey,
        &format!("POST\n\napplication/json\n{date}\n/devstoreaccount1/devstoreaccount1/people"),
        "Aa06rl4nEm68SikQw0ewtnQ/BvK1EySRgEMF0lsESSY=",
    );
    let mut policies = Case::table(Method::GET, "/devstoreaccount1/people");
    policies.query = "timeout=30&comp=acl";
    check(
        &policies,
        Scheme::SharedKey,
        &format!("GET\n\n\n{date}\n/devstoreaccount1/devstoreaccount1/people?comp=acl"),
        "xy6Tn55FRy7DJB506IRM6h06SH8HtfOXCv4rVkd3qv8=",
    );
    let path = "/devstoreaccount1/people(PartitionKey=%27a%27%27b%27,RowKey=%27r%201%27)";
    check(
        &Case::table(Method::GET, path),
        Scheme::SharedKey,
        &format!("GET\n\n\n{date}\n/devstoreaccount1{path}"),
        "qHicdC1Tv56VTzgEDrUTgeBl4nwV1fl09fVuGFrEFUo=",
    );
    check(
        &Case::table(Method::GET, "/Tables"),
        Scheme::SharedKey,
        &format!("GET\n\n\n{date}\n/devstoreaccount1/Tables"),
        "EatGIwQLkDhFLSVyOT6/2OZCbenmu9o4kUwuJfitIgw=",
    );
}

#[test]
fn a_table_takes_the_date_that_is_there() {
    let mut case = Case::table(Method::GET, "/Tables");
    let signed = case.signed(Scheme::SharedKey);
    case.headers = vec![("date", DATE.1)];
    assert_eq!(case.signed(Scheme::SharedKey), signed);
    case.headers = vec![("date", "Thu, 29 Feb 2024 00:00:00 GMT"), DATE];
    assert_eq!(case.signed(Scheme::SharedKey), signed);
}

#[test]
fn known_requests_to_queues_and_blobs_are_signed_as_known() {
    let date = DATE.1;
    let mut list = Case::blob("/devstoreaccount1", "comp=list", &[DATE, VERSION]);
    list.kind = ServiceKind::Queue;
    let lines = format!("GET{}x-ms-date:{date}\nx-ms-version:2021-12-02\n", "\n".repeat(12));
    check(
        &list,
        Scheme::SharedKey,
        &format!("{lines}/devstoreaccount1/devstoreaccount1\ncomp:list"),
        "o+/M285F2OiLvq55zxwGgrNFnApWasZrXXpk78gESck=",
    );
    list.path = "/devstoreaccount1/";
    check(
        &list,
        Scheme::SharedKey,
        &format!("{lines}/devstoreaccount1/devstoreaccount1/\ncomp:list"),
        "5Y2WY06sBjcX8Vr8+Wuh/E37wad8ihI6T46tddNa9Oo=",
    );
    let mut put =
        Case::blob("/devstoreaccount1/c/b.txt", "", &[VERSION, ("content-type", "text/plain"), DATE]);
    put.method = Method::PUT;
    put.headers.extend([("x-ms-blob-type", "BlockBlob"), ("content-length", "5")]);
    check(
        &put,
        Scheme::SharedKey,
        &format!(
            "PUT\n\n\n5\n\ntext/plain\n\n\n\n\n\n\nx-ms-blob-type:BlockBlob\nx-ms-date:{date}\n\
             x-ms-version:2021-12-02\n/devstoreaccount1/devstoreaccount1/c/b.txt"
        ),
        "ZZuDGEDnOY/PV8mv3xpp724v6pcZD4b45w0UofuhitA=",
    );
}

#[test]
fn parameters_are_signed_decoded_by_name_and_value() {
    let case = Case::blob("/c", "restype=container&Include=b%20c&comp=list&include=a", &[DATE]);
    let (text, _) = case.signed(Scheme::SharedKey);
    assert!(text.ends_with("/devstoreaccount1/c\ncomp:list\ninclude:a,b c\nrestype:container"), "{text}");
    let (lite, _) = case.signed(Scheme::SharedKeyLite);
    assert!(lite.ends_with("/devstoreaccount1/c?comp=list"), "{lite}");
}

#[test]
fn a_length_of_nothing_and_headers_without_a_value_go_by_the_version() {
    let headers = [("content-length", "0"), ("x-ms-a", ""), ("x-ms-meta-b", " x  y ")];
    let text = |version| {
        let mut headers = headers.to_vec();
        headers.push(("x-ms-version", version));
        Case::blob("/c", "", &headers).signed(Scheme::SharedKey).0
    };
    assert!(text("2014-02-14").starts_with("GET\n\n\n0\n"));
    assert!(
        text("2014-02-14").ends_with("\n\nx-ms-meta-b:x  y\nx-ms-version:2014-02-14\n/devstoreaccount1/c")
    );
    assert!(text("2015-02-21").starts_with("GET\n\n\n\n"));
    assert!(!text("2015-12-11").contains("x-ms-a:"));
    assert!(text("2016-05-31").contains("\nx-ms-a:\nx-ms-meta-b:x  y\n"));
}

#[test]
fn a_header_that_stands_twice_is_signed_twice() {
    let case = Case::blob("/c", "", &[("x-ms-meta-a", "1"), ("x-ms-meta-a", "2")]);
    assert!(case.signed(Scheme::SharedKey).0.contains("x-ms-meta-a:1,2\n"));
}

#[test]
fn the_lighter_scheme_leaves_the_date_to_its_own_header() {
    let case = Case::blob("/c", "", &[("date", DATE.1), ("content-md5", "m"), ("range", "bytes=0-1")]);
    let (text, _) = case.signed(Scheme::SharedKeyLite);
    assert_eq!(text, format!("GET\nm\n\n{}\n/devstoreaccount1/c", DATE.1));
    let case = Case::blob("/c", "", &[DATE]);
    let (text, _) = case.signed(Scheme::SharedKeyLite);
    assert_eq!(text, format!("GET\n\n\n\nx-ms-date:{}\n/devstoreaccount1/c", DATE.1));
}
