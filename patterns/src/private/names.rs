pub use std::{
    assert,
    borrow::Cow,
    clone::Clone,
    convert::{AsRef, From},
    default::Default,
    marker::PhantomData,
    ops::FnOnce,
    option::Option::{self, None, Some},
    result::Result::{self, Err, Ok},
    string::String,
    vec::Vec,
};

pub use crate::{
    Address, Error, FanOutRows, FanOutScan, Filterable, FromRow, MultiPoint, PartitionScan, PointQuery,
    Projection, RangeQuery, Rows, TableUnion, TableValue, Unknown, ValueError,
    core::key::{self, KeyValue, hole::TemplateField},
};
