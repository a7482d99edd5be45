//! `entity_type`: the rule that decides whether rows contain their type name.

use table_schema::design::EntityTypeRule;

use super::{Word, json, quote, text};

pub(super) const WORD: Word = Word {
    read: |design, keys, _, found| {
        let Some(text) = keys.text("entity_type", "auto", found) else { return };
        design.entity_type = match text.text {
            "auto" => EntityTypeRule::Auto,
            "always" => EntityTypeRule::Always,
            "none" => EntityTypeRule::None,
            other => EntityTypeRule::Named(other.to_owned()),
        };
    },
    // A file contains no version: it is part of a fixed name.
    write: |entity, lines| {
        let rule = match &entity.entity_type {
            EntityTypeRule::Auto => None,
            EntityTypeRule::None => Some("none".to_owned()),
            EntityTypeRule::Named(name) => Some(name.clone()),
            EntityTypeRule::Always if entity.version > 1 => entity.entity_type_value(),
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
        vec![("entity_type", json!(rule)), ("version", json!(entity.version))]
    },
    attributes: |context, entity| match &entity.entity_type {
        EntityTypeRule::Auto if !context.schema.shares_table(entity) => vec![quote!(entity_type = none)],
        EntityTypeRule::None => vec![quote!(entity_type = none)],
        EntityTypeRule::Named(name) => vec![quote!(entity_type = #name)],
        EntityTypeRule::Auto | EntityTypeRule::Always => Vec::new(),
    },
    ..Word::NONE
};
