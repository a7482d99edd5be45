//! A lock as a file: sorted, with one line for each property.

use std::fmt;

use super::{
    Lock, LockedVersion,
    property::{key_field, property},
    text::Value,
    word,
};
use table_schema::{
    design::{CopiedFields, EntityDesign, FieldDesign, TemplateText},
    static_design::Aggregate,
    toml_text::{key, text},
};

const HEADER: &str = "\
# The stored form of each version of each entity, which `cargo test` or `tables lock` compares.
# `TABLES_LOCK=accept cargo test`, or `tables lock --accept`, writes it; review and commit the difference.
format = 1
";

/// A table of the file.
struct Section {
    lines: Vec<(String, Value)>,
}

impl Section {
    const fn new() -> Self {
        Self { lines: Vec::new() }
    }

    fn add(&mut self, name: &str, value: Option<Value>) {
        self.lines.extend(value.map(|value| (name.to_owned(), value)));
    }

    fn text(&mut self, name: &str, value: Option<&str>) {
        self.add(name, value.map(|value| Value::Text(value.to_owned())));
    }

    fn template(&mut self, name: &str, value: Option<&TemplateText>) {
        self.text(name, value.map(TemplateText::text));
    }

    fn flag(&mut self, name: &str, is: bool) {
        self.add(name, is.then_some(Value::Bool(true)));
    }

    /// Writes the table, sorted. `path` is the version and the parts below it.
    fn write(mut self, f: &mut fmt::Formatter<'_>, path: &[&str]) -> fmt::Result {
        let path: Vec<String> = path.iter().map(|part| key(part)).collect();
        writeln!(f, "\n[{}]", path.join("."))?;
        self.lines.sort_by(|(left, _), (right, _)| left.cmp(right));
        self.lines.iter().try_for_each(|(name, value)| writeln!(f, "{} = {value}", key(name)))
    }
}

impl fmt::Display for Lock {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(HEADER)?;
        if let Some(front_end) = self.front_end {
            writeln!(f, "{}", line("source", front_end.design()))?;
        }
        for ((name, number), version) in &self.versions {
            write(f, name, &format!("v{number}"), version)?;
        }
        Ok(())
    }
}

fn write(f: &mut fmt::Formatter<'_>, name: &str, number: &str, version: &LockedVersion) -> fmt::Result {
    let design = &version.design;
    entity(version).write(f, &[name, number])?;
    let (keys, properties) = fields(version);
    if !keys.lines.is_empty() {
        keys.write(f, &[name, number, "keys"])?;
    }
    if !properties.lines.is_empty() {
        properties.write(f, &[name, number, "properties"])?;
    }
    for (part, name_of, section) in parts(design) {
        section.write(f, &[name, number, part, name_of])?;
    }
    Ok(())
}

fn entity(version: &LockedVersion) -> Section {
    let mut section = Section::new();
    for (key, value) in word::lines(&version.design) {
        section.add(key, Some(value));
    }
    section.text("retired", version.retired.as_deref());
    section
}

/// Returns the fields that only keys contain, and the properties.
fn fields(version: &LockedVersion) -> (Section, Section) {
    let design = &version.design;
    let stored: Vec<&FieldDesign> = design.stored_fields().collect();
    let (mut keys, mut properties) = (Section::new(), Section::new());
    for field in design.fields.iter().filter(|field| !field.skip) {
        match stored.iter().position(|stored| stored.name == field.name) {
            Some(position) => {
                let position = design.wide.map(|_| position);
                properties.add(&field.property, Some(property(field, position, false)));
            }
            // A field that only index rows contain as a property keeps its name, too.
            None if field.property != field.name => {
                properties.add(&field.property, Some(property(field, None, false)));
            }
            None => keys.add(&field.name, Some(key_field(field))),
        }
    }
    for field in &version.removed {
        properties.add(&field.property, Some(property(field, None, true)));
    }
    (keys, properties)
}

/// Returns the tables of indexes, lookups, aggregates and copied fields, sorted.
fn parts(design: &EntityDesign) -> Vec<(&'static str, &str, Section)> {
    let mut parts: Vec<(&'static str, &str, Section)> = Vec::new();
    for index in &design.indexes {
        let mut section = Section::new();
        section.add(
            "copy",
            match &index.copy {
                CopiedFields::All => Some(Value::Text("all".to_owned())),
                CopiedFields::Only(fields) => Some(texts(&sorted(fields))),
            },
        );
        section.template("partition", index.partition.as_ref());
        section.template("row", index.row.as_ref());
        section.flag("sparse", index.sparse);
        section.template("table", index.table.as_ref());
        section.flag("unique", index.unique);
        section.text("when", index.when.as_ref().map(|when| when.text.as_str()));
        parts.push(("index", &index.name, section));
    }
    for lookup in &design.lookups {
        let mut section = Section::new();
        section.text("ids", lookup.ids.as_deref());
        section.add("on", Some(texts(&lookup.on)));
        section.template("partition", lookup.partition.as_ref());
        section.text("place", Some(lookup.place.word()));
        section.template("row", lookup.row.as_ref());
        section.template("table", lookup.table.as_ref());
        parts.push(("lookup", &lookup.name, section));
    }
    for total in &design.totals {
        let mut section = Section::new();
        section.text("by", Some(aggregate(total.by)));
        section.text("field", total.field.as_deref());
        section.text("from", Some(&total.entity));
        section.add("match", Some(pairs(&total.matches)));
        section.text("when", total.when.as_ref().map(|when| when.text.as_str()));
        parts.push(("total", &total.name, section));
    }
    for embed in &design.embeds {
        let mut section = Section::new();
        section.add("fields", Some(texts(&sorted(&embed.fields))));
        section.text("from", Some(&embed.from));
        section.add("match", Some(pairs(&embed.matches)));
        parts.push(("copied", &embed.name, section));
    }
    parts.sort_by(|(part, name, _), (other, other_name, _)| (part, name).cmp(&(other, other_name)));
    parts
}

fn sorted(names: &[String]) -> Vec<String> {
    let mut names = names.to_vec();
    names.sort();
    names
}

pub(super) fn texts(names: &[String]) -> Value {
    Value::List(names.iter().cloned().map(Value::Text).collect())
}

fn pairs(pairs: &[(String, String)]) -> Value {
    Value::Table(pairs.iter().map(|(theirs, mine)| (theirs.clone(), Value::Text(mine.clone()))).collect())
}

/// Returns the name of an aggregate function in design files.
const fn aggregate(by: Aggregate) -> &'static str {
    match by {
        Aggregate::Count => "count",
        Aggregate::Sum => "sum",
        Aggregate::Max => "max",
        Aggregate::Min => "min",
        Aggregate::Copy => "copy",
    }
}

/// Returns the header of a version: `[Employee.v1]`.
pub(super) fn header(name: &str, number: u32) -> String {
    format!("[{}.v{number}]", key(name))
}

/// Returns a line with a string.
pub(super) fn line(name: &str, value: &str) -> String {
    format!("{name} = {}", text(value))
}
