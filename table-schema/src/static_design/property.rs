//! Stored properties in a design.

/// A stored property.
#[derive(Debug)]
pub struct Property {
    /// The name of the field.
    pub field: &'static str,
    /// The property name. For a series, a nested struct or fields copied from another entity, the common name prefix.
    pub name: &'static str,
    /// The property names of the slots of a series, of the fields of a nested struct, or of the fields copied from
    /// another entity, starting with the property that identifies the source. Empty for other fields.
    pub slots: &'static [&'static str],
    /// The type of the field, as written.
    pub rust_type: &'static str,
}

impl Property {
    /// Returns the stored names.
    pub const fn names(&self) -> &[&'static str] {
        if self.slots.is_empty() { std::slice::from_ref(&self.name) } else { self.slots }
    }

    /// Formats the name, or the first and the last name. For copied fields, the property that identifies the source is
    /// omitted.
    pub(super) fn shown(&self) -> String {
        let slots = match self.slots {
            [first, copied @ ..] if first.starts_with('_') => copied,
            slots => slots,
        };
        match slots {
            [] => self.name.to_owned(),
            [only] => (*only).to_owned(),
            [first, .., last] => format!("{first}..{last}"),
        }
    }
}
