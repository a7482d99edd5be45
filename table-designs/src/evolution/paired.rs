//! The two versions of an entity, with their fields matched by stored name.

use super::tokens::{Token, declared};
use table_schema::design::{EntityDesign, FieldDesign};

/// Two versions of an entity.
#[derive(Debug)]
pub(super) struct Pair<'d> {
    pub(super) old: &'d EntityDesign,
    pub(super) new: &'d EntityDesign,
    /// `true` if rows of the old version contain their type.
    pub(super) is_typed: bool,
    /// The fields of both versions: by stored name, or by the `was` of the new version.
    pub(super) fields: Vec<(&'d FieldDesign, &'d FieldDesign)>,
    /// The fields of the old version only.
    pub(super) removed: Vec<&'d FieldDesign>,
    /// The fields of the new version only.
    pub(super) added: Vec<&'d FieldDesign>,
}

impl<'d> Pair<'d> {
    /// Matches the fields. A field that is only in keys has no stored name, and also matches the field at the same
    /// position of the same key.
    pub(super) fn new(old: &'d EntityDesign, new: &'d EntityDesign) -> Self {
        let all = |entity: &'d EntityDesign| entity.fields.iter().filter(|field| !field.skip).collect();
        let mut pair =
            Self { old, new, is_typed: true, fields: Vec::new(), removed: all(old), added: all(new) };
        pair.take(|old, new| old.property == new.property);
        pair.take(|old, new| new.was.as_deref() == Some(old.property.as_str()));
        let same_place = pair.key_fields();
        let is_unstored =
            |old: &FieldDesign, new: &FieldDesign| !is_stored(pair.old, old) && !is_stored(pair.new, new);
        let same_place: Vec<(String, String)> = same_place
            .into_iter()
            .filter(|(before, after)| {
                pair.old
                    .field(before)
                    .zip(pair.new.field(after))
                    .is_some_and(|(old, new)| is_unstored(old, new))
            })
            .collect();
        pair.take(|old, new| {
            same_place.iter().any(|(before, after)| *before == old.name && *after == new.name)
        });
        pair
    }

    /// Moves the first match of each new field to the matched fields.
    fn take(&mut self, is_same: impl Fn(&FieldDesign, &FieldDesign) -> bool) {
        for new in std::mem::take(&mut self.added) {
            match self.removed.iter().position(|old| is_same(old, new)) {
                Some(at) => self.fields.push((self.removed.remove(at), new)),
                None => self.added.push(new),
            }
        }
    }

    /// Returns the names of unmatched fields at the same positions of keys that are otherwise equal.
    fn key_fields(&self) -> Vec<(String, String)> {
        let mut found = Vec::new();
        for (old, new) in [(&self.old.partition, &self.new.partition), (&self.old.row, &self.new.row)] {
            let before = declared(self.old, old.as_ref(), |name| self.name_of(name));
            let after = declared(self.new, new.as_ref(), str::to_owned);
            if before.len() != after.len() {
                return Vec::new();
            }
            for both in before.iter().zip(&after).filter(|(before, after)| before != after) {
                match both {
                    (Token::Field(old, shape), Token::Field(new, other)) if shape == other => {
                        let old = old.trim_start_matches(REMOVED).to_owned();
                        found.push((old, new.clone()));
                    }
                    _ => return Vec::new(),
                }
            }
        }
        found
    }

    /// Returns the name in the new version of a field of the old version, or a name that no field has.
    pub(super) fn name_of(&self, old: &str) -> String {
        let found = self.fields.iter().find(|(before, _)| before.name == old);
        match found {
            Some((_, after)) => after.name.clone(),
            None if self.removed.iter().any(|field| field.name == old) => format!("{REMOVED}{old}"),
            None => old.to_owned(),
        }
    }

    /// Returns a part of the entity as the subject of a change.
    pub(super) fn subject(&self, part: &str) -> String {
        format!("{}.{part}", self.new.name)
    }

    /// Returns the condition that rows of the old version must satisfy to be recognized, after a semicolon.
    pub(super) const fn condition(&self) -> &'static str {
        if self.is_typed {
            ""
        } else {
            "; older rows have no `EntityType` and would be read as the new version: first deploy \
             `entity_type = \"always\"` without the other changes, and rewrite all rows"
        }
    }

    /// Returns whether the version of the entity is greater than before.
    pub(super) const fn is_raised(&self) -> bool {
        self.new.version > self.old.version
    }
}

/// The prefix of the comparable name of a removed field.
const REMOVED: char = '-';

/// Returns whether the row of the entity has the field as a property.
pub(super) fn is_stored(entity: &EntityDesign, field: &FieldDesign) -> bool {
    entity.stored_fields().any(|stored| stored.name == field.name)
}
