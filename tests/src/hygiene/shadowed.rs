//! A module that redefines the names of the standard prelude.

use storage::{
    Date,
    prelude::{Projection, TableEntity, TableUnion, TableValue},
};

/// Not the standard one.
pub type Result = ();
/// Not the standard one.
pub type Box = ();
/// Not the standard one.
pub type Vec = ();
/// Not the standard one.
#[derive(Debug)]
pub struct Option;
/// Not the standard one.
#[derive(Debug)]
pub struct String;
/// Not the standard one.
#[allow(non_upper_case_globals)]
pub const Some: () = ();
/// Not the standard one.
#[allow(non_upper_case_globals)]
pub const None: () = ();
/// Not the standard one.
#[allow(non_snake_case)]
pub const fn Ok() {}
/// Not the standard one.
#[allow(non_snake_case)]
pub const fn Err() {}
/// Not the standard one.
pub trait From {}
/// Not the standard one.
pub trait Into {}
/// Not the standard one.
pub trait Clone {}
/// Not the standard one.
pub trait AsRef {}
/// Not the standard one.
pub trait Default {}
/// Not the standard modules.
pub mod core {}
/// Not the standard modules.
pub mod std {}
/// Not the facade.
pub mod table_patterns {}
/// Not the runtime's.
pub mod key {}

/// An entity in this module.
#[derive(TableEntity, ::core::clone::Clone, Debug, PartialEq)]
#[table(crate = ::storage, name = "Shadowed", partition = "{partition}", row = "row_{id:06}")]
pub struct Entity {
    /// In the PartitionKey.
    pub partition: ::std::string::String,
    /// In the RowKey.
    pub id: u32,
    /// A property.
    pub day: ::std::option::Option<Date>,
    /// A property.
    pub bytes: ::std::vec::Vec<u8>,
    /// Not stored.
    #[table(skip)]
    pub cached: u32,
    /// A property.
    #[table(default)]
    pub later: i32,
    /// A property.
    #[table(json)]
    pub list: ::std::vec::Vec<i32>,
}

/// A part of it.
#[derive(Projection, ::core::clone::Clone, Debug, PartialEq)]
#[table(crate = ::storage, of = Entity)]
pub struct Part {
    /// From the key.
    pub id: u32,
    /// A property.
    pub later: i32,
}

/// All in its partition.
#[derive(TableUnion, ::core::clone::Clone, Debug)]
#[table(crate = ::storage, partition = "{partition}", unknown = error)]
pub enum Union {
    /// An entity.
    Entity(::storage::Stored<Entity>),
}

/// By name.
#[derive(TableValue, ::core::clone::Clone, Copy, Debug, PartialEq)]
#[table(crate = ::storage)]
pub enum Name {
    /// One.
    One,
}

/// By discriminant.
#[derive(TableValue, ::core::clone::Clone, Copy, Debug, PartialEq)]
#[table(crate = ::storage, repr = int)]
pub enum Number {
    /// One.
    One = 1,
}
