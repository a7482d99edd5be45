//! Verification of wide entities: compares the stamps of all rows with the stamps in the head.

use std::collections::BTreeMap;

use table_model::{ETag, RowRef, Rows};

use super::read::{READS, joined, rows};
use crate::{
    Address, Error, Tables,
    core::{
        difference::{Difference, DifferenceKind, RepairStatus},
        entity_types::EntityInfo,
        error::may_pass,
        layout::Layout,
        stamps::{self, ABSENT},
    },
};

/// Returns the address of the head of the entity that a row belongs to, and the number of the row, if the row has the keys
/// of a part.
pub(crate) fn place(layout: Layout, row: &Address) -> Option<(Address, usize)> {
    let design = layout.design();
    let has_keys = design.partition.form.decode(&row.partition_key).is_ok()
        && design.row.form.decode(&row.row_key).is_ok();
    let head = layout.row_key(&row.row_key, 0).ok().filter(|_| has_keys)?;
    let part = layout.part_at(&head, &row.row_key)?;
    Some((Address { row_key: head, ..row.clone() }, part))
}

/// Checks the entity of a head, or a row without a head. Returns the differences, and whether the row is a head.
///
/// The values of a damaged row are not stored elsewhere, so nothing is repaired.
///
/// # Errors
/// Returns [`Error::Contended`] if concurrent writes changed the rows during all reads.
pub(crate) async fn judge(
    tables: &Tables,
    kind: EntityInfo,
    layout: Layout,
    row: &Address,
    repair: RepairStatus,
) -> Result<(bool, Vec<Difference>), Error> {
    let Some((address, part)) = place(layout, row) else { return Ok((false, Vec::new())) };
    let rows = steady(tables, layout, &address).await?;
    let all = parts(layout, &address, &rows);
    let head = all.get(&0).copied();
    let is_judged = |other: &usize| if part == 0 { head.is_some() } else { head.is_none() && *other == part };
    let difference = |what, address: Address, entity, cause| {
        let repair = repair.clone();
        Difference { what, index: None, address, entity, repair, cause }
    };
    let entity = head.map(|_| address.clone());
    let mut found = Vec::new();
    for (other, what) in misfits(&all).into_iter().filter(|(other, _)| is_judged(other)) {
        let row_key = layout.row_key(&address.row_key, other)?;
        found.push(difference(what, Address { row_key, ..address.clone() }, entity.clone(), None));
    }
    let Some(head) = head.filter(|_| part == 0) else { return Ok((false, found)) };
    if found.is_empty() {
        let others: Vec<RowRef<'_>> = all.into_values().skip(1).collect();
        let whole = joined(head, &others)?;
        let read = whole.get(0).map(|row| kind.entity(tables.source(&address.table), row)).transpose();
        match read {
            Ok(Some(None)) => return Ok((false, found)),
            Ok(_) => {}
            Err(error) if may_pass(&error) || is_newer(&error) => return Err(error),
            Err(error) => {
                found.push(difference(DifferenceKind::Unreadable, address, entity, Some(error)));
            }
        }
    }
    Ok((true, found))
}

/// Returns whether an entity has a newer version, which alone determines how its rows are divided.
fn is_newer(error: &Error) -> bool {
    matches!(error, Error::Decode(error) if error.is_newer())
}

/// Reads the rows of an entity until they are consistent, or two reads return the same versions: rows that a concurrent
/// write replaces differ then.
async fn steady(tables: &Tables, layout: Layout, address: &Address) -> Result<Rows, Error> {
    let mut before = None;
    for _ in 0..READS {
        let rows = rows(tables, layout, address).await?;
        let all = parts(layout, address, &rows);
        let versions: Vec<(usize, ETag)> = all.iter().map(|(part, row)| (*part, row.etag.clone())).collect();
        if misfits(&all).is_empty() || before.as_ref() == Some(&versions) {
            return Ok(rows);
        }
        before = Some(versions);
    }
    Err(Error::Contended { address: Box::new(address.clone()), attempts: READS })
}

/// Returns the rows of an entity by their number.
fn parts<'r>(layout: Layout, address: &Address, rows: &'r Rows) -> BTreeMap<usize, RowRef<'r>> {
    let number = |row: RowRef<'r>| Some((layout.part_at(&address.row_key, row.row_key?)?, row));
    rows.iter().filter_map(number).collect()
}

/// Returns the rows that contradict the stamps in the head.
fn misfits(rows: &BTreeMap<usize, RowRef<'_>>) -> Vec<(usize, DifferenceKind)> {
    let stamps = rows.get(&0).and_then(|head| stamps::listed(head.properties)).unwrap_or_default();
    let listed = |part: usize| {
        let stamp = part.checked_sub(1).and_then(|place| stamps.get(place));
        stamp.filter(|stamp| **stamp != ABSENT)
    };
    let missing = (1..=stamps.len()).filter(|part| listed(*part).is_some() && !rows.contains_key(part));
    let mut found: Vec<_> = missing.map(|part| (part, DifferenceKind::Missing)).collect();
    for (part, row) in rows.range(1..) {
        match listed(*part) {
            None => found.push((*part, DifferenceKind::Orphaned)),
            Some(stamp) if stamps::of_part(row.properties).as_ref() != Some(stamp) => {
                found.push((*part, DifferenceKind::Stale));
            }
            Some(_) => {}
        }
    }
    found.sort_unstable();
    found
}
