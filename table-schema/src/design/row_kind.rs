//! The row kinds of an entity.

use super::{EntityDesign, LookupDesign, LookupPlace, Place, TemplateText, Which};
use crate::{
    static_design::version_in,
    template::{Part, Shape, Template, rows_can_meet, same_form},
};

/// The origin of a row kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Origin {
    /// The entity itself.
    Primary,
    /// The copies of an index.
    Index(usize),
    /// The lists of a lookup.
    Lookup(usize),
}

/// A row kind, with defaults applied and shapes resolved.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RowKind {
    /// The origin of the rows.
    pub origin: Origin,
    /// `row` for the entity itself, otherwise the name of the index or lookup.
    pub name: String,
    /// The table name.
    pub table: Template,
    /// The `PartitionKey`.
    pub partition: Template,
    /// The `RowKey`.
    pub row: Template,
    /// The location of the `RowKey` template, or of the declaration that implies it.
    pub place: Place,
}

impl RowKind {
    /// Returns whether rows of both kinds can be in one partition: their tables and partitions have the same form.
    pub fn shares_partition(&self, other: &Self) -> bool {
        same_form(&self.table.parts(), &other.table.parts())
            && same_form(&self.partition.parts(), &other.partition.parts())
    }

    /// Returns whether each row of this kind is in the partition of its entity, whose row is of the kind `entity`: their
    /// tables and partitions have the same form and the same fields. `{code}` is another partition than `{customer}`.
    pub fn is_near(&self, entity: &Self) -> bool {
        let fields = |kind: &Self| {
            let parts = kind.table.parts().into_iter().chain(kind.partition.parts());
            let names = parts.filter_map(|part| match part {
                Part::Field { field, .. } => Some(field.to_owned()),
                Part::Literal(_) => None,
            });
            names.collect::<Vec<_>>()
        };
        self.shares_partition(entity) && fields(self) == fields(entity)
    }
}

impl RowKind {
    /// Returns whether rows of both kinds can have the same key or be in each other's ranges.
    pub fn can_meet(&self, other: &Self) -> bool {
        let (own, others) = (self.parts(), other.parts());
        rows_can_meet(own.each_ref().map(Vec::as_slice), others.each_ref().map(Vec::as_slice))
    }

    fn parts(&self) -> [Vec<Part<'_>>; 3] {
        [self.table.parts(), self.partition.parts(), self.row.parts()]
    }
}

impl EntityDesign {
    /// Returns the row kinds of the entity. Kinds with missing or invalid templates are omitted, and lists in blobs are
    /// not rows.
    pub fn row_kinds(&self) -> Vec<RowKind> {
        let read = |text: &Option<TemplateText>| Some(self.resolve(text.as_ref()?.template()?));
        let or_own = |text: &Option<TemplateText>, own: &Option<TemplateText>| {
            if text.is_some() { read(text) } else { read(own) }
        };
        let primary = || {
            Some(RowKind {
                origin: Origin::Primary,
                name: "row".to_owned(),
                table: read(&self.table)?,
                partition: read(&self.partition)?,
                row: read(&self.row)?,
                place: self.whole(Which::Row),
            })
        };
        let indexes = self.indexes.iter().enumerate().filter_map(|(number, index)| {
            Some(RowKind {
                origin: Origin::Index(number),
                name: index.name.clone(),
                table: or_own(&index.table, &self.table)?,
                partition: or_own(&index.partition, &self.partition)?,
                row: read(&index.row)?,
                place: self.whole(Which::IndexRow(number)),
            })
        });
        let lookups = self.lookups.iter().enumerate().filter(|(_, lookup)| lookup.place != LookupPlace::Blob);
        let lookups = lookups.filter_map(|(number, _)| self.lists(number));
        primary().into_iter().chain(indexes).chain(lookups).collect()
    }

    /// Returns the rows that moves to the archive write: the keys of the entity in the archive table.
    pub fn archived_rows(&self) -> Option<RowKind> {
        let table = Template::parse(&self.archive.as_ref()?.to).ok()?;
        let own = self.row_kinds().into_iter().find(|kind| kind.origin == Origin::Primary)?;
        Some(RowKind { name: "archive".to_owned(), table, place: Place::Word("archive"), ..own })
    }

    /// Returns whether rows of another entity are read as this entity, because it has their `EntityType`, possibly of
    /// another version, or an alias for it.
    pub fn reads_rows_of(&self, other: &Self) -> bool {
        let Some(written) = other.entity_type_value() else { return false };
        let own = self.entity_type_value();
        let mut read = own.iter().chain(&self.aliases).map(|name| version_in(name).0);
        read.any(|name| name == version_in(&written).0)
    }

    /// Returns the location of the lists of a lookup. For lists in blobs, the table name is also the container name,
    /// the `PartitionKey` is the blob name, and the `RowKey` is the key that a list row would have.
    pub fn lists(&self, number: usize) -> Option<RowKind> {
        let lookup = self.lookups.get(number).filter(|lookup| !lookup.on.is_empty())?;
        let read = |text: &Option<TemplateText>| Some(self.resolve(text.as_ref()?.template()?));
        let (is_near, written) = (lookup.place == LookupPlace::Partition, lookup.row.is_some());
        let table = match (lookup.place, &lookup.table) {
            (LookupPlace::Table, None) => {
                let name = format!("{}{}", self.table.as_ref()?.text(), lookup.table_suffix());
                self.resolve(&Template::parse(&name).ok()?)
            }
            (LookupPlace::Table, table) => read(table)?,
            (LookupPlace::Partition | LookupPlace::Blob, _) => read(&self.table)?,
        };
        let partition = match &lookup.partition {
            _ if is_near => read(&self.partition)?,
            None => self.resolve(&self.default_partition(lookup)?),
            written => read(written)?,
        };
        let row = if written {
            read(&lookup.row)?
        } else if is_near {
            self.resolve(&self.default_row(lookup)?)
        } else {
            Template::parse(&lookup.word()).ok()?
        };
        let place = if written { self.whole(Which::LookupRow(number)) } else { Place::Lookup(number) };
        let (origin, name) = (Origin::Lookup(number), lookup.name.clone());
        Some(RowKind { origin, name, table, partition, row, place })
    }

    /// Returns the default `PartitionKey` of cross-partition lists: the fields in formats that fit them. A blob name
    /// accepts any text.
    fn default_partition(&self, lookup: &LookupDesign) -> Option<Template> {
        let holes = lookup.on.iter().map(|name| {
            let hole = crate::rules::default_hole(self.field(name)?);
            let is_text =
                self.resolve(&Template::parse(&hole).ok()?).holes().all(|hole| hole.shape == Shape::Text);
            Some(if is_text && lookup.place == LookupPlace::Blob { format!("{{{name}:esc}}") } else { hole })
        });
        Template::parse(&holes.collect::<Option<Vec<_>>>()?.join("_")).ok()
    }

    /// Returns the location of a complete template.
    pub(crate) fn whole(&self, which: Which) -> Place {
        let length = self.template_text(which).map_or(0, |text| text.text().len());
        Place::Template { which, range: 0..length }
    }

    /// Returns the default `RowKey` of the lists of a lookup: a word, then the fields in formats that fit them.
    pub fn default_row(&self, lookup: &LookupDesign) -> Option<Template> {
        let mut text = lookup.word();
        for name in &lookup.on {
            let field = self.field(name)?;
            text.push('_');
            text.push_str(&crate::rules::default_hole(field));
        }
        Template::parse(&text).ok()
    }

    /// Returns the prefix of the row keys of lookup members: the `RowKey` of the list and a `!`, which no row of
    /// another kind contains at this position.
    pub fn list_prefix(&self, number: usize) -> Option<Template> {
        self.with_list_key(number, "!")
    }

    /// Returns the `RowKey` of a lookup member with a separate row: the `RowKey` of the list, `!`, and the `RowKey` of
    /// the entity. Outside the partition of the entity, the `PartitionKey` of the entity and another `!` precede its
    /// `RowKey`.
    ///
    /// ```
    /// use table_schema::design::{EntityDesign, FieldDesign, FieldKind, LookupDesign};
    ///
    /// let mut employee = EntityDesign::new("Employee");
    /// employee.table = Some("Employees".into());
    /// employee.partition = Some("{department}".into());
    /// employee.row = Some("empid_{id:06}".into());
    /// employee.fields = vec![FieldDesign::new("last_name", FieldKind::Text { max: None })];
    /// let on = vec!["last_name".to_owned()];
    /// employee.lookups = vec![LookupDesign { name: "by_last_name".to_owned(), on, ..LookupDesign::default() }];
    /// let row = employee.member_row(0).unwrap();
    /// assert_eq!(row.text(), "lastname_{last_name}!empid_{id:06}");
    /// ```
    pub fn member_row(&self, number: usize) -> Option<Template> {
        let row = self.row.as_ref()?.text();
        let is_near = self.lookups.get(number)?.place == LookupPlace::Partition;
        let entity =
            if is_near { row.to_owned() } else { format!("{}!{row}", self.partition.as_ref()?.text()) };
        self.with_list_key(number, &format!("!{entity}"))
    }

    /// Returns the rows of a lookup: its lists, or its members if each has a separate row.
    pub fn lookup_rows(&self, number: usize) -> Option<RowKind> {
        let kind = self.lists(number)?;
        let lookup = self.lookups.get(number)?;
        Some(if lookup.has_member_rows() { RowKind { row: self.member_row(number)?, ..kind } } else { kind })
    }

    fn with_list_key(&self, number: usize, rest: &str) -> Option<Template> {
        let kind = self.lists(number)?;
        Some(self.resolve(&Template::parse(&format!("{}{rest}", kind.row.text())).ok()?))
    }

    /// Returns the leading literals of other partitions of the same tables that a partition key of this kind could
    /// start with, because it starts with text. Such a value is an error at run time.
    ///
    /// ```
    /// use table_schema::design::{EntityDesign, FieldDesign, FieldKind, IndexDesign};
    ///
    /// let mut employee = EntityDesign::new("Employee");
    /// employee.table = Some("Employees".into());
    /// employee.partition = Some("{department}".into());
    /// employee.row = Some("empid_{id:06}".into());
    /// employee.fields = vec![
    ///     FieldDesign::new("department", FieldKind::Text { max: None }),
    ///     FieldDesign::new("id", FieldKind::Int { bits: 32, signed: false }),
    /// ];
    /// let mut by_badge = IndexDesign::new("by_badge", "{id:08}");
    /// by_badge.partition = Some("badge_{department}".into());
    /// employee.indexes = vec![by_badge];
    /// let kinds = employee.row_kinds();
    /// assert_eq!(employee.sibling_literals(&kinds[0]), ["badge_"]);
    /// assert!(employee.sibling_literals(&kinds[1]).is_empty());
    /// ```
    pub fn sibling_literals(&self, kind: &RowKind) -> Vec<String> {
        let own = kind.partition.parts();
        let lead = kind.partition.lead();
        let next = if lead.is_empty() { own.first() } else { own.get(1) };
        if !matches!(next, Some(Part::Field { shape, .. }) if shape.is_text()) {
            return Vec::new();
        }
        let mut literals: Vec<String> = self
            .row_kinds()
            .into_iter()
            .filter(|other| {
                same_form(&kind.table.parts(), &other.table.parts()) && !kind.shares_partition(other)
            })
            .map(|other| other.partition.lead().to_owned())
            .filter(|literal| literal.len() > lead.len() && literal.starts_with(lead))
            .collect();
        literals.sort();
        literals.dedup();
        literals
    }
}
