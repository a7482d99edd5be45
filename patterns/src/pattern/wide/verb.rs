use table_model::Properties;

use super::{Layout, Versions, stamps, write};
use crate::{Address, Error, Tables, write::Write};

/// A write that depends on the existing parts. It reads the head, and succeeds only if the head is unchanged since.
#[derive(Clone, Debug)]
pub(crate) struct Verb {
    layout: Layout,
    address: Address,
    form: Form,
}

#[derive(Clone, Debug)]
enum Form {
    Replace(Properties),
    Upsert(Properties),
    Merge(Properties),
    UpsertMerge(Properties),
    Delete,
}

impl Verb {
    pub(crate) const fn replace(layout: Layout, address: Address, properties: Properties) -> Self {
        Self { layout, address, form: Form::Replace(properties) }
    }

    pub(crate) const fn upsert(layout: Layout, address: Address, properties: Properties) -> Self {
        Self { layout, address, form: Form::Upsert(properties) }
    }

    pub(crate) const fn merge(layout: Layout, address: Address, properties: Properties) -> Self {
        Self { layout, address, form: Form::Merge(properties) }
    }

    pub(crate) const fn upsert_merge(layout: Layout, address: Address, properties: Properties) -> Self {
        Self { layout, address, form: Form::UpsertMerge(properties) }
    }

    pub(crate) const fn delete(layout: Layout, address: Address) -> Self {
        Self { layout, address, form: Form::Delete }
    }

    /// Returns the address of the head.
    pub(crate) const fn address(&self) -> &Address {
        &self.address
    }

    /// Returns a write that can be sent without reading. A patch within one part needs no head, because the part exists
    /// only if the entity exists. If that row is missing, the operation continues with a read.
    pub(crate) fn first(&self) -> Result<Option<Write>, Error> {
        match &self.form {
            Form::Merge(properties) | Form::UpsertMerge(properties) => {
                write::merge_blindly(self.layout, &self.address, properties)
            }
            Form::Replace(_) | Form::Upsert(_) | Form::Delete => Ok(None),
        }
    }

    /// Reads the head. Returns the write to send, and whether the head exists.
    pub(crate) async fn resolve(&self, tables: &Tables) -> Result<(Write, bool), Error> {
        let select = ["PartitionKey".into(), "RowKey".into(), stamps::ALL.into()];
        let rows = tables.read(&self.address, Some(&select)).await?;
        let found = rows.get(0).map(|row| {
            // A head without a stamp list was written by another program and refers to no parts.
            Versions::of_head(row.etag.clone(), stamps::listed(row.properties).unwrap_or_default())
        });
        let was_found = found.is_some();
        self.write(found.as_ref()).map(|write| (write, was_found))
    }

    fn write(&self, found: Option<&Versions>) -> Result<Write, Error> {
        let Self { layout, address, form } = self;
        match (form, found) {
            (Form::Replace(new) | Form::Upsert(new), Some(old)) => {
                write::over(*layout, address, new.clone(), old)
            }
            (Form::Merge(new) | Form::UpsertMerge(new), Some(old)) => {
                write::merge(*layout, address, new.clone(), old)
            }
            (Form::Delete, Some(old)) => write::delete(*layout, address, old),
            (Form::Upsert(new), None) => write::insert(*layout, address, new.clone()),
            (Form::UpsertMerge(new), None) => write::insert(*layout, address, layout.in_order(new.clone())),
            (Form::Replace(_) | Form::Merge(_) | Form::Delete, None) => {
                Err(Error::NotFound(Box::new(address.clone())))
            }
        }
    }
}
