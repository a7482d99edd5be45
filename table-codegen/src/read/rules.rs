//! The rules of entities, with each violation at its location in the file.

use table_designs::{check_schema, schema::Schema};
use table_schema::{
    RuleViolation,
    catalogue::{Code, Severity},
    design::{EntityDesign, FieldKind, Place, Series},
};

use super::{places::Told, tree::Table};
use crate::diagnostic::Found;

pub(super) fn check(root: &Table, schema: &Schema, found: &mut Vec<Found>) {
    let told = |design: &EntityDesign| -> Option<(usize, Told<'_>)> {
        let entry = root.find(&["entity", &design.name])?;
        let number = schema.entities.iter().position(|entity| entity.name == design.name)?;
        Some((number, Told { design: schema.entities.get(number)?, entry, table: entry.table()? }))
    };
    let all: Vec<(usize, Told<'_>)> = schema.entities.iter().filter_map(told).collect();
    for (_, told) in &all {
        missing(told, found);
    }
    for (number, mistake) in check_schema(schema) {
        if let Some((_, told)) = all.iter().find(|(own, _)| *own == number)
            && is_told(told, &mistake)
        {
            found.push(told_mistake(told, &mistake));
        }
    }
}

/// Returns whether the reader reports a violation. The advisor, which has access to the load, reports warnings. A
/// missing template is reported by its key.
fn is_told(told: &Told<'_>, mistake: &RuleViolation) -> bool {
    let is_missing = mistake.code == Code::D006 && mistake.place == Place::Entity;
    // A key of another type has been reported already.
    let is_misread = mistake.code == Code::D006
        && match mistake.place {
            Place::Index(number) => {
                has(told, "index", told.design.indexes.get(number).map(|index| &index.name), "row")
            }
            Place::Lookup(number) => {
                has(told, "lookup", told.design.lookups.get(number).map(|list| &list.name), "on")
            }
            _ => false,
        };
    // Unknown names in aggregates are reported when names are resolved.
    let is_resolved = mistake.code == Code::D021 && matches!(mistake.place, Place::Total(_));
    mistake.severity() == Severity::Error && !is_missing && !is_misread && !is_resolved
}

fn has(told: &Told<'_>, kind: &str, name: Option<&String>, word: &str) -> bool {
    name.is_some_and(|name| told.table.find(&[kind, name, word]).is_some())
}

/// Reports missing key templates. Keys have no defaults, because a default would be stored permanently.
fn missing(told: &Told<'_>, found: &mut Vec<Found>) {
    for (word, example) in [("table", "Employees"), ("partition", "{department}"), ("row", "{id:06}")] {
        if told.table.get(word).is_none() {
            let mistake = Found::new(Code::D006, &told.entry.key, format!("missing `{word}`"));
            found.push(
                mistake
                    .label("needs `table`, `partition`, `row`")
                    .help(format!("add it: {word} = \"{example}\"")),
            );
        }
    }
}

/// Returns a violation at its location in the file.
pub(super) fn told_mistake(told: &Told<'_>, mistake: &RuleViolation) -> Found {
    let help = mistake.file_help.as_ref().or(mistake.help.as_ref()).cloned().unwrap_or_default();
    let mut found = Found::new(mistake.code, &told.spot(&mistake.place), &*mistake.message).help(help);
    // A suggestion becomes the label of the mark. For an unknown field in a template, the help lists all fields.
    if found.help.starts_with("did you mean") {
        found.label = std::mem::take(&mut found.help);
        if mistake.code == Code::D008 {
            found.help = fields(told.design);
        }
        return found;
    }
    let field = told.field_at(&mistake.place);
    match mistake.code {
        Code::W11 => {
            let encrypt = field.and_then(|field| told.field_word(field, "encrypt"));
            if let Some(encrypt) = encrypt {
                found.spot = encrypt.value.spot.clone();
            }
            found.label = match &mistake.place {
                Place::Template { which, .. } => format!("used in `{}`", told.name_of(*which)),
                _ => "used in a lookup".to_owned(),
            };
        }
        Code::S03 => {
            if let Some((number, slots)) = widest(told.design) {
                found.label = format!("{slots} slots");
                if let Some(series) = told.field_word(number, "series") {
                    found.spot = series.value.spot.clone();
                }
            }
        }
        Code::D010 => {
            let word = field.and_then(|field| told.type_word(field));
            found.label = word.map_or_else(|| "unknown format".to_owned(), |word| format!("{word} field"));
        }
        Code::K10 => {
            let kind = field.and_then(|field| told.design.fields.get(field)).map(|field| &field.kind);
            let is_number = matches!(kind, None | Some(FieldKind::Int { .. }));
            (if is_number { "no width" } else { "no format" }).clone_into(&mut found.label);
        }
        code => label(code).clone_into(&mut found.label),
    }
    found
}

/// Returns the series with the most slots.
fn widest(design: &EntityDesign) -> Option<(usize, usize)> {
    let slots = design.fields.iter().enumerate().filter_map(|(number, field)| match field.series {
        Some(Series::Slots(slots)) => Some((number, slots)),
        _ => None,
    });
    slots.max_by_key(|(_, slots)| *slots)
}

pub(super) fn fields(design: &EntityDesign) -> String {
    let names: Vec<&str> = design.fields.iter().map(|field| field.name.as_str()).collect();
    format!("fields: {}", names.join(", "))
}

const fn label(code: Code) -> &'static str {
    match code {
        Code::D008 | Code::D021 => "unknown field",
        Code::D037 | Code::D045 => "not supported yet",
        Code::D009 => "this segment",
        Code::D011 => "forbidden: / \\ # ? and control characters",
        Code::D012 => "3 to 63 letters and digits, a letter first",
        Code::D013 => "letters and digits only",
        Code::D022 => "reserved name",
        Code::D024 => "out of range",
        Code::D028 | Code::D029 => "taken",
        Code::D033 => "may be absent",
        Code::K11 => "does not end",
        Code::K12 => "too long",
        Code::K15 => "begins like others",
        _ => "",
    }
}
