//! The declaration of a design, as code that builds it.

use std::fmt;

use proc_macro2::{Ident, Literal, TokenStream};
use quote::{ToTokens, format_ident, quote};
use table_grammar::resolve::entity::{Entity, Field, Form, Storage};
use table_schema::{
    design::{
        BlobDesign, ContributionDesign, CopiedFields, EntityDesign, EntityTypeRule, FieldDesign, FieldKind,
        IndexDesign, LookupDesign, LookupPlace, Series, TemplateText,
    },
    language::{Size, Span},
};

use crate::expand::entity::{design::option, holes, series};

/// Returns the value of `Design::declaration`, or `None` for a stub.
pub(super) fn value(entity: &Entity) -> Option<TokenStream> {
    let design = &entity.design;
    if entity.is_stub {
        return None;
    }
    let roles = design.roles.iter().map(|(role, field)| {
        let (role, field) = (variant(&role), text(field));
        quote!(design.roles.set(_declared::Role::#role, _table::Some(#field));)
    });
    let words = words(design).into_iter().flatten().chain(roles);
    let (indexes, lookups) = (design.indexes.iter().map(index), design.lookups.iter().map(lookup));
    let contributions = design.contributions.iter().map(contribution);
    let fields = entity.fields.iter().zip(&design.fields).filter(|(_, field)| !field.skip);
    let fields = fields.map(|(resolved, field)| self::field(entity, resolved, field));
    Some(quote! {
        _table::Declaration::InCode(|design| {
            use _table::declared as _declared;
            #(#words)*
            #(design.indexes.push(#indexes);)*
            #(design.lookups.push(#lookups);)*
            #(design.contributions.push(#contributions);)*
            #(#fields)*
        })
    })
}

/// A statement that sets a part of the design.
type Set = Option<TokenStream>;

fn set(part: &str, value: Option<TokenStream>) -> Set {
    let (part, value) = (format_ident!("{part}"), value?);
    Some(quote!(design.#part = #value;))
}

fn flag(part: &str, is: bool) -> Set {
    set(part, is.then(|| quote!(true)))
}

/// Returns the statements for everything except the fields, indexes, lookups and contributions.
fn words(design: &EntityDesign) -> [Set; 16] {
    let some = |value: TokenStream| quote!(_table::Some(#value));
    let name = |name: &Option<String>| name.as_ref().map(|name| some(text(name)));
    let number = |number: u32, default: u32| {
        let literal = Literal::u32_unsuffixed(number);
        (number != default).then(|| quote!(#literal))
    };
    let entity_type = match &design.entity_type {
        // The default of a derive.
        EntityTypeRule::Always | EntityTypeRule::Auto => None,
        EntityTypeRule::None => Some(quote!(_declared::EntityTypeRule::None)),
        EntityTypeRule::Named(name) => {
            let name = text(name);
            Some(quote!(_declared::EntityTypeRule::Named(#name)))
        }
    };
    let shard = design.shard.as_ref().map(|shard| {
        let (of, count) = (text(&shard.of), Literal::u32_unsuffixed(shard.count));
        some(quote!(_declared::Shard { of: #of, count: #count }))
    });
    let archive = design.archive.as_ref().map(|archive| {
        let to = text(&archive.to);
        some(quote!(_declared::ArchiveDesign { to: #to, about: _table::None, when: _table::None }))
    });
    let changes = design.changes.map(|changes| {
        let (keep, old) = (span(changes.keep), changes.old);
        some(quote!(_declared::ChangesDesign { keep: #keep, old: #old }))
    });
    let wide = design.wide.map(|wide| some(Literal::usize_unsuffixed(wide).into_token_stream()));
    [
        set("table", template(design.table.as_ref())),
        set("partition", template(design.partition.as_ref())),
        set("row", template(design.row.as_ref())),
        set("entity_type", entity_type),
        set("version", number(design.version, 1)),
        flag("is_versioned", design.is_versioned),
        set("oldest", number(design.oldest, 1)),
        set("from", texts(&design.from)),
        set("aliases", texts(&design.aliases)),
        set("shard", shard),
        set("wide", wide),
        flag("deny_table_scan", design.deny_table_scan),
        flag("allow_append_only", design.allow_append_only),
        set("archive", archive),
        set("changes", changes),
        set("validate", name(&design.validate)),
    ]
}

fn text(text: &str) -> TokenStream {
    quote!(_declared::text(#text))
}

fn texts(texts: &[String]) -> Option<TokenStream> {
    (!texts.is_empty()).then(|| quote!(_declared::texts(&[#(#texts),*])))
}

fn template(template: Option<&TemplateText>) -> Option<TokenStream> {
    let text = template?.text();
    Some(quote!(_declared::template(#text)))
}

fn span(span: Span) -> TokenStream {
    let (number, unit) = (Literal::u64_unsuffixed(span.number), variant(&span.unit));
    quote!(_declared::Span { number: #number, unit: _declared::SpanUnit::#unit })
}

fn size(size: Size) -> TokenStream {
    let (number, unit) = (Literal::u64_unsuffixed(size.number), variant(&size.unit));
    quote!(_declared::Size { number: #number, unit: _declared::SizeUnit::#unit })
}

/// Returns a struct literal: these fields, and the others from `base`.
fn literal(
    ty: &str,
    given: impl IntoIterator<Item = (&'static str, Option<TokenStream>)>,
    base: TokenStream,
) -> TokenStream {
    let ty = format_ident!("{ty}");
    let given = given.into_iter().filter_map(|(name, value)| Some((format_ident!("{name}"), value?)));
    let mut given = given.map(|(name, value)| quote!(#name: #value,)).peekable();
    if given.peek().is_none() {
        return base;
    }
    quote!(_declared::#ty { #(#given)* ..#base })
}

fn some_text(value: Option<&String>) -> Option<TokenStream> {
    value.map(|value| {
        let value = text(value);
        quote!(_table::Some(#value))
    })
}

/// Returns the name of a variant without fields.
fn variant(value: &impl fmt::Debug) -> Ident {
    format_ident!("{}", format!("{value:?}"))
}

fn truth(is: bool) -> Option<TokenStream> {
    is.then(|| quote!(true))
}

fn index(index: &IndexDesign) -> TokenStream {
    let (name, row) = (&index.name, index.row.as_ref().map_or("", TemplateText::text));
    let copy = match &index.copy {
        CopiedFields::All => None,
        CopiedFields::Only(fields) => {
            let fields = texts(fields).unwrap_or_else(|| quote!(_table::Vec::new()));
            Some(quote!(_declared::CopiedFields::Only(#fields)))
        }
    };
    let given = [
        ("table", template(index.table.as_ref())),
        ("partition", template(index.partition.as_ref())),
        ("unique", truth(index.unique)),
        ("sparse", truth(index.sparse)),
        ("copy", copy),
        ("condition", some_text(index.condition.as_ref())),
    ];
    literal("IndexDesign", given, quote!(_declared::IndexDesign::new(#name, #row)))
}

fn lookup(lookup: &LookupDesign) -> TokenStream {
    let place = (lookup.place != LookupPlace::default()).then(|| {
        let place = variant(&lookup.place);
        quote!(_declared::LookupPlace::#place)
    });
    let given = [
        ("name", Some(text(&lookup.name))),
        ("on", texts(&lookup.on)),
        ("place", place),
        ("table", template(lookup.table.as_ref())),
        ("partition", template(lookup.partition.as_ref())),
        ("row", template(lookup.row.as_ref())),
        ("ids", some_text(lookup.ids.as_ref())),
    ];
    literal("LookupDesign", given, quote!(_table::Default::default()))
}

fn contribution(one: &ContributionDesign) -> TokenStream {
    let by = variant(&one.by);
    let (target, path, field) = (text(&one.target), text(&one.path), text(&one.field));
    let of = option(one.of.as_deref().map(text));
    let condition = option(one.condition.as_deref().map(text));
    quote! {
        _declared::ContributionDesign {
            by: _table::Aggregate::#by,
            target: #target,
            path: #path,
            field: #field,
            of: #of,
            when: _table::None,
            condition: #condition,
        }
    }
}

/// Returns the statement that adds a field, or the fields of a nested struct.
fn field(entity: &Entity, resolved: &Field, field: &FieldDesign) -> TokenStream {
    let (name, property) = (&field.name, &field.property);
    if resolved.is_flattened() {
        let (ty, rust_type) = (&resolved.ty, resolved.rust_type());
        return quote! {
            design.flatten(#name, #property, #rust_type, <_table::NestedIn<#ty>>::PROPERTIES);
        };
    }
    let default = field.default.as_ref().map(|default| {
        let is_computed =
            !field.optional && field.default_function().is_none() && is_known_to_compiler(resolved, field);
        let default = if is_computed {
            let descriptor = descriptor(entity, resolved);
            quote!(#descriptor.default_text())
        } else {
            text(default)
        };
        quote!(_table::Some(#default))
    });
    let given = [
        ("property", (property != name).then(|| text(property))),
        ("was", some_text(field.was.as_ref())),
        ("optional", truth(field.optional || is_optional_json(resolved))),
        ("store", truth(field.store)),
        ("encrypted", truth(field.encrypted)),
        ("series", field.series.map(|series| slots(entity, resolved, series))),
        ("from_source", truth(field.from_source)),
        (
            "stamp",
            field.stamp.map(|stamp| {
                let stamp = variant(&stamp);
                quote!(_table::Some(_declared::Stamp::#stamp))
            }),
        ),
        ("default", default),
        ("blob", field.blob.as_ref().map(blob)),
    ];
    let literal = literal("FieldDesign", given, base(entity, resolved, field));
    quote!(design.fields.push(#literal);)
}

/// Returns whether a field is an `Option` that is stored as JSON, with `null` for an absent value.
fn is_optional_json(field: &Field) -> bool {
    field.property().is_some_and(|property| property.form == Form::Json)
        && field.rust_type().starts_with("Option<")
}

/// Returns whether the compiler knows the kind of a field, whose type the macro sees only by name.
fn is_known_to_compiler(resolved: &Field, field: &FieldDesign) -> bool {
    let property = resolved.property();
    field.kind == FieldKind::Unknown
        && property.is_some_and(|property| {
            !property.is_fed && matches!(property.form, Form::Plain | Form::Series(_))
        })
}

/// Returns the descriptor of a field: only its constant requires a property type.
fn descriptor(entity: &Entity, field: &Field) -> TokenStream {
    let (entity, field) = (&entity.ident, &field.ident);
    quote!(<#entity as _table::TableEntity>::FIELDS.#field)
}

/// Returns a field with its name and kind.
fn base(entity: &Entity, resolved: &Field, field: &FieldDesign) -> TokenStream {
    let name = &field.name;
    if is_known_to_compiler(resolved, field) {
        let descriptor = descriptor(entity, resolved);
        return quote!(_declared::FieldDesign::stored(#name, #descriptor.stored_type()));
    }
    match &field.kind {
        FieldKind::Unknown if matches!(resolved.storage, Storage::Key) => {
            let hole = holes::name(resolved);
            quote!(_declared::FieldDesign::in_key(#name, #hole.kind()))
        }
        FieldKind::Text { max } | FieldKind::Binary { max } | FieldKind::Json { max } => {
            let word = field.kind.unbounded().word();
            let max = max.map(|max| {
                let max = Literal::usize_unsuffixed(max);
                quote!(.at_most(#max))
            });
            quote!(_declared::field(#name, #word) #max)
        }
        FieldKind::Unknown | FieldKind::Blob | FieldKind::Enum { .. } | FieldKind::Int { bits: 128, .. } => {
            let kind = match &field.kind {
                FieldKind::Blob => quote!(Blob),
                FieldKind::Int { bits, signed } => {
                    let bits = Literal::u8_unsuffixed(*bits);
                    quote!(Int { bits: #bits, signed: #signed })
                }
                _ => quote!(Unknown),
            };
            quote!(_declared::FieldDesign::new(#name, _declared::FieldKind::#kind))
        }
        kind => {
            let word = kind.word();
            quote!(_declared::field(#name, #word))
        }
    }
}

fn slots(entity: &Entity, resolved: &Field, series: Series) -> TokenStream {
    let count = match series {
        Series::Slots(count) => Literal::usize_unsuffixed(count).into_token_stream(),
        Series::Unknown => {
            let names = series::slots(entity, resolved);
            quote!(#names.len())
        }
    };
    quote!(_table::Some(_declared::Series::Slots(#count)))
}

fn blob(blob: &BlobDesign) -> TokenStream {
    let over = option(blob.over.map(size));
    quote! {
        _table::Some(_declared::BlobDesign {
            holds: _declared::FieldKind::Binary { max: _table::None },
            over: #over,
        })
    }
}
