//! Compile-time selection of the kind of a field that other entities maintain: a single value, or a copy. A macro sees
//! only the name of the field's type; here the compiler checks the type's traits. The inherent items of `Fed`, for
//! types that can be copied, take precedence over the trait items for all types. A type that is neither results in one
//! error, at the field.

use std::marker::PhantomData;

use super::CopiedFields;
use crate::{
    Field, Projection, TableEntity, TableValue,
    core::{field::copy_in::CopyIn, joined_names::Ends},
};

/// A field of type `T` that other entities maintain.
#[derive(Debug)]
pub struct Fed<T>(PhantomData<T>);

/// A copy.
impl<P: CopiedFields> Fed<Option<P>> {
    /// Suffixes of the property names.
    pub const NAMES: Ends = Some(P::NAMES);
    /// `true` if each of the fields can be copied.
    pub const IS_PLAIN: bool = are_plain::<P>();
    /// The field, without its names.
    pub const FIELD: Copied<P> = Copied(PhantomData);
}

/// Returns whether every field of a copy is a readable property that the program writes. A field that is maintained
/// for another entity cannot be copied further, and a time is set after the copy was determined.
const fn are_plain<P: CopiedFields>() -> bool {
    let mut rest = P::NAMES;
    while let [name, after @ ..] = rest {
        match name {
            Some(name) if !<<P as Projection>::Of as TableEntity>::DESIGN.is_set_by_library(name) => {}
            _ => return false,
        }
        rest = after;
    }
    true
}

/// A field that is not a copy.
pub trait OneValue {
    /// Type of the field.
    type Type;

    /// `None`: the property has the name of the field.
    const NAMES: Ends = None;
    /// `true`: nothing is copied.
    const IS_PLAIN: bool = true;
    /// The field, without its name.
    const FIELD: One<Self::Type> = One(PhantomData);
}

impl<T> OneValue for Fed<T> {
    type Type = T;
}

/// A field that contains a copy.
#[derive(Debug)]
pub struct Copied<P>(PhantomData<fn() -> P>);

impl<P: CopiedFields> Copied<P> {
    /// Creates the field with this name, stored as properties with these names.
    #[expect(clippy::unused_self, reason = "the type of `self` selects the kind of field")]
    pub const fn named(self, name: &'static str, names: &'static [&'static str]) -> Field<Option<P>> {
        Field::of_copy(name, CopyIn::of(names))
    }
}

/// A field that contains a single value.
#[derive(Debug)]
pub struct One<T>(PhantomData<fn() -> T>);

impl<T> One<T> {
    /// Creates the field with this name. This is the only function that requires its type to be a property type.
    #[expect(clippy::unused_self, reason = "the type of `self` selects the kind of field")]
    pub const fn named(self, name: &'static str, _names: &'static [&'static str]) -> Field<T>
    where
        T: KeptValue,
    {
        Field::of(name)
    }
}

/// A type of value that other entities can maintain in one property.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be maintained from other entities",
    label = "neither a property type nor a copied projection",
    note = "a minimum or maximum has the type `Option` of a property type",
    note = "a copied field has the type `Option` of a projection, #[derive(Projection)], in which each field is a single readable property"
)]
pub trait KeptValue: TableValue {}

#[diagnostic::do_not_recommend]
impl<T: TableValue> KeptValue for T {}

/// Creates a constant with the names of the properties that a field is copied to. Empty for a field that is a single
/// property. Generated code is `__copied!("manager", Option<Manager>)`.
#[doc(hidden)]
#[macro_export]
macro_rules! __copied {
    ($field:literal, $ty:ty) => {
        const {
            #[allow(unused_imports)]
            use $crate::__private::OneValue as _;
            $crate::__joined!($crate::__private::JoinedNames::copied(
                $field,
                <$crate::__private::Fed<$ty>>::NAMES
            ))
        }
    };
}
