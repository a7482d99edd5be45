//! A file of an older format, brought to the present one in its place.

use table_schema::schema::FORMAT;
use toml_edit::{DocumentMut, Item, value};

use crate::{Diagnostics, read};

/// The text in the present format. Comments, order and spaces stay, and so do names that begin with `x-`: what does not
/// have to change does not.
///
/// There is one format so far, so a file without mistakes is given back as it is.
///
/// ```
/// let text = "tables = 1 # the first\ndesign = \"a\"\nx-owner = \"us\"\n";
/// assert_eq!(table_codegen::upgrade(text, "a.toml")?, text);
/// # Ok::<(), table_codegen::Diagnostics>(())
/// ```
///
/// # Errors
///
/// All mistakes of the file: what cannot be read is not rewritten.
pub fn upgrade(text: &str, name: &str) -> Result<String, Diagnostics> {
    read(text, name)?;
    let Ok(mut document) = text.parse::<DocumentMut>() else { return Ok(text.to_owned()) };
    if let Some(Item::Value(version)) = document.get_mut("tables")
        && version.as_integer().is_some_and(|version| version < FORMAT)
    {
        let decor = version.decor().clone();
        if let Ok(mut present) = value(FORMAT).into_value() {
            *present.decor_mut() = decor;
            *version = present;
        }
    }
    Ok(document.to_string())
}
