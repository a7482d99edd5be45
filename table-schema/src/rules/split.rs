//! Wide entities, shards and versions: declarations that require another declaration.

use super::{MOST_PROPERTIES, unknown_field};
use crate::{
    RuleViolation,
    catalogue::Code,
    design::{EntityDesign, EntityTypeRule, Place, Which},
    template::{Segment, Shape, Template},
};

/// Maximum number of rows of a wide entity: one transaction writes all of them.
const MOST_PARTS: usize = 100;

pub(super) fn check(design: &EntityDesign, mistakes: &mut Vec<RuleViolation>) {
    wide(design, mistakes);
    shard(design, mistakes);
    version(design, mistakes);
}

fn hole_at<'t>(template: &'t Template, name: &str) -> Option<(usize, &'t Segment)> {
    let named = |segment: &Segment| segment.hole().is_some_and(|hole| hole.field == name);
    template.segments().iter().enumerate().find(|(_, segment)| named(segment))
}

/// Returns all templates with a template field of this name.
fn holes<'d>(design: &'d EntityDesign, name: &str) -> Vec<(Which, usize, &'d Template, &'d Segment)> {
    design
        .template_texts()
        .filter_map(|(which, text)| {
            let template = text.template()?;
            let (at, segment) = hole_at(template, name)?;
            Some((which, at, template, segment))
        })
        .collect()
}

/// Checks that the part is last in the row key, so that the parts of an entity are adjacent and one range reads them.
fn wide(design: &EntityDesign, mistakes: &mut Vec<RuleViolation>) {
    let holes = holes(design, "part");
    let mut found_in_row = false;
    for (which, at, template, segment) in holes {
        let mistake = |message: String, help: &str| {
            RuleViolation::in_template(design, Code::D019, which, segment.span.clone(), message).help(help)
        };
        if which != Which::Row {
            let message = "`{part}` must be in the row key of the entity".to_owned();
            mistakes.push(mistake(message, "remove it here"));
        } else if at + 1 != template.segments().len() {
            let message =
                "`{part}` is not at the end of the row key, so the parts are not adjacent".to_owned();
            mistakes.push(mistake(message, "make it the last segment of `row`"));
        } else if design.wide.is_none() {
            mistakes.push(mistake("`{part}` without `wide`".to_owned(), "add wide = 200"));
        }
        found_in_row |= which == Which::Row;
    }
    let Some(most) = design.wide else { return };
    let place = Place::Word("wide");
    let own = design.own_properties();
    if most == 0 || most + own > MOST_PROPERTIES {
        let message = format!("a part holds 1 to {} of your properties, not {most}", MOST_PROPERTIES - own);
        mistakes.push(RuleViolation::new(Code::D024, place.clone(), message).help("write wide = 200"));
    }
    let parts = design.user_properties().div_ceil(most.max(1));
    if parts > MOST_PARTS {
        let needed = design.user_properties();
        let message = format!("`{}` needs {parts} parts of {most} properties for its {needed}", design.name);
        let help =
            "all parts are written in one transaction of at most 100 rows: store the values as separate rows";
        mistakes.push(RuleViolation::new(Code::S03, place.clone(), message).help(help));
    }
    if let Some(row) = design.row.as_ref().filter(|row| !found_in_row && row.template().is_some()) {
        let help = format!("end the row key with it: row = \"{}_{{part:02}}\"", row.text());
        mistakes
            .push(RuleViolation::new(Code::D019, place, "`wide` without `{part}` in the row key").help(help));
    }
}

/// Checks that the shard is part of the key and that its field exists, so that rows with one value can be found.
fn shard(design: &EntityDesign, mistakes: &mut Vec<RuleViolation>) {
    let holes = holes(design, "shard");
    let place = Place::Word("shard");
    let Some(shard) = &design.shard else {
        mistakes.extend(holes.into_iter().map(|(which, _, _, segment)| {
            let message = "`{shard}` without `shard`";
            RuleViolation::in_template(design, Code::D019, which, segment.span.clone(), message)
                .help("add shard(of = id, count = 16)")
                .file_help("add shard = { of = \"id\", count = 16 }")
        }));
        return;
    };
    if design.field(&shard.of).is_none() {
        mistakes.push(unknown_field(design, place.clone(), &shard.of));
    }
    if shard.count < 2 {
        let message = format!("{} shards do not distribute rows", shard.count);
        mistakes.push(RuleViolation::new(Code::D024, place.clone(), message).help("write count = 16"));
    }
    for (which, _, _, segment) in &holes {
        if *which != Which::Partition {
            let message = "`{shard}` distributes partitions, so it must be in the partition key";
            let mistake =
                RuleViolation::in_template(design, Code::D019, *which, segment.span.clone(), message);
            mistakes.push(mistake.help("move it there: partition = \"{shard:02}\""));
        } else if let Some(width) = width(segment).filter(|width| shard.count > 10_u32.saturating_pow(*width))
        {
            let message = format!("{} shards do not fit {width} digits", shard.count);
            let digits = (shard.count - 1).to_string().len();
            mistakes.push(
                RuleViolation::in_template(design, Code::D024, *which, segment.span.clone(), message)
                    .help(format!("write `{{shard:0{digits}}}`")),
            );
        }
    }
    if holes.is_empty() {
        let mistake = RuleViolation::new(Code::D019, place, "`shard` without `{shard}` in a template");
        mistakes.push(mistake.help("add it to the partition: partition = \"{shard:02}\""));
    }
}

fn width(segment: &Segment) -> Option<u32> {
    match segment.hole()?.shape {
        Shape::Padded(width) => Some(width.into()),
        _ => None,
    }
}

/// Checks versions. Rows of the older version remain in the table until they are rewritten.
fn version(design: &EntityDesign, mistakes: &mut Vec<RuleViolation>) {
    if design.version > 1 && design.entity_type == EntityTypeRule::None {
        let message = "rows without `EntityType` do not contain their version";
        let mistake = RuleViolation::new(Code::D030, Place::Word("version"), message);
        mistakes.push(
            mistake
                .help("remove `entity_type = none`, or `version`")
                .file_help("remove `entity_type = \"none\"`, or `version`"),
        );
    }
    if design.oldest < 1 || design.oldest > design.version {
        let message = format!("the entity has version {}", design.version);
        let mistake = RuleViolation::new(Code::D030, Place::Word("oldest"), message);
        mistakes.push(mistake.help(format!("oldest = {}, or a smaller number", design.version)));
        return;
    }
    if design.oldest > 1 && design.oldest == design.version && !design.from.is_empty() {
        let message = format!("rows of versions before {} are not stored", design.oldest);
        let mistake = RuleViolation::new(Code::D030, Place::Word("oldest"), message);
        mistakes.push(mistake.help("remove `from`, or `oldest`"));
        return;
    }
    if design.oldest == design.version || !design.from.is_empty() {
        return;
    }
    let older = design.version - 1;
    let message = format!("rows of version {older} cannot be read");
    let help = format!(
        "from({0}V{older}) and `impl From<{0}V{older}> for {0}`; or oldest = {1}, when no row of version {older} is left",
        design.name, design.version
    );
    mistakes.push(RuleViolation::new(Code::D030, Place::Word("version"), message).help(help));
}
