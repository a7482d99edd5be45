//! Generation of enums for closed sets of words.

use heck::{ToSnakeCase, ToUpperCamelCase};
use proc_macro2::TokenStream;
use quote::quote;
use table_schema::design::{EntityDesign, FieldDesign, FieldKind};

use super::{
    Context,
    doc::{doc, link},
    names::ident,
};

/// Generates the enum of a field, if it has one.
pub(super) fn expand(
    context: &Context<'_>,
    entity: &EntityDesign,
    field: &FieldDesign,
) -> Option<TokenStream> {
    let FieldKind::Enum { variants } = &field.kind else { return None };
    let name = context.names.enum_of(entity, field);
    let about = doc(&format!("The values of `{}` of {}.", field.name, link(&entity.name)));
    let key_part = is_in_key(entity, field).then(|| quote!(KeyPart,));
    let default = field.default_word().map(|word| (word, quote!(Default,)));
    let derives = default.as_ref().map(|(_, derive)| derive);
    let named = named(variants);
    let is_snake = named.iter().all(|(variant, word)| variant.to_snake_case() == *word);
    let case = is_snake.then(|| quote!(#[table(rename_all = "snake_case")]));
    let variants = named.iter().map(|(variant, word)| {
        let about = doc(&format!("`{word}`"));
        let ident = ident(variant);
        let is_default = default.as_ref().is_some_and(|(default, _)| default == word);
        let default = is_default.then(|| quote!(#[default]));
        let rename = (!is_snake && variant != word).then(|| quote!(#[table(rename = #word)]));
        quote!(#about #default #rename #ident)
    });
    Some(quote! {
        #about
        #[derive(TableValue, #key_part Clone, Copy, Debug, #derives PartialEq, Eq, Hash)]
        #case
        pub enum #name { #(#variants),* }
    })
}

/// Returns the variant of a word.
pub(super) fn variant(variants: &[String], word: &str) -> Option<String> {
    named(variants).into_iter().find(|(_, known)| known == word).map(|(variant, _)| variant)
}

/// Returns unique variant names and their words.
fn named(words: &[String]) -> Vec<(String, String)> {
    let mut named: Vec<(String, String)> = Vec::new();
    for word in words {
        let mut variant = word.to_upper_camel_case();
        if variant == "Self" || variant.is_empty() {
            variant.push_str("Value");
        }
        while named.iter().any(|(other, _)| *other == variant) {
            variant.push('X');
        }
        named.push((variant, word.clone()));
    }
    named
}

/// Returns whether a key of the entity, of its indexes or of its lists contains the field.
fn is_in_key(entity: &EntityDesign, field: &FieldDesign) -> bool {
    let templates = entity.template_texts().filter_map(|(_, text)| text.template());
    let mut holes = templates.flat_map(table_schema::template::Template::holes);
    holes.any(|hole| hole.field == field.name)
        || entity.lookups.iter().any(|lookup| lookup.on.contains(&field.name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_word_has_a_variant_of_its_own() {
        let words = ["wrong_password", "wrongPassword", "self", "OK"].map(str::to_owned);
        let variants: Vec<String> = named(&words).into_iter().map(|(variant, _)| variant).collect();
        assert_eq!(variants, ["WrongPassword", "WrongPasswordX", "SelfValue", "Ok"]);
    }
}
