//! The unique values elsewhere that a write asks for.

use super::{New, Old};
use crate::{
    Address,
    derived::DerivedRow,
    design::Index,
    hint,
    kinds::{Kind, Rule},
};

/// A value of a unique index in another partition that an entity is to have and does not have yet: before its commit the row
/// of the index must be reserved for it.
#[derive(Clone, Debug)]
pub(crate) struct Claim {
    pub(crate) kind: Kind,
    pub(crate) index: &'static Index,
    /// The number of the index.
    pub(crate) number: usize,
    /// The row of the index: its keys are the value.
    pub(crate) row: Address,
    /// Who claims.
    pub(crate) entity: Address,
    /// Whether the entity is not to be there yet.
    pub(crate) is_insert: bool,
}

impl Claim {
    /// What the new state has and the old one had not.
    pub(crate) fn between(old: Option<&Old>, new: &New) -> Vec<Self> {
        let Some(kind) = new.kind() else { return Vec::new() };
        let had = |row: &DerivedRow| old.is_some_and(|old| old.rows().iter().any(|other| other.is_at(row)));
        let claims = reserved(kind, new.rows()).filter(|(_, row)| !had(row)).map(|(index, row)| Self {
            kind,
            index,
            number: row.number,
            row: row.address.clone(),
            entity: new.address.clone(),
            is_insert: old.is_none(),
        });
        claims.collect()
    }

    /// What a hint says of it.
    pub(crate) fn hint(&self) -> hint::Claim {
        let (rule, row_key) = (self.index.name.to_owned(), self.entity.row_key.clone());
        hint::Claim { rule, row_key, row: self.row.clone() }
    }

    /// An index whose key the entity keeps while it moves to another one: no transaction can hand the row over.
    pub(crate) fn kept(old: &Old, new: &New) -> Option<&'static Index> {
        let stays = |row: &DerivedRow| new.rows().iter().any(|other| other.is_at(row));
        let mut kept = reserved(old.kind()?, old.rows()).filter(|(_, row)| stays(row));
        kept.next().map(|(index, _)| index)
    }

    /// Two that claim the same values do it in the same order.
    pub(crate) fn order(&self) -> (&str, &str, &str) {
        (self.index.name, &self.row.partition_key, &self.row.row_key)
    }
}

/// The rows that must be reserved.
fn reserved(kind: Kind, rows: &[DerivedRow]) -> impl Iterator<Item = (&'static Index, &DerivedRow)> {
    kind.rules_of(rows).filter_map(|(rule, row)| match rule {
        Rule::Index(_, index) if index.is_reserved() => Some((index, row)),
        _ => None,
    })
}
