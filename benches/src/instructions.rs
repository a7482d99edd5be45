//! Operations to be counted in processor instructions, which no other process can disturb: a count of repetitions, and
//! then twice as many, differ by that count alone. See the script `instructions`.

use std::hint::black_box;

use table_patterns::Tables;

use crate::{
    contender::Outcome,
    indexed::{ByMail, Five, One, Plain, Three},
    order::{Order, ROWS, Size},
};

/// Repeats an operation on a store in memory. Told are its name and the count.
pub fn run(arguments: &[String]) -> Outcome {
    let [operation, count] = arguments else { return Err("an operation and a count".into()) };
    let tables = Tables::in_memory()?;
    let orders: Vec<Order> = (0..ROWS).map(|number| Order::of(number, 0, Size::Small)).collect();
    tables.blocking().run(tables.bulk().insert_all(&orders))?.into_result()?;
    let each = match operation.as_str() {
        "key" => key,
        "get" => get,
        "range" => range,
        "filter" => filter,
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
    (0..count.parse()?).try_for_each(|nth| each(&tables, nth))
}

/// The keys of one entity.
fn key(_: &Tables, nth: u32) -> Outcome {
    black_box(Order::point(black_box(nth % ROWS), nth).address()?);
    Ok(())
}

fn get(tables: &Tables, nth: u32) -> Outcome {
    let found = tables.blocking().get(&Order::point(0, nth * 7919 % ROWS))?;
    black_box(found.ok_or("it is not there")?);
    Ok(())
}

/// All of a partition of 1,000.
fn range(tables: &Tables, _: u32) -> Outcome {
    black_box(tables.blocking().all(&Order::rows(0))?);
    Ok(())
}

/// A partition of 1,000 of which nothing is kept.
fn filter(tables: &Tables, _: u32) -> Outcome {
    black_box(tables.blocking().all(&Order::scan_partition(0).filter(|order| order.level.eq(-1)))?);
    Ok(())
}

/// With a commit, to a disk that is memory.
fn insert(tables: &Tables, nth: u32) -> Outcome {
    tables.blocking().insert(&Order::at(1, nth, 0, Size::Small))?;
    Ok(())
}

/// An entity alone.
fn insert_0(tables: &Tables, nth: u32) -> Outcome {
    tables.blocking().insert(&Plain::of(nth))?;
    Ok(())
}

/// With a row under another key.
fn insert_1(tables: &Tables, nth: u32) -> Outcome {
    tables.blocking().insert(&One::of(nth))?;
    Ok(())
}

/// The same two rows, written as two entities.
fn insert_1_by_hand(tables: &Tables, nth: u32) -> Outcome {
    let both = tables.transact().insert(&Plain::of(nth)).insert(&ByMail::of(nth));
    tables.blocking().commit(both)?;
    Ok(())
}

/// With three.
fn insert_3(tables: &Tables, nth: u32) -> Outcome {
    tables.blocking().insert(&Three::of(nth))?;
    Ok(())
}

/// With five.
fn insert_5(tables: &Tables, nth: u32) -> Outcome {
    tables.blocking().insert(&Five::of(nth))?;
    Ok(())
}

/// By the other key; one insert before, which both counts have.
fn by_mail(tables: &Tables, nth: u32) -> Outcome {
    if nth == 0 {
        tables.blocking().insert(&One::of(0))?;
    }
    let found = tables.blocking().get(&One::by_mail("north", "m0@contoso.com"))?;
    black_box(found.ok_or("it is not there")?);
    Ok(())
}

/// The entity that was written under the other key by hand.
fn by_mail_by_hand(tables: &Tables, nth: u32) -> Outcome {
    if nth == 0 {
        tables.blocking().insert(&ByMail::of(0))?;
    }
    let found = tables.blocking().get(&ByMail::point("north", "m0@contoso.com"))?;
    black_box(found.ok_or("it is not there")?);
    Ok(())
}
