//! Formats must fit the field type, unless the type is unknown. Values that do not sort correctly as text require a
//! format.

use crate::{
    RuleViolation,
    catalogue::Code,
    design::{EntityDesign, FieldDesign, FieldKind, LookupDesign, LookupPlace, Place, RESERVED_HOLES},
    template::{Shape, Template, TemplateField},
};

pub(super) fn check(design: &EntityDesign, mistakes: &mut Vec<RuleViolation>) {
    for (which, text) in design.template_texts() {
        for segment in text.template().iter().flat_map(|template| template.segments()) {
            let Some(hole) = segment.hole() else { continue };
            let found = match design.field(&hole.field) {
                Some(field) => mismatch(hole, field),
                None if RESERVED_HOLES.contains(&hole.field.as_str()) => unpadded_number(hole),
                None => None,
            };
            if let Some((code, message, help)) = found {
                let mistake = RuleViolation::in_template(design, code, which, segment.span.clone(), message);
                mistakes.push(mistake.help(help));
            }
        }
    }
    listed(design, mistakes);
}

/// Checks the fields of the lists of a lookup whose formats no template specifies.
fn listed(design: &EntityDesign, mistakes: &mut Vec<RuleViolation>) {
    let is_open = |lookup: &LookupDesign| match lookup.place {
        LookupPlace::Partition => lookup.row.is_none(),
        LookupPlace::Table | LookupPlace::Blob => lookup.partition.is_none(),
    };
    for (number, lookup) in design.lookups.iter().enumerate().filter(|(_, lookup)| is_open(lookup)) {
        for (item, name) in lookup.on.iter().enumerate() {
            let Some(field) = design.field(name) else { continue };
            let Ok(template) = Template::parse(&default_hole(field)) else { continue };
            let resolved = design.resolve(&template);
            let found = resolved.holes().find_map(|hole| mismatch(hole, field));
            if let Some((code, message, help)) = found {
                mistakes.push(RuleViolation::new(code, Place::LookupOn(number, item), message).help(help));
            }
        }
    }
}

type Found = Option<(Code, String, String)>;

/// Returns the default template field of an entity field: unescaped for text, otherwise in a sortable format.
pub fn default_hole(field: &FieldDesign) -> String {
    let name = &field.name;
    match &field.kind {
        FieldKind::Int { bits, signed: false } => format!("{{{name}:0{}}}", digits(*bits, false)),
        FieldKind::Int { .. } | FieldKind::Float { .. } => format!("{{{name}:ord}}"),
        FieldKind::Time => format!("{{{name}:ticks}}"),
        FieldKind::Date => format!("{{{name}:%Y%m%d}}"),
        _ => format!("{{{name}}}"),
    }
}

/// Returns the number of digits of the greatest value.
const fn digits(bits: u8, signed: bool) -> u8 {
    match (bits, signed) {
        (..=8, _) => 3,
        (..=16, _) => 5,
        (..=32, _) => 10,
        (..=64, true) => 19,
        (..=64, false) => 20,
        _ => 39,
    }
}

/// Checks `{part}` and `{shard}`, which are numbers assigned by the library.
fn unpadded_number(hole: &TemplateField) -> Found {
    if matches!(hole.shape, Shape::Padded(_)) {
        return None;
    }
    let message = format!("integer `{}` has no width: 10 would sort before 9", hole.field);
    Some((Code::K10, message, format!("write `{{{}:02}}`", hole.field)))
}

fn mismatch(hole: &TemplateField, field: &FieldDesign) -> Found {
    let name = &field.name;
    if field.series.is_some() || field.flatten {
        let message = format!("`{name}` is stored as several properties; a key takes one value");
        let help = if field.flatten {
            "the derive does not see the fields of a nested struct; declare the key field in the entity"
        } else {
            "key by another field"
        };
        return Some((Code::D010, message, help.to_owned()));
    }
    match (&field.kind, hole.shape) {
        (FieldKind::Unknown, shape) if shape.ascending() == Shape::Ord(None) => {
            let message = format!("`:{shape}` needs its width: the type of `{name}` cannot be seen here");
            Some((Code::K10, message, format!("write `{{{name}:{shape}32}}` or `{{{name}:{shape}64}}`")))
        }
        (kind, shape) if accepts(kind, shape) => None,
        (FieldKind::Binary { .. } | FieldKind::Json { .. } | FieldKind::Blob, _) => {
            let message = format!("`{name}` is {}; it cannot be part of a key", field.kind.described());
            Some((Code::D010, message, "key by another field".to_owned()))
        }
        (kind, Shape::Text) => Some(unformatted(name, kind)),
        (kind, shape) => Some(unfit(name, kind, shape)),
    }
}

fn accepts(kind: &FieldKind, shape: Shape) -> bool {
    match kind {
        FieldKind::Unknown => true,
        FieldKind::Text { .. } | FieldKind::Enum { .. } => shape.is_text(),
        FieldKind::Int { bits, signed } => match shape.ascending() {
            Shape::Padded(_) => true,
            Shape::Ord(number) => {
                *signed && *bits <= 64 && number.is_none_or(|number| number.bits() == *bits)
            }
            _ => false,
        },
        FieldKind::Float { bits } => {
            matches!(shape.ascending(), Shape::Ord(number) if number.is_none_or(|number| number.bits() == *bits))
        }
        FieldKind::Time | FieldKind::Date => {
            matches!(shape.ascending(), Shape::Ticks | Shape::Date(_))
        }
        FieldKind::Guid => matches!(shape, Shape::Text | Shape::Guid | Shape::Guidn),
        FieldKind::Bool => matches!(shape, Shape::Text | Shape::Flag),
        FieldKind::Binary { .. } | FieldKind::Json { .. } | FieldKind::Blob => false,
    }
}

/// Returns the violation of a template field without a format whose values do not sort as text.
fn unformatted(name: &str, kind: &FieldKind) -> (Code, String, String) {
    let (message, help) = match kind {
        FieldKind::Float { .. } => {
            (format!("float `{name}` does not sort as text"), format!("write `{{{name}:ord}}`"))
        }
        FieldKind::Time => (
            format!("time `{name}` needs a format"),
            format!(
                "write `{{{name}:ticks}}`, `{{{name}:inverted_ticks}}` for newest first, or `{{{name}:%Y%m%d}}`"
            ),
        ),
        FieldKind::Date => (format!("date `{name}` needs a format"), format!("write `{{{name}:%Y%m%d}}`")),
        FieldKind::Int { bits, signed } => {
            let padded = format!("{{{name}:0{}}}", digits(*bits, *signed));
            let help = if *signed && *bits <= 64 {
                format!("write `{padded}`, or `{{{name}:ord}}` if it can be negative")
            } else {
                format!("write `{padded}` (or fewer digits, if values stay small)")
            };
            (format!("integer `{name}` has no width: 10 would sort before 9"), help)
        }
        other => (format!("`{name}` is {} and needs a format", other.described()), formats_for(other)),
    };
    (Code::K10, message, help)
}

/// Returns the violation of a format of a different type.
fn unfit(name: &str, kind: &FieldKind, shape: Shape) -> (Code, String, String) {
    let message = match (kind, shape.ascending()) {
        (FieldKind::Int { bits, signed: true } | FieldKind::Float { bits }, Shape::Ord(Some(number))) => {
            format!("`:{shape}` is {} bits wide; `{name}` has {bits}", number.bits())
        }
        _ => format!("format `:{shape}` is for {}; `{name}` is {}", taken_by(shape), kind.described()),
    };
    (Code::D010, message, formats_for(kind))
}

const fn taken_by(shape: Shape) -> &'static str {
    match shape {
        Shape::Text | Shape::Esc => "text",
        Shape::Padded(_) | Shape::InvertedPadded(_) => "integers",
        Shape::Ord(_) | Shape::InvertedOrd(_) => "signed integers and floats",
        Shape::Ticks | Shape::InvertedTicks | Shape::Date(_) | Shape::InvertedDate(_) => "times",
        Shape::Guid | Shape::Guidn => "ids",
        Shape::Flag => "truth values",
    }
}

fn formats_for(kind: &FieldKind) -> String {
    match kind {
        FieldKind::Int { signed: true, bits: ..=64 } => {
            "formats for a signed integer: `0N`, `ord`, each with or without `inverted_`"
        }
        FieldKind::Int { .. } => "formats for an unsigned integer: `0N`, `inverted_0N`",
        FieldKind::Float { .. } => "formats for a float: `ord`, `inverted_ord`",
        FieldKind::Time => {
            "formats for a time: `ticks`, `%Y%m%d` and so on, each with or without `inverted_`"
        }
        FieldKind::Date => "formats for a date: `%Y%m%d`, `ticks`, each with or without `inverted_`",
        FieldKind::Guid => "formats for an id: none, `guid`, `guidn`",
        FieldKind::Bool => "formats for a truth value: none, `bool`",
        _ => "formats for text: none, `esc`",
    }
    .to_owned()
}
