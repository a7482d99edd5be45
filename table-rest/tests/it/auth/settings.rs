//! Access policies, properties and stats, through client requests.

use table_rest::{
    ServiceKind::{self, Blob, Queue, Table},
    auth::sas::Sas,
};

use crate::auth::site::{Request, Site, key, name};

const MARK: &str = "\u{feff}<?xml version=\"1.0\" encoding=\"utf-8\"?>";

const HOLDERS: [(ServiceKind, &str, u16); 3] = [
    (Table, "/people?comp=acl", 204),
    (Queue, "/photos?comp=acl", 204),
    (Blob, "/films?restype=container&comp=acl", 200),
];

fn policy(permission: &str) -> String {
    format!(
        "<SignedIdentifiers><SignedIdentifier><Id>readers</Id><AccessPolicy><Expiry>2030-01-01</Expiry>\
         <Permission>{permission}</Permission></AccessPolicy></SignedIdentifier></SignedIdentifiers>"
    )
}

#[test]
fn policies_that_were_set_are_got_and_cleared_by_an_empty_body() {
    let site = Site::new();
    for (kind, target, status) in HOLDERS {
        let get = || site.send(&Request::new(kind, "GET", target)).expect(200);
        let set = |body: &str| site.send(&Request::new(kind, "PUT", target).body(body));
        assert_eq!(get().body, format!("{MARK}<SignedIdentifiers />"));
        let answer = set(&policy("r")).expect(status);
        assert_eq!((answer.body.as_str(), answer.headers.contains_key("etag")), ("", kind == Blob));
        let answer = get();
        assert_eq!(answer.header("content-type"), "application/xml");
        assert_eq!(answer.headers.contains_key("last-modified"), kind == Blob);
        let normal = policy("r").replace("2030-01-01", "2030-01-01T00:00:00.0000000Z");
        assert_eq!(answer.body, format!("{MARK}{normal}"));
        let head = site.send(&Request::new(kind, "HEAD", target)).expect(200);
        assert_eq!((head.header("content-type"), head.body.as_str()), ("application/xml", ""));
        set("").expect(status);
        assert_eq!(get().body, format!("{MARK}<SignedIdentifiers />"));
    }
}

#[test]
fn policies_that_cannot_be_are_refused_in_xml_and_change_nothing() {
    let site = Site::new();
    for (kind, target, status) in HOLDERS {
        let set = |body: &str| site.send(&Request::new(kind, "PUT", target).body(body));
        set(&policy("r")).expect(status);
        let six = "<SignedIdentifier><Id>a</Id></SignedIdentifier>".repeat(6);
        for (body, code) in [
            (format!("<SignedIdentifiers>{six}</SignedIdentifiers>"), "InvalidXmlDocument"),
            ("<SignedIdentifiers>".to_owned(), "InvalidXmlDocument"),
            (policy("z"), "InvalidXmlNodeValue"),
            (policy("r").replace("2030", "year"), "InvalidXmlNodeValue"),
        ] {
            let answer = set(&body).expect(400);
            assert_eq!((answer.code(), answer.header("content-type")), (code, "application/xml"), "{body}");
            let shape = if kind == Table { "<m:error" } else { "<Error>" };
            assert!(answer.body.contains(shape) && answer.body.contains(code), "{}", answer.body);
        }
        let long = set(&"x".repeat(70_000));
        assert_eq!((long.status, long.code()), (413, "RequestBodyTooLarge"));
        let got = site.send(&Request::new(kind, "GET", target)).expect(200);
        assert!(got.body.contains("<Id>readers</Id>"));
    }
}

#[test]
fn what_is_not_there_has_no_policies() {
    let site = Site::new();
    let get = |kind, target| site.send(&Request::new(kind, "GET", target)).expect(404).code().to_owned();
    assert_eq!(get(Table, "/others?comp=acl"), "TableNotFound");
    assert_eq!(get(Queue, "/others?comp=acl"), "QueueNotFound");
    assert_eq!(get(Blob, "/others?restype=container&comp=acl"), "ContainerNotFound");
    let bad = site.send(&Request::new(Table, "GET", "/a-b?comp=acl")).expect(400);
    assert_eq!(bad.code(), "InvalidResourceName");
}

#[test]
fn a_container_is_never_opened_to_all() {
    let site = Site::new();
    let request = Request::new(Blob, "PUT", "/films?restype=container&comp=acl");
    let answer = site.send(&request.header("x-ms-blob-public-access", "container"));
    assert_eq!(answer.code(), "PublicAccessNotPermitted");
}

#[test]
fn a_signature_by_a_policy_holds_as_long_as_the_policy() {
    let site = Site::new();
    let (_, acl, _) = HOLDERS[0];
    let token = Sas::table("people", "").policy("readers").sign(&name(), &key()).unwrap();
    let read = || site.send(&Request::new(Table, "GET", "/people()").sas(&token));
    assert_eq!(read().expect(403).code(), "AuthenticationFailed");
    site.send(&Request::new(Table, "PUT", acl).body(&policy("r"))).expect(204);
    read().expect(200);
    site.send(&Request::new(Table, "PUT", acl).body(&policy("a"))).expect(204);
    assert_eq!(read().expect(403).code(), "AuthorizationPermissionMismatch");
    site.send(&Request::new(Table, "PUT", acl)).expect(204);
    assert_eq!(read().expect(403).code(), "AuthenticationFailed");
}

const PROPERTIES: &str = "/?restype=service&comp=properties";

#[test]
fn properties_that_were_set_are_got_and_others_stay() {
    let site = Site::new();
    for kind in ServiceKind::ALL {
        let get = || site.send(&Request::new(kind, "GET", PROPERTIES)).expect(200);
        let default = get();
        assert_eq!(default.header("content-type"), "application/xml");
        let metrics = "<HourMetrics><Version>1.0</Version><Enabled>true</Enabled><IncludeAPIs>true</IncludeAPIs>\
             <RetentionPolicy><Enabled>true</Enabled><Days>7</Days></RetentionPolicy></HourMetrics>";
        let body = format!("<StorageServiceProperties>{metrics}</StorageServiceProperties>");
        let answer = site.send(&Request::new(kind, "PUT", PROPERTIES).body(&body)).expect(202);
        assert_eq!(answer.body, "");
        let off = "<HourMetrics><Version>1.0</Version><Enabled>false</Enabled>\
             <RetentionPolicy><Enabled>false</Enabled></RetentionPolicy></HourMetrics>";
        assert_eq!(get().body, default.body.replace(off, metrics));
        let wrong = site.send(&Request::new(kind, "PUT", PROPERTIES).body("<Other/>")).expect(400);
        assert_eq!(wrong.code(), "InvalidXmlDocument");
        assert_eq!(get().body, default.body.replace(off, metrics));
    }
}

#[test]
fn stats_are_of_the_second_copy() {
    let site = Site::new();
    for kind in ServiceKind::ALL {
        let stats = Request::new(kind, "GET", "/?restype=service&comp=stats");
        let answer = site.send(&stats.clone().secondary()).expect(200);
        let live = "<Status>live</Status><LastSyncTime>Fri, 01 Mar 2024 00:00:00 GMT</LastSyncTime>";
        assert!(answer.body.starts_with(MARK) && answer.body.contains(live), "{}", answer.body);
        assert_eq!(site.send(&stats).expect(400).code(), "InvalidQueryParameterValue");
        let change = Request::new(kind, "PUT", PROPERTIES).body("<StorageServiceProperties/>").secondary();
        assert_eq!(site.send(&change).expect(403).code(), "InsufficientAccountPermissions");
    }
}

#[test]
fn what_settings_do_not_know_is_refused() {
    let site = Site::new();
    for kind in ServiceKind::ALL {
        let code =
            |method: &str, target: &str| site.send(&Request::new(kind, method, target)).code().to_owned();
        assert_eq!(code("DELETE", PROPERTIES), "UnsupportedHttpVerb");
        assert_eq!(code("GET", "/?restype=service"), "MissingRequiredQueryParameter");
        assert_eq!(code("GET", "/?restype=service&comp=list"), "InvalidQueryParameterValue");
        assert_eq!(code("GET", "/a?restype=service&comp=properties"), "InvalidQueryParameterValue");
        assert_eq!(code("GET", "/?comp=acl"), "InvalidQueryParameterValue");
    }
}
