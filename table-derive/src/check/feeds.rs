//! Rules of contributions and aggregated fields. The generated code checks the rules that involve the types of both
//! entities.

use syn::{Ident, ext::IdentExt};
use table_schema::{
    design::{CopiedFields, EntityDesign, FieldDesign, FieldKind, Place},
    rules,
    static_design::Aggregate,
    template::Template,
};

use crate::{
    errors::Errors,
    parse::{
        entity::EntityInput,
        feed::{FeedInput, example},
        field::FieldInput,
    },
    types::{Named, TypeName, shown},
};

pub(super) fn check(input: &EntityInput, design: &EntityDesign, errors: &mut Errors) {
    for feed in &input.words.feeds {
        source(input, design, feed, errors);
    }
    let indexes = input.words.indexes.iter().filter_map(|index| index.name.as_ref());
    let lookups = input.words.lookups.iter().filter_map(|lookup| lookup.name.as_ref());
    let names: Vec<&Ident> = indexes.chain(lookups).collect();
    twice(&input.words.feeds, &names, errors);
    for field in input.fields.iter().filter(|field| field.words.from_source.is_set()) {
        sink(input, design, field, errors);
    }
    copies(input, design, errors);
}

/// Index rows are not updated when other entities write an aggregated field.
fn copies(input: &EntityInput, design: &EntityDesign, errors: &mut Errors) {
    let fed = input.fields.iter().filter(|field| field.words.from_source.is_set()).map(FieldInput::name);
    for (word, index) in input.words.indexes.iter().zip(&design.indexes) {
        let copied = match &index.copy {
            CopiedFields::All => fed.clone().next(),
            CopiedFields::Only(fields) => fed.clone().find(|name| fields.contains(name)),
        };
        if let Some(name) = copied {
            let place = word.name.as_ref().unwrap_or(&word.word);
            errors.add(
                place,
                format!("`{name}` is kept by others, and the rows of `{}` would not follow", index.name),
                "say which other fields its rows hold: copy(..)",
            );
        }
    }
}

/// Checks one contribution of an entity to another entity.
fn source(input: &EntityInput, design: &EntityDesign, feed: &FeedInput, errors: &mut Errors) {
    let word = &feed.word;
    if feed.sink.is_ident("Self") || feed.sink.is_ident(&input.ident) {
        let (message, help) = match feed.by {
            Aggregate::Copy => (
                "an entity cannot be copied into itself",
                "keep the copy in an entity of its own, with fewer fields in its key",
            ),
            _ => (
                "an entity cannot be counted in itself",
                "keep the count in an entity of its own, with fewer fields in its key",
            ),
        };
        errors.add(&feed.sink, message, help);
    }
    for (other, what) in [
        (input.words.wide.word().is_some(), "a wide entity"),
        (
            design.table.as_ref().is_some_and(|name| name.text().contains('{')),
            "an entity with a table for each period",
        ),
    ] {
        if other {
            let message = format!("`{word}` of {what} is not in this release");
            errors.add(word, message, "take it out, or count a smaller entity beside it");
        }
    }
    match (feed.by, feed.of.get()) {
        (Aggregate::Count, Some(of)) => {
            errors.add(
                &of.word,
                "a count is of the entities, not `of` a field",
                "write summed_in(..) for a sum",
            );
        }
        (Aggregate::Copy, Some(of)) => {
            errors.add(
                &of.word,
                "a copy is of the fields of a projection, not `of` one field",
                "take it out: the type of the other entity's field says which",
            );
        }
        (Aggregate::Sum | Aggregate::Max | Aggregate::Min, None) => {
            let help = format!("write {}", example(feed.by));
            errors.add(word, format!("`{word}` does not say which field it is made of"), help);
        }
        (_, Some(of)) => made_of(input, design, feed, &of.value, errors),
        (Aggregate::Count | Aggregate::Copy, None) => {}
    }
    if let Some(path) = feed.when.value()
        && let Some(field) =
            path.get_ident().and_then(|word| design.fields.iter().find(|field| *word == field.name))
        && (field.optional || !matches!(field.kind, FieldKind::Bool | FieldKind::Unknown))
    {
        let name = &field.name;
        errors.add(
            path,
            format!("`{name}` is no `bool`: it does not say which entities are meant"),
            format!("write when = has_{name}, and a function: fn has_{name}(&self) -> bool"),
        );
    }
}

/// Checks the field that a sum, a minimum or a maximum reads.
fn made_of(input: &EntityInput, design: &EntityDesign, feed: &FeedInput, of: &Ident, errors: &mut Errors) {
    let name = of.unraw().to_string();
    let fields = || input.fields.iter().zip(&design.fields);
    let Some((field, designed)) = fields().find(|(field, _)| field.name() == name) else {
        errors.add_found(of, &rules::unknown_field(design, Place::Entity, &name));
        return;
    };
    if let Some(why) = no_value(design, field, designed, feed.by) {
        let help = match feed.by {
            Aggregate::Sum => "name an integer field that is stored as a property",
            _ => "name a field that is stored as a property: a number, a time or a text",
        };
        errors.add(of, format!("`{name}` {why}"), help);
    }
}

fn no_value(
    design: &EntityDesign,
    field: &FieldInput,
    designed: &FieldDesign,
    by: Aggregate,
) -> Option<&'static str> {
    if field.words.from_source.is_set() {
        // This excludes cycles.
        return Some("is kept by others: what is kept is not passed on");
    }
    if field.words.encrypt.is_set() {
        return Some("is encrypted, and the other entity would show it");
    }
    if field.words.series.is_set() || field.words.json.is_set() {
        return Some("is no single value");
    }
    if !design.stored_fields().any(|stored| stored.name == designed.name) {
        return Some("is not stored as a property");
    }
    match (by, TypeName::of(&field.ty).named) {
        (Aggregate::Sum, Named::Int { .. } | Named::Unknown) => None,
        (Aggregate::Sum, Named::Float { .. }) => Some("is no integer: a sum of floats depends on the order"),
        (Aggregate::Sum, _) => Some("is no integer"),
        (_, Named::Bool | Named::Guid | Named::Binary) => Some("has no largest and no smallest"),
        _ => None,
    }
}

/// A field of a target entity has exactly one source.
fn twice(feeds: &[FeedInput], names: &[&Ident], errors: &mut Errors) {
    for (number, feed) in feeds.iter().enumerate() {
        let before = feeds.iter().take(number);
        if before.clone().any(|other| other.sink == feed.sink && other.field == feed.field) {
            let (sink, field) = (feed.sink_name(), feed.field.unraw());
            errors.add(
                &feed.field,
                format!("`{sink}::{field}` is given twice"),
                "a field holds one value: give the other a field of its own",
            );
        }
        let of_index = |name: &Ident| name.unraw() == feed.sink_name();
        if let Some(name) = names.iter().copied().find(|name| of_index(name)) {
            let message = format!("an index and an entity are named `{}`", name.unraw());
            errors.add(name, message, "rename the index: rows are marked with the name");
        }
        let is_other = |other: &FeedInput| other.sink != feed.sink && other.sink_name() == feed.sink_name();
        if before.clone().any(is_other) {
            errors.add(
                &feed.sink,
                format!("two entities are named `{}`", feed.sink_name()),
                "rename one of them: rows are marked with the name",
            );
        }
    }
}

/// Checks a field that other entities aggregate into.
fn sink(input: &EntityInput, design: &EntityDesign, field: &FieldInput, errors: &mut Errors) {
    let (words, name) = (&field.words, field.name());
    let word = words.from_source.word();
    let mut refuse = |message: String, help: &str| errors.add(word, message, help);
    for other in ["skip", "json", "store", "series", "encrypt", "default"] {
        if words.word(other).is_some() {
            refuse(
                format!("`{name}` is kept by others: `{other}` has no meaning there"),
                "take one of them out",
            );
        }
    }
    let ty = TypeName::of(&field.ty);
    if !ty.optional && !matches!(ty.named, Named::Int { bits: 64, signed: true }) {
        refuse(
            format!("`{name}` is of type `{}`, which cannot say that nothing is kept", shown(&field.ty)),
            "a count or a sum is an `i64`, the largest, the smallest and a copy an `Option`",
        );
    }
    let templates = [&design.partition, &design.row].into_iter().flatten().filter_map(|text| text.template());
    if templates.flat_map(Template::holes).any(|hole| hole.field == name) {
        refuse(
            format!("`{name}` stands in the key, which nobody else can write"),
            "take it out of the template",
        );
    }
    for (is, what) in [
        (input.words.wide.word().is_some(), "a wide entity"),
        (input.words.shard.word().is_some(), "an entity whose key is spread"),
        (
            design.table.as_ref().is_some_and(|name| name.text().contains('{')),
            "an entity with a table for each period",
        ),
        (input.words.from.get().is_some(), "a later version of an entity"),
    ] {
        if is {
            refuse(
                format!("fields that others keep in {what} are not in this release"),
                "keep them in an entity of its own",
            );
        }
    }
    for lookup in &design.lookups {
        if lookup.on.contains(&name) {
            refuse(
                format!("`{name}` is kept by others, and `{}` would not follow", lookup.name),
                "look up by another field",
            );
        }
    }
}
