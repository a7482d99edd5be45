//! Recognition of field types by name. A macro sees tokens, not types: an alias or a newtype is unrecognized, and the
//! traits in the generated code are the final check.

use syn::{Expr, ExprLit, GenericArgument, Lit, PathArguments, Type};

/// The kind of a type, as far as its name determines it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Named {
    /// `String`, `Box<str>`, `Cow<'static, str>`.
    String,
    Char,
    Bool,
    Int {
        bits: u8,
        signed: bool,
    },
    /// `usize`, `isize`.
    PointerSized,
    Float {
        bits: u8,
    },
    Time,
    Date,
    Guid,
    /// `Vec<u8>`, `Box<[u8]>`, `[u8; N]`, `Bytes`.
    Binary,
    /// `Blob`.
    Blob,
    Unknown,
}

/// The type of a field, and its inner type without `Option<..>`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TypeName<'t> {
    pub(crate) optional: bool,
    /// The type without `Option`.
    pub(crate) inner: &'t Type,
    pub(crate) named: Named,
}

impl<'t> TypeName<'t> {
    pub(crate) fn of(ty: &'t Type) -> Self {
        let (optional, inner) = match argument_of(ty, "Option") {
            Some(inner) => (true, inner),
            None => (false, ungrouped(ty)),
        };
        Self { optional, inner, named: named(inner) }
    }
}

/// The slots of an array type.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SlotsOf<'t> {
    /// The type of a slot.
    pub(crate) slot: &'t Type,
    /// The number of slots, if it is a literal.
    pub(crate) count: Option<usize>,
}

impl<'t> SlotsOf<'t> {
    pub(crate) fn of(ty: &'t Type) -> Option<Self> {
        let Type::Array(array) = ungrouped(ty) else { return None };
        let count = match &array.len {
            Expr::Lit(ExprLit { lit: Lit::Int(count), .. }) => count.base10_parse().ok(),
            _ => None,
        };
        Some(Self { slot: &array.elem, count })
    }
}

/// Returns the type without the invisible group that `$ty` of a macro adds.
fn ungrouped(ty: &Type) -> &Type {
    match ty {
        Type::Group(group) => ungrouped(&group.elem),
        Type::Paren(paren) => ungrouped(&paren.elem),
        other => other,
    }
}

/// Returns the name of the last segment and its type arguments.
fn last_segment(ty: &Type) -> Option<(String, Vec<&Type>)> {
    let Type::Path(path) = ungrouped(ty) else { return None };
    let segment = path.path.segments.last()?;
    let arguments = match &segment.arguments {
        PathArguments::AngleBracketed(list) => list
            .args
            .iter()
            .filter_map(|argument| if let GenericArgument::Type(ty) = argument { Some(ty) } else { None })
            .collect(),
        _ => Vec::new(),
    };
    Some((segment.ident.to_string(), arguments))
}

/// Returns the single type argument of `name<..>`.
pub(crate) fn argument_of<'t>(ty: &'t Type, name: &str) -> Option<&'t Type> {
    let (found, arguments) = last_segment(ty)?;
    match arguments.as_slice() {
        [only] if found == name => Some(ungrouped(only)),
        _ => None,
    }
}

fn named(ty: &Type) -> Named {
    match ty {
        Type::Array(array) if is(&array.elem, "u8") => return Named::Binary,
        Type::Path(_) => {}
        _ => return Named::Unknown,
    }
    let Some((name, arguments)) = last_segment(ty) else { return Named::Unknown };
    match (name.as_str(), arguments.as_slice()) {
        ("String", []) => Named::String,
        ("Box" | "Cow", [only]) if is(only, "str") => Named::String,
        ("char", []) => Named::Char,
        ("bool", []) => Named::Bool,
        ("usize" | "isize", []) => Named::PointerSized,
        ("f32", []) => Named::Float { bits: 32 },
        ("f64", []) => Named::Float { bits: 64 },
        ("Timestamp" | "SystemTime" | "OffsetDateTime", []) | ("DateTime", [_]) => Named::Time,
        ("Date" | "NaiveDate", []) => Named::Date,
        ("Uuid", []) => Named::Guid,
        ("Bytes", []) => Named::Binary,
        ("Blob", []) => Named::Blob,
        ("Vec", [only]) if is(only, "u8") => Named::Binary,
        ("Box", [Type::Slice(slice)]) if is(&slice.elem, "u8") => Named::Binary,
        (name, []) => integer(name).unwrap_or(Named::Unknown),
        _ => Named::Unknown,
    }
}

fn is(ty: &Type, name: &str) -> bool {
    matches!(last_segment(ty), Some((found, arguments)) if found == name && arguments.is_empty())
}

fn integer(name: &str) -> Option<Named> {
    let (signed, bits) = match name.split_at_checked(1)? {
        ("i", bits) => (true, bits),
        ("u", bits) => (false, bits),
        _ => return None,
    };
    matches!(bits, "8" | "16" | "32" | "64" | "128").then_some(())?;
    Some(Named::Int { bits: bits.parse().ok()?, signed })
}

/// Returns the type as written, on one line.
pub(crate) fn shown(ty: &Type) -> String {
    let mut text = String::new();
    for token in quote::quote!(#ty).to_string().split(' ') {
        // Tokens are separated by spaces; only certain tokens, such as a comma, `mut` and a reference lifetime, keep
        // the space after them.
        text.push_str(token);
        if matches!(token, "," | ";" | "mut" | "dyn" | "+" | "=" | "->")
            || token.starts_with('\'') && token != "'"
        {
            text.push(' ');
        }
    }
    text.replace(" >", ">").replace(" ,", ",").trim_end().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(text: &str) -> (bool, Named) {
        let ty: Type = syn::parse_str(text).expect("a type");
        let name = TypeName::of(&ty);
        (name.optional, name.named)
    }

    #[test]
    fn common_types_are_known_by_name_and_path() {
        for (text, named) in [
            ("String", Named::String),
            ("std::string::String", Named::String),
            ("Box<str>", Named::String),
            ("std::borrow::Cow<'static, str>", Named::String),
            ("u32", Named::Int { bits: 32, signed: false }),
            ("i128", Named::Int { bits: 128, signed: true }),
            ("isize", Named::PointerSized),
            ("f32", Named::Float { bits: 32 }),
            ("chrono::DateTime<Utc>", Named::Time),
            ("time::Date", Named::Date),
            ("uuid::Uuid", Named::Guid),
            ("Vec<u8>", Named::Binary),
            ("[u8; 16]", Named::Binary),
            ("Box<[u8]>", Named::Binary),
            ("Vec<String>", Named::Unknown),
            ("[i32; 24]", Named::Unknown),
            ("EmployeeId", Named::Unknown),
            ("u32<T>", Named::Unknown),
            ("i7", Named::Unknown),
            ("(u8, u8)", Named::Unknown),
            ("&'static str", Named::Unknown),
        ] {
            assert_eq!(of(text), (false, named), "{text}");
        }
    }

    #[test]
    fn an_option_is_taken_off() {
        assert_eq!(of("Option<u8>"), (true, Named::Int { bits: 8, signed: false }));
        assert_eq!(of("::core::option::Option<Unknown>"), (true, Named::Unknown));
    }

    #[test]
    fn a_type_is_shown_as_people_write_it() {
        for text in [
            "u32",
            "Option<Vec<u8>>",
            "std::collections::BTreeMap<String, Vec<i32>>",
            "[u8; 16]",
            "Cow<'static, str>",
            "&'static str",
            "(u8, String)",
        ] {
            let ty: Type = syn::parse_str(text).expect("a type");
            assert_eq!(shown(&ty), text);
        }
    }
}
