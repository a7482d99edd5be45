//! An older program beside rows of a newer version: it leaves the rows that a newer version requires.

use pollster::block_on;
use table_patterns::{LeftReason, prelude::*};

use super::{Backend, backends, other_process};

#[derive(TableEntity, Clone, Debug)]
#[table(name = "Teams", partition = "{team}", row = "team")]
struct Team {
    team: String,
    #[table(from_source)]
    deals: i64,
}

#[derive(TableEntity, Clone, Debug, PartialEq)]
#[table(name = "Deals", partition = "{team}", row = "d_{id:04}", entity_type = "Deal")]
#[table(index(by_owner, partition = "o_{owner}", row = "{team}_{id:04}", copy(code)))]
#[table(index(by_code, partition = "c_{code}", row = "holder", unique))]
#[table(counted_in(Team::deals))]
struct DealV1 {
    team: String,
    id: u16,
    code: String,
    owner: String,
}

#[derive(TableEntity, Clone, Debug, PartialEq)]
#[table(name = "Deals", partition = "{team}", row = "d_{id:04}", version = 2, from(DealV1))]
#[table(entity_type = "Deal")]
#[table(index(by_owner, partition = "o_{owner}", row = "{team}_{id:04}", copy(code)))]
#[table(index(by_code, partition = "c_{code}", row = "holder", unique))]
#[table(counted_in(Team::deals))]
struct Deal {
    team: String,
    id: u16,
    code: String,
    owner: String,
    cents: i64,
}

impl From<DealV1> for Deal {
    fn from(old: DealV1) -> Self {
        Self { team: old.team, id: old.id, code: old.code, owner: old.owner, cents: 0 }
    }
}

fn of_v1(id: u16) -> DealV1 {
    DealV1 { team: "a".into(), id, code: format!("k{id}"), owner: "M".into() }
}

fn deal(id: u16) -> Deal {
    of_v1(id).into()
}

fn assert_whole(tables: &Tables, deals: usize) {
    let b = tables.blocking();
    block_on(tables.catch_up()).unwrap();
    assert_eq!(b.all(&Deal::by_owner_rows("M")).unwrap().len(), deals);
    assert_eq!(b.get(&Team::point("a")).unwrap().unwrap().deals, i64::try_from(deals).unwrap());
    let report = block_on(tables.verify::<Deal>().run()).unwrap();
    assert!(report.is_clean(), "{report}");
}

#[test]
fn older_programs_leave_commits_of_newer_versions() {
    let tables = Tables::in_memory().unwrap();
    tables.blocking().insert(&Team { team: "a".into(), deals: 0 }).unwrap();
    // The newer program does not apply its commits: an insert, and a change of what an older program inserted.
    let newer = tables.with_deferred_updates();
    newer.blocking().insert(&deal(1)).unwrap();
    let older = other_process(&tables);
    older.register_entity::<DealV1>();
    older.with_deferred_updates().blocking().insert(&of_v1(2)).unwrap();
    block_on(newer.update(Deal::point("a", 2), |deal| deal.cents = 5)).unwrap();

    let pass = block_on(older.catch_up()).unwrap();
    assert!(pass.left > 0, "{pass:?}");
    assert!(pass.reasons.iter().all(|left| left.reason == LeftReason::NewerVersion), "{pass:?}");
    // Unique values of the newer version are still taken.
    for id in [1, 2] {
        let taken = DealV1 { id: 9, ..of_v1(id) };
        assert!(older.blocking().insert(&taken).is_err());
    }
    assert_whole(&tables, 2);
    let taken = DealV1 { id: 9, ..of_v1(1) };
    let refused = older.blocking().insert(&taken).unwrap_err();
    assert!(matches!(refused, Error::Unique(_)), "{refused:?}");
    assert_whole(&tables, 2);
}

#[test]
fn repair_by_an_older_program_changes_nothing_of_newer_versions() {
    for Backend { name: backend, tables, .. } in &backends() {
        let b = tables.blocking();
        b.insert(&Team { team: "a".into(), deals: 0 }).unwrap();
        for id in 1..=2 {
            b.insert(&deal(id)).unwrap();
            b.insert(&of_v1(10 + id)).unwrap();
        }
        block_on(tables.catch_up()).unwrap();
        let older = other_process(tables);
        let refused = block_on(older.verify::<DealV1>().repair().run());
        assert!(matches!(&refused, Err(Error::Decode(error)) if error.is_newer()), "{backend}: {refused:?}");
        for index in ["by_owner", "by_code"] {
            let _ = block_on(older.reindex::<DealV1>(index).run()).unwrap();
        }
        assert_whole(tables, 4);
    }
}
