//! Operations measured in processor instructions, which are independent of other processes. The difference between `n`
//! and `2 * n` repetitions is the cost of `n` repetitions. See the script `instructions`.

use std::hint::black_box;

use table_patterns::{Query as _, Tables};
use table_store::{MemoryDisk, OpenOptions, Store};

use crate::{
    contender::Outcome,
    indexed::{ByMail, Five, One, Plain, Three},
    order::{Level, Order, ROWS, Size},
};

/// Number of operations of a transaction, and of entities of a load.
const OF_TRANSACTION: u32 = 100;
const OF_LOAD: u32 = 10_000;

/// Operation on a store, with the number of the repetition.
type Operation = fn(&Tables, u32) -> Outcome;

/// Repeats an operation on an in-memory store. The arguments are its name and the number of repetitions.
pub fn run(arguments: &[String]) -> Outcome {
    let [operation, count] = arguments else { return Err("an operation and a count".into()) };
    let disk = MemoryDisk::new();
    fill(&OpenOptions::new().open_disk(disk.clone())?, operation)?;
    // All rows are then in the file, and no background work is under way.
    let tables = Tables::from(OpenOptions::new().open_disk(disk)?);
    let each: Operation = match operation.as_str() {
        "key" => key,
        "get" => get,
        "range" => range,
        "for-each" => for_each,
        "range-100" => range_100,
        "page" => page,
        "filter" => filter,
        "projection" => projection,
        "transaction" => transaction,
        "bulk" => bulk,
        "insert" => insert,
        "insert-0" => insert_0,
        "insert-1" => insert_1,
        "insert-1-by-hand" => insert_1_by_hand,
        "insert-3" => insert_3,
        "insert-5" => insert_5,
        "by-mail" => by_mail,
        "by-mail-by-hand" => by_mail_by_hand,
        _ => return Err(format!("there is no operation {operation}").into()),
    };
    repeat(&tables, each, count.parse()?)
}

/// Inserts what the operation reads, and closes the store.
fn fill(store: &Store, operation: &str) -> Outcome {
    let tables = Tables::from(store.clone());
    let orders: Vec<Order> = (0..ROWS).map(|number| Order::of(number, 0, Size::Small)).collect();
    tables.blocking().run(tables.bulk().insert_all(&orders))?.into_result()?;
    match operation {
        "by-mail" => drop(tables.blocking().insert(&One::of(0))?),
        "by-mail-by-hand" => drop(tables.blocking().insert(&ByMail::of(0))?),
        _ => {}
    }
    Ok(store.blocking().close()?)
}

/// Calls an operation. For reads, which run on the thread of the caller, the script counts this function only.
#[inline(never)]
fn repeat(tables: &Tables, each: Operation, count: u32) -> Outcome {
    (0..count).try_for_each(|nth| each(tables, nth))
}

/// Formats the keys of one entity.
fn key(_: &Tables, nth: u32) -> Outcome {
    black_box(Order::point(black_box(nth % ROWS), nth).address()?);
    Ok(())
}

fn get(tables: &Tables, nth: u32) -> Outcome {
    let found = tables.blocking().get(&Order::point(0, nth * 7919 % ROWS))?;
    black_box(found.ok_or("it is not there")?);
    Ok(())
}

/// Reads a complete partition of 1,000 entities.
fn range(tables: &Tables, _: u32) -> Outcome {
    black_box(tables.blocking().all(&Order::rows(0))?);
    Ok(())
}

/// Reads a range of 100 entities.
fn range_100(tables: &Tables, nth: u32) -> Outcome {
    let first = nth * 7919 % (ROWS - 100);
    black_box(tables.blocking().all(&Order::rows(0).between(first..first + 100))?);
    Ok(())
}

/// Reads a page of 100 entities, and the next one at its cursor.
fn page(tables: &Tables, _: u32) -> Outcome {
    let query = Order::rows(0).page_size(100);
    let cursor = tables.blocking().page(&query)?.cursor.ok_or("there is no second page")?;
    black_box(tables.blocking().page(&query.resume(cursor.to_string().parse()?))?);
    Ok(())
}

/// Reads a complete partition of 1,000 entities in place.
fn for_each(tables: &Tables, _: u32) -> Outcome {
    tables.blocking().for_each(&Order::rows(0), |order| {
        black_box(order);
    })?;
    Ok(())
}

/// Filters a partition of 1,000 entities without a match.
fn filter(tables: &Tables, _: u32) -> Outcome {
    black_box(tables.blocking().all(&Order::scan_partition(0).filter(|order| order.level.eq(-1)))?);
    Ok(())
}

/// Reads one property of all entities of a partition of 1,000.
fn projection(tables: &Tables, _: u32) -> Outcome {
    black_box(tables.blocking().all(&Order::rows(0).select::<Level>())?);
    Ok(())
}

/// Overwrites 100 adjacent entities in one transaction.
fn transaction(tables: &Tables, nth: u32) -> Outcome {
    let first = nth % (ROWS / OF_TRANSACTION) * OF_TRANSACTION;
    let orders =
        (first..first + OF_TRANSACTION).map(|number| Order::of(number, u64::from(nth) + 1, Size::Small));
    let orders: Vec<Order> = orders.collect();
    let transaction = orders.iter().fold(tables.transact(), table_patterns::Transaction::overwrite);
    tables.blocking().commit(transaction)?;
    Ok(())
}

/// Loads 10,000 new entities.
fn bulk(tables: &Tables, nth: u32) -> Outcome {
    let first = (nth + 1) * OF_LOAD;
    let orders: Vec<Order> =
        (first..first + OF_LOAD).map(|number| Order::of(number, 0, Size::Small)).collect();
    tables.blocking().run(tables.bulk().insert_all(&orders))?.into_result()?;
    Ok(())
}

/// Inserts with a commit, to an in-memory disk.
fn insert(tables: &Tables, nth: u32) -> Outcome {
    tables.blocking().insert(&Order::at(1, nth, 0, Size::Small))?;
    Ok(())
}

/// Inserts an entity without indexes.
fn insert_0(tables: &Tables, nth: u32) -> Outcome {
    tables.blocking().insert(&Plain::of(nth))?;
    Ok(())
}

/// Inserts an entity with one index row.
fn insert_1(tables: &Tables, nth: u32) -> Outcome {
    tables.blocking().insert(&One::of(nth))?;
    Ok(())
}

/// Inserts the same two rows, written as two entities.
fn insert_1_by_hand(tables: &Tables, nth: u32) -> Outcome {
    let both = tables.transact().insert(&Plain::of(nth)).insert(&ByMail::of(nth));
    tables.blocking().commit(both)?;
    Ok(())
}

/// Inserts an entity with three index rows.
fn insert_3(tables: &Tables, nth: u32) -> Outcome {
    tables.blocking().insert(&Three::of(nth))?;
    Ok(())
}

/// Inserts an entity with five index rows.
fn insert_5(tables: &Tables, nth: u32) -> Outcome {
    tables.blocking().insert(&Five::of(nth))?;
    Ok(())
}

/// Reads by the index key.
fn by_mail(tables: &Tables, _: u32) -> Outcome {
    let found = tables.blocking().get(&One::by_mail("north", "m0@contoso.com"))?;
    black_box(found.ok_or("it is not there")?);
    Ok(())
}

/// Reads the entity that was written manually under the second key.
fn by_mail_by_hand(tables: &Tables, _: u32) -> Outcome {
    let found = tables.blocking().get(&ByMail::point("north", "m0@contoso.com"))?;
    black_box(found.ok_or("it is not there")?);
    Ok(())
}
