use table_model::{OperationKind, Properties, RowRef};

use super::{read, write};
use crate::{
    Address, Error, Pending, Tables,
    core::{layout::Layout, older, reserved::ENTITY_TYPE, row::open, row_versions::RowVersions, stamps},
    write::{Intent, Late, Write},
};

/// A write that depends on the existing parts. It reads the head, and succeeds only if the head is unchanged since.
#[derive(Clone, Debug)]
pub(crate) struct Verb {
    layout: Layout,
    address: Address,
    form: Form,
    /// `true` if the rows are not read to check their version.
    is_blind: bool,
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
    const fn new(layout: Layout, address: Address, form: Form) -> Self {
        Self { layout, address, form, is_blind: false }
    }

    pub(super) const fn delete(layout: Layout, address: Address) -> Self {
        Self::new(layout, address, Form::Delete)
    }

    fn write(&self, found: Option<&RowVersions>) -> Result<Write, Error> {
        let Self { layout, address, form, .. } = self;
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

impl Late for Verb {
    fn boxed(&self) -> Box<dyn Late> {
        Box::new(self.clone())
    }

    fn address(&self) -> &Address {
        &self.address
    }

    fn operation(&self) -> (OperationKind, &'static str) {
        let operation = match self.form {
            Form::Replace(_) => OperationKind::Replace,
            Form::Upsert(_) => OperationKind::InsertOrReplace,
            Form::Merge(_) => OperationKind::Merge,
            Form::UpsertMerge(_) => OperationKind::InsertOrMerge,
            Form::Delete => OperationKind::Delete,
        };
        (operation, self.layout.design().name)
    }

    fn first(&self) -> Result<Option<Write>, Error> {
        match &self.form {
            Form::Merge(_) | Form::UpsertMerge(_)
                if self.layout.design().checks_version() && !self.is_blind =>
            {
                Ok(None)
            }
            Form::Merge(properties) | Form::UpsertMerge(properties) => {
                write::merge_blindly(self.layout, &self.address, properties)
            }
            Form::Replace(_) | Form::Upsert(_) | Form::Delete => Ok(None),
        }
    }

    fn resolve<'a>(&'a self, tables: &'a Tables) -> Pending<'a, (Write, bool)> {
        Box::pin(async move {
            if matches!(self.form, Form::Replace(_) | Form::Upsert(_)) {
                let found = read::versions(tables, self.layout, &self.address).await?;
                return Ok((self.write(found.as_ref())?, found.is_some()));
            }
            let select = ["PartitionKey".into(), "RowKey".into(), ENTITY_TYPE.into(), stamps::ALL.into()];
            let rows = tables.read(&self.address, Some(&select)).await?;
            let found = rows.get(0).map(|row| self.versions(row)).transpose()?;
            let was_found = found.is_some();
            self.write(found.as_ref()).map(|write| (write, was_found))
        })
    }
}

impl Verb {
    /// Returns the versions that a head names.
    ///
    /// # Errors
    /// Returns an error if the head is a row of another type or of a newer version, and for a patch of an older version.
    fn versions(&self, head: RowRef<'_>) -> Result<RowVersions, Error> {
        let design = self.layout.design();
        open(design, head)?;
        if older::writer(design, head).is_some() && !matches!(self.form, Form::Delete) {
            return Err(Error::OlderVersion { address: Box::new(self.address.clone()) });
        }
        // A head without a stamp list was written by another program and refers to no parts.
        let stamps = stamps::listed(head.properties).unwrap_or_default();
        Ok(RowVersions::of_head(head.etag.clone(), stamps))
    }
}

impl Intent {
    pub(crate) fn wide_replace(layout: Layout, address: Address, properties: Properties) -> Self {
        Self::Late(Box::new(Verb::new(layout, address, Form::Replace(properties))))
    }

    pub(crate) fn wide_upsert(layout: Layout, address: Address, properties: Properties) -> Self {
        Self::Late(Box::new(Verb::new(layout, address, Form::Upsert(properties))))
    }

    pub(crate) fn wide_merge(
        layout: Layout,
        address: Address,
        properties: Properties,
        is_blind: bool,
    ) -> Self {
        let verb = Verb::new(layout, address, Form::Merge(properties));
        Self::Late(Box::new(Verb { is_blind, ..verb }))
    }

    pub(crate) fn wide_upsert_merge(
        layout: Layout,
        address: Address,
        properties: Properties,
        is_blind: bool,
    ) -> Self {
        let verb = Verb::new(layout, address, Form::UpsertMerge(properties));
        Self::Late(Box::new(Verb { is_blind, ..verb }))
    }
}

impl Write {
    /// Creates the write that merges a patch of a wide entity that was read.
    pub(crate) fn wide_merge(
        layout: Layout,
        address: &Address,
        properties: Properties,
        old: &RowVersions,
    ) -> Result<Self, Error> {
        write::merge(layout, address, properties, old)
    }
}
