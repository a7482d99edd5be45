//! Values that other entities keep in a row, and programs that do not know all of them.

use pollster::block_on;
use table_patterns::prelude::*;

use super::{Backend, backends, other_process};

#[derive(TableEntity, Clone, Debug, PartialEq)]
#[table(name = "Groups", partition = "{team}", row = "group", entity_type = "Group")]
struct Group {
    team: String,
    title: String,
    #[table(from_source)]
    parts: i64,
    #[table(from_source)]
    weight: i64,
}

#[derive(TableEntity, Clone, Debug, PartialEq)]
#[table(name = "Groups", partition = "{team}", row = "p_{id:04}")]
#[table(counted_in(Group::parts))]
#[table(summed_in(Group::weight, of = weight))]
struct Part {
    team: String,
    id: u16,
    weight: i64,
}

mod old {
    use table_patterns::prelude::*;

    /// Does not declare that other entities keep values in its rows.
    #[derive(TableEntity, Clone, Debug, PartialEq)]
    #[table(name = "Groups", partition = "{team}", row = "group", entity_type = "Group")]
    pub struct Bare {
        pub team: String,
        pub title: String,
    }

    /// Declares one of two aggregates.
    #[derive(TableEntity, Clone, Debug, PartialEq)]
    #[table(name = "Groups", partition = "{team}", row = "group", entity_type = "Group")]
    pub struct Less {
        pub team: String,
        pub title: String,
        #[table(from_source)]
        pub parts: i64,
    }
}

fn insert_parts(tables: &Tables) {
    for id in 1..=3 {
        tables.blocking().insert(&Part { team: "a".into(), id, weight: 10 }).unwrap();
    }
    block_on(tables.catch_up()).unwrap();
}

fn group(tables: &Tables) -> Option<(String, i64, i64)> {
    let found = tables.blocking().get(&Group::point("a")).unwrap();
    found.map(|group| (group.title.clone(), group.parts, group.weight))
}

#[test]
fn writes_of_a_type_without_aggregates_keep_them() {
    for Backend { name, tables, .. } in &backends() {
        insert_parts(tables);
        let older = other_process(tables);
        let o = older.blocking();
        let bare = old::Bare { team: "a".into(), title: "t".into() };
        assert!(o.get(&old::Bare::point("a")).unwrap().is_none(), "{name}: the row has no entity");
        assert!(o.replace_any(&bare).unwrap_err().is_not_found(), "{name}");
        o.upsert(&bare).unwrap();
        assert_eq!(group(tables), Some(("t".into(), 3, 30)), "{name}");
        tables.blocking().delete_at(Group::point("a")).unwrap();
        assert_eq!(group(tables), None, "{name}");
        assert!(o.merge(old::Bare::patch("a").title("x".into())).is_ok(), "{name}: a blind merge");
        o.upsert_merge(old::Bare::patch("a").title("u".into())).unwrap();
        tables
            .blocking()
            .upsert(&Group { team: "a".into(), title: "v".into(), parts: 0, weight: 0 })
            .unwrap();
        assert_eq!(group(tables), Some(("v".into(), 3, 30)), "{name}");
    }
}

#[test]
fn deletes_by_a_type_with_fewer_aggregates_keep_them() {
    for Backend { name, tables, .. } in &backends() {
        insert_parts(tables);
        let new = |title: &str| Group { team: "a".into(), title: title.into(), parts: 0, weight: 0 };
        tables.blocking().insert(&new("t")).unwrap();
        let older = other_process(tables);
        let o = older.blocking();
        o.delete_at(old::Less::point("a")).unwrap();
        assert_eq!(group(tables), None, "{name}");
        tables.blocking().insert(&new("u")).unwrap();
        assert_eq!(group(tables), Some(("u".into(), 3, 30)), "{name}: after the newer program inserts it");

        o.delete_at(old::Less::point("a")).unwrap();
        o.insert(&old::Less { team: "a".into(), title: "v".into(), parts: 0 }).unwrap();
        assert_eq!(group(tables), Some(("v".into(), 3, 30)), "{name}: after the older program inserts it");
        let report = block_on(tables.verify::<Part>().run()).unwrap();
        assert!(report.is_clean(), "{name}: {report}");
    }
}
