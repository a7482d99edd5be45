//! Conversion of derives in source files to a model: the reverse of code generation, from source text.

mod condition;
mod nested;
mod versions;

use std::fmt;

use table_designs::{
    default_of,
    schema::{Schema, name_copies},
};
use table_grammar::file::{Entity, File, RuleViolation, TypeOfField};
use table_schema::{
    design::{EntityDesign, EntityTypeRule, FieldDesign, FieldKind, TotalDesign},
    template::Shape,
    toml_text::text,
};

use crate::{FromDesigns, Source};
use condition::Conditions;

/// An error in a source file, with the message of the derive.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourceDiagnostic {
    /// The name of the file.
    pub file: String,
    /// The error and its location.
    pub mistake: RuleViolation,
}

impl fmt::Display for SourceDiagnostic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.file, self.mistake)
    }
}

impl std::error::Error for SourceDiagnostic {}

/// Creates the model of the entities in source files, which are read as `#[derive(TableEntity)]` reads them.
///
/// The fields of nested structs are fields of the entity, as they are stored: `address.city` is `address_city`.
///
/// The model is more complete than a model from compiled [designs](crate::from_designs). It contains string bounds, the
/// words of enums and the types in newtypes and aliases of these files, archives, and conditions that compare fields with
/// values. Notes list everything that a design file cannot express.
///
/// # Errors
/// Returns all errors of all files, an error for each entity with a duplicate name that is not another version, and one
/// for each field whose type these files do not declare.
pub fn from_sources(name: &str, sources: &[Source]) -> Result<FromDesigns, Vec<SourceDiagnostic>> {
    let (mut file, mut mistakes) = (File::default(), Vec::new());
    let mut names = Vec::new();
    for source in sources {
        match table_grammar::file::read(&source.text) {
            Ok(read) => {
                names.extend(read.entities.iter().map(|_| &source.name));
                file.entities.extend(read.entities);
                file.nested.extend(read.nested);
                file.enums.extend(read.enums);
                file.newtypes.extend(read.newtypes);
                file.functions.extend(read.functions);
            }
            Err(found) => {
                let of = |mistake| SourceDiagnostic { file: source.name.clone(), mistake };
                mistakes.extend(found.into_iter().map(of));
            }
        }
    }
    let mut notes = Vec::new();
    versions::keep_newest(&mut file.entities, &mut names, &mut notes);
    mistakes.extend(versions::duplicates(&file.entities, &names));
    if !mistakes.is_empty() {
        return Err(mistakes);
    }
    let mut entities = Vec::new();
    for (entity, source) in file.entities.iter().zip(names) {
        let mut found = Vec::new();
        entities.push(designed(entity, &file, &mut notes, &mut found));
        let of = |mistake| SourceDiagnostic { file: source.clone(), mistake };
        mistakes.extend(found.into_iter().map(of));
    }
    if !mistakes.is_empty() {
        return Err(mistakes);
    }
    let mut schema = Schema { name: name.to_owned(), entities, ..Schema::default() };
    for source in &file.entities {
        totals(source, &file, &mut schema, &mut notes);
    }
    let denies =
        !file.entities.is_empty() && file.entities.iter().all(|entity| entity.design.deny_table_scan);
    schema.lint.deny.extend(denies.then(|| "table_scan".to_owned()));
    settle(&mut schema);
    Ok(FromDesigns { schema, notes })
}

/// Converts an entity of a source file to a design.
fn designed(
    read: &Entity,
    file: &File,
    notes: &mut Vec<String>,
    mistakes: &mut Vec<RuleViolation>,
) -> EntityDesign {
    let mut entity = read.design.clone();
    let name = entity.name.clone();
    let types = nested::expand(&mut entity, read, file, mistakes);
    for (field, ty) in entity.fields.iter_mut().zip(&types) {
        let is_stored = !field.skip && !field.from_source;
        let mut default = default_of(&field.kind);
        if field.kind == FieldKind::Unknown && is_stored {
            match kind(&read.design, field, &ty.name, file) {
                Some(found) => (field.kind, default) = found,
                None => mistakes.push(undeclared(&name, &field.name, ty)),
            }
        }
        // A design file specifies the default of the type explicitly, and a function by its path.
        if field.optional {
            field.default = None;
        } else if field.default.is_some() && field.default_function().is_none() {
            if default.is_none() && is_stored {
                notes.push(format!(
                    "`{name}.{}` has the default of `{}`, which a design file cannot express; mark a variant of an enum \
                     with `#[default]`, or name a function with `#[table(default = ..)]`",
                    field.name, ty.name
                ));
            }
            field.default = default;
        }
    }
    entity.fields.retain(|field| !field.skip && !field.from_source);
    if !entity.from.is_empty() {
        notes.push(format!("`{name}` reads rows of an older version, which a design file cannot express"));
        entity.from.clear();
    }
    let conditions = Conditions { file, entity: &read.design };
    for (number, function) in &read.conditions {
        let Some(index) = entity.indexes.get_mut(*number) else { continue };
        index.when = conditions.of(function);
        index.sparse = index.when.is_none();
        if index.when.is_none() {
            notes.push(format!(
                "`{name}.{}` selects entities by `{function}`, which a design file cannot express",
                index.name
            ));
        }
    }
    entity.indexes.iter_mut().for_each(|index| index.condition = None);
    if let Some(archive) = &mut entity.archive {
        archive.when = conditions.of("is_to_be_archived");
    }
    // A design file declares them on the target.
    entity.contributions.clear();
    entity
}

/// Returns the error for a type whose stored form is not known.
fn undeclared(entity: &str, field: &str, ty: &TypeOfField) -> RuleViolation {
    let TypeOfField { name, position: (line, column) } = ty;
    let message = format!(
        "`{entity}.{field}` has the type `{name}`, which these files do not declare; pass the file that declares it with \
         `#[derive(TableValue)]` or `#[derive(KeyPart)]`, or state its stored form with `#[table(json)]`, or \
         `#[table(max = ..)]` for text"
    );
    RuleViolation { line: *line, column: *column, message }
}

/// Returns the kind of a type that the files declare, and its default. A newtype of a newtype is followed.
fn declared(ty: &str, file: &File) -> Option<(FieldKind, Option<String>)> {
    let mut ty = ty.to_owned();
    // Each type is declared once, so a longer chain is a cycle.
    for _ in 0..=file.newtypes.len() {
        let last = ty.trim_start_matches("Option<").trim_end_matches('>').rsplit("::").next()?;
        if let Some(found) = file.enums.iter().find(|known| known.name == last) {
            let variants = found.variants.iter().map(|(_, word)| word.clone()).collect();
            return Some((FieldKind::Enum { variants }, found.default.as_deref().map(text)));
        }
        let found = file.newtypes.iter().find(|known| known.name == last)?;
        if found.kind != FieldKind::Unknown {
            let default = default_of(&found.kind).filter(|_| found.is_zero_default);
            return Some((found.kind.clone(), default));
        }
        ty.clone_from(&found.inner);
    }
    None
}

/// Returns the kind of a type, and its default.
fn kind(
    entity: &EntityDesign,
    field: &FieldDesign,
    ty: &str,
    file: &File,
) -> Option<(FieldKind, Option<String>)> {
    if let Some(found) = declared(ty, file) {
        return Some(found);
    }
    let keys = [&entity.partition, &entity.row].into_iter().flatten().filter_map(|text| text.template());
    let mut holes = keys.flat_map(table_schema::template::Template::holes);
    let shape = holes.find(|hole| hole.field == field.name)?.shape;
    let kind = match shape {
        Shape::Text | Shape::Esc => return None,
        Shape::Padded(_) | Shape::InvertedPadded(_) => FieldKind::Int { bits: 64, signed: false },
        Shape::Ord(_) | Shape::InvertedOrd(_) => FieldKind::Int { bits: 64, signed: true },
        Shape::Ticks | Shape::InvertedTicks | Shape::Date(_) | Shape::InvertedDate(_) => FieldKind::Time,
        Shape::Guid | Shape::Guidn => FieldKind::Guid,
        Shape::Flag => FieldKind::Bool,
    };
    let default = default_of(&kind);
    Some((kind, default))
}

/// Moves aggregates from the source, which declares them in Rust, to the target, which declares them in a design file.
fn totals(source: &Entity, file: &File, schema: &mut Schema, notes: &mut Vec<String>) {
    let name = &source.design.name;
    for feed in &source.feeds {
        let key = schema.entity(&feed.sink).map(|sink| {
            let keys = [&sink.partition, &sink.row].into_iter().flatten().filter_map(|text| text.template());
            let mut names: Vec<String> = Vec::new();
            for hole in keys.flat_map(table_schema::template::Template::holes) {
                if sink.field(&hole.field).is_some() && !names.contains(&hole.field) {
                    names.push(hole.field.clone());
                }
            }
            names
        });
        let sink = schema.entities.iter_mut().find(|entity| entity.name == feed.sink);
        let (Some(sink), Some(key)) = (sink, key) else {
            notes.push(format!("`{name}` maintains values in `{}`, which is not in these files", feed.sink));
            continue;
        };
        if feed.by == table_schema::static_design::Aggregate::Copy {
            notes.push(format!(
                "`{name}` copies fields into `{}`, which a design file declares at the target",
                feed.sink
            ));
            continue;
        }
        let conditions = Conditions { file, entity: &source.design };
        let when = feed.condition.as_ref().map(|condition| (condition, conditions.of(condition)));
        if let Some((condition, None)) = when {
            notes.push(format!(
                "`{}.{}` selects `{name}` by `{condition}`, which a design file cannot express; it is left out",
                feed.sink, feed.field
            ));
            continue;
        }
        sink.totals.push(TotalDesign {
            name: feed.field.clone(),
            about: None,
            by: feed.by,
            entity: name.clone(),
            field: feed.of.clone(),
            matches: key.into_iter().map(|field| (field.clone(), field)).collect(),
            when: when.and_then(|(_, when)| when),
        });
    }
}

/// Removes settings that are equal to the defaults of a design file.
fn settle(schema: &mut Schema) {
    let stored: Vec<_> = schema
        .entities
        .iter()
        .map(|entity| {
            let shares = schema.shares_table(entity);
            let mut whole = entity.clone();
            for index in &mut whole.indexes {
                index.copy = table_schema::design::CopiedFields::All;
            }
            name_copies(&mut whole);
            (shares, whole)
        })
        .collect();
    for (entity, (shares, whole)) in schema.entities.iter_mut().zip(stored) {
        if matches!(
            (&entity.entity_type, shares),
            (EntityTypeRule::Always, true) | (EntityTypeRule::None, false)
        ) {
            entity.entity_type = EntityTypeRule::Auto;
        }
        for (index, whole) in entity.indexes.iter_mut().zip(whole.indexes) {
            if index.copy == whole.copy {
                index.copy = table_schema::design::CopiedFields::All;
            }
        }
    }
}
