//! A signature is valid only for the request it was created for: every changed request is rejected.

use http::{HeaderName, HeaderValue, Method};
use table_rest::{
    ServiceKind,
    auth::{
        Authorization, KeyRange, ResourceType, Scheme,
        sas::{Addresses, Field, Sas, SasToken},
    },
    server::Call,
    wire::query_string::QueryString,
};

use crate::auth::site::{Request, Site, key, later, name, signed};

/// A deterministic pseudorandom generator.
struct Dice(u64);

impl Dice {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).unwrap() % limit
    }

    /// Returns the ASCII string with one character replaced, removed or inserted.
    fn changed(&mut self, text: &str) -> String {
        let mut bytes = text.as_bytes().to_vec();
        let at = self.below(bytes.len());
        let visible = b' ' + u8::try_from(self.below(95)).unwrap();
        match self.below(4) {
            0 => drop(bytes.remove(at)),
            1 => bytes.insert(at, visible),
            _ => bytes[at] = visible,
        }
        String::from_utf8(bytes).unwrap()
    }
}

fn signatures() -> Vec<Request> {
    let range = KeyRange::all().from("a", Some("1")).to("z", Some("9"));
    let here: Addresses = "127.0.0.1-127.0.0.9".parse().unwrap();
    let start = "2024-02-01T00:00:00Z".parse().unwrap();
    let both = "https,http";
    let full = |sas: Sas| sas.start(start).expiry(later()).addresses(here).with(Field::Protocol, both);
    let levels = [ResourceType::Container, ResourceType::Object];
    [
        (
            Request::new(ServiceKind::Table, "GET", "/people()"),
            full(Sas::table("people", "rau").keys(&range)),
        ),
        (
            Request::new(ServiceKind::Table, "GET", "/people()"),
            full(Sas::account(&ServiceKind::ALL, &levels, "rl")),
        ),
        (Request::new(ServiceKind::Queue, "GET", "/photos/messages"), full(Sas::queue("photos", "rap"))),
        (Request::new(ServiceKind::Blob, "GET", "/films/jo"), full(Sas::container("films", "rl"))),
        (
            Request::new(ServiceKind::Blob, "GET", "/films/jo"),
            full(Sas::blob("films", "jo", "r")).with(Field::ContentType, "text/plain"),
        ),
    ]
    .into_iter()
    .map(|(request, sas)| request.sas(&sas.sign(&name(), &key()).unwrap()))
    .collect()
}

/// Returns the parameters of a signature in a query. Table names are case-insensitive.
fn said(query: &QueryString) -> Option<Vec<(Field, String)>> {
    let token = SasToken::read(query).ok()??;
    let lower = |(field, value): (Field, &str)| match field {
        Field::Table => (field, value.to_ascii_lowercase()),
        _ => (field, value.to_owned()),
    };
    Some(token.fields().map(lower).collect())
}

fn change_signatures(rounds: usize, seed: u64) {
    let (site, mut dice) = (Site::new(), Dice(seed));
    for request in signatures() {
        site.send(&request).expect(200);
        let sound = request.call();
        let meant = said(&sound.query);
        let mut refused = 0;
        while refused < rounds {
            let raw_query = dice.changed(&sound.raw_query);
            let Ok(query) = QueryString::parse(&raw_query) else { continue };
            if said(&query) == meant {
                continue;
            }
            let call = Call { query, raw_query, ..sound.clone() };
            let answer = site.call(&call, &bytes::Bytes::new());
            assert!(matches!(answer.status, 400 | 401 | 403), "{}: {answer:?}", call.raw_query);
            refused += 1;
        }
    }
}

fn requests() -> Vec<Request> {
    let lone = |kind, method, target| Request::new(kind, method, target);
    vec![
        lone(ServiceKind::Table, "GET", "/people()?$filter=A%20eq%201"),
        lone(ServiceKind::Table, "GET", "/people?comp=acl"),
        lone(ServiceKind::Table, "POST", "/people").body(r#"{"PartitionKey":"p","RowKey":"q"}"#),
        lone(ServiceKind::Queue, "GET", "/photos/messages?numofmessages=4&visibilitytimeout=9"),
        lone(ServiceKind::Blob, "GET", "/films/jo?timeout=20").header("range", "bytes=0-3"),
        lone(ServiceKind::Blob, "PUT", "/films/jo?comp=metadata").header("x-ms-meta-owner", "Jo"),
    ]
}

/// Changes one part of a request. Returns `None` if the result is not a request.
fn change_request(dice: &mut Dice, call: &mut Call) -> Option<()> {
    match dice.below(4) {
        0 => {
            let path = dice.changed(&call.path);
            call.signed_path = format!("/acme{path}");
            call.path = path;
        }
        1 => {
            call.raw_query =
                if call.raw_query.is_empty() { "comp=acl".to_owned() } else { dice.changed(&call.raw_query) };
            call.query = QueryString::parse(&call.raw_query).ok()?;
        }
        2 => {
            let others =
                [Method::GET, Method::HEAD, Method::PUT, Method::POST, Method::DELETE, Method::PATCH];
            call.method = others[dice.below(others.len())].clone();
        }
        _ => {
            let names: Vec<HeaderName> = call.headers.keys().cloned().collect();
            let name = &names[dice.below(names.len())];
            let value = dice.changed(call.headers[name].to_str().unwrap());
            call.headers.insert(name, HeaderValue::from_str(&value).ok()?);
        }
    }
    Some(())
}

/// Returns `true` if the signed parts of two requests are equal.
fn is_same(sound: &Call, changed: &Call) -> bool {
    let shown = |call: &Call| {
        let header = call.headers["authorization"].to_str().unwrap().to_owned();
        let read = Authorization::read(&header)
            .ok()
            .map(|read| (read.scheme, read.account.to_owned(), read.signature.to_owned()));
        (read, signed(call).string_to_sign(Scheme::SharedKey))
    };
    shown(sound) == shown(changed)
}

fn change_requests(rounds: usize, seed: u64) {
    let (site, mut dice) = (Site::new(), Dice(seed));
    for request in requests() {
        let sound = request.call();
        let mut refused = 0;
        while refused < rounds {
            let mut call = sound.clone();
            if change_request(&mut dice, &mut call).is_none() || is_same(&sound, &call) {
                continue;
            }
            let answer = site.call(&call, &bytes::Bytes::new());
            assert!(
                matches!(answer.code(), "AuthenticationFailed" | "InvalidAuthenticationInfo"),
                "{call:?}: {answer:?}"
            );
            refused += 1;
        }
    }
}

#[test]
fn no_changed_signature_is_taken() {
    change_signatures(2_000, 7);
}

#[test]
fn no_changed_request_is_taken() {
    change_requests(2_000, 11);
}

#[test]
#[ignore = "takes minutes"]
fn no_changed_signature_of_a_million_is_taken() {
    change_signatures(200_000, 13);
}

#[test]
#[ignore = "takes minutes"]
fn no_changed_request_of_a_million_is_taken() {
    change_requests(170_000, 17);
}
