//! The declaration of a design: everything that its struct or its design file states.

use super::{Design, NestedProperty, StoredType, ValueKind};
use crate::design::{CopiedFields, EntityDesign, EntityTypeRule, FieldDesign, FieldKind, PartOf, RequiredIf};

/// Where the declaration of a design is. No other public type has these names: the compiler shows the path of a type with
/// an ambiguous name, such as the state `Loaded` of a patch.
#[derive(Clone, Copy, Debug)]
pub enum Declaration {
    /// In the code that a derive generated.
    InCode(fn(&mut EntityDesign)),
    /// In a design that was loaded at run time.
    InMemory(&'static EntityDesign),
}

impl Design {
    /// Returns the design as it is declared. The layout follows from it: [`Design::of`] computes the same layout.
    ///
    /// A field whose type the attributes do not determine, such as a newtype, has the kind that the compiler knows. The
    /// fields of a nested struct are fields of the entity, as they are stored: `address.city` is `address_city`.
    pub fn declared(&self) -> EntityDesign {
        match self.declaration {
            Declaration::InMemory(design) => design.clone(),
            Declaration::InCode(declare) => {
                let mut design =
                    EntityDesign { entity_type: EntityTypeRule::Always, ..EntityDesign::new(self.name) };
                declare(&mut design);
                design
            }
        }
    }
}

impl FieldDesign {
    /// Creates a field whose type only the compiler knows.
    pub fn stored(name: &str, stored: StoredType) -> Self {
        Self { optional: stored.optional, ..Self::new(name, stored.kind.into()) }
    }

    /// Sets the maximum length of its values.
    #[must_use]
    pub fn at_most(mut self, most: usize) -> Self {
        if let FieldKind::Text { max } | FieldKind::Binary { max } | FieldKind::Json { max } = &mut self.kind
        {
            *max = Some(most);
        }
        self
    }

    /// Creates a field of a key whose type states its kind, or does not.
    pub fn in_key(name: &str, kind: Option<ValueKind>) -> Self {
        Self::new(name, kind.map_or(FieldKind::Unknown, FieldKind::from))
    }
}

impl EntityDesign {
    /// Adds the fields of a nested struct, and replaces its name in the indexes, which are complete.
    pub fn flatten(&mut self, field: &str, property: &str, rust_type: &str, inner: &[NestedProperty]) {
        let tag = inner.first().map(|tag| format!("{property}_{}", tag.stored.name)).unwrap_or_default();
        let fields = inner.iter().map(|inner| {
            let kind = match (inner.stored.kind, inner.max) {
                (ValueKind::Text, max) => FieldKind::Text { max },
                (kind, _) => kind.into(),
            };
            let required = || RequiredIf::new(tag.as_str(), inner.required_in.iter().copied());
            FieldDesign {
                property: format!("{property}_{}", inner.stored.name),
                optional: inner.stored.optional || !inner.required_in.is_empty(),
                required_if: (!inner.required_in.is_empty()).then(required),
                part_of: Some(PartOf {
                    field: field.to_owned(),
                    rust_type: rust_type.to_owned(),
                    inner: inner.field.to_owned(),
                }),
                default: inner
                    .has_default
                    .then(|| inner.default_function.unwrap_or(FieldDesign::DEFAULT_OF_TYPE).to_owned()),
                ..FieldDesign::new(format!("{field}_{}", inner.field), kind)
            }
        });
        let fields: Vec<FieldDesign> = fields.collect();
        for index in &mut self.indexes {
            if let CopiedFields::Only(copied) = &mut index.copy
                && let Some(at) = copied.iter().position(|copied| copied == field)
            {
                copied.splice(at..=at, fields.iter().map(|field| field.name.clone()));
            }
        }
        self.fields.extend(fields);
    }
}
