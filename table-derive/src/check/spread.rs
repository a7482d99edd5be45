//! Rules of per-period tables and sharded keys: the keys of a row must determine its location.

use table_schema::{
    catalogue::Code,
    design::{EntityDesign, TemplateText},
    template::{Hole, Shape, Template},
};

use crate::{errors::Errors, parse::entity::EntityInput};

pub(super) fn check(input: &EntityInput, design: &EntityDesign, errors: &mut Errors) {
    let own = |text: &Option<TemplateText>| text.as_ref()?.template().map(|text| design.resolve(text));
    let keys: Vec<Template> = [&design.partition, &design.row].into_iter().filter_map(own).collect();
    let tables = own(&design.table).filter(|names| names.holes().next().is_some());
    if keys.len() == 2 {
        for hole in tables.iter().flat_map(Template::holes) {
            period(input, design, &keys, hole, errors);
        }
        shard(input, design, &keys, errors);
    }
    // A query would have to search their rows in every table or shard.
    let indexes = input.words.indexes.iter().map(|index| (&index.word, "an index"));
    let mut derived = indexes.chain(input.words.lookups.iter().map(|lookup| (&lookup.word, "a lookup")));
    if let Some((word, kind)) = derived.next().filter(|_| tables.is_some() || design.shard.is_some()) {
        let what = if tables.is_some() { "a table for each period" } else { "keys that are spread" };
        errors.add(
            word,
            format!("{kind} together with {what} is not in this release"),
            "take it out; until then, write a second entity for the other key",
        );
    }
}

/// A point query has only the key, so the key must determine the table. This also prevents a key from existing in two
/// tables.
fn period(input: &EntityInput, design: &EntityDesign, keys: &[Template], hole: &Hole, errors: &mut Errors) {
    if design.field(&hole.field).is_none() {
        return;
    }
    let holes: Vec<&Hole> =
        keys.iter().flat_map(Template::holes).filter(|key| key.field == hole.field).collect();
    if holes.iter().any(|key| key.exact || is_as_fine(key.shape, hole.shape)) {
        return;
    }
    let (name, example) = (&hole.field, example(hole));
    let message = if holes.is_empty() {
        format!("`{name}` stands in the table's name alone: a key would not say which table it is in")
    } else {
        format!(
            "the keys hold less of `{name}` than the table's name: they would not say which table they are in"
        )
    };
    let help = format!("put it into the row key: row = \"{example}_..\"");
    errors.add_coded(Code::D013, input.words.name.value(), message, help);
}

fn is_as_fine(key: Shape, table: Shape) -> bool {
    match (key, table) {
        (Shape::Ticks | Shape::InvertedTicks, _) => true,
        (Shape::Date(key), Shape::Date(table)) => key.finest() >= table.finest(),
        _ => false,
    }
}

/// Returns a template field for a row key that preserves the complete struct field.
fn example(hole: &Hole) -> String {
    match hole.shape {
        Shape::Date(_) => format!("{{{}:ticks}}", hole.field),
        _ => hole.to_string(),
    }
}

/// The key of a row must determine its shard.
fn shard(input: &EntityInput, design: &EntityDesign, keys: &[Template], errors: &mut Errors) {
    let Some(shard) = design.shard.as_ref().filter(|shard| design.field(&shard.of).is_some()) else { return };
    if keys.iter().flat_map(Template::holes).any(|hole| hole.field == shard.of) {
        return;
    }
    if let Some(given) = input.words.shard.value() {
        let message = format!("`{}` stands in no key: a key would not say which shard it is in", shard.of);
        errors.add_coded(Code::D019, &given.of, message, "name a field of the row key");
    }
}
