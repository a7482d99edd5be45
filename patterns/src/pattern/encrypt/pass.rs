//! Encryption of properties before they are sent.

use table_model::{EdmType, Name, Properties, Value, limits::BINARY_BYTES};

use crate::{
    Error, Tables, ValueError,
    core::{
        encryption::{DecryptError, Secrets},
        error::PropertyValueError,
        place::Place,
    },
    design::Design,
    write::{Change, Patched, Pattern, States, Write, properties_mut},
};

impl Tables {
    /// Sets the times of a write and encrypts its properties, separately for each row that stores them. A second call has
    /// no effect.
    pub(crate) fn seal(&self, write: &mut Write) -> Result<(), Error> {
        self.stamp(write);
        let Some(secrets) = write.change_mut::<Secrets>() else { return Ok(()) };
        let secrets = std::mem::replace(secrets, Secrets::None);
        if matches!(secrets, Secrets::None) {
            return Ok(());
        }
        let Write { table, operation, changes, .. } = write;
        let copies = changes.iter_mut().flat_map(|change| change.copies());
        for operation in std::iter::once(operation).chain(copies) {
            let (partition_key, row_key) =
                (operation.partition_key().to_owned(), operation.row_key().to_owned());
            let place = Place { table: table.as_str(), partition_key: &partition_key, row_key: &row_key };
            if let Some(properties) = properties_mut(operation) {
                self.seal_row(secrets, place, properties)?;
            }
        }
        Ok(())
    }

    /// Decrypts the properties of a row and encrypts them for another row. Fails if a property cannot be decrypted.
    pub(crate) fn reseal_row(
        &self,
        design: &'static Design,
        from: Place<'_>,
        to: Place<'_>,
        properties: &mut Properties,
    ) -> Result<(), Error> {
        for name in design.encrypted {
            let Some(stored) = properties.get(name) else { continue };
            let opened = match self.sealing() {
                Some(sealing) => sealing.open(from, name, stored.as_ref()),
                None => Err(DecryptError::NoKeys),
            };
            let opened = opened.map_err(|reason| PropertyValueError {
                entity: design.name,
                property: (*name).to_owned(),
                reason: ValueError::Encrypted(reason),
            })?;
            properties.set(*name, opened);
        }
        self.seal_row(Secrets::of(design), to, properties)
    }

    /// Encrypts the properties of a row at `place`. Without keys, this fails only if there are properties to encrypt.
    pub(crate) fn seal_row(
        &self,
        secrets: Secrets,
        place: Place<'_>,
        properties: &mut Properties,
    ) -> Result<(), Error> {
        let sealing = self.sealing();
        let (entity, names): (_, Vec<Name>) = match secrets {
            Secrets::None => return Ok(()),
            Secrets::Of(design) => {
                (design.name, design.encrypted.iter().map(|name| Name::from(*name)).collect())
            }
            Secrets::Resolved => {
                let is_sealed = |name: &Name| sealing.is_some_and(|sealing| sealing.resolves(place, name));
                ("Entity", properties.iter().map(|(name, _)| name.clone()).filter(is_sealed).collect())
            }
        };
        for name in names {
            let Some(value) = properties.get(&name) else { continue };
            let Some(sealing) = sealing else {
                let (property, reason) = (name.into_owned(), ValueError::Encrypted(DecryptError::NoKeys));
                return Err(PropertyValueError { entity, property, reason }.into());
            };
            let sealed = sealing.seal(self.tokens().nonce()?, place, &name, value);
            let sealed = sealed.map_err(ValueError::Encrypted).and_then(|sealed| {
                let (holder, length, limit) = (EdmType::Binary, sealed.len(), BINARY_BYTES);
                let fits = length <= limit;
                fits.then_some(sealed).ok_or(ValueError::TooLong {
                    holder,
                    length,
                    limit,
                    is_encrypted: true,
                })
            });
            let sealed =
                sealed.map_err(|reason| PropertyValueError { entity, property: name.to_string(), reason })?;
            properties.set(name, Value::Binary(sealed));
        }
        Ok(())
    }
}

/// The pattern of encrypted properties.
#[derive(Debug)]
pub(crate) struct Encryption;

impl Pattern for Encryption {
    fn plan(&self, _states: &mut States<'_>, write: &mut Write) -> Result<(), Error> {
        write.add(Secrets::of_entity(write.design));
        Ok(())
    }

    fn patch(&self, _patch: &mut Patched<'_>, write: &mut Write) -> Result<(), Error> {
        write.add(Secrets::of_entity(write.design));
        Ok(())
    }
}

impl Change for Secrets {
    fn boxed(&self) -> Box<dyn Change> {
        Box::new(*self)
    }
}
