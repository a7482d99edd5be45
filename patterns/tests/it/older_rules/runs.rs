//! Every operation on every type.

use table_model::{Condition, Operation, TableName};
use table_patterns::{DifferenceKind, prelude::*};

use super::{
    Case, Values, cases,
    dump::{differences, dump},
};

const IDS: u16 = 4;

#[derive(Clone, Copy, Debug)]
enum Op {
    Replace,
    Update,
    /// An update that changes no key of a rule.
    Touch,
    Upsert,
    ReplaceAny,
    Patch,
    PatchByKey,
    Delete,
    DeleteAt,
    DeleteIfExists,
    BulkUpsert,
    BulkDelete,
    Transaction,
    Upgrade,
    /// The rows of the entities disappear, and a repair finds the rest.
    Lost,
}

const OPS: [Op; 15] = [
    Op::Replace,
    Op::Update,
    Op::Touch,
    Op::Upsert,
    Op::ReplaceAny,
    Op::Patch,
    Op::PatchByKey,
    Op::Delete,
    Op::DeleteAt,
    Op::DeleteIfExists,
    Op::BulkUpsert,
    Op::BulkDelete,
    Op::Transaction,
    Op::Upgrade,
    Op::Lost,
];

fn before(id: u16) -> Values {
    Values { id, team: if id.is_multiple_of(2) { "red" } else { "blue" }, size: 5 + i64::from(id) }
}

fn after(id: u16) -> Values {
    Values { id, team: if id == 0 { "red" } else { "green" }, size: 9 - i64::from(id) }
}

/// Returns a handle of another program on the same store.
fn program(tables: &Tables) -> Tables {
    let service = tables.service().clone();
    Tables::from_services(service, tables.queues().ok().cloned(), tables.blobs().ok().cloned())
}

async fn stored<C: Case>(tables: &Tables, id: u16) -> Stored<C::New> {
    C::point(id).get(tables).await.unwrap().unwrap()
}

async fn act<C: Case>(tables: &Tables, op: Op) -> Result<()> {
    match op {
        Op::Upgrade => {
            let report = tables.upgrade::<C::New>().run().await?;
            assert!(report.failed.is_empty(), "{report:?}");
        }
        Op::BulkUpsert => {
            let all: Vec<_> = (0..IDS).map(|id| C::new(after(id))).collect();
            tables.bulk().upsert_all(&all).run().await?.into_result()?;
        }
        Op::BulkDelete => {
            let mut bulk = tables.bulk();
            for id in 0..IDS {
                bulk = bulk.delete(C::point(id));
            }
            bulk.run().await?.into_result()?;
        }
        Op::Transaction => {
            let mut one = stored::<C>(tables, 0).await;
            C::change(&mut one, after(0));
            let mut transaction = tables.transact().replace(&one).delete(&stored::<C>(tables, 1).await);
            for id in 2..IDS {
                transaction = transaction.delete_at(C::point(id));
            }
            transaction.commit().await?;
        }
        Op::Lost => {
            let table = TableName::new("Items").unwrap();
            for id in 0..IDS {
                let (partition_key, row_key) = ("a".to_owned(), format!("i_{id:04}"));
                let delete = Operation::Delete { partition_key, row_key, condition: Condition::Exists };
                tables.service().execute(&table, &delete).await.unwrap();
            }
            for _ in 0..2 {
                let report = tables.verify::<C::New>().repair().run().await?;
                assert_eq!(report.count(), report.repaired, "{report}");
                tables.catch_up().await?;
            }
        }
        _ => {
            for id in 0..IDS {
                one::<C>(tables, op, id).await?;
            }
        }
    }
    Ok(())
}

async fn one<C: Case>(tables: &Tables, op: Op, id: u16) -> Result<()> {
    match op {
        Op::Replace => {
            let mut read = stored::<C>(tables, id).await;
            C::change(&mut read, after(id));
            tables.replace(&read).await.map(drop)
        }
        Op::Update => tables.update(C::point(id), |item| C::change(item, after(id))).await.map(drop),
        Op::Touch => {
            let size = after(id).size;
            tables.update(C::point(id), |item| C::change(item, Values { size, ..before(id) })).await.map(drop)
        }
        Op::Upsert => tables.upsert(&C::new(after(id))).await.map(drop),
        Op::ReplaceAny => tables.replace_any(&C::new(after(id))).await.map(drop),
        Op::Patch => C::patch(tables, &stored::<C>(tables, id).await, after(id).size),
        Op::PatchByKey => C::patch_by_key(tables, id, after(id).size),
        Op::Delete => tables.delete(&stored::<C>(tables, id).await).await,
        Op::DeleteAt => tables.delete_at(C::point(id)).await,
        Op::DeleteIfExists => tables.delete_if_exists(C::point(id)).await.map(drop),
        _ => Ok(()),
    }
}

/// Runs an operation of the newest version on entities of the older version. With `is_filled`, a job has added the rows
/// of new indexes first.
async fn run<C: Case>(op: Op, is_filled: bool) -> Vec<String> {
    let reference = Tables::in_memory().unwrap();
    C::register(&reference);
    for id in 0..IDS {
        reference.insert(&C::new(before(id))).await.unwrap();
    }
    reference.catch_up().await.unwrap();
    let expected = act::<C>(&reference, op).await;
    reference.catch_up().await.unwrap();

    let older = Tables::in_memory().unwrap();
    for id in 0..IDS {
        older.insert(&C::old(before(id))).await.unwrap();
    }
    older.catch_up().await.unwrap();
    let tables = program(&older);
    C::register(&tables);
    let verify = || tables.verify::<C::New>();
    let report = if is_filled { verify().repair().run().await } else { verify().run().await }.unwrap();
    // The newest version computes its own aggregate of the contributions of all versions.
    let is_new = |what| match what {
        DifferenceKind::WrongTotal => C::NAME.ends_with("other_extreme"),
        what => what == DifferenceKind::Missing,
    };
    let mut found: Vec<String> = Vec::new();
    let unexpected = report.differences.iter().filter(|difference| !is_new(difference.what));
    found.extend(unexpected.map(|difference| format!("before: {difference:?}")));
    tables.catch_up().await.unwrap();
    if is_filled {
        let report = verify().run().await.unwrap();
        found.extend(report.differences.iter().map(|difference| format!("filled: {difference:?}")));
    }
    match (act::<C>(&tables, op).await, expected) {
        (Ok(()), Ok(())) => {
            tables.catch_up().await.unwrap();
            found.extend(differences(&dump(&tables), &dump(&reference)));
            let report = verify().run().await.unwrap();
            found.extend(report.differences.iter().map(|difference| format!("after: {difference:?}")));
        }
        // The newest version does not support it, or not on rows of the older version.
        (Err(_), Err(_)) | (Err(Error::OlderVersion { .. }), _) => {}
        (done, expected) => found.push(format!("{done:?}, expected {expected:?}")),
    }
    found.iter().map(|what| format!("{} {op:?} {is_filled}: {what}", C::NAME)).collect()
}

fn check<C: Case>() {
    let mut found = Vec::new();
    for op in OPS {
        for is_filled in [false, true] {
            found.extend(pollster::block_on(run::<C>(op, is_filled)));
        }
    }
    assert!(found.is_empty(), "{}", found.join("\n"));
}

macro_rules! check_all {
    ($($module:ident),* $(,)?) => {
        $(
            #[test]
            fn $module() {
                check::<cases::$module::This>();
            }
        )*
    };
}

check_all!(
    near_dropped,
    near_renamed,
    near_other_key,
    near_copies_more,
    near_to_far,
    near_to_list,
    near_added,
    near_same,
    unique_dropped,
    unique_renamed,
    unique_to_far,
    unique_to_plain,
    unique_added,
    far_dropped,
    far_renamed,
    far_to_near,
    far_other_table,
    far_to_unique,
    far_added,
    far_same,
    claim_dropped,
    claim_renamed,
    claim_to_near,
    claim_other_table,
    claim_to_plain,
    claim_added,
    claim_same,
    near_rows_dropped,
    near_rows_to_list,
    near_rows_added,
    near_list_dropped,
    near_list_renamed,
    near_list_to_rows,
    near_list_to_far,
    near_list_added,
    far_rows_dropped,
    far_rows_renamed,
    far_rows_to_list,
    far_rows_to_index,
    far_rows_added,
    far_list_dropped,
    far_list_renamed,
    far_list_to_rows,
    far_list_other_table,
    far_list_to_blobs,
    far_list_added,
    blobs_dropped,
    blobs_renamed,
    blobs_to_far_rows,
    blobs_added,
    near_totals_dropped,
    near_total_part,
    near_total_other_field,
    near_total_other_sum,
    near_total_other_extreme,
    near_total_other_target,
    near_total_added,
    near_total_same,
    far_totals_dropped,
    far_total_part,
    far_total_other_field,
    far_total_other_sum,
    far_total_other_extreme,
    far_total_other_target,
    far_total_added,
    far_total_same,
);
