//! Patches that aggregates do not support.

use crate::{
    Error,
    core::copies::copied_property,
    write::{Patched, Write, properties},
};

/// Checks that a patch may set its properties.
///
/// # Errors
/// Returns [`Error::CopiedElsewhere`] if a patch of an entity that was not read sets a copied property, and
/// [`Error::DecidesSink`] if a patch sets a property that is part of the key of a target.
pub(super) fn check(patch: &Patched<'_>, write: &Write) -> Result<(), Error> {
    let (Some(design), Some(properties)) = (write.design, properties(&write.operation)) else {
        return Ok(());
    };
    let (entity, sets) = (design.name, |name: &str| properties.get(name).is_some());
    let copied = copied_property(design, sets).filter(|_| patch.loaded.is_none());
    if let Some((property, sink)) = copied {
        return Err(Error::CopiedElsewhere { entity, property, sink: sink.name });
    }
    for feed in design.feeds {
        let sink = (feed.sink)();
        let stored = sink.key.iter().filter_map(|field| design.property_of(field.field));
        if let Some(property) = stored.map(|stored| stored.name).find(|name| sets(name)) {
            return Err(Error::DecidesSink { entity, property, sink: sink.name });
        }
    }
    Ok(())
}
