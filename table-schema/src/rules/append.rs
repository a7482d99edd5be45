//! Inserts at a single end of the key space.

use crate::{
    RuleViolation,
    catalogue::Code,
    design::{EntityDesign, Which},
    template::{Shape, Template},
};

/// Checks for append-only inserts. Partitions are stored in key order on few servers. If the partition is constant or
/// starts with a time, all inserts reach one server, and no split distributes them. A table per period avoids this, and
/// a design may allow it explicitly.
pub(super) fn check(design: &EntityDesign, mistakes: &mut Vec<RuleViolation>) {
    let template = |which| design.template_text(which).and_then(|text| text.template());
    let (Some(table), Some(partition), Some(row)) =
        (template(Which::Table), template(Which::Partition), template(Which::Row))
    else {
        return;
    };
    let has_period = table.holes().any(|hole| matches!(hole.shape, Shape::Date(_)));
    // A constant key identifies a single row, which is inserted once.
    let is_single = row.holes().next().is_none();
    let Some(code) = end(partition).filter(|_| !has_period && !is_single && !design.allow_append_only) else {
        return;
    };
    let whole = 0..partition.text().len();
    let message = "all inserts reach the newest end of one partition range";
    let mistake = RuleViolation::in_template(design, code, Which::Partition, whole, message);
    let spread = match steady(row) {
        Some(field) => {
            format!("distribute it by a hash: partition = \"{{shard:02}}\", shard(of = {field}, count = 16)")
        }
        None => "distribute it by another field".to_owned(),
    };
    mistakes.push(mistake.help(format!("{spread}; or #[table(allow(append_only))]")));
}

/// Returns a field of the row key that does not increase with time.
fn steady(row: &Template) -> Option<&str> {
    let is_time = |shape: Shape| matches!(shape.ascending(), Shape::Ticks | Shape::Date(_));
    row.holes().find(|hole| !is_time(hole.shape)).map(|hole| hole.field.as_str())
}

fn end(partition: &Template) -> Option<Code> {
    match partition.holes().next().map(|hole| hole.shape) {
        None => Some(Code::K05),
        Some(Shape::Ticks | Shape::Date(_)) => Some(Code::K03),
        Some(Shape::InvertedTicks | Shape::InvertedDate(_)) => Some(Code::K04),
        Some(_) => None,
    }
}
