//! Sizes.

use super::{Finding, Ground, by, n};
use crate::{
    facts::{Facts, real, slots},
    path::Path,
    text::size_text,
};
use table_schema::{
    catalogue::{Code, Severity},
    design::{FieldDesign, FieldKind, LookupDesign, LookupPlace},
};

const KIB: f64 = 1_024.0;
const GIB: f64 = 1_073_741_824.0;

pub(super) fn find(ground: &mut Ground<'_, '_>) {
    for (facts, path, _) in ground.rows() {
        if path.name == "primary" {
            rows(ground, facts, path);
            properties(ground, facts);
            values(ground, facts, path);
            names(ground, facts, path);
        }
    }
    for facts in &ground.model.facts {
        lists(ground, facts);
    }
}

/// Returns the maximum size of a value, or its average size if it is unbounded.
fn most(facts: &Facts<'_>, field: &FieldDesign) -> f64 {
    match &field.kind {
        FieldKind::Text { max: Some(max) } | FieldKind::Json { max: Some(max) } => 2.0 * real(*max) + 4.0,
        FieldKind::Binary { max: Some(max) } => real(*max) + 4.0,
        _ => facts.value(field),
    }
}

fn rows(ground: &mut Ground<'_, '_>, facts: &Facts<'_>, path: &Path<'_>) {
    let limit = ground.schema.targets.entity_bytes;
    let average = path.size(None);
    let beyond = facts
        .entity
        .stored_fields()
        .map(|field| (most(facts, field) - facts.value(field)).max(0.0) * real(slots(field)));
    let worst = average + beyond.sum::<f64>() / path.parts;
    if average > limit / 2.0 || worst > limit {
        let finding = Finding::new(Code::S01, by(average > limit), &facts.entity.name)
            .fact("average", average)
            .fact("worst", worst)
            .says(format!(
                "a row has {} on average and up to {}; {} is the limit",
                size_text(average),
                size_text(worst),
                size_text(limit)
            ))
            .fix("large values into blobs (P11), or split the entity (P10)");
        ground.add(finding);
    }
}

fn properties(ground: &mut Ground<'_, '_>, facts: &Facts<'_>) {
    let count = facts.entity.user_properties();
    let limit = ground.schema.targets.properties;
    if facts.entity.wide.is_none() && real(count) > 200.0 && real(count) <= limit {
        let finding = Finding::new(Code::S04, Severity::Note, &facts.entity.name)
            .fact("properties", real(count))
            .says(format!("{count} of {} properties are used", n(limit)))
            .fix("split it over several rows (P10) before it must be");
        ground.add(finding);
    }
}

fn values(ground: &mut Ground<'_, '_>, facts: &Facts<'_>, path: &Path<'_>) {
    let limit = ground.schema.targets.value_bytes;
    for field in facts.entity.fields.iter().filter(|field| !field.skip) {
        let subject = format!("{}.{}", facts.entity.name, field.name);
        if field.kind == FieldKind::Blob {
            let bytes = facts.bytes(field);
            if bytes < 4.0 * KIB {
                let finding = Finding::new(Code::S08, Severity::Note, subject)
                    .fact("bytes", bytes)
                    .says(format!("a value of {} goes into a blob", size_text(bytes)))
                    .fix("keep it in the row");
                ground.add(finding);
            }
            continue;
        }
        if !path.stored.iter().any(|(stored, _)| stored.name == field.name) {
            continue;
        }
        let (average, worst) = (facts.value(field), most(facts, field));
        // The overhead of 4 bytes of strings and binary values does not count towards the limit of a value.
        if average.max(worst) - 4.0 > limit {
            let finding = Finding::new(Code::S02, by(average - 4.0 > limit), &subject)
                .fact("average", average)
                .fact("worst", worst)
                .says(format!(
                    "`{}` has {} on average and up to {}; {} is the limit",
                    field.name,
                    size_text(average),
                    size_text(worst),
                    size_text(limit)
                ))
                .fix("store the value in a blob (P11)");
            ground.add(finding);
        }
        if matches!(field.kind, FieldKind::Text { max: None } | FieldKind::Json { max: None }) {
            let finding = Finding::new(Code::S07, Severity::Note, subject)
                .says(format!("nothing bounds `{}`", field.name))
                .fix("bound the length of the field, or store it in a blob (P11)");
            ground.add(finding);
        }
    }
}

fn names(ground: &mut Ground<'_, '_>, facts: &Facts<'_>, path: &Path<'_>) {
    let entity = path.size(None) * path.parts;
    let names: f64 = path.stored.iter().map(|(field, _)| facts.names(field)).sum();
    if names >= 0.4 * entity && facts.count * entity >= GIB {
        let finding = Finding::new(Code::S09, Severity::Note, &facts.entity.name)
            .fact("name_bytes", names)
            .fact("share", names / entity)
            .says(format!(
                "names of properties are {} % of {}",
                n(100.0 * names / entity),
                size_text(facts.count * entity)
            ))
            .fix("store shorter names of properties");
        ground.add(finding);
    }
}

fn lists(ground: &mut Ground<'_, '_>, facts: &Facts<'_>) {
    for (number, lookup) in facts.entity.lookups.iter().enumerate() {
        let ids = facts.longest_list(lookup);
        let (size, empty) = (facts.list_size(lookup, number, ids), facts.list_size(lookup, number, 0.0));
        let row = ground.schema.targets.entity_bytes;
        // A character has two bytes.
        let (most, members) = (2.0 * real(LookupDesign::ROW_CHARACTERS), size - empty);
        let fits = (most / (members / ids)).floor();
        let subject = format!("{}.{}", facts.entity.name, lookup.name);
        if lookup.place == LookupPlace::Blob || lookup.has_member_rows() {
            continue;
        }
        if size > row {
            let finding = Finding::new(Code::S05, Severity::Note, subject)
                .fact("ids", ids)
                .fact("fits", fits)
                .says(format!(
                    "the longest list has {} members; {} fit into one row, each of the others has a row",
                    n(ids),
                    n(fits)
                ))
                .fix("use an index (P1), which reads them as a range, or store the lists in blobs");
            ground.add(finding);
        } else if members > most {
            let finding = Finding::new(Code::S06, Severity::Warning, subject)
                .fact("ids", ids)
                .fact("fits", fits)
                .says(format!(
                    "the longest list has {} members; {} fit into its row, each of the others has a row",
                    n(ids),
                    n(fits)
                ))
                .fix("look up by more fields, or use an index (P1)");
            ground.add(finding);
        }
    }
}
