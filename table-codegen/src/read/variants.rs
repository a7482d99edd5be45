//! Fields of enums with fields: `tag` and `required_in`.

use table_schema::{
    catalogue::Code,
    design::{FieldDesign, FieldKind, RequiredIf},
};

use super::{
    keys::Keys,
    tree::{Entry, Kind, Table},
};
use crate::diagnostic::Found;

/// Reads the variants that require the value. Until [`resolve`], the tag is the name of a field.
pub(super) fn read(
    entry: &Entry,
    table: &Table,
    keys: &mut Keys<'_>,
    field: &mut FieldDesign,
    found: &mut Vec<Found>,
) {
    let tag = keys.text("tag", "payment_kind", found);
    let words = keys.texts("required_in", "card", found);
    if let Some((tag, words)) = tag.zip(words) {
        field.required_if = Some(RequiredIf::new(tag.text, words.iter().map(|word| word.text)));
    }
    for (given, other, help) in
        [("tag", "required_in", "required_in = [\"card\"]"), ("required_in", "tag", "tag = \"payment_kind\"")]
    {
        if let (Some(given_entry), None) = (table.get(given), table.get(other)) {
            let message = format!("field `{}` has `{given}` and no `{other}`", entry.name);
            found.push(
                Found::new(Code::D006, &given_entry.key, message)
                    .label(format!("needs `{other}`"))
                    .help(help),
            );
        }
    }
}

/// Checks the tags, and replaces their names by the names of their properties.
pub(super) fn resolve(table: &Table, fields: &mut [FieldDesign], found: &mut Vec<Found>) {
    let tags: Vec<(String, String, FieldKind)> =
        fields.iter().map(|field| (field.name.clone(), field.property.clone(), field.kind.clone())).collect();
    for field in fields {
        let Some(required) = &mut field.required_if else { continue };
        let tag = tags.iter().find(|(name, ..)| *name == required.tag);
        let variants = match tag {
            Some((_, _, FieldKind::Enum { variants })) => variants.as_slice(),
            _ => &[],
        };
        let unknown = required.words.iter().find(|word| !variants.contains(word));
        let (at, code, message, help) = if tag.is_none() {
            let message = format!("there is no field `{}` with the tag of `{}`", required.tag, field.name);
            ("tag", Code::D021, message, "name a field whose type is an enum")
        } else if variants.is_empty() {
            let message = format!("the tag of `{}` is an enum; `{}` is not", field.name, required.tag);
            ("tag", Code::D020, message, "name a field such as `payment_kind = \"enum(card, cash)\"`")
        } else if let Some(word) = unknown {
            let message = format!("`{}` has no variant {word:?}", required.tag);
            ("required_in", Code::D020, message, "list words of the type of the tag")
        } else if required.words.is_empty() {
            let message = format!("no variant requires `{}`", field.name);
            ("required_in", Code::D036, message, "remove `tag` and `required_in`")
        } else if !field.optional || field.default.is_some() {
            let message =
                format!("other variants do not have `{}`, so it is optional and has no default", field.name);
            ("required_in", Code::D020, message, "append `?` to the type, and remove the default")
        } else {
            if let Some((_, property, _)) = tag {
                required.tag.clone_from(property);
            }
            continue;
        };
        let entry = table.get(&field.name).and_then(|entry| match &entry.value.kind {
            Kind::Table(options) => options.get(at),
            _ => None,
        });
        if let Some(entry) = entry {
            found.push(Found::new(code, &entry.value.spot, message).help(help));
        }
    }
}
