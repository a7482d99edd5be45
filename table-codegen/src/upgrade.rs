//! Conversion of a file to the current format.

use table_designs::schema::FORMAT;
use toml_edit::{DocumentMut, Item, value};

use crate::{Diagnostics, read};

/// Converts a file to the current format. Comments, order and spaces are preserved, as are names that start with `x-`.
/// Only required changes are made.
///
/// Only one format exists, so a valid file is returned unchanged.
///
/// ```
/// let text = "tables = 1 # the first\ndesign = \"a\"\nx-owner = \"us\"\n";
/// assert_eq!(table_codegen::upgrade(text, "a.toml")?, text);
/// # Ok::<(), table_codegen::Diagnostics>(())
/// ```
///
/// # Errors
///
/// Returns all diagnostics of the file: an invalid file is not rewritten.
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
