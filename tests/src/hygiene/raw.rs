//! Keywords as names: the stored name is without `r#`.

use storage::prelude::*;

/// Keywords in keys and properties.
#[derive(TableEntity, Clone, Debug, PartialEq)]
#[table(crate = storage, name = "Raw", partition = "{type}", row = "{fn:04}")]
pub struct Keywords {
    /// In the PartitionKey.
    pub r#type: String,
    /// In the RowKey.
    pub r#fn: u16,
    /// A property.
    pub r#match: i32,
    /// A property in another case.
    #[table(rename = "Async")]
    pub r#async: Option<bool>,
}

/// A keyword as the name of a type.
#[allow(non_camel_case_types)]
#[derive(TableEntity, Clone, Debug, PartialEq)]
#[table(crate = storage, name = "Raw", partition = "{r}", row = "{id:04}")]
#[table(names(key = YieldKey, patch = YieldPatch, fields = YieldFields))]
pub struct r#yield {
    /// In the PartitionKey.
    pub r: String,
    /// In the RowKey.
    pub id: u16,
}

/// Keywords as variants.
#[derive(TableValue, KeyPart, Clone, Copy, Debug, PartialEq, Eq)]
#[table(crate = storage, rename_all = "lowercase")]
pub enum Word {
    /// A keyword in small letters.
    Self_,
    /// Another.
    Async,
}
