use table_model::{Timestamp, settings::StoredPolicy};

use super::*;
use crate::{
    AccountName, ServiceKind,
    auth::{AccountKey, KeyRange, ResourceType},
    wire::query_string::QueryString,
};

fn signed(sas: &Sas) -> SasToken {
    sas.sign(&AccountName::emulator(), &AccountKey::emulator()).unwrap()
}

fn time(text: &str) -> Timestamp {
    text.parse().unwrap()
}

fn version(text: &str) -> Version {
    text.parse().unwrap()
}

#[track_caller]
fn check(sas: &Sas, scope: Scope<'_>, text: &str, signature: &str) {
    let token = signed(sas);
    assert_eq!(token.string_to_sign("devstoreaccount1", scope), text);
    assert_eq!(token.get(Field::Signature), Some(signature));
    let read = SasToken::read(&QueryString::parse(&token.to_string()).unwrap()).unwrap().unwrap();
    assert_eq!(read, token);
    assert!(read.is_signed(&AccountKey::emulator(), "devstoreaccount1", scope));
    assert_eq!(read.check_for(scope), Ok(()));
}

const EXPIRY: &str = "2030-01-01T00:00:00Z";
const PEOPLE: Scope<'static> = Scope::Table("people");

#[test]
fn known_signatures_for_tables_are_signed_as_known() {
    check(
        &Sas::table("People", "raud").expiry(time(EXPIRY)),
        PEOPLE,
        "raud\n\n2030-01-01T00:00:00Z\n/table/devstoreaccount1/people\n\n\n\n2020-12-06\n\n\n\n",
        "3NA8W7ytYojhjGLOH9lnAJXIjWHc2Q8lOs2VIVUH9zk=",
    );
    let range = KeyRange::all().from("a", Some("1")).to("b", Some("9"));
    let ranged = Sas::table("people", "r")
        .version(version("2018-11-09"))
        .start(time("2024-01-01"))
        .expiry(time(EXPIRY))
        .keys(&range)
        .with(Field::Protocol, "https,http");
    check(
        &ranged,
        PEOPLE,
        "r\n2024-01-01T00:00:00Z\n2030-01-01T00:00:00Z\n/table/devstoreaccount1/people\n\n\nhttps,http\n2018-11-09\na\n1\nb\n9",
        "RcuPT7fnFoHoUEgePT+SKDX5RQ0egIaJO4j6sEXgWdk=",
    );
    assert_eq!(signed(&ranged).key_range(), Ok(Some(range)));
    check(
        &Sas::table("people", "").version(version("2018-11-09")).policy("pol1"),
        PEOPLE,
        "\n\n\n/table/devstoreaccount1/people\npol1\n\n\n2018-11-09\n\n\n\n",
        "8yYyaKWZSmsFOWUAYd8Ve6LHpuLJ3pCozwpbA8ARpvc=",
    );
}

#[test]
fn known_signatures_for_the_account_are_signed_as_known() {
    use ResourceType::{Container, Object, Service};
    let account = Sas::account(&[ServiceKind::Table], &[Service, Container, Object], "rwdlacup")
        .expiry(time(EXPIRY))
        .with(Field::Protocol, "https,http");
    check(
        &account.clone().version(version("2018-11-09")),
        Scope::Account,
        "devstoreaccount1\nrwdlacup\nt\nsco\n\n2030-01-01T00:00:00Z\n\nhttps,http\n2018-11-09\n",
        "Nw9vFIJnHJLVfXb8qhNGdVbDJnSNEsRaWjwxCAVj9pk=",
    );
    check(
        &account,
        Scope::Account,
        "devstoreaccount1\nrwdlacup\nt\nsco\n\n2030-01-01T00:00:00Z\n\nhttps,http\n2020-12-06\n\n",
        "1P0zjg/LzEci4pw8r3ZDLGO4cIzwotoXrU0vezGOm6w=",
    );
}

#[test]
fn older_versions_sign_less() {
    let text = |sas: &Sas, scope, of| {
        signed(&sas.clone().version(version(of)).expiry(time(EXPIRY))).string_to_sign("acme", scope)
    };
    let times = "\n\n2030-01-01T00:00:00Z\n";
    let table = Sas::table("people", "r");
    assert_eq!(
        text(&table, PEOPLE, "2015-02-21"),
        format!("r{times}/table/acme/people\n\n2015-02-21\n\n\n\n")
    );
    let (queue, photos) = (Sas::queue("photos", "r"), Scope::Queue("photos"));
    assert_eq!(text(&queue, photos, "2015-02-21"), format!("r{times}/queue/acme/photos\n\n2015-02-21"));
    assert_eq!(text(&queue, photos, "2018-03-28"), format!("r{times}/queue/acme/photos\n\n\n\n2018-03-28"));
    let (blob, jo) = (Sas::blob("photos", "a/jo.jpg", "r"), Scope::Blob("photos", "a/jo.jpg"));
    let path = "/blob/acme/photos/a/jo.jpg";
    assert_eq!(text(&blob, jo, "2015-02-21"), format!("r{times}{path}\n\n2015-02-21\n\n\n\n\n"));
    assert_eq!(text(&blob, jo, "2018-03-28"), format!("r{times}{path}\n\n\n\n2018-03-28\n\n\n\n\n"));
    assert_eq!(text(&blob, jo, "2018-11-09"), format!("r{times}{path}\n\n\n\n2018-11-09\nb\n\n\n\n\n\n"));
    assert_eq!(text(&blob, jo, "2020-12-06"), format!("r{times}{path}\n\n\n\n2020-12-06\nb\n\n\n\n\n\n\n"));
}

#[test]
fn a_signature_is_for_what_it_names() {
    let token = signed(&Sas::table("people", "r").expiry(time(EXPIRY)));
    let (key, name) = (AccountKey::emulator(), "devstoreaccount1");
    assert!(token.is_signed(&key, name, Scope::Table("PEOPLE")));
    assert!(!token.is_signed(&key, name, Scope::Table("peoples")));
    assert!(!token.is_signed(&key, name, Scope::Queue("people")));
    assert!(!token.is_signed(&key, "devstoreaccount2", PEOPLE));
    assert!(!token.is_signed(&"a2V5".parse().unwrap(), name, PEOPLE));
}

fn read(query: &str) -> Result<Option<SasToken>, SasError> {
    SasToken::read(&QueryString::parse(query).unwrap())
}

#[test]
fn what_stands_twice_or_is_of_another_kind_is_refused() {
    assert_eq!(read("sv=2019-02-02&sp=r"), Ok(None));
    assert_eq!(read("sig=x&sp=r"), Err(SasError::Missing(Field::Version)));
    assert_eq!(read("sv=2019-02-02&sig=x&sig=x"), Err(SasError::Twice(Field::Signature)));
    assert_eq!(read("sv=2019-02-02&sig=x&sp=r&s%70=raud"), Err(SasError::Twice(Field::Permissions)));
    for sv in
        ["", "2019-2-2", "2019-02-02x", "2011-08-18", "2014-02-14", "2015-02-20", "+019-02-02", "2019-02-99x"]
    {
        assert_eq!(read(&format!("sv={sv}&sig=x")), Err(SasError::Version), "{sv}");
    }
    let check = |query: &str, scope| read(query).unwrap().unwrap().check_for(scope);
    let foreign = |field| Err(SasError::Foreign(field));
    assert_eq!(check("sv=2019-02-02&sig=x&sr=b", PEOPLE), foreign(Field::Resource));
    assert_eq!(check("sv=2019-02-02&sig=x&ss=t", PEOPLE), foreign(Field::Services));
    assert_eq!(check("sv=2019-02-02&sig=x&tn=a", Scope::Account), foreign(Field::Table));
    assert_eq!(check("sv=2019-02-02&sig=x&si=a", Scope::Account), foreign(Field::Policy));
    assert_eq!(check("sv=2019-02-02&sig=x&spk=a", Scope::Queue("photos")), foreign(Field::StartPartition));
    assert_eq!(check("sv=2019-02-02&sig=x&skoid=a&sr=b", Scope::Blob("c", "b")), foreign(Field::UserObject));
    assert_eq!(check("sv=2019-02-02&sig=x&ses=a", Scope::Account), foreign(Field::EncryptionScope));
    assert_eq!(check("sv=2015-02-21&sig=x&sip=1.2.3.4", PEOPLE), foreign(Field::Addresses));
    assert_eq!(check("sv=2015-02-21&sig=x", Scope::Account), Err(SasError::Version));
    let lines = check("sv=2019-02-02&sig=x&sp=r%0a", PEOPLE);
    assert_eq!(lines, Err(SasError::Value(Field::Permissions)));
    let resource = Err(SasError::Value(Field::Resource));
    assert_eq!(check("sv=2019-02-02&sig=x&sr=c", Scope::Blob("c", "b")), resource);
    assert_eq!(check("sv=2019-02-02&sig=x", Scope::Container("c")), resource);
}

#[test]
fn each_term_stands_in_one_place() {
    let terms = |query: &str, policy: Option<&StoredPolicy>| {
        read(&format!("sv=2019-02-02&sig=x&{query}")).unwrap().unwrap().terms(policy)
    };
    let full = StoredPolicy::new("p").start(time("2024-01-01")).expiry(time(EXPIRY)).permission("r");
    let own = terms("sp=r&st=2024-01-01&se=2030-01-01", None).unwrap();
    assert_eq!(terms("si=p", Some(&full)), Ok(own.clone()));
    let times = StoredPolicy { permission: None, ..full.clone() };
    assert_eq!(terms("si=p&sp=r", Some(&times)), Ok(own));
    assert_eq!(terms("si=p", None), Err(SasError::NoPolicy));
    assert_eq!(terms("si=p", Some(&times)), Err(SasError::Missing(Field::Permissions)));
    assert_eq!(terms("sp=r", None), Err(SasError::Missing(Field::Expiry)));
    for (query, field) in [
        ("si=p&sp=r", Field::Permissions),
        ("si=p&st=2024-01-01", Field::Start),
        ("si=p&se=2024-01-01", Field::Expiry),
    ] {
        assert_eq!(terms(query, Some(&full)), Err(SasError::InPolicy(field)), "{query}");
    }
    for (query, field) in [
        ("sp=r&se=tomorrow", Field::Expiry),
        ("sp=r&se=2030-01-01&st=x", Field::Start),
        ("sp=r&se=2030-01-01&sip=x", Field::Addresses),
        ("sp=r&se=2030-01-01&spr=http", Field::Protocol),
    ] {
        assert_eq!(terms(query, None), Err(SasError::Value(field)), "{query}");
    }
}

#[test]
fn it_holds_from_the_second_of_its_start_to_the_one_before_its_expiry() {
    let token =
        read("sv=2019-02-02&sig=x&sp=r&st=2024-01-01T10:00Z&se=2024-01-01T11:00:00Z").unwrap().unwrap();
    let terms = token.terms(None).unwrap();
    let at = |text: &str| terms.check(time(text), [127, 0, 0, 1].into(), false);
    assert_eq!(at("2024-01-01T09:59:59Z"), Err(SasError::TooEarly));
    assert_eq!(at("2024-01-01T10:00:00Z"), Ok(()));
    assert_eq!(at("2024-01-01T10:59:59Z"), Ok(()));
    assert_eq!(at("2024-01-01T11:00:00Z"), Err(SasError::TooLate));
}

#[test]
fn it_holds_for_its_addresses_and_protocol() {
    let query = "sv=2019-02-02&sig=x&sp=r&se=2030-01-01&sip=10.0.0.1-10.0.0.9&spr=https";
    let terms = read(query).unwrap().unwrap().terms(None).unwrap();
    let from = |last, secure| terms.check(time("2024-01-01"), [10, 0, 0, last].into(), secure);
    assert_eq!(from(9, true), Ok(()));
    assert_eq!(from(10, true), Err(SasError::Address([10, 0, 0, 10].into())));
    assert_eq!(from(1, false), Err(SasError::Protocol));
}

#[test]
fn what_cannot_hold_is_not_signed() {
    let refused = |sas: Sas| sas.sign(&AccountName::emulator(), &AccountKey::emulator()).unwrap_err();
    let expiry = time(EXPIRY);
    assert_eq!(refused(Sas::table("people", "r")), SasError::Missing(Field::Expiry));
    assert_eq!(refused(Sas::table("people", "").expiry(expiry)), SasError::Missing(Field::Permissions));
    assert_eq!(refused(Sas::table("people", "rw").expiry(expiry)), SasError::Value(Field::Permissions));
    let row = Sas::table("people", "r").expiry(expiry).with(Field::StartRow, "1");
    assert_eq!(refused(row), SasError::Missing(Field::StartPartition));
    let keys = Sas::queue("photos", "r").expiry(expiry).keys(&KeyRange::all().from("a", None));
    assert_eq!(refused(keys), SasError::Foreign(Field::StartPartition));
    let old = Sas::queue("photos", "r").expiry(expiry).version(version("2015-02-21")).https_only();
    assert_eq!(refused(old), SasError::Foreign(Field::Protocol));
}

#[test]
fn the_signature_is_not_shown_where_nobody_asked() {
    let token = signed(&Sas::table("people", "r").expiry(time(EXPIRY)));
    let signature = token.get(Field::Signature).unwrap();
    assert!(!format!("{token:?}").contains(signature));
}

/// An empty key signs like a missing one, so the holder of the URL could remove `epk=` and read the whole table.
#[test]
fn an_empty_key_of_a_range_is_not_signed() {
    let name: AccountName = "acme".parse().unwrap();
    for (range, field) in [
        (KeyRange::all().from("", None), Field::StartPartition),
        (KeyRange::all().from("a", Some("")), Field::StartRow),
        (KeyRange::all().to("", None), Field::EndPartition),
        (KeyRange::all().from("a", Some("b")).to("c", Some("")), Field::EndRow),
    ] {
        let sas = Sas::table("people", "r").keys(&range).expiry(time(EXPIRY));
        assert_eq!(sas.sign(&name, &AccountKey::emulator()), Err(SasError::EmptyKey(field)));
    }
}
