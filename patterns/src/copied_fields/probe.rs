//! What a field that others keep is: one value, or a copy. A macro sees only the name of its type; here the compiler is
//! asked for the type's traits. What `Fed` has itself, for types that can be copied, goes before what a trait adds to it
//! for all; so a type that is neither is one error, where the field is made.

use std::marker::PhantomData;

use super::{
    CopiedFields, CopyIn,
    names::{Ends, are_plain},
};
use crate::{Field, TableValue};

/// A field of type `T` that others keep.
#[derive(Debug)]
pub struct Fed<T>(PhantomData<T>);

/// A copy.
impl<P: CopiedFields> Fed<Option<P>> {
    /// What the names of its properties end with.
    pub const NAMES: Ends = Some(P::NAMES);
    /// Whether each of its fields can be copied.
    pub const IS_PLAIN: bool = are_plain::<P>();
    /// The field; its names are still to be given.
    pub const FIELD: Copied<P> = Copied(PhantomData);
}

/// What is no copy.
pub trait OneValue {
    /// The field's type.
    type Type;

    /// It has one name, its own.
    const NAMES: Ends = None;
    /// Nothing of it is a copy.
    const IS_PLAIN: bool = true;
    /// The field; its name is still to be given.
    const FIELD: One<Self::Type> = One(PhantomData);
}

impl<T> OneValue for Fed<T> {
    type Type = T;
}

/// A field that holds a copy.
#[derive(Debug)]
pub struct Copied<P>(PhantomData<fn() -> P>);

impl<P: CopiedFields> Copied<P> {
    /// The field of this name, stored under these.
    #[expect(clippy::unused_self, reason = "its type says what the field is")]
    pub const fn named(self, name: &'static str, names: &'static [&'static str]) -> Field<Option<P>> {
        Field::of_copy(name, CopyIn::of(names))
    }
}

/// A field that holds one value.
#[derive(Debug)]
pub struct One<T>(PhantomData<fn() -> T>);

impl<T> One<T> {
    /// The field of this name. The one place where its type is asked to be a property type.
    #[expect(clippy::unused_self, reason = "its type says what the field is")]
    pub const fn named(self, name: &'static str, _names: &'static [&'static str]) -> Field<T>
    where
        T: KeptValue,
    {
        Field::of(name)
    }
}

/// What one property can keep for others.
#[diagnostic::on_unimplemented(
    message = "others cannot keep `{Self}` here",
    label = "neither a property type nor a copy",
    note = "the largest and the smallest are an `Option` of a property type",
    note = "a copy is an `Option` of a projection, #[derive(Projection)], whose fields are each one property that everybody can read"
)]
pub trait KeptValue: TableValue {}

#[diagnostic::do_not_recommend]
impl<T: TableValue> KeptValue for T {}
