//! The design as a constant.

use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, format_ident, quote};
use syn::ext::IdentExt;
use table_grammar::resolve::entity::{Entity, Field, Form, Index, Lookup};
use table_schema::{
    design::Stamp,
    template::{DateFormat, DateUnit, OrdNumber, Part, Shape, Template},
};

use crate::expand::entity::{declared, expiry, feeds, series, stamps};

/// Returns the value of `const DESIGN`.
pub(super) fn value(entity: &Entity) -> TokenStream {
    let design = &entity.design;
    let (name, table) = (&entity.name, entity.table());
    let partition = template(&entity.partition.template, "Partition");
    let row = template(&entity.row.template, "Row");
    let older = entity.older.as_ref().filter(|_| !entity.is_stub);
    let older = older.map(|older| quote!(<#older as _table::TableEntity>::DESIGN));
    let properties = entity.fields.iter().filter_map(|field| {
        let (field_name, name, rust_type) = (&field.name, &field.property()?.name, field.rust_type());
        let slots = series::slots(entity, field);
        Some(quote! {
            _table::Property { field: #field_name, name: #name, slots: #slots, rust_type: #rust_type }
        })
    });
    let defaults = entity.fields.iter().filter_map(Field::property).filter(|property| property.or_default);
    let defaults = defaults.map(|property| &property.name);
    let stored = || entity.fields.iter().filter_map(Field::property);
    let renamed = stored().filter_map(|property| {
        let (name, was) = (&property.name, property.was.as_ref()?);
        Some(quote!((#name, #was)))
    });
    let indirect = stored()
        .filter(|property| property.or_default && !property.is_fed || matches!(property.form, Form::Json));
    let indirect = indirect.map(|property| &property.name);
    let versioned = entity.design.declares_version().then(|| (format_ident!("versioned"), quote!(true)));
    let encrypted = entity.fields.iter().filter_map(Field::property).filter(|property| property.is_sealed);
    let encrypted = encrypted.map(|property| &property.name);
    let blobs = entity.fields.iter().filter_map(Field::property).filter_map(|property| {
        let Form::Blob { inline } = property.form else { return None };
        let (name, inline) = (&property.name, proc_macro2::Literal::usize_unsuffixed(inline));
        Some(quote!(_table::BlobProperty { name: #name, inline: #inline }))
    });
    let indexes = entity.indexes.iter().map(|index| self::index(entity, index));
    let tables = entity.tables.as_ref().map(|names| template(names, "Partition"));
    let shard = design.shard.as_ref().map(|shard| {
        let (of, count) = (&shard.of, proc_macro2::Literal::u32_unsuffixed(shard.count));
        quote!(_table::Shard { of: #of, count: #count })
    });
    let key = entity.key_fields().map(|field| {
        let (name, rust_type) = (&field.name, field.rust_type());
        quote!(_table::TypedField { field: #name, rust_type: #rust_type })
    });
    let fed = entity.fields.iter().filter_map(Field::property).filter(|property| property.is_fed);
    let fed = fed.map(|property| &property.name);
    let feeds = entity.feeds.iter().filter(|_| !entity.is_stub).map(|feed| feeds::design(entity, feed));
    let wide = design.wide.map(proc_macro2::Literal::usize_unsuffixed);
    let changes = design.changes.filter(|_| !entity.is_stub).map(|changes| {
        let (keep, old) = (proc_macro2::Literal::u64_unsuffixed(changes.keep.seconds()), changes.old);
        quote!(_table::Changes { keep: #keep, old: #old })
    });
    let archive = design.archive.as_ref().filter(|_| !entity.is_stub).map(|archive| &archive.to);
    let declaration = declared::value(entity).map(|value| (format_ident!("declaration"), value));
    let fields = [
        declaration,
        some("stored_as", design.stored_as()),
        some("tables", tables),
        some("shard", shard),
        some("entity_type", design.entity_type_value()),
        list("aliases", &design.aliases),
        some("older", older),
        versioned,
        list("renamed", renamed),
        list("indirect", indirect),
        list("properties", properties),
        list("encrypted", encrypted),
        list("defaults", defaults),
        list("blobs", blobs),
        some("wide", wide),
        list("indexes", indexes),
        list("key", key),
        list("fed", fed),
        list("feeds", feeds),
        some("changes", changes),
        some("archive", archive),
        some("created", stamps::property(entity, Stamp::Created)),
        some("updated", stamps::property(entity, Stamp::Updated)),
        list("roles", expiry::properties(entity)),
    ];
    let fields = fields.into_iter().flatten().map(|(field, value)| quote!(#field: #value,));
    quote! {
        _table::Design {
            name: #name,
            table: #table,
            partition: #partition,
            row: #row,
            #(#fields)*
            .._table::Design::EMPTY
        }
    }
}

/// A field of a struct literal.
type Given = Option<(Ident, TokenStream)>;

/// Returns an optional field, unless it has no value.
fn some(field: &str, value: Option<impl ToTokens>) -> Given {
    value.map(|value| (format_ident!("{field}"), option(Some(value))))
}

/// Returns a list, unless it is empty.
fn list(field: &str, items: impl IntoIterator<Item = impl ToTokens>) -> Given {
    let mut items = items.into_iter().peekable();
    items.peek().is_some().then(|| (format_ident!("{field}"), quote!(&[#(#items),*])))
}

fn index(entity: &Entity, index: &Index) -> TokenStream {
    let (name, table) = (index.name.unraw().to_string(), &index.table);
    let (near, unique) = (index.near, index.unique);
    let whole = index.copy.is_none() && index.lookup.is_none();
    let partition = template(&index.partition.template, "Partition");
    let row = template(&index.row.template, "Row");
    let copied = index.copied.iter().filter_map(|number| entity.fields.get(*number));
    let properties = copied.map(|field| {
        if field.is_series() || field.is_flattened() {
            return series::slots(entity, field);
        }
        let name = &field.property_name;
        quote!(&[#name])
    });
    let lookup = option(index.lookup.as_ref().map(lookup));
    quote! {
        _table::Index {
            name: #name,
            table: #table,
            partition: #partition,
            row: #row,
            near: #near,
            unique: #unique,
            whole: #whole,
            properties: &[#(#properties),*],
            lookup: #lookup,
        }
    }
}

fn lookup(lookup: &Lookup) -> TokenStream {
    // Messages show the list template as written; the derive adds the trailing `!`.
    let text = lookup.list.template.text().trim_end_matches('!');
    let (list, ids) = (template_as(&lookup.list.template, text, "Row"), option(lookup.ids.as_ref()));
    let in_blobs = lookup.in_blobs;
    quote!(_table::Lookup { list: #list, ids: #ids, in_blobs: #in_blobs })
}

pub(in crate::expand) fn option(value: Option<impl ToTokens>) -> TokenStream {
    value.map_or_else(|| quote!(_table::None), |value| quote!(_table::Some(#value)))
}

fn template(template: &Template, kind: &str) -> TokenStream {
    template_as(template, template.text(), kind)
}

fn template_as(template: &Template, text: &str, kind: &str) -> TokenStream {
    let kind = format_ident!("{kind}");
    let parts = template.parts();
    let parts = parts.iter().map(|part| match part {
        Part::Literal(text) => quote!(_table::Part::Literal(#text)),
        Part::Field { field, shape, exact } => {
            let shape = self::shape(*shape);
            quote!(_table::Part::Field { field: #field, shape: #shape, exact: #exact })
        }
    });
    quote! {
        _table::Template {
            text: #text,
            form: _table::KeyForm::new(_table::KeyKind::#kind, &[#(#parts),*]),
        }
    }
}

fn shape(shape: Shape) -> TokenStream {
    let inverted = if shape.is_descending() { "Inverted" } else { "" };
    let named = |name: &str, argument: TokenStream| {
        let variant = format_ident!("{inverted}{name}");
        quote!(#variant(#argument))
    };
    let variant = match shape {
        Shape::Text => quote!(Text),
        Shape::Esc => quote!(Esc),
        Shape::Padded(width) | Shape::InvertedPadded(width) => {
            named("Padded", proc_macro2::Literal::u8_unsuffixed(width).into_token_stream())
        }
        Shape::Ord(number) | Shape::InvertedOrd(number) => named("Ord", option(number.map(ord_number))),
        Shape::Ticks => quote!(Ticks),
        Shape::InvertedTicks => quote!(InvertedTicks),
        Shape::Date(format) | Shape::InvertedDate(format) => named("Date", date_format(format)),
        Shape::Guid => quote!(Guid),
        Shape::Guidn => quote!(Guidn),
        Shape::Flag => quote!(Flag),
    };
    quote!(_table::Shape::#variant)
}

fn ord_number(number: OrdNumber) -> TokenStream {
    let variant = match number {
        OrdNumber::Bits32 => quote!(Bits32),
        OrdNumber::Bits64 => quote!(Bits64),
        OrdNumber::I8 => quote!(I8),
        OrdNumber::I16 => quote!(I16),
        OrdNumber::I32 => quote!(I32),
        OrdNumber::I64 => quote!(I64),
        OrdNumber::F32 => quote!(F32),
        OrdNumber::F64 => quote!(F64),
    };
    quote!(_table::OrdNumber::#variant)
}

fn date_format(format: DateFormat) -> TokenStream {
    let finest = match format.finest() {
        DateUnit::Year => quote!(Year),
        DateUnit::Month => quote!(Month),
        DateUnit::Day => quote!(Day),
        DateUnit::Hour => quote!(Hour),
        DateUnit::Minute => quote!(Minute),
        DateUnit::Second => quote!(Second),
    };
    if !format.has_separators() {
        return quote!(_table::DateFormat::new(_table::DateUnit::#finest));
    }
    let mut separators = format.units().skip(1).map(|(_, separator)| separator);
    let separators = (0..5).map(|_| option(separators.next().flatten()));
    quote!(_table::DateFormat::separated(_table::DateUnit::#finest, [#(#separators),*]))
}
