//! The derive macros of `table-patterns`, which re-exports them. Use that crate instead of this one.
//!
//! [`macro@TableEntity`] maps a struct to rows of a table, [`macro@TableFields`] a nested struct to properties of such a
//! row. [`macro@TableUnion`] reads several kinds of rows,
//! [`macro@Projection`] reads some properties of a row. [`macro@Task`] makes a type a task. [`macro@TableValue`] and
//! [`macro@KeyPart`] map enums and newtypes to properties and key parts.
//!
//! A derive has two steps: `table-grammar` reads, checks and resolves the input, `expand` generates code. The design
//! rules are in `table-schema`.

mod expand;

#[cfg(test)]
mod tests;

use proc_macro2::TokenStream;
use syn::DeriveInput;
use table_grammar::{
    Errors,
    resolve::{ProjectionInput, TaskInput, entity::Entity, nested::Nested, newtype::Newtype, union::Union},
};

#[doc = include_str!("../docs/table_entity.md")]
/// ```text
#[doc = include_str!("tests/snapshots/review.snap.rs")]
/// ```
#[proc_macro_derive(TableEntity, attributes(table))]
pub fn table_entity(input: proc_macro::TokenStream) -> proc_macro::TokenStream {
    entity_impl(input.into()).into()
}

#[doc = include_str!("../docs/table_fields.md")]
#[proc_macro_derive(TableFields, attributes(table))]
pub fn table_fields(input: proc_macro::TokenStream) -> proc_macro::TokenStream {
    fields_impl(input.into()).into()
}

#[doc = include_str!("../docs/table_union.md")]
#[proc_macro_derive(TableUnion, attributes(table))]
pub fn table_union(input: proc_macro::TokenStream) -> proc_macro::TokenStream {
    union_impl(input.into()).into()
}

#[doc = include_str!("../docs/projection.md")]
#[proc_macro_derive(Projection, attributes(table))]
pub fn projection(input: proc_macro::TokenStream) -> proc_macro::TokenStream {
    projection_impl(input.into()).into()
}

#[doc = include_str!("../docs/task.md")]
#[proc_macro_derive(Task, attributes(task))]
pub fn task(input: proc_macro::TokenStream) -> proc_macro::TokenStream {
    task_impl(input.into()).into()
}

#[doc = include_str!("../docs/table_value.md")]
#[proc_macro_derive(TableValue, attributes(table))]
pub fn table_value(input: proc_macro::TokenStream) -> proc_macro::TokenStream {
    value_impl(input.into()).into()
}

#[doc = include_str!("../docs/key_part.md")]
#[proc_macro_derive(KeyPart, attributes(table))]
pub fn key_part(input: proc_macro::TokenStream) -> proc_macro::TokenStream {
    key_part_impl(input.into()).into()
}

fn entity_impl(input: TokenStream) -> TokenStream {
    derive(input, |input, errors| {
        let entity = Entity::read(input, errors)?;
        let warnings = entity.warnings.iter().map(expand::warning::expand);
        Some(std::iter::once(expand::entity::expand(&entity)).chain(warnings).collect())
    })
}

fn fields_impl(input: TokenStream) -> TokenStream {
    derive(input, |input, errors| Some(expand::nested::expand(&Nested::read(input, errors)?)))
}

fn union_impl(input: TokenStream) -> TokenStream {
    derive(input, |input, errors| Some(expand::union::expand(&Union::read(input, errors)?)))
}

fn projection_impl(input: TokenStream) -> TokenStream {
    derive(input, |input, errors| Some(expand::projection::expand(&ProjectionInput::read(input, errors)?)))
}

fn task_impl(input: TokenStream) -> TokenStream {
    derive(input, |input, errors| Some(expand::task::expand(&TaskInput::read(input, errors)?)))
}

fn value_impl(input: TokenStream) -> TokenStream {
    derive(input, |input, errors| {
        let newtype = Newtype::read_value(input, errors)?;
        Some(expand::value::expand(&newtype, !errors.is_empty()))
    })
}

fn key_part_impl(input: TokenStream) -> TokenStream {
    derive(input, |input, errors| {
        let newtype = Newtype::read_key_part(input, errors)?;
        errors.is_empty().then(|| expand::key_part::expand(&newtype))
    })
}

/// Parses the input, runs one derive, and returns its diagnostics together with the partial output.
fn derive(
    input: TokenStream,
    write: impl FnOnce(DeriveInput, &mut Errors) -> Option<TokenStream>,
) -> TokenStream {
    let mut errors = Errors::default();
    let input = errors.keep(syn::parse2(input));
    let mut written = input.and_then(|input| write(input, &mut errors)).unwrap_or_default();
    written.extend(errors.into_tokens());
    written
}
