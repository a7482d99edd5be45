//! Input of `shard(of = id, count = 16)`.

use syn::{Ident, meta::ParseNestedMeta};

use crate::{
    errors::mistake,
    parse::attribute::{Slot, each_inner_word, number, value, word},
};

/// The sharding of keys.
#[derive(Clone, Debug)]
pub(crate) struct ShardInput {
    pub(crate) of: Ident,
    pub(crate) count: u32,
}

const EXAMPLE: &str = "shard(of = id, count = 16)";

impl ShardInput {
    pub(crate) fn read(meta: &ParseNestedMeta<'_>) -> syn::Result<Self> {
        let word = word(meta)?;
        let (mut of, mut count) = (Slot::default(), Slot::default());
        each_inner_word(meta, &["of", "count"], EXAMPLE, |name, meta| {
            match name {
                "of" => of.set(meta, value(meta, "of = id")?)?,
                "count" => count.set(meta, number(meta, "count = 16")?)?,
                _ => return Ok(false),
            }
            Ok(true)
        })?;
        match (of.value().cloned(), count.value().copied()) {
            (Some(of), Some(count)) => Ok(Self { of, count }),
            (None, _) => Err(incomplete(&word, "its field")),
            (_, None) => Err(incomplete(&word, "the number of shards")),
        }
    }
}

fn incomplete(word: &Ident, what: &str) -> syn::Error {
    mistake(word, format!("`shard` does not specify {what}"), format!("write {EXAMPLE}"))
}
