//! The roles of fields, such as `expires`.

use table_schema::role::Role;

use super::{Word, ident, json, quote, text};

pub(super) const WORD: Word = Word {
    read: |design, keys, _, found| {
        for role in Role::ALL {
            let field = keys.text(role.word(), role.example(), found);
            design.roles.set(role, field.map(|field| field.text.to_owned()));
        }
    },
    write: |entity, lines| {
        for (role, field) in entity.roles.iter() {
            lines.key(role.word(), text(field));
        }
    },
    hash: |entity| entity.roles.iter().map(|(role, field)| (role.word(), json!(field))).collect(),
    sentence: |entity| {
        let sentences = entity.roles.iter().map(|(role, field)| role.sentence(field));
        sentences.reduce(|all, next| format!("{all}\n\n{next}"))
    },
    attributes: |_, entity| {
        let attribute = |(role, field): (Role, &str)| {
            let (word, field) = (ident(role.word()), ident(field));
            quote!(#word = #field)
        };
        entity.roles.iter().map(attribute).collect()
    },
    ..Word::NONE
};
