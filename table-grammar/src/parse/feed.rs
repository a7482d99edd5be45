//! Input of `counted_in(Department::employees, when = is_active)`, `summed_in(Department::ages, of = age)`,
//! `copied_to(Department::manager, when = is_manager)`.

use syn::{Ident, Path, ext::IdentExt, meta::ParseNestedMeta};
use table_schema::{static_design::Aggregate, suggest::closest};

use crate::{
    errors::mistake,
    parse::attribute::{Slot, value, word},
};

/// A contribution to a field of another entity.
#[derive(Debug)]
pub(crate) struct FeedInput {
    /// The name of the argument.
    pub(crate) word: Ident,
    pub(crate) by: Aggregate,
    /// The target entity.
    pub(crate) sink: Path,
    /// The field of the target entity.
    pub(crate) field: Ident,
    pub(crate) of: Slot<Ident>,
    pub(crate) when: Slot<Path>,
}

impl FeedInput {
    pub(crate) fn read(meta: &ParseNestedMeta<'_>, by: Aggregate) -> syn::Result<Self> {
        let word = word(meta)?;
        let example = by.example();
        let needs = || mistake(&word, format!("`{word}` needs a field"), format!("write {example}"));
        if !meta.input.peek(syn::token::Paren) {
            return Err(needs());
        }
        let (mut place, mut of, mut when) = (None, Slot::default(), Slot::default());
        meta.parse_nested_meta(|meta| {
            if place.is_none() {
                place = Some(split(&meta.path).ok_or_else(|| no_field(&meta.path, example))?);
                return Ok(());
            }
            match meta.path.get_ident().map(ToString::to_string).as_deref() {
                Some("of") => of.set(&meta, value(&meta, "of = age")?),
                Some("when") => when.set(&meta, value(&meta, "when = is_active")?),
                other => {
                    let shown = other.unwrap_or("this");
                    let near = closest(shown, ["of", "when"]).map(|near| format!("did you mean `{near}`?"));
                    let help = near.unwrap_or_else(|| format!("write {example}"));
                    Err(mistake(&meta.path, format!("`{shown}` is not an argument of `{word}`"), help))
                }
            }
        })?;
        let (sink, field) = place.ok_or_else(needs)?;
        Ok(Self { word, by, sink, field, of, when })
    }

    /// Returns the type name of the target entity.
    pub(crate) fn sink_name(&self) -> String {
        self.sink.segments.last().map(|last| last.ident.unraw().to_string()).unwrap_or_default()
    }
}

/// Splits a path into a type and a field.
fn split(path: &Path) -> Option<(Path, Ident)> {
    let mut segments = path.segments.iter().cloned();
    let field = segments.next_back()?;
    let sink = Path { leading_colon: path.leading_colon, segments: segments.collect() };
    (!sink.segments.is_empty()).then_some((sink, field.ident))
}

fn no_field(path: &Path, example: &str) -> syn::Error {
    mistake(path, "this is not a field of another entity", format!("write {example}"))
}
