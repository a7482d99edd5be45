//! Conversion of derives in source files to a model: the reverse of code generation, from source text.

mod condition;
mod nested;
mod versions;

use std::fmt;

use table_designs::{default_of, kind_by_shape, of_file, schema_of};
use table_grammar::file::{Entity, File, RuleViolation, TypeOfField};
use table_schema::{
    design::{ContributionDesign, EntityDesign, FieldDesign, FieldKind},
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
    let declared: Vec<EntityDesign> = file.entities.iter().map(|entity| entity.design.clone()).collect();
    let when = |source: &EntityDesign, one: &ContributionDesign| {
        let Some(path) = &one.condition else { return Ok(None) };
        let condition = path.rsplit("::").next().unwrap_or(path);
        Conditions { file: &file, entity: source }.of(condition).map(Some).ok_or_else(|| {
            format!(
                "`{}.{}` selects `{}` by `{condition}`, which a design file cannot express; it is left out",
                one.target, one.field, source.name
            )
        })
    };
    let schema = schema_of(name, entities, (&declared, "in these files"), &mut notes, &when);
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
    let when = |_: &EntityDesign, function: &str| Conditions { file, entity: &read.design }.of(function);
    of_file(&mut entity, notes, &when);
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
    let kind = kind_by_shape(shape)?;
    let default = default_of(&kind);
    Some((kind, default))
}
