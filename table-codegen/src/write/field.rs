//! Fields.

use table_schema::design::{FieldDesign, FieldKind, Series};

use super::lines::{inline, text, texts};

/// Formats the value of one of the fields: its type, or an inline table.
pub(crate) fn value(field: &FieldDesign, fields: &[FieldDesign]) -> String {
    let holds = field.blob.as_ref().map_or(&field.kind, |blob| &blob.holds);
    let ty = text(&format!("{}{}", holds.word(), if field.optional { "?" } else { "" }));
    let mut words: Vec<(String, String)> = Vec::new();
    let mut word = |name: &str, value: String| words.push((name.to_owned(), value));
    if field.kind == FieldKind::Blob {
        let over = field.blob.as_ref().and_then(|blob| blob.over);
        word("blob", over.map_or_else(|| "true".to_owned(), |over| text(&format!("over {over}"))));
    }
    if field.encrypted {
        word("encrypt", "true".to_owned());
    }
    if let Some(Series::Slots(slots)) = field.series {
        word("series", slots.to_string());
    }
    if field.property != field.name {
        word("rename", text(&field.property));
    }
    if let Some(required) = &field.required_if
        && let Some(tag) = fields.iter().find(|tag| tag.property == required.tag)
    {
        word("tag", text(&tag.name));
        word("required_in", texts(&required.words));
    }
    if let Some(was) = &field.was {
        word("was", text(was));
    }
    if let Some(stamp) = field.stamp {
        word(stamp.word(), "true".to_owned());
    }
    if field.store {
        word("store", "true".to_owned());
    }
    if let Some(path) = field.default_path() {
        word("default_function", text(path));
    } else if let Some(default) = &field.default {
        word("default", default.clone());
    }
    if let Some(about) = &field.about {
        word("about", text(about));
    }
    if words.is_empty() {
        return ty;
    }
    words.insert(0, ("type".to_owned(), ty));
    inline(&words)
}
