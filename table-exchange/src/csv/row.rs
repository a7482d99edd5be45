//! Conversion of a record to an entity.

use table_model::{Entity, Properties, Value};
use table_rest::wire::value;

use super::{header::Header, records::Fields};
use crate::{Dialect, shown::shown};

/// Converts a record to an entity. A property without a value and a type is absent; an empty string has a type.
pub(super) fn entity(header: &Header, fields: &Fields<'_>) -> Result<Entity, String> {
    if fields.len() != header.columns {
        return Err(format!("it has {} fields, and there are {} columns", fields.len(), header.columns));
    }
    let field = |at| fields.get(at).ok_or_else(|| "it is not UTF-8".to_owned());
    let mut entity = Entity::new(field(header.partition_key)?, field(header.row_key)?);
    let mut properties = Properties::with_capacity(header.properties.len());
    for property in &header.properties {
        let text = field(property.value)?;
        let said = property.edm_type.map_or(Ok(""), field)?;
        if let Some(value) = read(text, said).map_err(|reason| format!("`{}`: {reason}", property.name))? {
            properties.push_new(property.name.clone(), value);
        }
    }
    entity.properties = properties;
    Ok(entity)
}

/// Parses a value of the given type. Without a type, the value is a string.
fn read(text: &str, said: &str) -> Result<Option<Value>, String> {
    match (text, said) {
        ("", "") => Ok(None),
        (text, "") => Ok(Some(text.into())),
        (text, said) => {
            let edm_type = Dialect::read(said).ok_or_else(|| format!("`{}` is no type", shown(said)))?;
            let value = value::parse(edm_type, text);
            let name = Dialect::Plain.name(edm_type);
            value.map(Some).map_err(|_| format!("`{}` is no {name}", shown(text)))
        }
    }
}
