//! The cost of writing a page of 1,000 entities, without reading it.

use std::{hint::black_box, time::Instant};

use table_rest::wire::{
    entity::{EntityBody, RowWriter},
    level::Level,
};
use table_store::{Rows, Timestamp, rows::RowHead};

use crate::{
    Outcome,
    entities::{Shape, body},
};

/// Returns pages per second, and the size of a page in bytes.
pub fn written(shape: Shape) -> Outcome<(f64, usize)> {
    let mut rows = Rows::new();
    for number in 0..1_000 {
        let entity = EntityBody::read(body(shape, number).as_bytes())?;
        let (partition, row) = (shape.partition(number), Shape::row(number));
        rows.push(RowHead::whole(&partition, &row, Timestamp::now()), entity.properties.refs())?;
    }
    let writer = RowWriter {
        level: Level::Minimal,
        account: "devstoreaccount1",
        root: "http://127.0.0.1:10002/devstoreaccount1",
        table: shape.table,
        select: None,
    };
    let mut length = 0;
    let mut best = f64::INFINITY;
    for _ in 0..200 {
        let begin = Instant::now();
        let mut text = String::new();
        writer.push_list(&mut text, rows.iter());
        best = best.min(begin.elapsed().as_secs_f64());
        length = black_box(text).len();
    }
    Ok((1.0 / best, length))
}
