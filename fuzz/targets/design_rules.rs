//! The check of a design never panics. It reports each violation once, in order, with a valid location. Input, by line:
//! table, partition, row, index partition, index row, lookup row; then fields, `name kind`.

#![no_main]

use libfuzzer_sys::fuzz_target;
use table_schema::{
    design::{EntityDesign, FieldDesign, FieldKind, IndexDesign, LookupDesign, Place, Series, TemplateText},
    rules::check,
};

/// Parses a field `name kind`; an uppercase letter in the kind makes it optional, `[` makes it a series.
fn field(line: &str) -> FieldDesign {
    let (name, kind) = line.split_once(' ').unwrap_or((line, ""));
    let mut field = FieldDesign::new(
        name,
        match kind.chars().next() {
            Some('t' | 'T') => FieldKind::Text { max: kind.get(1..).and_then(|max| max.parse().ok()) },
            Some('b' | 'B') => FieldKind::Bool,
            Some('i' | 'I') => FieldKind::Int { bits: 32, signed: true },
            Some('u' | 'U') => FieldKind::Int { bits: 64, signed: false },
            Some('f' | 'F') => FieldKind::Float { bits: 64 },
            Some('m' | 'M') => FieldKind::Time,
            Some('d' | 'D') => FieldKind::Date,
            Some('g' | 'G') => FieldKind::Guid,
            Some('x' | 'X') => FieldKind::Binary { max: None },
            Some('e' | 'E') => FieldKind::Enum { variants: kind.split(',').map(str::to_owned).collect() },
            Some('[') => FieldKind::Int { bits: 16, signed: true },
            _ => FieldKind::Unknown,
        },
    );
    field.optional = kind.starts_with(char::is_uppercase);
    field.series = kind.strip_prefix('[').map(|slots| slots.parse().map_or(Series::Unknown, Series::Slots));
    field
}

fuzz_target!(|text: &str| {
    let mut lines = text.split('\n');
    let mut template = || lines.next().filter(|line| !line.is_empty()).map(TemplateText::new);
    let mut design = EntityDesign::new("Employee");
    (design.table, design.partition, design.row) = (template(), template(), template());
    let (partition, row) = (template(), template());
    let lookup_row = template();
    design.fields = lines.take(20).map(field).collect();
    let names = || design.fields.iter().map(|field| field.name.clone());
    if row.is_some() {
        let unique = text.len().is_multiple_of(2);
        design.indexes.push(IndexDesign { partition, row, unique, ..IndexDesign::default() });
    }
    if lookup_row.is_some() {
        let (name, on) = ("by_first".to_owned(), names().take(2).collect());
        design.lookups.push(LookupDesign { name, on, row: lookup_row, ..LookupDesign::default() });
    }
    let mistakes = check(&design);
    assert!(mistakes.is_sorted_by_key(|mistake| &mistake.place));
    for (at, mistake) in mistakes.iter().enumerate() {
        assert!(!mistake.message.is_empty() && !mistake.to_string().is_empty());
        assert!(!mistakes[..at].contains(mistake), "said twice: {mistake}");
        match &mistake.place {
            Place::Template { which, range } => {
                let template = design.template_text(*which).map(TemplateText::text);
                assert!(template.is_some_and(|text| text.get(range.clone()).is_some()), "{mistake:?}");
            }
            Place::Field(field) | Place::FieldType(field) | Place::FieldWord(field, _) => {
                assert!(design.fields.get(*field).is_some(), "{mistake:?}");
            }
            _ => {}
        }
    }
    for (_, template) in design.template_texts() {
        if let Some(template) = template.template() {
            let _ = design.longest_key(template);
        }
    }
});
