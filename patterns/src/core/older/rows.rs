//! Derived rows of an entity that an older version wrote. They have the keys and the values of that version, which a
//! conversion or another template can change.

use table_model::RowRef;

use crate::{
    Error, Source, TableEntity,
    core::{
        derived::DerivedRows,
        derived_row::DerivedRow,
        entity::Writable,
        entity_types::Rule,
        row::{decode_with_unread, is_written_as},
    },
    design::{Design, Index},
};

/// Derived rows of a row, by the version that wrote it.
#[derive(Debug)]
pub struct OlderRows {
    design: &'static Design,
    rows: Vec<DerivedRow>,
}

/// Returns the derived rows of a row that an older version wrote.
///
/// # Errors
/// Returns an error if the row cannot be decoded, or if a value cannot be part of a key.
pub fn rows<E: TableEntity, Older: TableEntity>(
    source: Source<'_>,
    row: RowRef<'_>,
) -> Result<Option<OlderRows>, Error> {
    if !is_written_as::<Older>(row) {
        return Ok(None);
    }
    let Some(path) = source.path.in_version(E::DESIGN, Older::DESIGN) else { return Ok(None) };
    let source = Source { path, ..source };
    if let Some(older) = Older::older_rows(source, row)? {
        return Ok(Some(older));
    }
    let (entity, unread) = decode_with_unread::<Older>(source, row)?;
    let (mut properties, _) = entity.contents()?;
    unread.add_to(&mut properties);
    Ok(Some(OlderRows { design: Older::DESIGN, rows: DerivedRows::of(&entity, &properties)? }))
}

/// Corrects the derived rows of an entity, given those of the version that wrote its row.
///
/// A row of an index that both versions have is that of the older version, unless both have the same key. The row of a
/// new index is expected, because indexes are added while rows of older versions remain. Contributions are those of the
/// older version only.
pub(crate) fn correct(design: &'static Design, rows: &[DerivedRow], older: &OlderRows) -> Vec<DerivedRow> {
    let mut correct = Vec::with_capacity(rows.len());
    for rule in Rule::all(design) {
        let (Rule::Index(number, _) | Rule::Contribution(number, _)) = rule;
        let newest = rows.iter().find(|row| row.number == number);
        let Some(of_older) = counterpart(rule, older.design) else {
            correct.extend(newest.filter(|_| matches!(rule, Rule::Index(..))).cloned());
            continue;
        };
        let Some(found) = older.rows.iter().find(|row| row.number == of_older) else { continue };
        match newest.filter(|newest| matches!(rule, Rule::Index(..)) && newest.address == found.address) {
            Some(newest) => correct.push(newest.clone()),
            None => correct.push(DerivedRow { number, ..found.clone() }),
        }
    }
    correct
}

/// Returns the number of the same rule in the design of an older version.
fn counterpart(rule: Rule, older: &'static Design) -> Option<usize> {
    match rule {
        Rule::Index(_, index) => {
            let (number, of_older) = older.index(index.name)?;
            has_same_layout(index, of_older).then_some(number)
        }
        Rule::Contribution(_, feed) => {
            let number = older.feeds.iter().position(|other| other.stored_name() == feed.stored_name())?;
            (older.feeds.get(number)?.is_near(older) == feed.is_near(older))
                .then(|| older.indexes.len() + number)
        }
    }
}

fn has_same_layout(one: &Index, other: &Index) -> bool {
    let layout =
        |index: &Index| (index.near, index.unique, index.lookup.is_some(), index.ids(), index.in_blobs());
    layout(one) == layout(other)
}
