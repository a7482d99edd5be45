//! The header line of a CSV file.

use std::collections::HashMap;

use table_model::{Name, name};

use super::{TYPE, records::Fields};
use crate::shown::shown;

/// The positions of the columns that form an entity.
#[derive(Debug)]
pub(super) struct Header {
    pub(super) partition_key: usize,
    pub(super) row_key: usize,
    /// The properties in column order.
    pub(super) properties: Vec<Property>,
    /// The number of columns.
    pub(super) columns: usize,
}

/// The columns of a property.
#[derive(Debug)]
pub(super) struct Property {
    pub(super) name: Name,
    pub(super) value: usize,
    /// The type column. `None` if the file has no types; all values are then strings.
    pub(super) edm_type: Option<usize>,
}

impl Header {
    /// Reads the header. Columns may be in any order. System properties are skipped: `Timestamp`, and the version,
    /// which is `odata.etag` or an `etag` column without a type.
    pub(super) fn read(fields: &Fields<'_>) -> Result<Self, String> {
        let mut places: HashMap<&str, usize> = HashMap::new();
        for (at, column) in fields.iter().enumerate() {
            let column = column.ok_or("it is not UTF-8")?.trim();
            if places.insert(column, at).is_some() {
                return Err(format!("`{}` stands twice", shown(column)));
            }
        }
        let place = |column: &str| places.get(column).copied();
        let key = |column: &str| place(column).ok_or_else(|| format!("there is no column `{column}`"));
        let (partition_key, row_key) = (key("PartitionKey")?, key("RowKey")?);
        let mut properties = Vec::new();
        for column in fields.iter().flatten().map(str::trim) {
            if let Some(of) = column.strip_suffix(TYPE) {
                if place(of).is_none() {
                    return Err(format!("`{}` is the type of no column", shown(column)));
                }
                continue;
            }
            let edm_type = place(&format!("{column}{TYPE}"));
            let is_version =
                edm_type.is_none() && column.eq_ignore_ascii_case("etag") || column == "odata.etag";
            if is_version || name::SYSTEM.contains(&column) {
                continue;
            }
            name::check(column)
                .map_err(|error| format!("`{}`: {}", shown(column), error.code().message()))?;
            let value = place(column).unwrap_or_default();
            properties.push(Property { name: column.to_owned().into(), value, edm_type });
        }
        Ok(Self { partition_key, row_key, properties, columns: fields.len() })
    }
}
