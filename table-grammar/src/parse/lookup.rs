//! Input of `lookup(by_last_name, on = last_name, place = partition)`.

use syn::{
    Ident, LitStr, Token,
    ext::IdentExt,
    meta::ParseNestedMeta,
    parenthesized,
    parse::{Parse, ParseStream},
    punctuated::Punctuated,
};
use table_schema::{design::LookupPlace, suggest::closest};

use crate::{
    errors::mistake,
    parse::attribute::{Slot, each_inner_word, text, value, word},
};

/// A lookup. Its name may be missing; the rules report that.
#[derive(Debug)]
pub(crate) struct LookupInput {
    /// The argument name `lookup`.
    pub(crate) word: Ident,
    pub(crate) name: Option<Ident>,
    pub(crate) on: Slot<Fields>,
    pub(crate) place: Slot<LookupPlace>,
    pub(crate) table: Slot<LitStr>,
    pub(crate) partition: Slot<LitStr>,
    pub(crate) row: Slot<LitStr>,
    pub(crate) ids: Slot<LitStr>,
}

/// `last_name`, or `(last_name, city)`.
#[derive(Debug)]
pub(crate) struct Fields(pub(crate) Vec<Ident>);

const WORDS: &[&str] = &["on", "place", "table", "partition", "row", "ids"];
const PLACES: [(&str, LookupPlace); 3] =
    [("partition", LookupPlace::Partition), ("table", LookupPlace::Table), ("blob", LookupPlace::Blob)];
const EXAMPLE: &str = "lookup(by_last_name, on = last_name, place = partition)";

impl LookupInput {
    pub(crate) fn read(meta: &ParseNestedMeta<'_>) -> syn::Result<Self> {
        let mut lookup = Self {
            word: word(meta)?,
            name: None,
            on: Slot::default(),
            place: Slot::default(),
            table: Slot::default(),
            partition: Slot::default(),
            row: Slot::default(),
            ids: Slot::default(),
        };
        let mut is_first = true;
        each_inner_word(meta, WORDS, EXAMPLE, |name, meta| {
            let is_name = std::mem::take(&mut is_first) && !WORDS.contains(&name);
            if is_name && (meta.input.is_empty() || meta.input.peek(Token![,])) {
                lookup.name = meta.path.get_ident().cloned();
                return Ok(lookup.name.is_some());
            }
            lookup.take(name, meta)
        })?;
        Ok(lookup)
    }

    fn take(&mut self, name: &str, meta: &ParseNestedMeta<'_>) -> syn::Result<bool> {
        match name {
            "on" => self.on.set(meta, value(meta, "on = last_name, or on = (last_name, city)")?)?,
            "place" => self.place.set(meta, place(meta)?)?,
            "table" => self.table.set(meta, text(meta, "table = \"EmployeesByLastName\"")?)?,
            "partition" => self.partition.set(meta, text(meta, "partition = \"{last_name}\"")?)?,
            "row" => self.row.set(meta, text(meta, "row = \"lastname_{last_name}\"")?)?,
            "ids" => self.ids.set(meta, text(meta, "ids = \"EmployeeIDs\"")?)?,
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// Returns the name of an argument, if present.
    pub(crate) fn word(&self, name: &str) -> Option<&Ident> {
        match name {
            "table" => self.table.word(),
            "partition" => self.partition.word(),
            "row" => self.row.word(),
            "ids" => self.ids.word(),
            _ => None,
        }
    }

    /// Returns the name without `r#`, or an empty string if it is missing.
    pub(crate) fn name(&self) -> String {
        self.name.as_ref().map(|name| name.unraw().to_string()).unwrap_or_default()
    }
}

fn place(meta: &ParseNestedMeta<'_>) -> syn::Result<LookupPlace> {
    let given: Ident = value(meta, "place = partition")?;
    let name = given.to_string();
    let known = PLACES.iter().find(|(known, _)| *known == name).map(|(_, place)| *place);
    known.ok_or_else(|| {
        let help = match closest(&name, PLACES.map(|(known, _)| known)) {
            Some(near) => format!("did you mean `{near}`?"),
            None => "write place = partition".to_owned(),
        };
        mistake(&given, format!("`{name}` is not a location of lists"), help)
    })
}

impl Parse for Fields {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        if !input.peek(syn::token::Paren) {
            return Ok(Self(vec![input.parse()?]));
        }
        let content;
        parenthesized!(content in input);
        Ok(Self(Punctuated::<Ident, Token![,]>::parse_terminated(&content)?.into_iter().collect()))
    }
}
