//! A lock from its file.

use std::str::FromStr;

use super::{
    FrontEnd, Lock, LockError, LockedVersion, property,
    text::{self, Entry, Section, Value},
    word,
};
use table_schema::{
    design::{
        CopiedFields, EmbedDesign, EntityDesign, FieldDesign, IndexDesign, LookupDesign, LookupPlace,
        TemplateText, TotalDesign,
    },
    static_design::Aggregate,
};

/// The latest format.
const FORMAT: u64 = 1;
const ONLY: &str = "expected only `format = 1` and `source` before the first table";

impl FromStr for Lock {
    type Err = LockError;

    fn from_str(text: &str) -> Result<Self, LockError> {
        let mut lock = Self::default();
        let mut sections = text::read(text)?.into_iter();
        lock.front_end = front_end(&sections.next().unwrap_or_default())?;
        for section in sections {
            let (name, number) = version_of(&section)?;
            let version =
                lock.versions.entry((name.clone(), number)).or_insert_with(|| LockedVersion::new(name));
            version.design.version = number;
            match section.path.get(2..).unwrap_or_default() {
                [] => entity(version, &section)?,
                [part] if part == "keys" => {
                    for entry in &section.entries {
                        version.design.fields.push(property::read_key_field(entry)?);
                    }
                }
                [part] if part == "properties" => properties(version, &section)?,
                [part, name] => self::part(&mut version.design, part, name, &section)?,
                _ => return Err(LockError::new(section.line, "unknown table")),
            }
        }
        Ok(lock)
    }
}

/// Checks the format, and returns the language of the design.
fn front_end(first: &Section) -> Result<Option<FrontEnd>, LockError> {
    match first.entries.as_slice() {
        [Entry { key, value: Value::Number(FORMAT), .. }, rest @ ..] if key == "format" => match rest {
            [] => Ok(None),
            [Entry { key, value: Value::Text(source), line }] if key == "source" => {
                let found =
                    [FrontEnd::Rust, FrontEnd::File].into_iter().find(|known| known.design() == source);
                let unknown =
                    || LockError::new(*line, "expected `source = \"code\"` or `source = \"design\"`");
                found.map(Some).ok_or_else(unknown)
            }
            [other, ..] => Err(LockError::new(other.line, ONLY)),
        },
        [Entry { key, value: Value::Number(number), line }, ..] if key == "format" => {
            let message =
                format!("the file has format {number}, and this version of the library reads {FORMAT}");
            Err(LockError::new(*line, &message))
        }
        [] => Err(LockError::new(1, "expected `format = 1` before the first table")),
        [first, ..] => Err(LockError::new(first.line, ONLY)),
    }
}

/// Returns the name and the number of the version of a table.
fn version_of(section: &Section) -> Result<(String, u32), LockError> {
    let [name, version, ..] = section.path.as_slice() else {
        return Err(LockError::new(
            section.line,
            "expected an entity and its version, such as [Employee.v1]",
        ));
    };
    let number =
        version.strip_prefix('v').and_then(|number| number.parse().ok()).filter(|number| *number > 0);
    let number = number
        .ok_or_else(|| LockError::new(section.line, "expected a version such as `v1` after the entity"))?;
    Ok((name.clone(), number))
}

fn invalid(entry: &Entry) -> LockError {
    LockError::new(entry.line, &format!("unknown key or invalid value: `{}`", entry.key))
}

/// Returns the strings of a list.
pub(super) fn texts(list: &[Value]) -> Vec<String> {
    let text = |value: &Value| match value {
        Value::Text(text) => Some(text.clone()),
        _ => None,
    };
    list.iter().filter_map(text).collect()
}

fn pairs(pairs: &[(String, Value)]) -> Vec<(String, String)> {
    let pair = |(theirs, mine): &(String, Value)| match mine {
        Value::Text(mine) => Some((theirs.clone(), mine.clone())),
        _ => None,
    };
    pairs.iter().filter_map(pair).collect()
}

fn entity(version: &mut LockedVersion, section: &Section) -> Result<(), LockError> {
    for entry in &section.entries {
        match (entry.key.as_str(), &entry.value) {
            ("retired", Value::Text(proof)) if !proof.trim().is_empty() => {
                version.retired = Some(proof.clone());
            }
            (key, value) => {
                word::read(&mut version.design, key, value).ok_or_else(|| invalid(entry))?;
            }
        }
    }
    Ok(())
}

fn properties(version: &mut LockedVersion, section: &Section) -> Result<(), LockError> {
    let mut read: Vec<property::Read> =
        section.entries.iter().map(property::read).collect::<Result<_, _>>()?;
    read.sort_by_key(|property| property.position);
    let (removed, kept): (Vec<_>, Vec<_>) = read.into_iter().partition(|property| property.is_removed);
    let fields = |read: Vec<property::Read>| read.into_iter().map(|property| property.field);
    version.design.fields.extend(fields(kept));
    version.removed = fields(removed).collect::<Vec<FieldDesign>>();
    Ok(())
}

fn part(design: &mut EntityDesign, part: &str, name: &str, section: &Section) -> Result<(), LockError> {
    match part {
        "index" => design.indexes.push(index(name, section)?),
        "lookup" => design.lookups.push(lookup(name, section)?),
        "total" => design.totals.push(total(name, section)?),
        "copied" => design.embeds.push(copied(name, section)?),
        _ => return Err(LockError::new(section.line, &format!("unknown table `{part}`"))),
    }
    Ok(())
}

fn index(name: &str, section: &Section) -> Result<IndexDesign, LockError> {
    let mut index = IndexDesign { name: name.to_owned(), ..IndexDesign::default() };
    for entry in &section.entries {
        match (entry.key.as_str(), &entry.value) {
            ("copy", Value::Text(all)) if all == "all" => index.copy = CopiedFields::All,
            ("copy", Value::List(list)) => index.copy = CopiedFields::Only(texts(list)),
            ("partition", Value::Text(text)) => index.partition = Some(TemplateText::new(text)),
            ("row", Value::Text(text)) => index.row = Some(TemplateText::new(text)),
            ("sparse", Value::Bool(is)) => index.sparse = *is,
            ("table", Value::Text(text)) => index.table = Some(TemplateText::new(text)),
            ("unique", Value::Bool(is)) => index.unique = *is,
            ("when", Value::Text(text)) => index.when = Some(text.parse().map_err(|_| invalid(entry))?),
            _ => return Err(invalid(entry)),
        }
    }
    Ok(index)
}

fn lookup(name: &str, section: &Section) -> Result<LookupDesign, LockError> {
    let mut lookup = LookupDesign { name: name.to_owned(), ..LookupDesign::default() };
    for entry in &section.entries {
        match (entry.key.as_str(), &entry.value) {
            ("ids", Value::Text(ids)) => lookup.ids = Some(ids.clone()),
            ("on", Value::List(list)) => lookup.on = texts(list),
            ("partition", Value::Text(text)) => lookup.partition = Some(TemplateText::new(text)),
            ("place", Value::Text(place)) => {
                lookup.place = match place.as_str() {
                    "partition" => LookupPlace::Partition,
                    "table" => LookupPlace::Table,
                    "blob" => LookupPlace::Blob,
                    _ => return Err(invalid(entry)),
                };
            }
            ("row", Value::Text(text)) => lookup.row = Some(TemplateText::new(text)),
            ("table", Value::Text(text)) => lookup.table = Some(TemplateText::new(text)),
            _ => return Err(invalid(entry)),
        }
    }
    Ok(lookup)
}

fn total(name: &str, section: &Section) -> Result<TotalDesign, LockError> {
    let mut total = TotalDesign {
        name: name.to_owned(),
        about: None,
        by: Aggregate::Count,
        entity: String::new(),
        field: None,
        matches: Vec::new(),
        when: None,
    };
    for entry in &section.entries {
        match (entry.key.as_str(), &entry.value) {
            ("by", Value::Text(by)) => {
                total.by = match by.as_str() {
                    "count" => Aggregate::Count,
                    "sum" => Aggregate::Sum,
                    "max" => Aggregate::Max,
                    "min" => Aggregate::Min,
                    _ => return Err(invalid(entry)),
                };
            }
            ("field", Value::Text(field)) => total.field = Some(field.clone()),
            ("from", Value::Text(from)) => total.entity.clone_from(from),
            ("match", Value::Table(table)) => total.matches = pairs(table),
            ("when", Value::Text(text)) => total.when = Some(text.parse().map_err(|_| invalid(entry))?),
            _ => return Err(invalid(entry)),
        }
    }
    Ok(total)
}

fn copied(name: &str, section: &Section) -> Result<EmbedDesign, LockError> {
    let mut embed = EmbedDesign {
        name: name.to_owned(),
        about: None,
        from: String::new(),
        matches: Vec::new(),
        fields: Vec::new(),
    };
    for entry in &section.entries {
        match (entry.key.as_str(), &entry.value) {
            ("fields", Value::List(list)) => embed.fields = texts(list),
            ("from", Value::Text(from)) => embed.from.clone_from(from),
            ("match", Value::Table(table)) => embed.matches = pairs(table),
            _ => return Err(invalid(entry)),
        }
    }
    Ok(embed)
}
