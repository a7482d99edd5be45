//! An entity with all kinds of indexes: full and partial, unique and not, sparse and conditional; and lists of both
//! kinds.

use table_patterns::prelude::*;

#[derive(TableEntity, Clone, Debug, PartialEq)]
#[table(name = "Staff", partition = "{team}", row = "id_{id:02}")]
#[table(index(by_mail, row = "mail_{mail}", unique))]
#[table(index(by_desk, row = "desk_{desk:02}_{id:02}", sparse, copy(age)))]
#[table(index(leavers, row = "left_{id:02}", when = gone))]
#[table(lookup(by_name, on = name, place = partition))]
#[table(lookup(by_city, on = city, ids = "Ids"))]
pub(crate) struct Staff {
    pub(crate) team: String,
    pub(crate) id: u8,
    pub(crate) mail: String,
    pub(crate) desk: Option<u8>,
    pub(crate) name: String,
    pub(crate) city: Option<String>,
    pub(crate) age: i32,
    pub(crate) gone: bool,
}

impl Staff {
    pub(crate) fn new(id: u8) -> Self {
        Self {
            team: "Blue".into(),
            id,
            mail: format!("m{id}"),
            desk: None,
            name: "Jones".into(),
            city: Some("Oslo".into()),
            age: 30,
            gone: false,
        }
    }
}
