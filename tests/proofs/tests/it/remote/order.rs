//! Descending order and previous pages on our server, through a handle that knows its connection string only.

#![allow(clippy::unwrap_used, reason = "tests")]

use pollster::block_on;
use table_patterns::prelude::*;
use table_proofs::remote::Served;

#[derive(TableEntity, Clone, Debug)]
#[table(name = "Numbers", partition = "{kind}", row = "{n:06}")]
struct Number {
    kind: String,
    n: u32,
}

fn numbers(items: &[Stored<Number>]) -> Vec<u32> {
    items.iter().map(|number| number.n).collect()
}

#[test]
fn connected_handle_reads_in_both_directions() {
    let served = Served::new().unwrap();
    let tables = served.connected().unwrap();
    for n in 0..6 {
        tables.blocking().insert(&Number { kind: "even".into(), n }).unwrap();
    }
    let last = block_on(Number::rows("even").descending().take(2).all(&tables)).unwrap();
    assert_eq!(numbers(&last), [5, 4]);

    let query = Number::rows("even").page_size(2);
    let first = block_on(query.page(&tables)).unwrap();
    let second = block_on(query.clone().resume(first.cursor.unwrap()).page(&tables)).unwrap();
    assert_eq!(numbers(&second.items), [2, 3]);
    let back = block_on(query.clone().resume(second.previous.unwrap()).page(&tables)).unwrap();
    assert_eq!(numbers(&back.items), [0, 1]);
}
