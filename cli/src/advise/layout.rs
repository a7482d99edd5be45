use table_advisor::Costs;
use table_designs::schema::Schema;
use table_schema::{
    design::{EntityDesign, FieldDesign, FieldKind, Origin, RowKind},
    template::Template,
};

/// The rows of a table.
#[derive(Debug)]
pub(crate) struct Layout {
    /// The table's name, or the template of its tables' names.
    pub(crate) table: String,
    /// The row types, entities first, then their copies and lists.
    pub(crate) rows: Vec<LayoutRow>,
}

/// A row type.
#[derive(Debug)]
pub(crate) struct LayoutRow {
    /// `Employee`, `Employee.by_email`.
    pub(crate) what: String,
    pub(crate) partition: Template,
    pub(crate) row: Template,
    pub(crate) properties: Vec<Property>,
    /// Number of rows.
    pub(crate) rows: f64,
    /// The average size.
    pub(crate) bytes: f64,
}

/// A property of a row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Property {
    /// Its stored name; for a series the prefix.
    pub(crate) name: String,
    pub(crate) held: Held,
}

/// The storage of a property's value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Held {
    Plain,
    /// Encrypted.
    Encrypted,
    /// In a blob; the row contains its address.
    InBlob,
    /// Derived from other entities: an aggregate or a copied field.
    Kept,
}

impl Property {
    /// Returns its name, with a sign if it is not plain.
    pub(crate) fn text(&self) -> String {
        let sign = match self.held {
            Held::Plain => "",
            Held::Encrypted => "+",
            Held::InBlob => "→",
            Held::Kept => "=",
        };
        format!("{sign}{}", self.name)
    }
}

/// Returns all tables, in the order of the file.
pub(crate) fn layouts(schema: &Schema, costs: &Costs) -> Vec<Layout> {
    let mut layouts: Vec<Layout> = Vec::new();
    for entity in &schema.entities {
        for kind in entity.row_kinds() {
            let what = match kind.origin {
                Origin::Primary => entity.name.clone(),
                Origin::Index(_) | Origin::Lookup(_) => format!("{}.{}", entity.name, kind.name),
            };
            let table = kind.table.text().to_owned();
            let line = costs.lines.iter().find(|line| line.table == table && line.what == what);
            let row = LayoutRow {
                properties: properties(entity, &kind),
                row: match kind.origin {
                    Origin::Lookup(number) => entity.lookup_rows(number).map_or(kind.row, |rows| rows.row),
                    Origin::Primary | Origin::Index(_) => kind.row,
                },
                what,
                rows: line.map_or(0.0, |line| line.rows),
                bytes: line.map_or(0.0, |line| line.bytes_each),
                partition: kind.partition,
            };
            match layouts.iter_mut().find(|layout| layout.table == table) {
                Some(layout) => layout.rows.push(row),
                None => layouts.push(Layout { table, rows: vec![row] }),
            }
        }
    }
    layouts
}

fn properties(entity: &EntityDesign, kind: &RowKind) -> Vec<Property> {
    let kept: Vec<String> = match kind.origin {
        Origin::Primary => {
            let totals = entity.totals.iter().map(|total| total.name.clone());
            let copied = entity.embeds.iter();
            let copied = copied
                .flat_map(|embed| embed.fields.iter().map(move |field| format!("{}_{field}", embed.name)));
            totals.chain(copied).collect()
        }
        Origin::Lookup(number) => {
            entity.lookups.get(number).and_then(|lookup| lookup.ids.clone()).into_iter().collect()
        }
        Origin::Index(_) => Vec::new(),
    };
    let kept = kept.into_iter().map(|name| Property { name, held: Held::Kept });
    entity.row_properties(kind).into_iter().map(property).chain(kept).collect()
}

fn property(field: &FieldDesign) -> Property {
    let held = if field.encrypted {
        Held::Encrypted
    } else if field.kind == FieldKind::Blob {
        Held::InBlob
    } else {
        Held::Plain
    };
    let stem = &field.property;
    let name = if field.series.is_some() { format!("{stem}_…") } else { stem.clone() };
    Property { name, held }
}
