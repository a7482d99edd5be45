//! `version`, `oldest` and `entity_type`: the version of the entity, and the rule that decides whether rows contain its name.

use proc_macro2::{Literal, TokenStream};
use table_schema::{
    catalogue::Code,
    design::{EntityDesign, EntityTypeRule},
    suggest::closest,
};

use super::{Found, Word, json, quote, text};
use crate::read::keys::Text;

pub(super) const WORD: Word = Word {
    read: |design, keys, entry, found| {
        let version = keys.whole("version", (1, u64::from(u32::MAX)), 2, found);
        design.version = version.and_then(|version| u32::try_from(version).ok()).unwrap_or(1);
        design.is_versioned = version.is_some();
        let oldest = keys.whole("oldest", (1, u64::from(u32::MAX)), 1, found);
        design.oldest = oldest.and_then(|oldest| u32::try_from(oldest).ok()).unwrap_or(1);
        if design.version > design.oldest {
            // The file does not name the older struct. The generated code expects it under this name.
            design.from = vec![format!("{}V{}", entry.name, design.version - 1)];
        }
        let Some(text) = keys.text("entity_type", "auto", found) else { return };
        found.extend(misspelled(&text));
        design.entity_type = match text.text {
            "auto" => EntityTypeRule::Auto,
            "always" => EntityTypeRule::Always,
            "none" => EntityTypeRule::None,
            // The name is the stem, as in the derive.
            other if design.version > 1 => EntityTypeRule::Named(format!("{other}.v{}", design.version)),
            other => EntityTypeRule::Named(other.to_owned()),
        };
    },
    write: |entity, lines| {
        lines.some("version", Some(entity.version).filter(|_| entity.declares_version()));
        lines.some("oldest", Some(entity.oldest).filter(|oldest| *oldest > 1));
        let rule = match &entity.entity_type {
            EntityTypeRule::Auto => None,
            EntityTypeRule::None => Some("none".to_owned()),
            EntityTypeRule::Named(name) => Some(stem(entity, name).to_owned()),
            EntityTypeRule::Always => Some("always".to_owned()),
        };
        lines.some("entity_type", rule.as_deref().map(text));
    },
    hash: |entity| {
        let rule = match &entity.entity_type {
            EntityTypeRule::Auto => "auto".to_owned(),
            EntityTypeRule::Always => "always".to_owned(),
            EntityTypeRule::None => "none".to_owned(),
            EntityTypeRule::Named(name) => format!("named {name}"),
        };
        let oldest = (entity.oldest > 1).then(|| ("oldest", json!(entity.oldest)));
        [("entity_type", json!(rule)), ("version", json!(entity.version))].into_iter().chain(oldest).collect()
    },
    attributes: |context, entity| {
        let rule = match &entity.entity_type {
            EntityTypeRule::Auto
                if !context.schema.requires_type(entity, &context.schema.shared_tables()) =>
            {
                Some(quote!(entity_type = none))
            }
            EntityTypeRule::None => Some(quote!(entity_type = none)),
            EntityTypeRule::Named(name) => {
                let stem = stem(entity, name);
                Some(quote!(entity_type = #stem))
            }
            EntityTypeRule::Auto | EntityTypeRule::Always => None,
        };
        let version = entity.declares_version().then(|| {
            let version = Literal::u32_unsuffixed(entity.version);
            let oldest = (entity.oldest > 1).then(|| {
                let oldest = Literal::u32_unsuffixed(entity.oldest);
                quote!(, oldest = #oldest)
            });
            let from: Vec<TokenStream> = entity.from.iter().filter_map(|older| older.parse().ok()).collect();
            let from = (!from.is_empty()).then(|| quote!(, from(#(#from),*)));
            quote!(version = #version #oldest #from)
        });
        rule.into_iter().chain(version).collect()
    },
    ..Word::NONE
};

/// The rules. Any other text is the name of a type.
const RULES: [&str; 3] = ["auto", "always", "none"];

/// Returns the diagnostic for a text that is probably a misspelled rule: the name of a type starts with a capital.
fn misspelled(text: &Text<'_>) -> Option<Found> {
    let is_rule = RULES.contains(&text.text) || text.text.starts_with(char::is_uppercase);
    let near = closest(text.text, RULES).filter(|_| !is_rule)?;
    let message = format!("`{}` is no `entity_type`", text.text);
    let found = Found::new(Code::D005, &text.value.inner(), message).label(format!("did you mean `{near}`?"));
    Some(found.help(format!("supported: {}, or the name of a type such as \"Employee\"", RULES.join(", "))))
}

/// Returns a declared name without its version, which the derive adds.
fn stem<'n>(entity: &EntityDesign, name: &'n str) -> &'n str {
    let stem = name.strip_suffix(&format!(".v{}", entity.version)).filter(|_| entity.version > 1);
    stem.unwrap_or(name)
}
