//! The kinds of rows that an entity has in its tables.

use super::{EntityDesign, LookupDesign, LookupPlace, Place, TemplateText, Which};
use crate::template::{Part, Template, same_form};

/// What a kind of rows comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Origin {
    /// The entity itself.
    Primary,
    /// An index's copies.
    Index(usize),
    /// A lookup's lists.
    Lookup(usize),
}

/// One kind of rows, defaults applied and shapes settled.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RowKind {
    /// What the rows come from.
    pub origin: Origin,
    /// `row` for the entity itself, else the name of the index or lookup.
    pub name: String,
    /// The table's name.
    pub table: Template,
    /// The PartitionKey.
    pub partition: Template,
    /// The RowKey.
    pub row: Template,
    /// Where the RowKey's template is written, or what stands for it.
    pub place: Place,
}

impl RowKind {
    /// Whether rows of both can be in one partition: tables and partitions of the same form.
    pub fn shares_partition(&self, other: &Self) -> bool {
        same_form(&self.table.parts(), &other.table.parts())
            && same_form(&self.partition.parts(), &other.partition.parts())
    }
}

impl EntityDesign {
    /// The kinds of rows that the entity has in tables. Those whose templates are missing or unreadable are left out;
    /// lists in blobs are no rows.
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
        let lookups = self.lookups.iter().enumerate().filter_map(|(number, lookup)| {
            if lookup.place != LookupPlace::Partition || lookup.on.is_empty() {
                return None;
            }
            let written = lookup.row.is_some();
            Some(RowKind {
                origin: Origin::Lookup(number),
                name: lookup.name.clone(),
                table: read(&self.table)?,
                partition: read(&self.partition)?,
                row: if written { read(&lookup.row)? } else { self.resolve(&self.default_row(lookup)?) },
                place: if written { self.whole(Which::LookupRow(number)) } else { Place::Lookup(number) },
            })
        });
        primary().into_iter().chain(indexes).chain(lookups).collect()
    }

    /// The whole text of a template.
    pub(crate) fn whole(&self, which: Which) -> Place {
        let length = self.template_text(which).map_or(0, |text| text.text().len());
        Place::Template { which, range: 0..length }
    }

    /// The RowKey of a lookup's lists unless one is written: a word, then the fields in formats that fit them.
    pub fn default_row(&self, lookup: &LookupDesign) -> Option<Template> {
        let mut text = lookup.word();
        for name in &lookup.on {
            let field = self.field(name)?;
            text.push('_');
            text.push_str(&crate::rules::default_hole(field));
        }
        Template::parse(&text).ok()
    }

    /// What the RowKeys of a lookup's members begin with: the list's RowKey, and a `!`, which no row of another kind has
    /// there.
    pub fn list_prefix(&self, number: usize) -> Option<Template> {
        self.with_list_key(number, "!")
    }

    /// The RowKey of a member of a lookup's list that has a row of its own: the list's RowKey, `!`, and the entity's.
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
        self.with_list_key(number, &format!("!{}", self.row.as_ref()?.text()))
    }

    fn with_list_key(&self, number: usize, rest: &str) -> Option<Template> {
        let kind = self.row_kinds().into_iter().find(|kind| kind.origin == Origin::Lookup(number))?;
        Some(self.resolve(&Template::parse(&format!("{}{rest}", kind.row.text())).ok()?))
    }

    /// The leading literals of other partitions of the same tables that a partition key of this kind could run into:
    /// its own text would have to begin with them. At run time such a value is an error.
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
        if !matches!(next, Some(Part::Hole { shape, .. }) if shape.is_text()) {
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
