//! The patterns that cannot be combined, as data: [`ON_ENTITY`] for two patterns of one entity, [`ON_FIELD`] for two
//! attributes of one field. Every front end reports an excluded pair with the same message.

use crate::{
    RuleViolation,
    catalogue::Code,
    design::{EntityDesign, EntityTypeRule, FieldDesign, FieldKind, Place},
    role::Role,
};

/// A pattern of an entity or a field.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Feature {
    Index,
    Lookup,
    /// A contribution to a field of another entity.
    Source,
    /// A field that another entity maintains.
    Target,
    Blob,
    Encrypted,
    Series,
    Json,
    Archive,
    OlderVersion,
    Wide,
    TablePerPeriod,
    Sharded,
    Changes,
    /// A field with a role.
    OfRole(Role),
    /// A time that the library sets.
    Stamped,
    /// Rows without `EntityType`.
    Untyped,
}

use Feature::{
    Archive, Blob, Changes, Encrypted, Index, Json, Lookup, OfRole, OlderVersion, Series, Sharded, Source,
    Stamped, TablePerPeriod, Target, Untyped, Wide,
};

/// An excluded pair with its remedy.
type Excluded = (Feature, Feature, &'static str);

/// Excluded pairs of patterns of one entity, besides those of [roles](Role::excluded). The violation is reported at the first pattern.
pub(crate) const ON_ENTITY: &[Excluded] = &[
    (Index, Wide, "keep the indexed fields in a separate, narrow entity"),
    (Lookup, Wide, "keep the lookup fields in a separate, narrow entity"),
    (Source, Wide, "remove the contribution, or aggregate a separate, narrow entity"),
    (Target, Wide, "keep the field in a separate entity"),
    (Blob, Wide, "remove `wide`, or keep the field in a separate entity"),
    (Encrypted, Wide, "remove `wide`, or keep the field in a separate entity"),
    (Archive, Wide, "remove the archive: it stores one row per entity"),
    (Stamped, Wide, "remove `created` and `updated`: a write of one part would not change the others"),
    (OlderVersion, Wide, "give the wide entity a new name: parts of both versions have the same keys"),
    (Index, TablePerPeriod, "remove the index, or store the rows of the other key as a second entity"),
    (Lookup, TablePerPeriod, "remove the lookup, or store the rows of the other key as a second entity"),
    (Source, TablePerPeriod, "remove the contribution, or use a single table"),
    (Target, TablePerPeriod, "keep the field in a separate entity"),
    (Blob, TablePerPeriod, "use a single table, or keep the field in a separate entity"),
    (Index, Sharded, "remove the index, or store the rows of the other key as a second entity"),
    (Lookup, Sharded, "remove the lookup, or store the rows of the other key as a second entity"),
    (Target, Sharded, "keep the field in a separate entity"),
    (Target, OlderVersion, "keep the field in a separate entity"),
    (Changes, Wide, "remove `changes`: a record stores one row per entity"),
    (Changes, TablePerPeriod, "remove `changes`, or use a single table"),
    (Target, Changes, "keep the field in a separate entity: other entities change it without a record"),
    (Blob, Changes, "keep the field in a separate entity: the blob of a previous state is deleted"),
    (Changes, Untyped, "remove `entity_type = none`: the records name the version of the row"),
];

/// Excluded pairs of attributes of one field. The violation is reported at the first attribute.
pub(crate) const ON_FIELD: &[Excluded] = &[
    (Encrypted, Blob, "remove `encrypt`, and encrypt the bytes before they are stored in the blob"),
    (Encrypted, Series, "store the array as one encrypted JSON value"),
    (Series, Blob, "remove one of the attributes"),
    (Series, Json, "remove one of the attributes: a series has one property per slot, JSON has one property"),
];

impl Feature {
    /// Returns the pattern as the subject of a sentence.
    const fn subject(self) -> &'static str {
        match self {
            Index => "an index",
            Lookup => "a lookup",
            Source => "a contribution",
            Target => "a maintained field",
            Blob => "a blob field",
            Encrypted => "an encrypted field",
            Series => "a series",
            Json => "a JSON field",
            Archive => "an archive",
            OlderVersion => "an older version",
            Wide => "a wide row layout",
            TablePerPeriod => "a table per period",
            Sharded => "a sharded key",
            Changes => "a change feed",
            OfRole(role) => role.subject(),
            Stamped => "a time stamp",
            Untyped => "a row without `EntityType`",
        }
    }

    /// Returns the phrase that describes an entity with this pattern.
    const fn entity(self) -> &'static str {
        match self {
            Archive => "an entity with an archive",
            Wide => "a wide entity",
            TablePerPeriod => "an entity with a table per period",
            Sharded => "an entity with sharded keys",
            OlderVersion => "an entity with an older version",
            Changes => "an entity with a change feed",
            Untyped => "an entity without `EntityType`",
            _ => "this entity",
        }
    }

    /// Returns the phrase that describes a field with this attribute.
    const fn field(self) -> &'static str {
        match self {
            Blob => "a blob",
            Encrypted => "encrypted",
            Json => "JSON",
            other => other.subject(),
        }
    }
}

pub(super) fn check(design: &EntityDesign, mistakes: &mut Vec<RuleViolation>) {
    let features = of_entity(design);
    let of_roles = Role::ALL
        .into_iter()
        .flat_map(|role| role.excluded().iter().map(move |(other, help)| (OfRole(role), *other, *help)));
    for (part, whole, help) in excluded(ON_ENTITY.iter().copied().chain(of_roles), &features) {
        let preposition = if matches!(part.0, Index | Lookup) { "on" } else { "of" };
        let message = format!("{} {preposition} {} is not supported yet", part.0.subject(), whole.0.entity());
        mistakes.push(RuleViolation::new(Code::D037, part.1.clone(), message).help(help));
    }
    for (number, field) in stored(design) {
        for (one, other, help) in excluded(ON_FIELD.iter().copied(), &of_field(number, field)) {
            let (name, one_of, other_of) = (&field.name, one.0.field(), other.0.field());
            let message = format!("`{name}` is {one_of} and {other_of}, which is not supported yet");
            mistakes.push(RuleViolation::new(Code::D037, one.1.clone(), message).help(help));
        }
    }
}

/// A pattern and its location.
type Found = (Feature, Place);

/// Returns the excluded pairs among these patterns, each at its first occurrence.
fn excluded(
    pairs: impl Iterator<Item = Excluded>,
    features: &[Found],
) -> impl Iterator<Item = (&Found, &Found, &'static str)> {
    let first = |feature: Feature| features.iter().find(move |(found, _)| *found == feature);
    pairs.filter_map(move |(one, other, help)| Some((first(one)?, first(other)?, help)))
}

fn stored(design: &EntityDesign) -> impl Iterator<Item = (usize, &FieldDesign)> {
    design.fields.iter().enumerate().filter(|(_, field)| !field.skip)
}

/// Returns the patterns of an entity.
fn of_entity(design: &EntityDesign) -> Vec<Found> {
    let mut found: Vec<Found> = Vec::new();
    found.extend((0..design.indexes.len()).map(|number| (Index, Place::Index(number))));
    found.extend((0..design.lookups.len()).map(|number| (Lookup, Place::Lookup(number))));
    found.extend((0..design.contributions.len()).map(|number| (Source, Place::Contribution(number))));
    for (number, field) in stored(design) {
        let target = field.from_source.then_some((Target, Place::FieldWord(number, "from_source")));
        let stamp = field.stamp.map(|stamp| (Stamped, Place::FieldWord(number, stamp.word())));
        let target = target.into_iter().chain(stamp);
        let others = of_field(number, field).into_iter();
        found.extend(target.chain(others.filter(|(other, _)| matches!(other, Blob | Encrypted))));
    }
    found.extend(design.archive.is_some().then_some((Archive, Place::Word("archive"))));
    found.extend((!design.from.is_empty()).then_some((OlderVersion, Place::Word("from"))));
    found.extend(design.wide.is_some().then_some((Wide, Place::Word("wide"))));
    found.extend(design.has_table_per_period().then_some((TablePerPeriod, Place::Word("name"))));
    found.extend(design.shard.is_some().then_some((Sharded, Place::Word("shard"))));
    found.extend(design.changes.is_some().then_some((Changes, Place::Word("changes"))));
    found.extend(design.roles.iter().map(|(role, _)| (OfRole(role), Place::Word(role.word()))));
    let is_untyped = design.entity_type == EntityTypeRule::None;
    found.extend(is_untyped.then_some((Untyped, Place::Word("entity_type"))));
    found
}

/// Returns the attributes of a field.
fn of_field(number: usize, field: &FieldDesign) -> Vec<Found> {
    let words = [
        (field.kind == FieldKind::Blob, Blob, "blob"),
        (field.encrypted, Encrypted, "encrypt"),
        (field.series.is_some(), Series, "series"),
        (matches!(field.kind, FieldKind::Json { .. }), Json, "json"),
    ];
    let present = words.into_iter().filter(|(is, ..)| *is);
    present.map(|(_, feature, word)| (feature, Place::FieldWord(number, word))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pairs_are_listed_once() {
        for table in [ON_ENTITY, ON_FIELD] {
            for (at, (one, other, help)) in table.iter().enumerate() {
                let same = |(a, b, _): &Excluded| (a, b) == (one, other) || (a, b) == (other, one);
                assert!(one != other && !table[..at].iter().any(same), "{one:?} {other:?}");
                assert!(!help.is_empty() && !help.ends_with('.'), "{help}");
            }
        }
    }

    #[test]
    fn second_pattern_describes_an_entity() {
        let of_roles = Role::ALL.into_iter().flat_map(Role::excluded);
        for whole in ON_ENTITY.iter().map(|(_, whole, _)| whole).chain(of_roles.map(|(whole, _)| whole)) {
            assert_ne!(whole.entity(), "this entity", "{whole:?}");
        }
    }
}
