mod token;

use std::time::Duration;

use http::{HeaderMap, HeaderName, HeaderValue, Method};
use table_model::{
    QueueService, SettingsService, TableService, Timestamp,
    settings::{PolicyHolder, StoredPolicies, StoredPolicy},
};
use table_store::Store;

use super::*;
use crate::{
    AccountName, ServiceKind,
    auth::{
        Need, ResourceType, Scheme, SignedRequest,
        sas::{Field, Sas},
    },
    server::{Probe, Spelling},
    wire::{http_date::HttpDate, query_string::QueryString},
};

const NOW: &str = "2024-03-01T00:00:00Z";
const READ: Need = Need { resource: &[ResourceType::Object], account: &["r"], service: &["r"] };

fn now() -> Timestamp {
    NOW.parse().unwrap()
}

fn name() -> AccountName {
    "acme".parse().unwrap()
}

fn keys() -> [AccountKey; 2] {
    ["Zmlyc3Q=", "c2Vjb25k"].map(|key| key.parse().unwrap())
}

fn account() -> ServedAccount {
    ServedAccount::new(name(), keys().to_vec(), Store::in_memory().unwrap())
}

fn call(kind: ServiceKind, path: &str, query: &str) -> Call {
    Call {
        kind,
        method: Method::GET,
        signed_path: format!("/acme{path}"),
        path: path.to_owned(),
        raw_query: query.to_owned(),
        query: QueryString::parse(query).unwrap(),
        headers: HeaderMap::new(),
        spelling: Spelling::default(),
        probe: Probe::default(),
        account: "acme".to_owned(),
        secondary: false,
        root: "http://127.0.0.1:10002/acme".to_owned(),
        peer: [127, 0, 0, 1].into(),
        secure: false,
        id: Uuid::nil(),
        received: now(),
    }
}

fn people(query: &str) -> Call {
    call(ServiceKind::Table, "/people()", query)
}

fn with(mut call: Call, header: &'static str, value: &str) -> Call {
    call.headers.append(HeaderName::from_static(header), HeaderValue::from_str(value).unwrap());
    call
}

/// Returns the request with a date and a signature.
fn signed(call: Call, date: Timestamp, scheme: Scheme, key: &AccountKey) -> Call {
    let call = with(call, "x-ms-date", &HttpDate(date).to_string());
    let request = SignedRequest {
        kind: call.kind,
        account: &call.account,
        method: &call.method,
        path: &call.signed_path,
        query: &call.query,
        headers: &call.headers,
    };
    let authorization = request.authorization(scheme, key);
    with(call, "authorization", &authorization)
}

fn asked(account: &ServedAccount, call: &Call) -> Result<Grant, Refusal> {
    pollster::block_on(authenticate(account, call))
}

fn refused(account: &ServedAccount, call: &Call) -> Option<ErrorCode> {
    asked(account, call).err().map(|refusal| refusal.error.code())
}

#[test]
fn either_key_and_either_scheme_opens_all_services() {
    let account = account();
    for kind in ServiceKind::ALL {
        for scheme in [Scheme::SharedKey, Scheme::SharedKeyLite] {
            for key in keys() {
                let call = signed(call(kind, "/a/b%20c", "comp=list&prefix=a+b"), now(), scheme, &key);
                assert_eq!(refused(&account, &call), None, "{call:?}");
            }
        }
    }
}

#[test]
fn headers_may_be_signed_in_the_order_of_the_service_or_by_bytes() {
    let account = account();
    let [key, _] = keys();
    let call = with(with(call(ServiceKind::Blob, "/c/b", ""), "x-ms-meta-a1", "b"), "x-ms-meta-a_b", "c");
    let dated = with(call, "x-ms-date", &HttpDate(now()).to_string());
    let request = SignedRequest {
        kind: dated.kind,
        account: &dated.account,
        method: &dated.method,
        path: &dated.signed_path,
        query: &dated.query,
        headers: &dated.headers,
    };
    let scheme = Scheme::SharedKey;
    let texts = [request.string_to_sign(scheme), request.string_to_sign_by_bytes(scheme).unwrap()];
    for text in &texts {
        let sent = with(dated.clone(), "authorization", &format!("SharedKey acme:{}", key.sign(text)));
        assert_eq!(refused(&account, &sent), None, "{text}");
    }
    assert!(texts[0] != texts[1]);
}

#[test]
fn what_is_signed_cannot_be_changed() {
    let account = account();
    let [key, _] = keys();
    let sound = signed(call(ServiceKind::Blob, "/c/b", "comp=list"), now(), Scheme::SharedKey, &key);
    assert_eq!(refused(&account, &sound), None);
    let failed = Some(ErrorCode::AuthenticationFailed);
    let change = |change: fn(&mut Call)| {
        let mut call = sound.clone();
        change(&mut call);
        refused(&account, &call)
    };
    assert_eq!(change(|call| call.method = Method::DELETE), failed);
    assert_eq!(change(|call| call.signed_path.push('x')), failed);
    assert_eq!(change(|call| call.query = QueryString::parse("comp=acl").unwrap()), failed);
    assert_eq!(change(|call| *call = with(call.clone(), "x-ms-meta-a", "b")), failed);
    assert_eq!(change(|call| *call = with(call.clone(), "range", "bytes=0-1")), failed);
    assert_eq!(change(|call| call.kind = ServiceKind::Table), failed);
    assert_eq!(change(|call| call.account = "acmf".to_owned()), failed);
    let other = signed(people(""), now(), Scheme::SharedKey, &"b3RoZXI=".parse().unwrap());
    assert_eq!(refused(&account, &other), failed);
}

#[test]
fn a_date_is_good_for_fifteen_minutes_before_and_after() {
    let account = account();
    let [key, _] = keys();
    let quarter = Duration::from_secs(15 * 60);
    let at = |received: Timestamp, date: Timestamp| {
        let mut call = signed(people(""), date, Scheme::SharedKey, &key);
        call.received = received;
        refused(&account, &call)
    };
    let edge = now().saturating_add(quarter);
    let beyond = edge.saturating_add(Duration::from_secs(1));
    let failed = Some(ErrorCode::AuthenticationFailed);
    assert_eq!((at(edge, now()), at(now(), edge)), (None, None));
    assert_eq!((at(beyond, now()), at(now(), beyond)), (failed, failed));
    let undated = with(people(""), "authorization", "SharedKey acme:c2ln");
    assert_eq!(refused(&account, &undated), failed);
    assert_eq!(refused(&account, &with(undated, "x-ms-date", "yesterday")), failed);
}

#[test]
fn what_shows_nothing_or_too_much_is_told_so() {
    let account = account();
    let code = |call: Call| refused(&account, &call);
    assert_eq!(code(people("")), Some(ErrorCode::ResourceNotFound));
    assert_eq!(code(with(people(""), "x-ms-version", "2019-02-02")), Some(ErrorCode::ResourceNotFound));
    let anonymous = with(people(""), "x-ms-version", "2021-06-08");
    assert_eq!(code(anonymous), Some(ErrorCode::NoAuthenticationInformation));
    let ill_formed = Some(ErrorCode::InvalidAuthenticationInfo);
    for header in ["", "SharedKey", "SharedKey acme", "Bearer abc", "Basic YTpi", "SharedKey acme:"] {
        assert_eq!(code(with(people(""), "authorization", header)), ill_formed, "{header}");
    }
    let [key, _] = keys();
    let sound = signed(people(""), now(), Scheme::SharedKey, &key);
    let twice = with(sound.clone(), "authorization", "SharedKey acme:c2ln");
    assert_eq!(code(twice), ill_formed);
    let both = signed(people("sv=2019-02-02&sig=x"), now(), Scheme::SharedKey, &key);
    assert_eq!(code(both), ill_formed);
}

#[test]
fn the_secondary_endpoint_is_signed_either_way() {
    let account = account();
    let [key, _] = keys();
    let primary = signed(people(""), now(), Scheme::SharedKey, &key);
    let mut secondary =
        Call { signed_path: "/acme-secondary/people()".to_owned(), secondary: true, ..primary };
    assert_eq!(refused(&account, &secondary), None);
    secondary.headers.clear();
    assert_eq!(refused(&account, &signed(secondary.clone(), now(), Scheme::SharedKey, &key)), None);
    secondary.signed_path.push('x');
    assert!(refused(&account, &secondary).is_some());
}

#[test]
fn an_account_that_is_not_there_is_answered_as_one_whose_key_is_another() {
    let account = account();
    let stranger: AccountKey = "b3RoZXI=".parse().unwrap();
    let token = Sas::table("people", "r").expiry(now().saturating_add(Duration::from_secs(60)));
    let token = token.sign(&name(), &stranger).unwrap().to_string();
    let calls = [
        signed(people(""), now(), Scheme::SharedKey, &stranger),
        signed(people(""), now(), Scheme::SharedKey, &AccountKey::emulator()),
        with(people(""), "authorization", "SharedKey"),
        people(""),
        people(&token),
        people("sv=2019-02-02&sig=x&tn=people&si=pol"),
    ];
    for call in calls {
        let (known, unknown) = (asked(&account, &call).unwrap_err(), refuse_unknown(&call));
        assert_eq!(known.error.code(), unknown.error.code());
        assert_eq!(known.error.message(), unknown.error.message());
        assert_eq!(known.details, unknown.details);
    }
}

fn expiring(sas: Sas) -> Sas {
    sas.expiry("2024-03-01T01:00:00Z".parse().unwrap())
}

fn granted(account: &ServedAccount, mut call: Call, sas: &Sas) -> Result<Grant, ErrorCode> {
    let [_, key] = keys();
    let token = sas.sign(&name(), &key).unwrap().to_string();
    let query = [call.raw_query.as_str(), &token].join("&");
    call.query = QueryString::parse(&query).unwrap();
    asked(account, &call).map_err(|refusal| refusal.error.code())
}

fn code(granted: Result<(), Refusal>) -> Option<ErrorCode> {
    granted.err().map(|refusal| refusal.error.code())
}

#[test]
fn a_signature_grants_what_it_says_to_what_it_is_for() {
    let account = account();
    let grant = granted(&account, people(""), &expiring(Sas::table("People", "r"))).unwrap();
    assert_eq!(code(grant.permit(&READ)), None);
    assert_eq!(code(grant.permit_table(&"people".parse().unwrap())), None);
    assert_eq!(code(grant.permit_table(&"others".parse().unwrap())), Some(ErrorCode::AuthorizationFailure));
    let update = Need { service: &["u"], ..READ };
    assert_eq!(code(grant.permit(&update)), Some(ErrorCode::AuthorizationPermissionMismatch));
    let old = Sas::table("people", "a").version("2015-02-21".parse().unwrap());
    let grant = granted(&account, people(""), &expiring(old)).unwrap();
    assert_eq!(code(grant.permit(&READ)), Some(ErrorCode::ResourceNotFound));
    // A signature for one resource does not cover another resource or another service.
    let photos = |path| call(ServiceKind::Queue, path, "");
    let queue = expiring(Sas::queue("photos", "r"));
    assert!(granted(&account, photos("/photos/messages"), &queue).is_ok());
    let failed = Some(ErrorCode::AuthenticationFailed);
    assert_eq!(granted(&account, photos("/films/messages"), &queue).err(), failed);
    assert_eq!(granted(&account, people(""), &queue).err(), failed);
    assert_eq!(granted(&account, photos("/people"), &expiring(Sas::table("people", "r"))).err(), failed);
}

#[test]
fn a_signature_for_a_container_is_for_its_blobs_and_one_for_a_blob_for_no_other() {
    let account = account();
    let get = |path: &str, sas: &Sas| granted(&account, call(ServiceKind::Blob, path, ""), sas).err();
    let failed = Some(ErrorCode::AuthenticationFailed);
    let container = expiring(Sas::container("photos", "rl"));
    let list = || call(ServiceKind::Blob, "/photos", "restype=container&comp=list");
    assert_eq!(granted(&account, list(), &container).err(), None);
    // Without a container, the name is a blob name.
    assert_eq!(get("/photos", &container), failed);
    assert_eq!(get("/photos", &expiring(Sas::blob("$root", "photos", "r"))), None);
    assert_eq!(get("/photos", &expiring(Sas::container("$root", "r"))), None);
    assert_eq!(get("/photos/a/jo%20doe.jpg", &container), None);
    assert_eq!(get("/films/a", &container), failed);
    let blob = expiring(Sas::blob("photos", "a/jo doe.jpg", "r"));
    assert_eq!(get("/photos/a/jo%20doe.jpg", &blob), None);
    assert_eq!(get("/photos/a%2Fjo%20doe.jpg", &blob), None);
    assert_eq!(get("/photos/a/jo%2520doe.jpg", &blob), failed);
    assert_eq!(get("/photos/b", &blob), failed);
    assert_eq!(get("/photos", &blob), failed);
}

#[test]
fn a_signature_for_the_account_is_for_its_services() {
    let account = account();
    let tables = expiring(Sas::account(&[ServiceKind::Table], &[ResourceType::Object], "r"));
    assert_eq!(code(granted(&account, people(""), &tables).unwrap().permit(&READ)), None);
    let queue = call(ServiceKind::Queue, "/photos", "");
    assert_eq!(granted(&account, queue, &tables).err(), Some(ErrorCode::AuthorizationServiceMismatch));
}

#[test]
fn terms_are_held_against_the_request() {
    let account = account();
    let sas = expiring(Sas::table("people", "r")).start(now());
    let at = |text: &str| {
        let call = Call { received: text.parse().unwrap(), ..people("") };
        granted(&account, call, &sas).err()
    };
    let failed = Some(ErrorCode::AuthenticationFailed);
    assert_eq!((at("2024-02-29T23:59:59Z"), at(NOW)), (failed, None));
    assert_eq!((at("2024-03-01T00:59:59Z"), at("2024-03-01T01:00:00Z")), (None, failed));
    let sas = expiring(Sas::table("people", "r")).addresses("10.0.0.1-10.0.0.9".parse().unwrap());
    let from = |last| Call { peer: [10, 0, 0, last].into(), ..people("") };
    assert_eq!(granted(&account, from(9), &sas).err(), None);
    assert_eq!(granted(&account, from(10), &sas).err(), Some(ErrorCode::AuthorizationSourceIPMismatch));
    let sas = expiring(Sas::table("people", "r")).https_only();
    assert_eq!(granted(&account, people(""), &sas).err(), Some(ErrorCode::AuthorizationProtocolMismatch));
    assert_eq!(granted(&account, Call { secure: true, ..people("") }, &sas).err(), None);
}

#[test]
fn a_policy_says_what_the_signature_leaves_to_it_and_ends_it_when_it_goes() {
    let store = Store::in_memory().unwrap();
    let account = ServedAccount::new(name(), keys().to_vec(), store.clone());
    let holder = PolicyHolder::Table("people".parse().unwrap());
    let readers =
        StoredPolicy::new("readers").expiry("2024-03-01T01:00:00Z".parse().unwrap()).permission("r");
    let set = |policies: Vec<StoredPolicy>| {
        pollster::block_on(store.set_policies(&holder, StoredPolicies::new(policies).unwrap()))
    };
    let failed = Some(ErrorCode::AuthenticationFailed);
    let sas = Sas::table("People", "").policy("readers");
    assert_eq!(granted(&account, people(""), &sas).err(), failed);
    pollster::block_on(store.create_table(&"people".parse().unwrap())).unwrap();
    assert_eq!(granted(&account, people(""), &sas).err(), failed);
    set(vec![readers.clone()]).unwrap();
    assert_eq!(code(granted(&account, people(""), &sas).unwrap().permit(&READ)), None);
    assert_eq!(granted(&account, people(""), &expiring(sas.clone())).err(), failed);
    assert_eq!(granted(&account, people(""), &sas.clone().with(Field::Permissions, "raud")).err(), failed);
    set(vec![StoredPolicy { id: "others".to_owned(), ..readers.clone() }]).unwrap();
    assert_eq!(granted(&account, people(""), &sas).err(), failed);
    // Policies of a queue are separate, even with equal names.
    let queue = table_model::queue::QueueName::new("people").unwrap();
    pollster::block_on(store.create_queue(&queue, table_model::Metadata::new())).unwrap();
    set(vec![readers]).unwrap();
    let messages = call(ServiceKind::Queue, "/people/messages", "");
    assert_eq!(granted(&account, messages, &Sas::queue("people", "").policy("readers")).err(), failed);
}

#[test]
fn key_ranges_are_told() {
    let account = account();
    let range = crate::auth::KeyRange::all().from("a", Some("1")).to("b", None);
    let sas = expiring(Sas::table("people", "r")).keys(&range);
    let grant = granted(&account, people(""), &sas).unwrap();
    assert_eq!(grant.key_range(), Some(&range));
    let all = granted(&account, people(""), &expiring(Sas::table("people", "r"))).unwrap();
    assert_eq!(all.key_range(), None);
}
