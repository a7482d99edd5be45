//! The bytes that the store writes for an order (`docs/format.md`), for the engine without the store: same key, same
//! length, same layout. The checksum is left empty.

use crate::order::Order;

const TABLE: [u8; 4] = 16_u32.to_be_bytes();
const NAMES: [&str; 9] = ["title", "city", "units", "level", "price", "placed", "paid", "note", "EntityType"];
const HEAD: usize = 11;
const ENTRY: usize = 7;
const SUM: usize = 4;
/// The position of `level` among the entries.
const LEVEL: usize = 3;

/// Returns the size of the record in bytes.
pub fn length(order: &Order) -> usize {
    let names: usize = NAMES.iter().map(|name| name.len()).sum();
    let texts = order.title.len() + order.city.len() + order.note.len() + "Order".len();
    HEAD + NAMES.len() * ENTRY + names + texts + 4 * 8 + 4 + 1 - 8 + SUM
}

pub fn key(zone: u32, row: u32) -> Vec<u8> {
    let mut key = partition(zone);
    key.push(0);
    key.extend_from_slice(Order::row_key(row).as_bytes());
    key
}

/// Returns the common prefix of all keys of a partition.
pub fn partition(zone: u32) -> Vec<u8> {
    let mut key = Vec::with_capacity(26);
    key.extend_from_slice(&TABLE);
    key.extend_from_slice(Order::partition_key(zone).as_bytes());
    key
}

/// Returns both ends of a partition.
pub fn partition_ends(zone: u32) -> (Vec<u8>, Vec<u8>) {
    let end = |byte| [partition(zone), vec![byte]].concat();
    (end(0), end(1))
}

pub fn value(order: &Order) -> Vec<u8> {
    let units = order.units.to_le_bytes();
    let level = order.level.to_le_bytes();
    let price = order.price.to_bits().to_le_bytes();
    let placed = order.placed.ticks().to_le_bytes();
    let values: [(u8, &[u8]); 9] = [
        (7, order.title.as_bytes()),
        (7, order.city.as_bytes()),
        (6, &units),
        (5, &level),
        (3, &price),
        (2, &placed),
        (1, &[u8::from(order.paid)]),
        (7, order.note.as_bytes()),
        (7, b"Order"),
    ];
    let mut record = Vec::with_capacity(length(order));
    record.push(1);
    record.extend_from_slice(&placed);
    record.extend_from_slice(&9_u16.to_le_bytes());
    let (mut name_end, mut value_end) = (0, 0);
    for (name, (kind, value)) in NAMES.iter().zip(values) {
        name_end += name.len();
        value_end += value.len();
        record.extend_from_slice(&three(name_end));
        record.push(kind);
        record.extend_from_slice(&three(value_end));
    }
    for name in NAMES {
        record.extend_from_slice(name.as_bytes());
    }
    for (_, value) in values {
        record.extend_from_slice(value);
    }
    record.extend_from_slice(&[0; SUM]);
    record
}

/// Returns the level in a record, located through its entry as in the store.
pub fn level(record: &[u8]) -> Option<i32> {
    let end = |entry: usize, at: usize| {
        let from = HEAD + entry * ENTRY + at;
        let bytes = record.get(from..from + 3)?;
        Some(bytes.iter().rev().fold(0_usize, |number, byte| number << 8 | usize::from(*byte)))
    };
    let values = HEAD + NAMES.len() * ENTRY + end(NAMES.len() - 1, 0)?;
    let value = record.get(values + end(LEVEL - 1, 4)?..values + end(LEVEL, 4)?)?;
    value.try_into().ok().map(i32::from_le_bytes)
}

/// Returns the values in a record, in the order in which they are stored.
#[cfg(any(feature = "rocksdb", test))]
pub fn values(record: &[u8]) -> Option<[&[u8]; NAMES.len()]> {
    let (entries, rest) = record.get(HEAD..)?.split_at_checked(NAMES.len() * ENTRY)?;
    let end =
        |bytes: [u8; 3]| bytes.iter().rev().fold(0_usize, |number, byte| number << 8 | usize::from(*byte));
    let names = entries.last_chunk::<ENTRY>().map(|[n0, n1, n2, ..]| end([*n0, *n1, *n2]))?;
    let stored = rest.get(names..)?;
    let (mut values, mut start) = ([&[][..]; NAMES.len()], 0);
    for (value, entry) in values.iter_mut().zip(entries.as_chunks::<ENTRY>().0) {
        let [_, _, _, _, v0, v1, v2] = *entry;
        let next = end([v0, v1, v2]);
        *value = stored.get(start..next)?;
        start = next;
    }
    Some(values)
}

/// Decodes an order.
#[cfg(any(feature = "rocksdb", test))]
pub fn order(key: &[u8], record: &[u8]) -> Option<Order> {
    let keys = std::str::from_utf8(key.get(TABLE.len()..)?).ok()?;
    let (zone, row) = keys.split_once('\0')?;
    let [title, city, units, level, price, placed, paid, note, _] = values(record)?;
    let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).ok();
    Some(Order {
        zone: zone.strip_prefix("zone")?.parse().ok()?,
        row: row.strip_prefix("row")?.parse().ok()?,
        title: text(title)?,
        city: text(city)?,
        units: i64::from_le_bytes(units.try_into().ok()?),
        level: i32::from_le_bytes(level.try_into().ok()?),
        price: f64::from_bits(u64::from_le_bytes(price.try_into().ok()?)),
        placed: table_patterns::Timestamp::from_ticks(i64::from_le_bytes(placed.try_into().ok()?))?,
        paid: paid == [1],
        note: text(note)?,
    })
}

fn three(number: usize) -> [u8; 3] {
    let [a, b, c, ..] = number.to_le_bytes();
    [a, b, c]
}
