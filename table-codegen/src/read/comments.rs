//! The comments of entities and fields, for the documentation of generated code.

use std::collections::BTreeMap;

use super::{Positions, tree::Entry};
use crate::source::Source;

/// The comments of a design file that belong to entities and fields: the lines above, and the rest of the line.
///
/// ```
/// use table_codegen::{Reading, Source};
///
/// let text = "tables = 1\n# A person.\n[entity.Employee]\n[entity.Employee.fields]\nid = \"u32\"  # of the badge\n";
/// let comments = Reading::of(Source::new("company.toml", text), None).positions.comments();
/// assert_eq!(comments.of_entity("Employee"), ["A person."]);
/// assert_eq!(comments.of_field("Employee", "id"), ["of the badge"]);
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Comments {
    /// By the names of the entity and of the field, which is empty for the entity itself.
    lines: BTreeMap<(String, String), Vec<String>>,
}

impl Comments {
    /// Returns the lines of an entity's comment.
    pub fn of_entity(&self, entity: &str) -> &[String] {
        self.of_field(entity, "")
    }

    /// Returns the lines of a field's comment.
    pub fn of_field(&self, entity: &str, field: &str) -> &[String] {
        let lines = self.lines.get(&(entity.to_owned(), field.to_owned()));
        lines.map(Vec::as_slice).unwrap_or_default()
    }
}

impl Positions {
    /// Returns the comments of the entities and their fields.
    #[must_use]
    pub fn comments(&self) -> Comments {
        let mut lines = BTreeMap::new();
        let entities = self.entry(&["entity"]).and_then(Entry::table);
        for entity in entities.iter().flat_map(|entities| &entities.entries) {
            lines.insert((entity.name.clone(), String::new()), self.comment(entity));
            let fields = self.entry(&["entity", &entity.name, "fields"]).and_then(Entry::table);
            for field in fields.iter().flat_map(|fields| &fields.entries) {
                lines.insert((entity.name.clone(), field.name.clone()), self.comment(field));
            }
        }
        Comments { lines }
    }

    /// Returns the lines of an item's comment.
    fn comment(&self, item: &Entry) -> Vec<String> {
        let Some(source) = self.sources.get(item.key.file) else { return Vec::new() };
        let line = source.line_start(item.key.range.start);
        let before = source.text.get(line..item.key.range.start).unwrap_or_default();
        // The lines above belong to the first item of a line only, and to the last part of a header.
        let after_key = source.text.get(item.key.range.end..).unwrap_or_default();
        let (is_first, behind) = if before.trim_start().starts_with('[') {
            match after_key.trim_start_matches(['"', '\'']).trim_start().strip_prefix(']') {
                Some(behind) => (true, behind),
                None => return Vec::new(),
            }
        } else {
            let end = item.value.spot.range.end;
            (!before.contains(['=', '{', ',']), source.text.get(end..).unwrap_or_default())
        };
        let mut lines = if is_first { above(source, line) } else { Vec::new() };
        let behind = behind.lines().next().unwrap_or_default().trim_start();
        lines.extend(behind.starts_with('#').then(|| content(behind)).flatten());
        while lines.last().is_some_and(String::is_empty) {
            lines.pop();
        }
        lines
    }
}

/// Returns the lines of the comment directly above a line.
fn above(source: &Source, line: usize) -> Vec<String> {
    let above = source.text.get(..line).unwrap_or_default().lines().rev();
    let comment = above.map(str::trim_start).take_while(|line| line.starts_with('#'));
    let mut lines: Vec<String> = comment.filter_map(content).collect();
    lines.reverse();
    let first = lines.iter().position(|line| !line.is_empty()).unwrap_or(lines.len());
    lines.split_off(first)
}

/// Returns the text of a comment, or `None` for a line that divides a file into sections.
fn content(comment: &str) -> Option<String> {
    let text = comment.trim_start_matches('#').trim();
    let is_rule = |text: &str| {
        let mut characters = text.chars();
        let first = characters.next().filter(|first| !first.is_alphanumeric());
        first.is_some() && first == characters.next() && !text.starts_with("//")
    };
    (!is_rule(text)).then(|| text.to_owned())
}

#[cfg(test)]
mod tests {
    use crate::{Reading, Source};

    #[test]
    fn comments_belong_to_the_next_item_or_to_the_line() {
        let text = "tables = 1\n# of the file\n\n# ── design ───\n# A person\n#\n# of a company.\n\
                    [entity.A]  # P1\ntable = \"T\"  # no comment of the entity\n\
                    # of the fields\n[entity.A.fields]\n  ## In the key.\nid = \"u32\"\n\n# apart\n\n\
                    \"name\" = { type = \"string(40)\", store = true } # \"#1\"\n\
                    note = \"string\"\n[entity.\"B\"] # quoted\n# of both\nfields = { one = \"u8\", two = \"u8\" } # of both\n\
                    # of C\n[entity.C.fields]\n";
        let comments = Reading::of(Source::new("a.toml", text), None).positions.comments();
        assert_eq!(comments.of_entity("A"), ["A person", "", "of a company.", "P1"]);
        assert_eq!(comments.of_field("A", "id"), ["In the key."]);
        assert_eq!(comments.of_field("A", "name"), ["\"#1\""]);
        assert_eq!(comments.of_entity("B"), ["quoted"]);
        for (entity, field) in [("A", "note"), ("B", "one"), ("B", "two"), ("C", ""), ("D", "")] {
            assert!(comments.of_field(entity, field).is_empty(), "{entity}.{field}");
        }
    }
}
