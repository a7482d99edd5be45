//! Operations of each write.

use std::{collections::BTreeMap, sync::Arc};

use table_model::{Condition, Operation, Properties, Value, Written as Answer};

use crate::{
    Address, Error,
    core::{
        layout::Layout,
        row_versions::RowVersions,
        stamps::{self, ABSENT, NEW, Stamp},
        unread::Unread,
        written::WriteResult,
    },
    write::{Change, Write, at},
};

/// Operations on parts, with the part numbers.
type Parts = Vec<(usize, Operation)>;

/// The operations of one write on the parts of a wide entity, in addition to that on the head.
#[derive(Clone, Debug)]
struct WideParts {
    parts: Parts,
    /// Part numbers of the operations that were taken.
    sent: Vec<usize>,
}

impl Change for WideParts {
    fn boxed(&self) -> Box<dyn Change> {
        Box::new(self.clone())
    }

    fn is_alone(&self) -> bool {
        false
    }

    fn operations(&self) -> Box<dyn Iterator<Item = &Operation> + '_> {
        Box::new(self.parts.iter().map(|(_, operation)| operation))
    }

    fn take_operations(&mut self) -> Vec<Operation> {
        let (sent, operations) = std::mem::take(&mut self.parts).into_iter().unzip();
        self.sent = sent;
        operations
    }

    fn stamps(&self) -> Option<fn(&mut Properties, Stamp)> {
        Some(stamps::fill)
    }

    fn complete(&mut self, operation: &Operation, written: &mut Option<WriteResult>) {
        if let Some(written) = written {
            written.versions = RowVersions::after(operation, written.etag.clone()).map(Arc::new);
        }
    }

    fn complete_row(&mut self, number: usize, answer: &Answer, written: &mut Option<WriteResult>) {
        let versions = written.as_mut().and_then(|written| written.versions.as_mut());
        if let (Some(part), Some(versions), Answer::Version { etag, .. }) =
            (self.sent.get(number), versions, answer)
        {
            Arc::make_mut(versions).put(*part, etag.clone());
        }
    }
}

/// Writes a new entity: its head, and each part that is not empty.
pub(super) fn insert(layout: Layout, address: &Address, properties: Properties) -> Result<Write, Error> {
    let (head, parts) = rows(layout, properties, &[]);
    let new = |(part, row)| Ok((part, at(address_of(layout, address, part)?, row, Operation::Insert)));
    let parts = parts.into_iter().map(new).collect::<Result<_, Error>>()?;
    Ok(parts_of(address, at(address.clone(), head, Operation::Insert), parts))
}

/// Replaces an existing entity. Parts are created and deleted as required by their content.
pub(super) fn over(
    layout: Layout,
    address: &Address,
    properties: Properties,
    old: &RowVersions,
) -> Result<Write, Error> {
    let (head, mut rows) = rows(layout, properties, &old.unread);
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
    Ok(parts_of(address, at(address.clone(), head, replace), parts))
}

/// Deletes all rows.
pub(super) fn delete(layout: Layout, address: &Address, old: &RowVersions) -> Result<Write, Error> {
    let parts = (1..old.len()).filter(|part| old.has(*part));
    let gone_part = |part| Ok((part, gone(address_of(layout, address, part)?, old.condition(part))));
    let parts = parts.map(gone_part).collect::<Result<_, Error>>()?;
    Ok(parts_of(address, gone(address.clone(), old.condition_of_head()), parts))
}

/// Sets some properties of an existing entity. A patch within one part is one merge of that row. If several parts
/// change or a part is created, all of them get a new stamp, which is stored in the head.
pub(super) fn merge(
    layout: Layout,
    address: &Address,
    properties: Properties,
    old: &RowVersions,
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
    Ok(parts_of(address, at(address.clone(), head, merge), parts))
}

/// Returns the unconditional merge of one row, if all properties belong to the same part.
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

/// Returns the only share, if there is exactly one and its part satisfies the predicate. Without shares, returns an
/// empty share of the head.
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

/// Returns the head row and the rows of all parts that are not empty. Properties that the type does not declare remain
/// in their rows.
fn rows(
    layout: Layout,
    properties: Properties,
    unread: &[(usize, Unread)],
) -> (Properties, BTreeMap<usize, Properties>) {
    let mut rows: BTreeMap<usize, Properties> = layout.split(properties).into_iter().enumerate().collect();
    for (part, unread) in unread {
        unread.add_to(rows.entry(*part).or_default());
    }
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

/// Groups the properties of a patch by part.
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

/// Returns the operations on the head of a wide entity and on its other parts.
fn parts_of(head: &Address, operation: Operation, parts: Parts) -> Write {
    Write::alone(head.table.clone(), operation).with(WideParts { parts, sent: Vec::new() })
}

fn address_of(layout: Layout, head: &Address, part: usize) -> Result<Address, Error> {
    let row_key = layout.row_key(head.row_key(), part)?;
    Ok(Address { row_key, ..head.clone() })
}

fn gone(address: Address, condition: Condition) -> Operation {
    let Address { partition_key, row_key, .. } = address;
    Operation::Delete { partition_key, row_key, condition }
}
