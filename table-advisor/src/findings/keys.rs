//! Keys and partitions.

use super::{Finding, Ground, by, n};
use crate::{
    facts::{Facts, table_period},
    group::rising_end,
    path::Path,
    text::size_text,
};
use table_designs::schema::RelationKind;
use table_schema::{
    catalogue::{Code, Severity},
    design::{FieldKind, RowKind},
    template::{Shape, Template, TemplateField, can_meet},
};

const GIB: f64 = 1_073_741_824.0;
const YEAR: f64 = 365.0 * 86_400.0;
/// Divisor of the target of a partition. Findings start at half of the target.
const HALF: f64 = 2.0;
/// Maximum number of operations in the sentence about a hot partition.
const OPERATIONS: usize = 3;
/// Strings up to this length are assumed to be names and codes.
const CODE_LENGTH: usize = 128;

pub(super) fn find(ground: &mut Ground<'_, '_>) {
    groups(ground);
    for (facts, path, subject) in ground.rows() {
        if path.lookup.is_none() {
            partitions(ground, facts, path, &subject);
            ends(ground, facts, path, &subject);
            texts(ground, facts, path, &subject);
            widths(ground, facts, path, &subject);
        }
    }
    relations(ground);
    mixed(ground);
}

fn groups(ground: &mut Ground<'_, '_>) {
    let target = ground.schema.targets.partition_entities_s;
    for group in ground.model.groups() {
        if group.hot > target / HALF {
            let is_scan =
                |name: &str| ground.access(name).is_some_and(|access| access.class.is_over_partitions());
            let parts: Vec<String> = group
                .by
                .iter()
                .filter(|(name, _)| !is_scan(name))
                .take(OPERATIONS)
                .map(|(name, rate)| format!("{name} {}", n(*rate)))
                .collect();
            let finding = Finding::new(Code::K01, by(group.hot > target), &group.name)
                .fact("entities_s", group.hot)
                .fact("scans_s", group.scans)
                .fact("by", group.by.clone())
                .fact("target", target)
                .says(format!(
                    "the busiest partition of `{}` takes {}/s at the peak; the target is {}/s ({})",
                    group.name,
                    n(group.hot),
                    n(target),
                    parts.join(", ")
                ))
                .fix("no tested key distributes this load: cache what is read, or write in batches");
            ground.add(finding);
        }
        let writes = ground.peak_writes(&group.name);
        if group.active > 1.0 && group.active < 10.0 && writes > target {
            let rows = ground.rows().into_iter().find(|(_, path, _)| path.group() == group.name);
            let subject = rows.map_or_else(|| group.name.clone(), |(.., subject)| subject);
            let finding = Finding::new(Code::K09, Severity::Warning, subject)
                .fact("partitions", group.active)
                .fact("writes_s", writes)
                .says(format!("{}/s are written to {} partitions at the peak", n(writes), n(group.active)))
                .fix("key by a field with more values");
            ground.add(finding);
        }
    }
}

fn partitions(ground: &mut Ground<'_, '_>, facts: &Facts<'_>, path: &Path<'_>, subject: &str) {
    let partition = &path.kind.partition;
    let (keys, largest) = (facts.keys(partition), facts.largest_share(partition));
    if partition.holes().next().is_none() {
        let writes = ground.peak_writes(&path.group());
        let is_busy = path.rows > 10_000.0 || writes > 200.0;
        let severity = if is_busy { Severity::Warning } else { Severity::Note };
        let finding = Finding::new(Code::K05, severity, subject)
            .fact("rows", path.rows)
            .fact("writes", writes)
            .says(format!(
                "all {} rows are in one partition, which takes {}/s of {}/s",
                n(path.rows),
                n(writes),
                n(ground.schema.targets.partition_entities_s)
            ))
            .fix("put a field into the partition");
        ground.add(finding);
    } else if keys >= 10.0 && largest >= 0.2 {
        let finding = Finding::new(Code::K02, Severity::Warning, subject)
            .fact("partitions", keys)
            .fact("share", largest)
            .says(format!("one partition of {} holds {} % of all rows", n(keys), n(100.0 * largest)))
            .fix("add a second field to the partition");
        ground.add(finding);
    }
    let bytes = path.rows * largest * path.size(None);
    let range = ground.schema.targets.range_gb * GIB;
    if bytes > range {
        let finding = Finding::new(Code::K08, Severity::Warning, subject)
            .fact("bytes", bytes)
            .says(format!("the largest partition has {}: one server holds it whole", size_text(bytes)))
            .fix("split the partition by another field or a period");
        ground.add(finding);
    }
    grows(ground, facts, path, subject, largest);
}

fn grows(ground: &mut Ground<'_, '_>, facts: &Facts<'_>, path: &Path<'_>, subject: &str, largest: f64) {
    let rises = |template: &Template| template.holes().any(|hole| facts.is_rising(&hole.field));
    let is_bounded = facts.entity.keep.is_some() || rises(&path.kind.partition) || rises(&path.kind.table);
    let share = path.index.map_or(1.0, |index| facts.selected(index.when.as_ref()));
    let growth = Ground::inserts(facts) * share * YEAR * largest;
    if rises(&path.kind.row) && !is_bounded && growth > 1_000_000.0 {
        let finding = Finding::new(Code::K07, Severity::Warning, subject)
            .fact("entities_per_year", growth)
            .says(format!("the largest partition grows by {} rows a year and cannot be split", n(growth)))
            .fix("no tested period bounds it: limit how long rows live");
        ground.add(finding);
    }
}

/// Reports inserts at one end of the key space.
fn ends(ground: &mut Ground<'_, '_>, facts: &Facts<'_>, path: &Path<'_>, subject: &str) {
    let Some(is_inverted) = rising_end(facts, &path.kind.partition) else { return };
    let inserts = ground.peak() * Ground::inserts(facts);
    if inserts <= 0.0 || table_period(&path.kind.table).is_some() {
        return;
    }
    let segment = path.kind.partition.holes().next().map_or("", |hole| hole.field.as_str());
    let (code, end) = if is_inverted { (Code::K04, "start") } else { (Code::K03, "end") };
    let finding = Finding::new(code, by(inserts > ground.schema.targets.partition_entities_s), subject)
        .fact("inserts_s", inserts)
        .fact("segment", segment)
        .says(format!("all {}/s inserts land at the {end} of the table; splitting cannot help", n(inserts)))
        .fix("no tested key distributes these inserts: move the time into the row, or write in batches");
    ground.add(finding);
}

fn texts(ground: &mut Ground<'_, '_>, facts: &Facts<'_>, path: &Path<'_>, subject: &str) {
    for (key, hole) in holes(path) {
        let subject = format!("{subject}.{key}");
        let Some(field) = facts.entity.field(&hole.field) else { continue };
        let max = field.kind.longest_text();
        let is_json = matches!(field.kind, FieldKind::Json { .. });
        let is_free = matches!(field.kind, FieldKind::Text { .. }) || is_json;
        if hole.shape.is_text() && is_free && max.is_none() && !is_json {
            let finding = Finding::new(Code::K13, Severity::Warning, &subject)
                .says(format!("nothing bounds `{}`, and so nothing bounds this key", field.name))
                .fix("bound the length of the field");
            ground.add(finding);
        }
        if hole.shape == Shape::Text && is_free && (is_json || max.is_none_or(|max| max > CODE_LENGTH)) {
            let severity = if is_json { Severity::Warning } else { Severity::Note };
            let finding = Finding::new(Code::K16, severity, subject)
                .fact("field", field.name.as_str())
                .says(format!("`{}` is free text and may hold / \\ # ?, which keys refuse", field.name))
                .fix("use a hash of it");
            ground.add(finding);
        }
    }
}

/// Returns the template fields of the keys of a row, each with the name of the key.
fn holes<'p>(path: &'p Path<'_>) -> impl Iterator<Item = (&'static str, &'p TemplateField)> {
    let partition = path.kind.partition.holes().map(|hole| ("partition", hole));
    partition.chain(path.kind.row.holes().map(|hole| ("row", hole)))
}

fn widths(ground: &mut Ground<'_, '_>, facts: &Facts<'_>, path: &Path<'_>, subject: &str) {
    for (key, hole) in holes(path) {
        let Shape::Padded(width) = hole.shape.ascending() else { continue };
        if matches!(hole.field.as_str(), "part" | "shard") {
            continue;
        }
        let (distinct, most) = (facts.distinct(&hole.field), 10_f64.powi(width.into()));
        if distinct <= most {
            continue;
        }
        let said = facts
            .load()
            .and_then(|load| load.values_of(&hole.field))
            .is_some_and(|values| values.distinct.is_some());
        let finding = Finding::new(Code::K14, by(said), format!("{subject}.{key}"))
            .fact("field", hole.field.as_str())
            .fact("width", f64::from(width))
            .fact("values", distinct)
            .says(format!("{} values of `{}` do not fit into {width} digits", n(distinct), hole.field))
            .fix("no tested width passes: use fewer values, or another field");
        ground.add(finding);
    }
}

fn relations(ground: &mut Ground<'_, '_>) {
    for relation in ground.schema.relations.iter().filter(|relation| relation.kind == RelationKind::OneToMany)
    {
        let Some(child) = ground.model.facts.iter().find(|facts| facts.entity.name == relation.to) else {
            continue;
        };
        let Some(primary) = child.primary() else { continue };
        if facts_are_lonely(child, primary) {
            let finding = Finding::new(Code::K06, Severity::Warning, &relation.to)
                .fact("partitions", child.keys(&primary.partition))
                .fact("entities", child.count)
                .says(format!(
                    "nearly every `{}` has its own partition, so no transaction can write two of one `{}`",
                    relation.to, relation.from
                ))
                .fix(format!(
                    "if they are written together, use the fields that name the `{}` as the partition of `{}`; otherwise, no change is needed",
                    relation.from, relation.to
                ));
            ground.add(finding);
        }
    }
}

fn facts_are_lonely(child: &Facts<'_>, primary: &RowKind) -> bool {
    child.keys(&primary.partition) >= 0.9 * child.count
}

/// Reports rows whose keys have a common prefix but can never be equal. Humans and prefix scans can confuse them.
fn mixed(ground: &mut Ground<'_, '_>) {
    let rows = ground.rows();
    for (place, (_, one, subject)) in rows.iter().enumerate() {
        for (_, other, of) in rows.iter().skip(place + 1) {
            let is_literal = |path: &Path<'_>| path.kind.row.holes().next().is_none();
            let (short, long) = if one.kind.row.lead().len() <= other.kind.row.lead().len() {
                (one, other)
            } else {
                (other, one)
            };
            let begins = long.kind.row.lead().starts_with(short.kind.row.lead());
            let is_mistake = can_meet(&one.kind.row.parts(), &other.kind.row.parts());
            if !one.kind.shares_partition(&other.kind)
                || !begins
                || is_mistake
                || is_literal(one) && is_literal(other)
            {
                continue;
            }
            if is_literal(short) && !short.kind.row.lead().is_empty() {
                continue;
            }
            let finding = Finding::new(Code::K15, Severity::Warning, subject)
                .fact("other", of.as_str())
                .fact("prefix", short.kind.row.lead())
                .says(format!("rows of `{of}` lie among those of `{subject}`: their keys begin alike"))
                .fix("give each kind of rows a first word of its own");
            ground.add(finding);
        }
    }
}
