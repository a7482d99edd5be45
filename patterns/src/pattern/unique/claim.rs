//! Unique values in other partitions that a write requires.

use crate::{
    Address,
    apply::wakeup,
    core::{derived_row::DerivedRow, entity_types::EntityInfo, index_state::Duty, old::Old, rule::Rule},
    design::Index,
    write::{Change, New},
};

/// A value of a unique index in another partition that an entity requires and does not have yet. The index row must be
/// reserved for it before the commit.
#[derive(Clone, Debug)]
pub(crate) struct Claim {
    pub(crate) kind: EntityInfo,
    pub(crate) index: &'static Index,
    pub(crate) rule: Rule,
    /// The index row. Its keys are the value.
    pub(crate) row: Address,
    /// The claimant.
    pub(crate) entity: Address,
    /// `true` if the entity must not exist yet.
    pub(crate) is_insert: bool,
    /// `true` if the entity already has the value by an index that the version that wrote it lacks. A job may have added
    /// its row.
    pub(crate) is_added: bool,
}

/// The claims of one write.
#[derive(Clone, Debug)]
pub(crate) struct Claims(pub(crate) Vec<Claim>);

impl Change for Claims {
    fn boxed(&self) -> Box<dyn Change> {
        Box::new(self.clone())
    }

    fn is_exclusive(&self) -> bool {
        !self.0.is_empty()
    }

    fn regulate(&mut self, duty: &dyn Fn(&str) -> Duty) {
        self.0.retain(|claim| matches!(duty(claim.index.name), Duty::Full));
    }
}

impl Claim {
    /// Returns the claims for values of the new state that the old state does not have.
    pub(crate) fn between(old: Option<&Old>, new: &New) -> Vec<Self> {
        let Some(kind) = new.kind() else { return Vec::new() };
        let before = |row: &DerivedRow| old?.rows().iter().find(|other| other.is_at(row));
        let claims = reserved(new.rows()).filter_map(|(index, row)| {
            let before = before(row);
            let is_added = before.is_some_and(|before| before.is_added);
            (before.is_none() || is_added).then(|| Self {
                kind,
                index,
                rule: row.rule,
                row: row.address.clone(),
                entity: new.address.clone(),
                is_insert: old.is_none(),
                is_added,
            })
        });
        claims.collect()
    }

    /// Returns the claim in the form of a wake-up message.
    pub(crate) fn hint(&self) -> wakeup::Claim {
        let (rule, row_key) = (self.index.name.to_owned(), self.entity.row_key.clone());
        wakeup::Claim { rule, row_key, row: self.row.clone() }
    }

    /// Returns an index whose key remains the same while the entity moves to another key. No transaction can transfer
    /// the index row.
    pub(crate) fn kept(old: &Old, new: &New) -> Option<&'static Index> {
        let stays = |row: &DerivedRow| new.rows().iter().any(|other| other.is_at(row));
        let mut kept = reserved(old.rows()).filter(|(_, row)| stays(row));
        kept.next().map(|(index, _)| index)
    }

    /// Returns the sort key of the claim. Concurrent claimants of the same values use the same order.
    pub(crate) fn order(&self) -> (&str, &str, &str) {
        (self.index.name, &self.row.partition_key, &self.row.row_key)
    }
}

/// Returns the rows that must be reserved.
fn reserved(rows: &[DerivedRow]) -> impl Iterator<Item = (&'static Index, &DerivedRow)> {
    rows.iter().filter_map(|row| Some((row.rule.index().filter(|index| index.is_reserved())?, row)))
}
