//! Per-period tables and sharded keys: the keys of a row must determine its location.

use crate::{
    RuleViolation,
    catalogue::Code,
    design::{EntityDesign, Place, TemplateText, Which},
    template::{Shape, Template, TemplateField},
};

/// Maximum number of fields of a row key that a range query can restrict one after the other.
const MOST_ROW_FIELDS: usize = 6;

pub(super) fn check(design: &EntityDesign, mistakes: &mut Vec<RuleViolation>) {
    many_fields(design, mistakes);
    let own = |text: &Option<TemplateText>| Some(design.resolve(text.as_ref()?.template()?));
    let (Some(partition), Some(row)) = (own(&design.partition), own(&design.row)) else { return };
    let keys = [partition, row];
    if let Some(names) = own(&design.table).filter(|_| has_valid_names(design)) {
        mistakes.extend(names.holes().filter_map(|hole| period(design, &keys, hole)));
    }
    mistakes.extend(shard(design, &keys));
}

/// Returns whether the table template produces valid names; other templates are reported only once.
fn has_valid_names(design: &EntityDesign) -> bool {
    let mut mistakes = Vec::new();
    super::table_names::check(design, &mut mistakes);
    !mistakes.iter().any(|mistake| matches!(mistake.place, Place::Template { which: Which::Table, .. }))
}

/// Checks that the key determines the table, because a point query has only the key. This also prevents a key from
/// existing in two tables.
fn period(design: &EntityDesign, keys: &[Template], hole: &TemplateField) -> Option<RuleViolation> {
    design.field(&hole.field)?;
    let same = || keys.iter().flat_map(Template::holes).filter(|key| key.field == hole.field);
    if same().any(|key| key.exact || is_as_fine(key.shape, hole.shape)) {
        return None;
    }
    let name = &hole.field;
    let message = if same().next().is_none() {
        format!("only the table name contains `{name}`, so a key does not determine its table")
    } else {
        format!(
            "the keys contain `{name}` at a lower resolution than the table name, so a key does not determine its table"
        )
    };
    let example = match hole.shape {
        Shape::Date(_) => format!("{{{name}:ticks}}"),
        _ => hole.to_string(),
    };
    let help = format!("add it to the row key: row = \"{example}_..\"");
    Some(RuleViolation::new(Code::D013, design.whole(Which::Table), message).help(help))
}

fn is_as_fine(key: Shape, table: Shape) -> bool {
    match (key.ascending(), table) {
        (Shape::Ticks, _) => true,
        (Shape::Date(key), Shape::Date(table)) => key.finest() >= table.finest(),
        _ => false,
    }
}

/// Checks that the key of a row determines its shard, and that the shard divides a partition. A shard before the field
/// that it hashes distributes increasing values over the key space.
fn shard(design: &EntityDesign, keys: &[Template; 2]) -> Option<RuleViolation> {
    let shard = design.shard.as_ref().filter(|shard| design.field(&shard.of).is_some())?;
    let [partition, row] = keys;
    if before_shard(partition).any(|name| name == shard.of) {
        let message = format!("the partition contains `{}`, so its rows have a single shard", shard.of);
        return Some(same_shard(message));
    }
    if partition.holes().chain(row.holes()).any(|hole| hole.field == shard.of) {
        return None;
    }
    let message = format!("`{}` is not part of a key, so a key does not determine its shard", shard.of);
    Some(RuleViolation::new(Code::D019, Place::Word("shard"), message).help("use a field of the row key"))
}

/// Returns the fields of a partition that precede its shard.
pub fn before_shard(partition: &Template) -> impl Iterator<Item = &str> {
    let fields: Vec<&str> = partition.holes().map(|hole| hole.field.as_str()).collect();
    let shard = fields.iter().position(|name| *name == "shard").unwrap_or(0);
    fields.into_iter().take(shard)
}

/// A shard that does not distribute the rows of a partition.
pub fn same_shard(message: String) -> RuleViolation {
    RuleViolation::new(Code::D046, Place::Word("shard"), message).help("use a field of the row key")
}

/// Checks the number of row key fields of the entity and of its indexes.
fn many_fields(design: &EntityDesign, mistakes: &mut Vec<RuleViolation>) {
    let indexes = (0..design.indexes.len()).map(Which::IndexRow);
    for which in std::iter::once(Which::Row).chain(indexes) {
        let template = design.template_text(which).and_then(TemplateText::template);
        let fields =
            template.map_or(0, |row| row.holes().filter(|hole| design.field(&hole.field).is_some()).count());
        if fields > MOST_ROW_FIELDS {
            let message = format!("a row key with {fields} fields is not supported yet");
            let help = format!("use at most {MOST_ROW_FIELDS}");
            mistakes.push(RuleViolation::new(Code::D045, design.whole(which), message).help(help));
        }
    }
}
