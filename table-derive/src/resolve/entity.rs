//! An entity with everything decided: what `expand` writes down.

use syn::{Ident, Path, Type, Visibility};
use table_schema::{
    static_design::Aggregate,
    template::{Shape, Template},
};

use crate::{
    resolve::newtype::KeyTrait,
    types::{Named, TypeName},
};

/// An entity as it will be written.
#[derive(Debug)]
pub(crate) struct Entity {
    pub(crate) facade: Option<Path>,
    pub(crate) visibility: Visibility,
    pub(crate) ident: Ident,
    /// The ident without `r#`.
    pub(crate) name: String,
    pub(crate) companions: Companions,
    pub(crate) methods: Methods,
    pub(crate) table: String,
    pub(crate) partition: Key,
    pub(crate) row: Key,
    pub(crate) fields: Vec<Field>,
    pub(crate) indexes: Vec<Index>,
    /// What it keeps in other entities.
    pub(crate) feeds: Vec<Feed>,
    /// The template of the tables' names, where there is one for each period.
    pub(crate) tables: Option<Template>,
    /// What `{shard}` is made of: a field's name, and how many there are.
    pub(crate) shard: Option<(String, u32)>,
    /// What is written as `EntityType`.
    pub(crate) written_type: Option<String>,
    pub(crate) aliases: Vec<String>,
    /// The struct of the version before.
    pub(crate) older: Option<Path>,
    pub(crate) may_scan_table: bool,
    /// The table that it goes to.
    pub(crate) archive: Option<String>,
    /// How many properties of the user's a row can hold.
    pub(crate) most_properties: usize,
    /// How many it holds where the entity is split over several rows.
    pub(crate) wide: Option<usize>,
    /// Whether the input has mistakes. Then what is written keeps its signatures, so that the rest of the crate still
    /// finds them, but asks no type for a trait: the compiler would only repeat the mistakes.
    pub(crate) is_stub: bool,
}

/// The names of the types beside the entity.
#[derive(Debug)]
pub(crate) struct Companions {
    pub(crate) key: Ident,
    pub(crate) patch: Ident,
    pub(crate) fields: Ident,
}

/// The names of the entity's functions.
#[derive(Debug)]
pub(crate) struct Methods {
    pub(crate) point: Ident,
    pub(crate) rows: Ident,
    pub(crate) patch: Ident,
    pub(crate) scan_partition: Ident,
}

/// A key template with its types known.
#[derive(Debug)]
pub(crate) struct Key {
    pub(crate) template: Template,
    /// For each hole, in order: the field's place among the fields, and whether this is the hole that the field is read
    /// back from.
    pub(crate) holes: Vec<Hole>,
}

/// A hole and its field.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Hole {
    /// None of the shard and the part, which are no fields.
    pub(crate) field: Option<usize>,
    /// Whether the field is read back from this hole; each field of the key is from one.
    pub(crate) reads: bool,
}

/// An index as it will be written.
#[derive(Debug)]
pub(crate) struct Index {
    /// The function that asks for one row, and the one that asks for those of a partition.
    pub(crate) name: Ident,
    pub(crate) rows: Ident,
    /// Whether a key leads to one entity.
    pub(crate) is_point: bool,
    pub(crate) table: String,
    pub(crate) partition: Key,
    pub(crate) row: Key,
    /// Whether its rows are in the entity's partition.
    pub(crate) near: bool,
    pub(crate) unique: bool,
    /// The type of its rows where they hold only some fields.
    pub(crate) copy: Option<Ident>,
    /// The fields that its rows hold.
    pub(crate) copied: Vec<usize>,
    /// Those of them that the entity's own row does not store: parts of its key.
    pub(crate) own: Vec<usize>,
    pub(crate) when: Option<When>,
    /// What makes it a lookup: its rows are the members of lists.
    pub(crate) lookup: Option<Lookup>,
}

/// The lists of a lookup.
#[derive(Debug)]
pub(crate) struct Lookup {
    /// What the RowKeys of one list begin with.
    pub(crate) list: Key,
    /// The property of a list's own row that holds its members.
    pub(crate) ids: Option<String>,
    pub(crate) in_blobs: bool,
}

/// What is kept in one other entity.
#[derive(Debug)]
pub(crate) struct Feed {
    /// The name of its type.
    pub(crate) name: String,
    pub(crate) sink: Path,
    pub(crate) totals: Vec<Total>,
}

/// What is kept in one field of it.
#[derive(Debug)]
pub(crate) struct Total {
    pub(crate) by: Aggregate,
    /// The other entity's field.
    pub(crate) field: Ident,
    /// The field that it is made of.
    pub(crate) of: Option<usize>,
    pub(crate) when: Option<When>,
}

/// Which entities an index takes in, or are counted.
#[derive(Debug)]
pub(crate) enum When {
    /// Those for which this field is true.
    Field(usize),
    /// Those for which this function of the entity's says so.
    Method(Ident),
    /// Those for which a function says so.
    Function(Path),
}

/// Which patches may set a field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Setter {
    /// All of them: nothing else repeats it.
    Any,
    /// Those of what was read: the rows of indexes repeat it.
    Loaded,
    /// None: rows stand where it says.
    None,
}

/// A field as it will be written.
#[derive(Debug)]
pub(crate) struct Field {
    pub(crate) ident: Ident,
    /// The ident without `r#`.
    pub(crate) name: String,
    pub(crate) ty: Type,
    /// How it stands in the entity's key.
    pub(crate) key: Option<KeyTrait>,
    /// How it stands in the entity's key, or in that of an index.
    pub(crate) hole: Option<KeyTrait>,
    /// The name of its property, wherever it is one.
    pub(crate) property_name: String,
    /// Whether functions take it as `impl AsRef<str>`.
    pub(crate) is_string: bool,
    pub(crate) storage: Storage,
    /// Whether it is an `Option`, stored as an absent property; of a series, whether a slot is.
    pub(crate) optional: bool,
    /// What a setter takes: the type, or that of a slot, without its `Option`.
    pub(crate) inner: Type,
}

/// Where a field is when the entity is in its table.
#[derive(Debug)]
pub(crate) enum Storage {
    /// In the key alone.
    Key,
    /// In the key, and in a property that must say the same.
    KeyAndProperty(Property),
    /// In a property.
    Property(Property),
    /// Nowhere.
    Skipped,
}

/// A property.
#[derive(Debug)]
pub(crate) struct Property {
    pub(crate) name: String,
    pub(crate) form: Form,
    pub(crate) or_default: bool,
    /// Whether it is sealed before it is stored.
    pub(crate) is_sealed: bool,
    /// Whether others keep it: no write of the entity sets it.
    pub(crate) is_fed: bool,
}

/// What is in a property.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    /// A value of its type.
    Plain,
    /// JSON text.
    Json,
    /// A value that can be in a blob, and up to how many bytes it is not.
    Blob { inline: usize },
    /// One slot of several, each with a property of its own; how many, where that is known.
    Series(Option<usize>),
}

impl Field {
    /// What stands in its holes. An optional field has one only in rows that are there because it is.
    pub(crate) const fn hole_type(&self) -> &Type {
        if self.key.is_some() { &self.ty } else { &self.inner }
    }

    /// Whether its value can be in a blob.
    pub(crate) fn is_blob(&self) -> bool {
        self.property().is_some_and(|property| matches!(property.form, Form::Blob { .. }))
    }

    /// Whether it is stored in a property for each slot.
    pub(crate) fn is_series(&self) -> bool {
        self.property().is_some_and(|property| matches!(property.form, Form::Series(_)))
    }

    /// Whether it is kept by others and may be a copy of several fields: a macro does not see whether its type is a
    /// projection.
    pub(crate) fn may_be_copy(&self) -> bool {
        self.optional
            && self.property().is_some_and(|property| property.is_fed)
            && TypeName::of(&self.ty).named == Named::Unknown
    }

    /// Whether it is stored in several properties, as far as is known.
    pub(crate) fn has_slots(&self) -> bool {
        self.is_series() || self.may_be_copy()
    }

    /// The property that it is stored in.
    pub(crate) const fn property(&self) -> Option<&Property> {
        match &self.storage {
            Storage::Property(property) | Storage::KeyAndProperty(property) => Some(property),
            Storage::Key | Storage::Skipped => None,
        }
    }
}

impl Entity {
    /// Whether rows of given partition fields are in several partitions or tables.
    pub(crate) const fn is_spread(&self) -> bool {
        self.tables.is_some() || self.shard.is_some()
    }

    /// The field that says the period of a table, if there is one.
    pub(crate) fn period(&self) -> Option<&Field> {
        let mut dates = self.tables.iter().flat_map(Template::holes);
        let hole = dates.find(|hole| matches!(hole.shape, Shape::Date(_)))?;
        self.fields.iter().find(|field| field.name == hole.field)
    }

    /// The fields of the key in the order of the holes that they are read from.
    pub(crate) fn key_fields(&self) -> impl Iterator<Item = &Field> {
        self.partition
            .holes
            .iter()
            .chain(&self.row.holes)
            .filter_map(|hole| self.fields.get(hole.field?).filter(|_| hole.reads))
    }

    /// The fields of a key, each once, in the order of its holes.
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

    /// Which patches may set a field.
    pub(crate) fn setter(&self, number: usize) -> Setter {
        let Some(field) = self.fields.get(number) else { return Setter::None };
        let decides = |when: &When| match when {
            When::Field(field) => *field == number,
            // What a function looks at cannot be seen.
            When::Method(_) | When::Function(_) => true,
        };
        let totals = || self.feeds.iter().flat_map(|feed| &feed.totals);
        let conditions = self.indexes.iter().filter_map(|index| index.when.as_ref());
        let mut conditions = conditions.chain(totals().filter_map(|total| total.when.as_ref()));
        // Whether an absent value was not counted or is one that does not count cannot be seen.
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
        // What a blob's name was must be known, so that it is released.
        if is_copied || field.is_blob() { Setter::Loaded } else { Setter::Any }
    }

    /// The fields of both keys, each once, those of the partition first: the parameters of a point.
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
