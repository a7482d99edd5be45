//! Nested structs: a design file contains their fields as fields of the entity.

use table_grammar::file::{Entity, File, RuleViolation, TypeOfField};
use table_schema::design::{CopiedFields, EntityDesign, FieldDesign, RequiredIf};

/// Replaces each flattened field of `entity` by the fields of its struct, with the names of the stored properties. Returns
/// the types of all fields. Each has the position of the field in the entity, because a struct can be in another file.
pub(super) fn expand(
    entity: &mut EntityDesign,
    read: &Entity,
    file: &File,
    mistakes: &mut Vec<RuleViolation>,
) -> Vec<TypeOfField> {
    let (mut fields, mut types) = (Vec::new(), Vec::new());
    for (field, ty) in entity.fields.drain(..).zip(&read.types) {
        if !field.flatten || field.skip {
            fields.push(field);
            types.push(ty.clone());
            continue;
        }
        let last = ty.name.rsplit("::").next().unwrap_or_default();
        let Some(nested) = file.nested.iter().find(|known| known.name == last) else {
            mistakes.push(undeclared(&entity.name, &field, ty));
            continue;
        };
        let inner = nested.fields.iter().zip(&nested.types).filter(|(inner, _)| !inner.skip);
        let mut names = Vec::new();
        for (inner, inner_type) in inner {
            let name = format!("{}_{}", field.name, inner.name);
            let property = format!("{}_{}", field.property, inner.property);
            names.push(name.clone());
            let prefixed = |required: &RequiredIf| RequiredIf {
                tag: format!("{}_{}", field.property, required.tag),
                words: required.words.clone(),
            };
            let required_if = inner.required_if.as_ref().map(prefixed);
            fields.push(FieldDesign { name, property, required_if, ..inner.clone() });
            types.push(TypeOfField { name: inner_type.name.clone(), position: ty.position });
        }
        for index in &mut entity.indexes {
            if let CopiedFields::Only(copied) = &mut index.copy
                && let Some(at) = copied.iter().position(|copied| *copied == field.name)
            {
                copied.splice(at..=at, names.clone());
            }
        }
    }
    entity.fields = fields;
    types
}

fn undeclared(entity: &str, field: &FieldDesign, ty: &TypeOfField) -> RuleViolation {
    let (line, column) = ty.position;
    let message = format!(
        "`{entity}.{}` has the type `{}`, which these files do not declare; pass the file that declares it with \
         `#[derive(TableFields)]`",
        field.name, ty.name
    );
    RuleViolation { line, column, message }
}
