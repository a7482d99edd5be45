//! The resolved entity: the model for code generation.

use syn::{Ident, Path, Type, Visibility};
use table_schema::{
    static_design::Aggregate,
    template::{Shape, Template},
};

use crate::{
    resolve::newtype::KeyTrait,
    types::{Named, TypeName},
};

/// A resolved entity.
#[derive(Debug)]
pub(crate) struct Entity {
    pub(crate) facade: Option<Path>,
    pub(crate) visibility: Visibility,
    pub(crate) ident: Ident,
    /// The identifier without `r#`.
    pub(crate) name: String,
    pub(crate) companions: Companions,
    pub(crate) methods: Methods,
    pub(crate) table: String,
    pub(crate) partition: Key,
    pub(crate) row: Key,
    pub(crate) fields: Vec<Field>,
    pub(crate) indexes: Vec<Index>,
    /// The contributions to other entities.
    pub(crate) feeds: Vec<Feed>,
    /// The template of the table names, for per-period tables.
    pub(crate) tables: Option<Template>,
    /// The source of `{shard}`: the name of a field, and the number of shards.
    pub(crate) shard: Option<(String, u32)>,
    /// The value of `EntityType` in stored rows.
    pub(crate) written_type: Option<String>,
    pub(crate) aliases: Vec<String>,
    /// The struct of the previous version.
    pub(crate) older: Option<Path>,
    pub(crate) may_scan_table: bool,
    /// The archive table.
    pub(crate) archive: Option<String>,
    /// Maximum number of user properties in a row.
    pub(crate) most_properties: usize,
    /// Maximum number of user properties in a row of a wide entity, which is split over several rows.
    pub(crate) wide: Option<usize>,
    /// `true` if the input has errors. The generated code then keeps its signatures, so that the rest of the crate
    /// compiles, but requires no traits: the compiler would only repeat the errors.
    pub(crate) is_stub: bool,
}

/// The names of the companion types.
#[derive(Debug)]
pub(crate) struct Companions {
    pub(crate) key: Ident,
    pub(crate) patch: Ident,
    pub(crate) fields: Ident,
}

/// The names of the functions of the entity.
#[derive(Debug)]
pub(crate) struct Methods {
    pub(crate) point: Ident,
    pub(crate) rows: Ident,
    pub(crate) patch: Ident,
    pub(crate) scan_partition: Ident,
}

/// A key template with resolved types.
#[derive(Debug)]
pub(crate) struct Key {
    pub(crate) template: Template,
    /// The template fields, in order: the index of each struct field, and whether the struct field is read back from
    /// it.
    pub(crate) holes: Vec<Hole>,
}

/// A template field and its struct field.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Hole {
    /// `None` for the shard and the part number, which are not struct fields.
    pub(crate) field: Option<usize>,
    /// `true` if the struct field is read back from this template field. Each struct field in the key has exactly one
    /// such template field.
    pub(crate) reads: bool,
}

/// A resolved index.
#[derive(Debug)]
pub(crate) struct Index {
    /// The function that queries a single row, and the function that queries the rows of a partition.
    pub(crate) name: Ident,
    pub(crate) rows: Ident,
    /// `true` if a key identifies one entity.
    pub(crate) is_point: bool,
    pub(crate) table: String,
    pub(crate) partition: Key,
    pub(crate) row: Key,
    /// `true` if its rows are in the partition of the entity.
    pub(crate) near: bool,
    pub(crate) unique: bool,
    /// The type of its rows if they contain only some fields.
    pub(crate) copy: Option<Ident>,
    /// The fields in its rows.
    pub(crate) copied: Vec<usize>,
    /// The copied fields that the entity row does not store as properties: parts of its key.
    pub(crate) own: Vec<usize>,
    pub(crate) when: Option<When>,
    /// The lookup of the index, if any: then its rows are the members of lists.
    pub(crate) lookup: Option<Lookup>,
}

/// The lists of a lookup.
#[derive(Debug)]
pub(crate) struct Lookup {
    /// The RowKey prefix of one list.
    pub(crate) list: Key,
    /// The property of the list row that contains the members.
    pub(crate) ids: Option<String>,
    pub(crate) in_blobs: bool,
}

/// The contributions to one target entity.
#[derive(Debug)]
pub(crate) struct Feed {
    /// The type name of the target entity.
    pub(crate) name: String,
    pub(crate) sink: Path,
    pub(crate) totals: Vec<Total>,
}

/// A contribution to one field of the target entity.
#[derive(Debug)]
pub(crate) struct Total {
    pub(crate) by: Aggregate,
    /// The field of the target entity.
    pub(crate) field: Ident,
    /// The source field.
    pub(crate) of: Option<usize>,
    pub(crate) when: Option<When>,
}

/// The condition for entities of an index or an aggregate.
#[derive(Debug)]
pub(crate) enum When {
    /// This field is true.
    Field(usize),
    /// This method of the entity returns `true`.
    Method(Ident),
    /// This function returns `true`.
    Function(Path),
}

/// The kind of patch that may set a field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Setter {
    /// Any patch: no other row repeats the field.
    Any,
    /// Only a patch of a loaded entity: index rows repeat the field.
    Loaded,
    /// No patch: the field determines the location of rows.
    None,
}

/// A resolved field.
#[derive(Debug)]
pub(crate) struct Field {
    pub(crate) ident: Ident,
    /// The identifier without `r#`.
    pub(crate) name: String,
    pub(crate) ty: Type,
    /// The trait that the key of the entity requires.
    pub(crate) key: Option<KeyTrait>,
    /// The trait that the key of the entity, or of an index, requires.
    pub(crate) hole: Option<KeyTrait>,
    /// The name of its property, wherever it is stored as one.
    pub(crate) property_name: String,
    /// `true` if functions accept it as `impl AsRef<str>`.
    pub(crate) is_string: bool,
    pub(crate) storage: Storage,
    /// `true` for an `Option`, which is stored as a missing property; for a series, `true` if its slots are optional.
    pub(crate) optional: bool,
    /// The parameter type of a setter: the type of the field or of a slot, without its `Option`.
    pub(crate) inner: Type,
}

/// The storage of a field.
#[derive(Debug)]
pub(crate) enum Storage {
    /// Only in the key.
    Key,
    /// In the key, and in a property with the same value.
    KeyAndProperty(Property),
    /// In a property.
    Property(Property),
    /// Not stored.
    Skipped,
}

/// A property.
#[derive(Debug)]
pub(crate) struct Property {
    pub(crate) name: String,
    pub(crate) form: Form,
    pub(crate) or_default: bool,
    /// `true` if the value is encrypted before it is stored.
    pub(crate) is_sealed: bool,
    /// `true` for an aggregated field: writes of the entity do not set it.
    pub(crate) is_fed: bool,
}

/// The content of a property.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    /// A value of its type.
    Plain,
    /// JSON text.
    Json,
    /// A value that may be in a blob. Values up to `inline` bytes are in the property.
    Blob { inline: usize },
    /// A series of slots, each in a separate property, with the number of slots if it is a literal.
    Series(Option<usize>),
}

impl Field {
    /// Returns the type of its template fields. An optional field occurs only in rows that exist because it is set.
    pub(crate) const fn hole_type(&self) -> &Type {
        if self.key.is_some() { &self.ty } else { &self.inner }
    }

    /// Returns `true` if the value may be in a blob.
    pub(crate) fn is_blob(&self) -> bool {
        self.property().is_some_and(|property| matches!(property.form, Form::Blob { .. }))
    }

    /// Returns `true` if each slot is stored in a separate property.
    pub(crate) fn is_series(&self) -> bool {
        self.property().is_some_and(|property| matches!(property.form, Form::Series(_)))
    }

    /// Returns `true` for an aggregated field that may be a copy of several fields: a macro cannot determine whether
    /// its type is a projection.
    pub(crate) fn may_be_copy(&self) -> bool {
        self.optional
            && self.property().is_some_and(|property| property.is_fed)
            && TypeName::of(&self.ty).named == Named::Unknown
    }

    /// Returns `true` if the field is, or may be, stored in several properties.
    pub(crate) fn has_slots(&self) -> bool {
        self.is_series() || self.may_be_copy()
    }

    /// Returns the property of the field.
    pub(crate) const fn property(&self) -> Option<&Property> {
        match &self.storage {
            Storage::Property(property) | Storage::KeyAndProperty(property) => Some(property),
            Storage::Key | Storage::Skipped => None,
        }
    }
}

impl Entity {
    /// Returns `true` if rows with equal partition fields are in several partitions or tables.
    pub(crate) const fn is_spread(&self) -> bool {
        self.tables.is_some() || self.shard.is_some()
    }

    /// Returns the field that determines the period of a table, if any.
    pub(crate) fn period(&self) -> Option<&Field> {
        let mut dates = self.tables.iter().flat_map(Template::holes);
        let hole = dates.find(|hole| matches!(hole.shape, Shape::Date(_)))?;
        self.fields.iter().find(|field| field.name == hole.field)
    }

    /// Iterates over the key fields in the order of the template fields that they are read from.
    pub(crate) fn key_fields(&self) -> impl Iterator<Item = &Field> {
        self.partition
            .holes
            .iter()
            .chain(&self.row.holes)
            .filter_map(|hole| self.fields.get(hole.field?).filter(|_| hole.reads))
    }

    /// Iterates over the fields of a key without duplicates, in template order.
    pub(crate) fn fields_of<'e>(&'e self, key: &'e Key) -> impl Iterator<Item = &'e Field> {
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
    pub(crate) fn setter(&self, number: usize) -> Setter {
        let Some(field) = self.fields.get(number) else { return Setter::None };
        let decides = |when: &When| match when {
            When::Field(field) => *field == number,
            // The fields that a function reads are unknown.
            When::Method(_) | When::Function(_) => true,
        };
        let totals = || self.feeds.iter().flat_map(|feed| &feed.totals);
        let conditions = self.indexes.iter().filter_map(|index| index.when.as_ref());
        let mut conditions = conditions.chain(totals().filter_map(|total| total.when.as_ref()));
        // It is unknown whether a missing value was excluded by the condition or does not count.
        let counts = totals().any(|total| total.of == Some(number) && total.when.is_some());
        if field.hole.is_some()
            || !matches!(field.storage, Storage::Property(_))
            || field.property().is_some_and(|property| property.is_fed)
            || conditions.any(decides)
            || counts
        {
            return Setter::None;
        }
        let is_copied = self.indexes.iter().any(|index| index.copied.contains(&number))
            || totals().any(|total| total.of == Some(number));
        // The previous blob name is required to release the blob.
        if is_copied || field.is_blob() { Setter::Loaded } else { Setter::Any }
    }

    /// Returns the fields of both keys without duplicates, partition first: the parameters of a point query.
    pub(crate) fn point_fields(&self) -> Vec<&Field> {
        let mut fields: Vec<&Field> = self.fields_of(&self.partition).collect();
        for field in self.fields_of(&self.row) {
            if !fields.iter().any(|known| known.name == field.name) {
                fields.push(field);
            }
        }
        fields
    }
}
