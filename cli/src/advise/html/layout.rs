use table_advisor::{plain, size_text};
use table_designs::schema::Schema;
use table_schema::{design::LookupPlace, key::KeyKind};

use super::{
    super::{
        layout::{Held, Layout, LayoutRow, Property},
        report::Report,
    },
    markup::Markup,
    palette::Palette,
    sample,
};

/// Writes each table in the style of the guide: one row per row type.
pub(super) fn write(page: &mut Markup, report: &Report<'_>) {
    let mut palette = Palette::new(report.schema);
    tables(page, report.schema, &report.layouts, &mut palette);
    lists(page, report.schema);
    logs(page, report.schema);
}

/// Writes the row types of each table.
pub(crate) fn tables<'s>(
    page: &mut Markup,
    schema: &'s Schema,
    layouts: &[Layout],
    palette: &mut Palette<'s>,
) {
    page.leaf("p", "dim", "A field has the same color in all keys; gray text is literal.");
    page.classed("p", "dim props", |page| {
        page.leaf("span", "", "stored in the row");
        page.leaf("span", "kept", "from other rows");
        page.leaf("span", "sealed", "encrypted");
        page.leaf("span", "away", "in a blob, with its address in the row");
    });
    for layout in layouts {
        table(page, schema, layout, palette);
    }
}

fn table<'s>(page: &mut Markup, schema: &'s Schema, layout: &Layout, palette: &mut Palette<'s>) {
    page.classed("h3", "", |page| page.leaf("code", "", &layout.table));
    let columns = ["Kind", "PartitionKey", "RowKey", "Properties", "#Rows", "#Row size"];
    page.table("layout", &columns, |page| {
        for row in &layout.rows {
            page.element("tr", &[], |page| {
                page.leaf("td", "", &row.what);
                page.classed("td", "key", |page| palette.write(page, row.entity(), &row.partition));
                page.classed("td", "key", |page| palette.write(page, row.entity(), &row.row));
                page.element("td", &[], |page| properties(page, &row.properties));
                page.leaf("td", "n", &plain(row.rows.round()));
                page.leaf("td", "n", &size_text(row.bytes));
            });
        }
    });
    page.element("details", &[], |page| {
        page.leaf("summary", "", "Example rows");
        page.table("layout", &["PartitionKey", "RowKey", "Kind"], |page| {
            for row in &layout.rows {
                let Some(entity) = schema.entity(row.entity()) else { continue };
                page.element("tr", &[], |page| {
                    for (template, kind) in [(&row.partition, KeyKind::Partition), (&row.row, KeyKind::Row)] {
                        page.classed("td", "key", |page| {
                            page.leaf("code", "", &sample::key(entity, template, kind));
                        });
                    }
                    page.leaf("td", "", &row.what);
                });
            }
        });
    });
}

fn properties(page: &mut Markup, properties: &[Property]) {
    page.classed("div", "props", |page| {
        for property in properties {
            let class = match property.held {
                Held::Plain => "",
                Held::Kept => "kept",
                Held::Encrypted => "sealed",
                Held::InBlob => "away",
            };
            page.leaf("span", class, &property.name);
        }
    });
}

/// Writes lists of lookups that are not rows.
fn lists(page: &mut Markup, schema: &Schema) {
    let mut lists = Vec::new();
    for entity in &schema.entities {
        for (number, lookup) in entity.lookups.iter().enumerate() {
            if lookup.place == LookupPlace::Blob {
                lists.extend(entity.lists(number).map(|kind| (entity, kind)));
            }
        }
    }
    if lists.is_empty() {
        return;
    }
    page.leaf("h3", "", "Lists in blobs");
    page.table("layout", &["List", "Container", "Blob name prefix"], |page| {
        let mut palette = Palette::new(schema);
        for (entity, kind) in lists {
            page.element("tr", &[], |page| {
                page.leaf("td", "", &format!("{}.{}", entity.name, kind.name));
                page.element("td", &[], |page| page.leaf("code", "", &kind.table.text().to_lowercase()));
                page.classed("td", "key", |page| {
                    page.classed("code", "", |page| page.leaf("i", "", &format!("{}/", kind.name)));
                    palette.write(page, &entity.name, &kind.partition);
                });
            });
        }
    });
}

fn logs(page: &mut Markup, schema: &Schema) {
    if schema.logs.is_empty() {
        return;
    }
    page.leaf("h3", "", "Logs in blobs");
    page.table("", &["Log", "Blob", "Record", "Written after"], |page| {
        for log in &schema.logs {
            page.element("tr", &[], |page| {
                page.leaf("td", "", &log.name);
                page.classed("td", "key", |page| page.leaf("code", "", &log.blob));
                page.classed("td", "", |page| {
                    page.classed("div", "props", |page| {
                        for field in &log.fields {
                            page.leaf("span", "", &field.property);
                        }
                    });
                });
                page.leaf("td", "", &format!("{} or {}", log.flush.bytes, log.flush.after));
            });
        }
    });
}

impl LayoutRow {
    /// Returns the entity of the rows.
    pub(super) fn entity(&self) -> &str {
        self.what.split_once('.').map_or(&self.what, |(entity, _)| entity)
    }
}
