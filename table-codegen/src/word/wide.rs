//! `wide`: entities that are split over several rows.

use proc_macro2::Literal;

use super::{Word, json, quote};

pub(super) const WORD: Word = Word {
    read: |design, keys, _, found| {
        let wide = keys.whole("wide", (0, u64::from(u32::MAX)), 200, found);
        design.wide = wide.and_then(|wide| usize::try_from(wide).ok());
    },
    write: |entity, lines| lines.some("wide", entity.wide),
    // The parts of a wide entity contain the fields in order. The field order of other entities is not significant.
    hash: |entity| {
        let names = entity.fields.iter().map(|field| field.name.as_str());
        let order = entity.wide.map(|_| names.collect::<Vec<_>>());
        vec![("wide", json!(entity.wide)), ("order", json!(order))]
    },
    attributes: |_, entity| {
        let wide = entity.wide.map(Literal::usize_unsuffixed);
        wide.map(|wide| quote!(wide = #wide)).into_iter().collect()
    },
    ..Word::NONE
};
