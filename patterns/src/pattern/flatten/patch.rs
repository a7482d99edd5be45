use std::fmt;

use table_model::Properties;

use super::{Flattened, TableFields};
use crate::{
    Patch, TableEntity,
    core::{error::property::PropertyError, field::Field},
};

/// A nested struct, whose properties a patch sets one by one.
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "a patch cannot set the enum `{Self}`",
    label = "an enum that is stored as several properties",
    note = "a merge cannot remove the properties of the previous variant; use `update` or `replace`"
)]
pub trait PatchedFields: TableFields {
    /// The setters of the properties in patches of an entity.
    type Patch: From<FieldsPatch<Self::Fields>>;

    /// Returns the changes of a patch.
    fn changes(patch: Self::Patch) -> FieldsPatch<Self::Fields>;
}

/// Changes of properties of a nested struct, with the descriptors `F`: the content of the patch that
/// `#[derive(TableFields)]` generates.
pub struct FieldsPatch<F: 'static> {
    fields: &'static F,
    changes: Result<Properties, PropertyError>,
}

impl<F> FieldsPatch<F> {
    /// Sets a property. An invalid value is reported when the patch of the entity is sent.
    #[doc(hidden)]
    pub fn set<T, Form: 'static>(&mut self, field: fn(&F) -> &Field<T, Form>, value: &T) {
        let field = field(self.fields);
        let Ok(changes) = &mut self.changes else { return };
        match field.value(value) {
            Ok(Some(value)) => changes.set(field.name(), value),
            Ok(None) => {}
            Err(error) => self.changes = Err(error),
        }
    }
}

impl<F> fmt::Debug for FieldsPatch<F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("FieldsPatch").field(&self.changes).finish()
    }
}

impl<E: TableEntity, S> Patch<E, S> {
    /// Sets properties of a nested struct.
    #[doc(hidden)]
    pub fn set_fields<T: PatchedFields>(
        &mut self,
        field: &Flattened<T>,
        set: impl FnOnce(T::Patch) -> T::Patch,
    ) {
        let patch = FieldsPatch { fields: field.fields(), changes: Ok(Properties::new()) };
        self.set_all(T::changes(set(patch.into())).changes);
    }
}
