//! The operations of each write.

use std::collections::BTreeMap;

use table_store::{Condition, Operation, Properties, Value};

use super::{
    Layout, Versions,
    stamps::{self, ABSENT, NEW, Stamp},
};
use crate::{
    Address, Error,
    write::{Write, at},
};

/// The operations on parts: which part, and what is done to it.
pub(crate) type Parts = Vec<(usize, Operation)>;

/// Writes a new entity: its head, and each part that holds something.
pub(crate) fn insert(layout: Layout, address: &Address, properties: Properties) -> Result<Write, Error> {
    let (head, parts) = rows(layout, properties);
    let new = |(part, row)| Ok((part, at(address_of(layout, address, part)?, row, Operation::Insert)));
    let parts = parts.into_iter().map(new).collect::<Result<_, Error>>()?;
    Ok(Write::wide(address, at(address.clone(), head, Operation::Insert), parts))
}

/// Writes a new state over the one that is there. Parts come and go with what they hold.
pub(crate) fn over(
    layout: Layout,
    address: &Address,
    properties: Properties,
    old: &Versions,
) -> Result<Write, Error> {
    let (head, mut rows) = rows(layout, properties);
    let last = rows.keys().next_back().map_or(1, |last| last + 1).max(old.len());
    let mut parts = Parts::new();
    for part in 1..last {
        let address = address_of(layout, address, part)?;
        let condition = old.condition(part);
        match (old.has(part), rows.remove(&part)) {
            (true, Some(row)) => {
                parts.push((part, at(address, row, |entity| Operation::Replace(entity, condition))));
            }
            (true, None) => parts.push((part, gone(address, condition))),
            (false, Some(row)) => parts.push((part, at(address, row, Operation::Insert))),
            (false, None) => {}
        }
    }
    let replace = |entity| Operation::Replace(entity, old.condition_of_head());
    Ok(Write::wide(address, at(address.clone(), head, replace), parts))
}

/// Takes all rows away.
pub(crate) fn delete(layout: Layout, address: &Address, old: &Versions) -> Result<Write, Error> {
    let parts = (1..old.len()).filter(|part| old.has(*part));
    let gone_part = |part| Ok((part, gone(address_of(layout, address, part)?, old.condition(part))));
    let parts = parts.map(gone_part).collect::<Result<_, Error>>()?;
    Ok(Write::wide(address, gone(address.clone(), old.condition_of_head()), parts))
}

/// Sets some properties of an entity that is there. Inside of one part it is one merge of that row; over several parts,
/// or where a part comes to be, they all get a new stamp, and the head names it.
pub(crate) fn merge(
    layout: Layout,
    address: &Address,
    properties: Properties,
    old: &Versions,
) -> Result<Write, Error> {
    let mut shares = shares(layout, properties);
    if let Some((part, share)) = only(&mut shares, |part| old.has(part)) {
        return merge_in_place(layout, address, part, share, old.condition(part));
    }
    let mut head = shares.remove(&0).unwrap_or_default();
    let mut stamps = old.stamps.clone();
    let mut parts = Parts::new();
    for (part, mut share) in shares {
        set_new(&mut stamps, part);
        share.set(stamps::OWN, Value::Binary(NEW.to_vec()));
        let address = address_of(layout, address, part)?;
        let operation = if old.has(part) {
            at(address, share, |entity| Operation::Merge(entity, old.condition(part)))
        } else {
            layout.name_type(&mut share);
            at(address, share, Operation::Insert)
        };
        parts.push((part, operation));
    }
    head.set(stamps::ALL, stamps::list(&stamps));
    let merge = |entity| Operation::Merge(entity, old.condition_of_head());
    Ok(Write::wide(address, at(address.clone(), head, merge), parts))
}

/// The merge of one row, whatever its version, if the properties are all of one.
pub(super) fn merge_blindly(
    layout: Layout,
    address: &Address,
    properties: &Properties,
) -> Result<Option<Write>, Error> {
    let mut shares = shares(layout, properties.clone());
    let Some((part, share)) = only(&mut shares, |_| true) else { return Ok(None) };
    merge_in_place(layout, address, part, share, Condition::Exists).map(Some)
}

fn merge_in_place(
    layout: Layout,
    address: &Address,
    part: usize,
    share: Properties,
    condition: Condition,
) -> Result<Write, Error> {
    let at_part = address_of(layout, address, part)?;
    let merge = at(at_part, share, |entity| Operation::Merge(entity, condition));
    Ok(Write::alone(address.table().clone(), merge))
}

/// The only share, if there is one and it is of such a part. None at all is one of the head.
fn only(
    shares: &mut BTreeMap<usize, Properties>,
    is_such: impl Fn(usize) -> bool,
) -> Option<(usize, Properties)> {
    if shares.is_empty() {
        return Some((0, Properties::new()));
    }
    let part = shares.keys().next().copied().filter(|part| shares.len() == 1 && is_such(*part))?;
    shares.remove_entry(&part)
}

/// The head's row, and those of the parts that hold something.
fn rows(layout: Layout, properties: Properties) -> (Properties, BTreeMap<usize, Properties>) {
    let mut rows: BTreeMap<usize, Properties> = layout.split(properties).into_iter().enumerate().collect();
    let mut head = rows.remove(&0).unwrap_or_default();
    rows.retain(|_, row| !row.is_empty());
    let mut stamps = Vec::new();
    for (part, row) in &mut rows {
        set_new(&mut stamps, *part);
        row.push_new(stamps::OWN, Value::Binary(NEW.to_vec()));
        layout.name_type(row);
    }
    head.push_new(stamps::ALL, stamps::list(&stamps));
    layout.name_type(&mut head);
    (head, rows)
}

/// The properties of a patch, which come in any order, part by part.
fn shares(layout: Layout, properties: Properties) -> BTreeMap<usize, Properties> {
    let mut shares: BTreeMap<usize, Properties> = BTreeMap::new();
    for (name, value) in properties {
        shares.entry(layout.part_of(&name)).or_default().set(name, value);
    }
    shares
}

fn set_new(stamps: &mut Vec<Stamp>, part: usize) {
    let Some(place) = part.checked_sub(1) else { return };
    if stamps.len() <= place {
        stamps.resize(place + 1, ABSENT);
    }
    if let Some(stamp) = stamps.get_mut(place) {
        *stamp = NEW;
    }
}

fn address_of(layout: Layout, head: &Address, part: usize) -> Result<Address, Error> {
    let row_key = layout.row_key(head.row_key(), part)?;
    Ok(Address { row_key, ..head.clone() })
}

fn gone(address: Address, condition: Condition) -> Operation {
    let Address { partition_key, row_key, .. } = address;
    Operation::Delete { partition_key, row_key, condition }
}
