//! Writes by key over rows of another version or of another type.

use pollster::block_on;
use table_patterns::prelude::*;
use table_store::Store;
use table_tests::counting::Counting;

use super::{Backend, backends};

/// A type that declares its version.
#[derive(TableEntity, Clone, Debug, PartialEq)]
#[table(name = "Cases", partition = "{team}", row = "c_{id:04}", version = 1)]
#[table(entity_type = "Case")]
struct CaseV1 {
    team: String,
    id: u16,
    title: Option<String>,
    visits: Option<i32>,
}

#[derive(TableEntity, Clone, Debug, PartialEq)]
#[table(name = "Cases", partition = "{team}", row = "c_{id:04}", version = 2, from(CaseV1))]
#[table(entity_type = "Case")]
struct Case {
    team: String,
    id: u16,
    subject: Option<String>,
    visits: Option<i32>,
}

impl From<CaseV1> for Case {
    fn from(old: CaseV1) -> Self {
        Self { team: old.team, id: old.id, subject: old.title, visits: old.visits }
    }
}

/// A type without a version at the same keys.
#[derive(TableEntity, Clone, Debug, PartialEq)]
#[table(name = "Cases", partition = "{team}", row = "c_{id:04}")]
struct Plain {
    team: String,
    id: u16,
    title: Option<String>,
}

#[derive(TableEntity, Clone, Debug, PartialEq)]
#[table(name = "Cases", partition = "{team}", row = "c_{id:04}_{part:02}", wide = 2)]
struct Broad {
    team: String,
    id: u16,
    a: Option<i32>,
    b: Option<i32>,
    c: Option<i32>,
}

fn case() -> Case {
    Case { team: "a".into(), id: 1, subject: Some("s".into()), visits: Some(1) }
}

#[test]
fn writes_by_key_leave_rows_of_newer_versions() {
    for Backend { name, tables, .. } in &backends() {
        let b = tables.blocking();
        b.insert(&case()).unwrap();
        let patch = || CaseV1::patch("a", 1).title("t".to_owned());
        let refused = [
            ("merge", b.merge(patch()).map(drop)),
            ("upsert_merge", b.upsert_merge(patch()).map(drop)),
            ("transaction", block_on(tables.transact().merge(patch()).commit()).map(drop)),
            ("bulk", block_on(tables.bulk().merge(patch()).run()).unwrap().into_result().map(drop)),
            ("delete_at", b.delete_at(CaseV1::point("a", 1))),
            ("delete_if_exists", b.delete_if_exists(CaseV1::point("a", 1)).map(drop)),
        ];
        for (verb, result) in refused {
            let Err(Error::Decode(error)) = &result else { panic!("{name}: {verb}: {result:?}") };
            assert!(error.is_newer(), "{name}: {verb}: {error}");
        }
        assert_eq!(*b.get(&Case::point("a", 1)).unwrap().unwrap(), case(), "{name}");
        // A property that all versions have.
        b.merge(CaseV1::patch("a", 1).visits(2).blind()).unwrap();
        b.upsert_merge(CaseV1::patch("a", 1).visits(3).blind()).unwrap();
        let found = b.get(&Case::point("a", 1)).unwrap().unwrap();
        assert_eq!(*found, Case { visits: Some(3), ..case() }, "{name}");
        b.delete_at(Case::point("a", 1)).unwrap();
    }
}

#[test]
fn writes_by_key_leave_rows_of_other_types() {
    for Backend { name, tables, .. } in &backends() {
        let b = tables.blocking();
        let plain = Plain { team: "a".into(), id: 1, title: Some("p".into()) };
        b.insert(&plain).unwrap();
        let patch = || Case::patch("a", 1).subject("t".to_owned());
        let refused = [
            ("merge", b.merge(patch()).map(drop)),
            ("upsert_merge", b.upsert_merge(patch()).map(drop)),
            ("delete_at", b.delete_at(Case::point("a", 1))),
        ];
        for (verb, result) in refused {
            let Err(Error::Decode(error)) = &result else { panic!("{name}: {verb}: {result:?}") };
            assert!(error.is_foreign(), "{name}: {verb}: {error}");
        }
        assert_eq!(*b.get(&Plain::point("a", 1)).unwrap().unwrap(), plain, "{name}");

        // A row at the key of a wide entity.
        let mut other = DynamicEntity::new("Cases", "a", "c_0002_00").unwrap();
        other.set("EntityType", "Other");
        other.set("x", 1);
        b.insert(&other).unwrap();
        let patch = || Broad::patch("a", 2).a(1).c(1);
        let refused = [
            ("merge", b.merge(patch()).map(drop)),
            ("upsert_merge", b.upsert_merge(patch()).map(drop)),
            ("delete_at", b.delete_at(Broad::point("a", 2))),
        ];
        for (verb, result) in refused {
            let Err(Error::Decode(error)) = &result else { panic!("{name}: wide {verb}: {result:?}") };
            assert!(error.is_foreign(), "{name}: wide {verb}: {error}");
        }
        let row = b.get(&DynamicEntity::point("Cases", "a", "c_0002_00")).unwrap().unwrap();
        assert_eq!((row.get::<i32>("x").unwrap(), row.get::<i32>("a").unwrap()), (Some(1), None), "{name}");
    }
}

#[test]
fn writes_by_key_cost_a_read_if_the_type_declares_a_version() {
    let counting = Counting::new(Store::in_memory().unwrap());
    let tables = Tables::new(counting.clone());
    let b = tables.blocking();
    let case = CaseV1 { team: "a".into(), id: 1, title: None, visits: None };
    let plain = Plain { team: "a".into(), id: 2, title: None };
    b.insert(&case).unwrap();
    b.insert(&plain).unwrap();
    let requests = |write: &dyn Fn()| {
        counting.take();
        write();
        let calls = counting.take();
        assert_eq!(calls.all(), calls.finds + calls.writes + calls.transactions);
        (calls.finds, calls.writes + calls.transactions)
    };
    let of_case = || CaseV1::patch("a", 1).visits(1);
    let of_plain = || Plain::patch("a", 2).title("t".to_owned());
    assert_eq!(requests(&|| drop(b.merge(of_case()).unwrap())), (1, 1));
    assert_eq!(requests(&|| drop(b.merge(of_case().blind()).unwrap())), (0, 1));
    assert_eq!(requests(&|| drop(b.merge(of_plain()).unwrap())), (0, 1));
    assert_eq!(requests(&|| drop(b.upsert_merge(of_case()).unwrap())), (1, 1));
    assert_eq!(requests(&|| drop(b.upsert_merge(of_case().blind()).unwrap())), (0, 1));
    assert_eq!(requests(&|| drop(b.upsert_merge(of_plain()).unwrap())), (0, 1));
    assert_eq!(requests(&|| b.delete_at(CaseV1::point("a", 1)).unwrap()), (1, 1));
    assert_eq!(requests(&|| b.delete_at(Plain::point("a", 2)).unwrap()), (0, 1));
    assert_eq!(requests(&|| drop(b.upsert_merge(of_case()).unwrap())), (1, 1), "an insert");
}

/// One row that cannot be read fails its own write only, which the report names.
#[test]
fn bulk_writes_pass_unreadable_rows() {
    for Backend { name, tables, .. } in &backends() {
        let b = tables.blocking();
        b.insert(&Case { id: 3, ..case() }).unwrap();
        let all: Vec<CaseV1> =
            (0..6).map(|id| CaseV1 { team: "a".into(), id, title: Some("n".into()), visits: None }).collect();
        let report = block_on(tables.bulk().upsert_all(&all).run()).unwrap();
        assert_eq!(report.written(), 5, "{name}: {report:?}");
        let failed: Vec<_> = report.failed().collect();
        let [failed] = failed.as_slice() else { panic!("{name}: {failed:?}") };
        assert_eq!((failed.at_fault(), failed.indexes.as_slice()), (Some(3), [3].as_slice()), "{name}");
        assert!(matches!(&failed.outcome, Err(Error::Decode(error)) if error.is_newer()), "{name}");
        assert_eq!(*b.get(&Case::point("a", 3)).unwrap().unwrap(), Case { id: 3, ..case() }, "{name}");
    }
}

/// Upserts are split by the size of their values. If stored values make a group too large, its writes are sent alone.
#[test]
fn bulk_upserts_are_split_by_size() {
    #[derive(TableEntity, Clone, Debug, PartialEq)]
    #[table(name = "Big", partition = "{p}", row = "b_{id:04}", entity_type = "Big")]
    struct Big {
        p: String,
        id: u16,
        text: String,
    }
    #[derive(TableEntity, Clone, Debug, PartialEq)]
    #[table(name = "Big", partition = "{p}", row = "b_{id:04}", entity_type = "Big")]
    struct Bigger {
        p: String,
        id: u16,
        text: String,
        more: Option<String>,
    }
    for Backend { name, tables, .. } in &backends() {
        let big = |id, length| Big { p: "a".into(), id, text: "x".repeat(length) };
        let all: Vec<Big> = (0..90).map(|id| big(id, 30_000)).collect();
        let report = block_on(tables.bulk().upsert_all(&all).run()).unwrap();
        let sizes: Vec<usize> = report.groups.iter().map(|group| group.indexes.len()).collect();
        assert_eq!((report.written(), sizes.len()), (90, 2), "{name}: {sizes:?}");

        for Big { p, id, .. } in all.iter().take(40).cloned() {
            let bigger = Bigger { p, id, text: String::new(), more: Some("y".repeat(32_000)) };
            tables.blocking().upsert(&bigger).unwrap();
        }
        let report = block_on(tables.bulk().upsert_all(&all).run()).unwrap();
        assert_eq!(report.written(), 90, "{name}");
        let found = tables.blocking().get(&Bigger::point("a", 39)).unwrap().unwrap();
        assert_eq!(
            (found.text.len(), found.more.as_ref().map(String::len)),
            (30_000, Some(32_000)),
            "{name}"
        );
    }
}
