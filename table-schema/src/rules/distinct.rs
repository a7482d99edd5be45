//! Rule 2: row kinds that can share a partition start with different literals. The rows of an archive are a row kind:
//! they have the keys of the entity in the archive table.

use crate::{
    RuleViolation,
    catalogue::Code,
    design::{EntityDesign, LookupPlace, Origin, Place, RowKind},
    template::{Template, same_form},
};

pub(super) fn check(design: &EntityDesign, mistakes: &mut Vec<RuleViolation>) {
    let kinds = kinds(design);
    let mut rest = kinds.as_slice();
    while let Some((kind, others)) = rest.split_first() {
        // An archive in the table of the entity violates another rule.
        let others_of = others.iter().filter(|other| kind.origin != Origin::Primary || !is_archive(other));
        mistakes.extend(others_of.filter_map(|other| {
            let (pointed, met) = to_change(kind, other);
            meeting(design, pointed, &met.name, kind, other)
        }));
        rest = others;
    }
}

/// Returns the row kinds, and the rows that moves to the archive write.
fn kinds(design: &EntityDesign) -> Vec<RowKind> {
    design.row_kinds().into_iter().chain(design.archived_rows()).collect()
}

fn is_archive(kind: &RowKind) -> bool {
    kind.origin == Origin::Primary && kind.place == Place::Word("archive")
}

/// Returns whether one kind is the archive of an entity, and the other kind are the entities of a type that reads the
/// archived rows as its own.
fn is_read_from(archived: (&EntityDesign, &RowKind), read: (&EntityDesign, &RowKind)) -> bool {
    let is_entity = read.1.origin == Origin::Primary && !is_archive(read.1);
    is_archive(archived.1) && is_entity && read.0.reads_rows_of(archived.0)
}

/// Returns the violations between entities that share a table: the same rule for several entities. Each violation has
/// the number of its entity.
pub fn check_together(designs: &[&EntityDesign]) -> Vec<(usize, RuleViolation)> {
    let mut mistakes = Vec::new();
    let all: Vec<(&EntityDesign, Vec<RowKind>)> =
        designs.iter().map(|design| (*design, kinds(design))).collect();
    for (number, (design, own)) in all.iter().enumerate() {
        for (other_number, (other, others)) in all.iter().enumerate().skip(number + 1) {
            for kind in own {
                for other_kind in others.iter().filter(|other| !are_other_tables(kind, other)) {
                    let (one, two) = ((*design, kind), (*other, other_kind));
                    if is_read_from(one, two) || is_read_from(two, one) {
                        continue;
                    }
                    let (pointed, _) = to_change(kind, other_kind);
                    let (at, owner, met, met_name) = if std::ptr::eq(pointed, kind) {
                        (number, design, other_kind, &other.name)
                    } else {
                        (other_number, other, kind, &design.name)
                    };
                    let met_name = format!("{met_name}.{}", met.name);
                    mistakes.extend(
                        meeting(owner, pointed, &met_name, kind, other_kind).map(|mistake| (at, mistake)),
                    );
                }
            }
        }
    }
    for (number, design) in designs.iter().enumerate() {
        for other in designs.iter().take(number) {
            mistakes.extend(shared_blobs(design, other).map(|mistake| (number, mistake)));
        }
    }
    mistakes
}

/// Returns whether the tables of two kinds have different fixed names.
fn are_other_tables(kind: &RowKind, other: &RowKind) -> bool {
    let is_fixed = |kind: &RowKind| kind.table.holes().next().is_none();
    is_fixed(kind) && is_fixed(other) && !kind.table.text().eq_ignore_ascii_case(other.table.text())
}

/// Finds lookups of two entities that would store their lists in the same blobs. A blob name starts with the name of
/// the lookup.
fn shared_blobs<'d>(
    design: &'d EntityDesign,
    other: &'d EntityDesign,
) -> impl Iterator<Item = RuleViolation> + use<'d> {
    let lists = |design: &EntityDesign, number: usize| {
        design.lookups.get(number).filter(|lookup| lookup.place == LookupPlace::Blob)?;
        design.lists(number)
    };
    (0..design.lookups.len()).filter_map(move |number| {
        let own = lists(design, number)?;
        let mut others = (0..other.lookups.len()).filter_map(|number| lists(other, number));
        others.find(|met| {
            met.name == own.name
                && met.table.text().eq_ignore_ascii_case(own.table.text())
                && same_form(&met.partition.parts(), &own.partition.parts())
        })?;
        let message =
            format!("the lists of `{}.{}` and of `{}` are in the same blobs", other.name, own.name, own.name);
        let mistake = RuleViolation::new(Code::K15, Place::Lookup(number), message);
        Some(mistake.help("rename one of the lookups"))
    })
}

/// Returns the kind to change first, and the other kind: an archive, otherwise the kind with the shorter leading
/// literal, or the second kind if the lengths are equal.
fn to_change<'k>(kind: &'k RowKind, other: &'k RowKind) -> (&'k RowKind, &'k RowKind) {
    let is_first = match (is_archive(kind), is_archive(other)) {
        (true, false) => true,
        (false, true) => false,
        _ => kind.row.lead().len() < other.row.lead().len(),
    };
    if is_first { (kind, other) } else { (other, kind) }
}

/// Checks that a range over rows of one kind contains no row of the other kind, and that no two rows have the same key.
fn meeting(
    design: &EntityDesign,
    pointed: &RowKind,
    met: &str,
    kind: &RowKind,
    other: &RowKind,
) -> Option<RuleViolation> {
    // Two kinds with the same name violate another rule.
    let same_name = kind.name == other.name && pointed.name == met;
    if same_name || !kind.can_meet(other) {
        return None;
    }
    let message =
        format!("rows of `{met}` and of `{}` share a partition and can have the same key", pointed.name);
    let mistake = match &pointed.place {
        Place::Template { which, range } => {
            RuleViolation::in_template(design, Code::K15, *which, range.clone(), message)
        }
        place => RuleViolation::new(Code::K15, place.clone(), message),
    };
    Some(mistake.help(if is_archive(pointed) {
        "use a table for the archive that contains no other rows".to_owned()
    } else {
        format!("start the row key with a different word: `{}`", with_word(pointed))
    }))
}

/// Returns the row key with a leading literal: `id_` for the rows of the entity, the name of the first field for an
/// index.
fn with_word(kind: &RowKind) -> String {
    let word = match kind.origin {
        Origin::Primary => "id",
        Origin::Index(_) | Origin::Lookup(_) => first_field(&kind.row).unwrap_or(&kind.name),
    };
    let rest = kind.row.text();
    if rest.starts_with(&format!("{word}_")) {
        format!("{}_{rest}", kind.name)
    } else {
        format!("{word}_{rest}")
    }
}

fn first_field(template: &Template) -> Option<&str> {
    template.holes().next().map(|hole| hole.field.as_str())
}
