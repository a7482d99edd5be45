//! The resolved entity: the model for code generation.

mod feed;
mod field;
mod index;

use syn::{DeriveInput, Ident, Path, Visibility};
use table_schema::{
    design::{EntityDesign, Stamp, TemplateText},
    template::{Shape, Template},
};

use crate::{
    check,
    errors::Errors,
    parse::entity::EntityInput,
    resolve::{build, design, repair},
};

pub use crate::check::Warning;
pub use feed::{Contribution, Total};
pub use field::{Borrow, Field, Form, Property, Storage};
pub use index::{Index, Lookup, When};

/// A resolved entity.
#[derive(Debug)]
pub struct Entity {
    /// The path of the facade crate, if it is not `::table_patterns`.
    pub facade: Option<Path>,
    /// The visibility of the struct.
    pub visibility: Visibility,
    /// The identifier of the struct.
    pub ident: Ident,
    /// The identifier without `r#`.
    pub name: String,
    /// The names of the companion types.
    pub companions: Companions,
    /// The names of the functions.
    pub methods: Methods,
    /// The design. For a stub, its templates are repaired.
    pub design: EntityDesign,
    /// The PartitionKey.
    pub partition: Key,
    /// The RowKey.
    pub row: Key,
    /// The fields, in order.
    pub fields: Vec<Field>,
    /// The indexes, then the lookups.
    pub indexes: Vec<Index>,
    /// The contributions to other entities.
    pub feeds: Vec<Contribution>,
    /// The template of the table names, for per-period tables.
    pub tables: Option<Template>,
    /// The struct of the previous version.
    pub older: Option<Path>,
    /// The function that checks an entity before it is written.
    pub validate: Option<Path>,
    /// Maximum number of user properties in a row.
    pub most_properties: usize,
    /// `true` if the input has errors. The generated code then keeps its signatures, so that the rest of the crate
    /// compiles, but requires no traits: the compiler would only repeat the errors.
    pub is_stub: bool,
    /// The disadvantages of the design, in the order of the rules. A stub has none.
    pub warnings: Vec<Warning>,
}

/// The names of the companion types.
#[derive(Debug)]
pub struct Companions {
    /// The key type.
    pub key: Ident,
    /// The patch type.
    pub patch: Ident,
    /// The type with a descriptor for each field.
    pub fields: Ident,
    /// The borrowed form, if it was requested.
    pub borrowed: Option<Ident>,
}

/// The names of the functions of the entity.
#[derive(Debug)]
pub struct Methods {
    /// The query for one entity.
    pub point: Ident,
    /// The query for the rows of a partition.
    pub rows: Ident,
    /// The patch of one entity.
    pub patch: Ident,
    /// The scan of a partition.
    pub scan_partition: Ident,
}

/// A key template with resolved types.
#[derive(Debug)]
pub struct Key {
    /// The template.
    pub template: Template,
    /// The template fields, in order: the index of each struct field, and whether the struct field is read back from
    /// it.
    pub holes: Vec<TemplateField>,
}

/// A template field and its struct field.
#[derive(Clone, Copy, Debug)]
pub struct TemplateField {
    /// `None` for the shard and the part number, which are not struct fields.
    pub field: Option<usize>,
    /// `true` if the struct field is read back from this template field. Each struct field in the key has exactly one
    /// such template field.
    pub reads: bool,
}

/// The kind of patch that may set a field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Setter {
    /// Any patch: no other row repeats the field.
    Any,
    /// Only a patch of a loaded entity: index rows repeat the field.
    Loaded,
    /// No patch: the field determines the location of rows.
    None,
}

impl Entity {
    /// Reads the input of `#[derive(TableEntity)]`.
    ///
    /// # Errors
    /// Adds each diagnostic to `errors`. Returns a stub if a diagnostic was added, or `None` if the input is not a
    /// struct with named fields, if it is generic, or if it has no usable keys.
    pub fn read(input: DeriveInput, errors: &mut Errors) -> Option<Self> {
        let input = EntityInput::read(input, errors)?;
        let design = design::of(&input);
        let warnings = check::entity(&input, &design, errors);
        if !errors.is_empty() {
            return build::entity(&input, repair::repair(&design), true);
        }
        Some(Self { warnings, ..build::entity(&input, design, false)? })
    }

    /// Returns the table, or the template of the table names as written.
    pub fn table(&self) -> &str {
        self.design.table.as_ref().map_or("", TemplateText::text)
    }

    /// Returns `true` if rows with equal partition fields are in several partitions or tables.
    pub const fn is_spread(&self) -> bool {
        self.tables.is_some() || self.design.shard.is_some()
    }

    /// Returns the field that determines the period of a table, if any.
    pub fn period(&self) -> Option<&Field> {
        let mut dates = self.tables.iter().flat_map(Template::holes);
        let hole = dates.find(|hole| matches!(hole.shape, Shape::Date(_)))?;
        self.fields.iter().find(|field| field.name == hole.field)
    }

    /// Iterates over the key fields in the order of the template fields that they are read from.
    pub fn key_fields(&self) -> impl Iterator<Item = &Field> {
        self.partition
            .holes
            .iter()
            .chain(&self.row.holes)
            .filter_map(|hole| self.fields.get(hole.field?).filter(|_| hole.reads))
    }

    /// Iterates over the fields of a key without duplicates, in template order.
    pub fn fields_of<'e>(&'e self, key: &'e Key) -> impl Iterator<Item = &'e Field> {
        let mut seen = Vec::new();
        key.holes.iter().filter_map(move |hole| {
            if seen.contains(&hole.field) {
                return None;
            }
            seen.push(hole.field);
            self.fields.get(hole.field?)
        })
    }

    /// Returns the kind of patch that may set a field.
    pub fn setter(&self, number: usize) -> Setter {
        let Some(field) = self.fields.get(number) else { return Setter::None };
        if field.hole.is_some()
            || !matches!(field.storage, Storage::Property(_))
            || field.property().is_some_and(|property| property.is_fed || property.stamp.is_some())
            || self.design.roles.iter().any(|(role, name)| role.is_set_by_library() && name == field.name)
            || self.condition(number).is_some()
        {
            return Setter::None;
        }
        let is_in_index = |number: usize| self.indexes.iter().any(|index| index.copied.contains(&number));
        // Every patch changes the time of the last write.
        let is_updated = |field: &Field| field.stamp() == Some(Stamp::Updated);
        let updated = self.fields.iter().position(is_updated);
        let is_copied = is_in_index(number)
            || updated.is_some_and(is_in_index)
            || self.totals().any(|total| total.of == Some(number));
        // The previous blob name is required to release the blob.
        if is_copied || field.is_blob() { Setter::Loaded } else { Setter::Any }
    }

    /// Returns the condition of an index or an aggregate whose result a field may change, if there is one.
    pub fn condition(&self, number: usize) -> Option<&When> {
        let decides = |when: &&When| match when {
            When::Field(field) => *field == number,
            // The fields that a function reads are unknown.
            When::Method(_) | When::Function(_) => true,
        };
        let of_totals = || self.totals().filter_map(|total| Some((total.of, total.when.as_ref()?)));
        let of_indexes = self.indexes.iter().filter_map(|index| index.when.as_ref());
        let mut conditions = of_indexes.chain(of_totals().map(|(_, when)| when));
        // It is unknown whether a missing value was excluded by the condition or does not count.
        let counted = || of_totals().find(|(of, _)| *of == Some(number)).map(|(_, when)| when);
        conditions.find(decides).or_else(counted)
    }

    fn totals(&self) -> impl Iterator<Item = &Total> {
        self.feeds.iter().flat_map(|feed| &feed.totals)
    }

    /// Returns the fields of both keys without duplicates, partition first: the parameters of a point query.
    pub fn point_fields(&self) -> Vec<&Field> {
        let mut fields: Vec<&Field> = self.fields_of(&self.partition).collect();
        for field in self.fields_of(&self.row) {
            if !fields.iter().any(|known| known.name == field.name) {
                fields.push(field);
            }
        }
        fields
    }
}
