//! Formatting of a design as TOML: in model order and without defaults. Reading the output produces the same design.

mod assumed;
pub(crate) mod field;
pub(crate) mod lines;
mod workload;

use table_designs::schema::{FORMAT, Schema};

use lines::{Lines, text, texts};

use crate::word;

pub use workload::write_workload;

/// Formats a design as a file.
///
/// The model does not contain comments and names that start with `x-`, so they are not written. To rewrite an existing
/// file, use [`upgrade`](crate::upgrade).
///
/// ```
/// let text = "tables = 1\ndesign = \"a\"\n\n[entity.A]\ntable = \"Things\"\npartition = \"{id}\"\nrow = \"a\"\n\n\
///             [entity.A.fields]\nid = \"string(40)\"\n";
/// let schema = table_codegen::read(text, "a.toml")?;
/// assert_eq!(table_codegen::write(&schema), text);
/// # Ok::<(), table_codegen::Diagnostics>(())
/// ```
pub fn write(schema: &Schema) -> String {
    let mut lines = Lines::default();
    lines.key("tables", FORMAT);
    lines.some("needs", schema.needs.map(|needs| text(&needs.to_string())));
    if !schema.name.is_empty() {
        lines.key("design", text(&schema.name));
    }
    lines.some("about", schema.about.as_deref().map(text));
    if !schema.backends.is_empty() {
        lines.key("backends", texts(schema.backends.iter().map(|backend| backend.as_str())));
    }
    for entity in &schema.entities {
        lines.table(&["entity", &entity.name]);
        lines.some("about", entity.about.as_deref().map(text));
        for word in word::in_file() {
            (word.write)(entity, &mut lines);
        }
    }
    for relation in &schema.relations {
        assumed::relation(&mut lines, relation);
    }
    for log in &schema.logs {
        assumed::log(&mut lines, log);
    }
    for query in &schema.queries {
        assumed::query(&mut lines, query);
    }
    assumed::load(&mut lines, &schema.load, |_| None);
    if let Some(prices) = &schema.prices {
        assumed::prices(&mut lines, prices);
    }
    assumed::targets(&mut lines, &schema.targets);
    assumed::lint(&mut lines, &schema.lint);
    lines.finish()
}
