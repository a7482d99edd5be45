//! Definitions of indexes, as the registry stores them.

use crate::design::{Design, Index};

/// Returns a string that changes when the rows of the index change. It contains stored names, because programs may use
/// other names for the fields of their structs.
pub(crate) fn definition(design: &Design, index: &Index) -> String {
    let held: Vec<&str> = if index.whole { vec!["*"] } else { index.property_names().collect() };
    let list = index.lookup.as_ref().map_or("", |lookup| lookup.ids.unwrap_or("rows"));
    let unique = if index.unique { "unique" } else { "" };
    let [partition, row] = [&index.partition, &index.row].map(|key| stored_template(design, key.text));
    serde_json::json!([[index.table, &partition, &row, unique, list], held]).to_string()
}

/// Returns a template with the stored names of its fields. A field that is stored in keys only has the number of its
/// position in the keys of the entity.
fn stored_template(design: &Design, template: &str) -> String {
    with_fields(template, |field| {
        if let Some(property) = design.property_of(field) {
            return property.name.to_owned();
        }
        let mut fields = Vec::new();
        for key in [design.partition.text, design.row.text] {
            with_fields(key, |field| {
                fields.push(field.to_owned());
                String::new()
            });
        }
        let position = fields.iter().position(|known| known == field);
        position.map_or_else(|| field.to_owned(), |position| format!("#{position}"))
    })
}

/// Returns a template with other names of its fields.
fn with_fields(template: &str, mut name: impl FnMut(&str) -> String) -> String {
    let mut text = String::with_capacity(template.len());
    let mut rest = template;
    while let Some((before, after)) = rest.split_once('{') {
        text.push_str(before);
        text.push('{');
        if let Some(after) = after.strip_prefix('{') {
            // A brace in the key.
            text.push('{');
            rest = after;
            continue;
        }
        let field = after.split([':', '}']).next().unwrap_or_default();
        text.push_str(&name(field));
        rest = after.strip_prefix(field).unwrap_or_default();
    }
    text + rest
}

#[cfg(test)]
mod tests {
    use super::with_fields;

    #[test]
    fn only_names_of_fields_change() {
        let renamed = |template: &str| with_fields(template, |field| format!("<{field}>"));
        assert_eq!(renamed("a_{b:06}_{c}"), "a_{<b>:06}_{<c>}");
        assert_eq!(renamed("{{b}}_{b:yyyyMMdd}}}"), "{{b}}_{<b>:yyyyMMdd}}}");
        assert_eq!(renamed("plain"), "plain");
    }
}
