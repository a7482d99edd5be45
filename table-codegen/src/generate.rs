//! A design into Rust: a struct with our derive for each entity, enums for closed sets, a function for each query.
//!
//! What is written compiles under `deny(missing_docs, warnings)`. What a design can say and the derive cannot do yet is
//! refused, by its place in the design; a query that no typed function can ask is left out and named in the text.

mod align;
mod chosen;
mod doc;
mod entity;
mod enums;
mod feeds;
mod fields;
mod files;
mod form;
mod limits;
mod merge;
mod names;
mod query;

pub use files::{Change, FileError, Files};
pub use merge::{MergeError, merge};

use std::fmt;

use proc_macro2::TokenStream;
use table_schema::{design::EntityDesign, schema::Schema};

/// How Rust is written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Options {
    /// What the text calls the design file.
    pub source: String,
    /// A file for each entity, and one that names them; else one file for all.
    pub split: bool,
}

impl Default for Options {
    fn default() -> Self {
        Self { source: "the design".to_owned(), split: false }
    }
}

/// What was written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Generated {
    /// The text that names the others, or is all.
    pub root: String,
    /// A file for each entity: its name without `.rs`, and its text. None unless they are split.
    pub parts: Vec<(String, String)>,
    /// Queries without a function: their names, and why.
    pub left_out: Vec<(String, String)>,
}

/// What a design says and the derive cannot do yet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refused {
    /// Where the design says it: keys and names from the top of the file.
    pub path: Vec<String>,
    /// What cannot be done.
    pub message: String,
    /// What to write instead.
    pub help: String,
}

/// All of it. Never empty as an error.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusals(pub Vec<Refused>);

impl std::error::Error for Refusals {}

impl fmt::Display for Refusals {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (number, Refused { path, message, help }) in self.0.iter().enumerate() {
            if number > 0 {
                writeln!(f)?;
            }
            write!(f, "{}: {message}; {help}", path.join("."))?;
        }
        Ok(())
    }
}

impl Refused {
    fn of(path: &[&str], message: impl Into<String>, help: impl Into<String>) -> Self {
        let path = path.iter().map(|&part| part.to_owned()).collect();
        Self { path, message: message.into(), help: help.into() }
    }
}

/// Writes a design that was read without mistakes.
///
/// ```
/// use table_codegen::generate::{Options, generate};
///
/// let schema = table_codegen::read(
///     r#"
/// tables = 1
/// [entity.Employee]
/// about = "Somebody who works here."
/// table = "Employees"
/// partition = "{department}"
/// row = "empid_{id:06}"
/// [entity.Employee.fields]
/// department = "string(40)"
/// id = "u32"
/// [query.employee]
/// find = "Employee"
/// where = "department = ? and id = ?"
/// "#,
///     "company.toml",
/// )?;
/// let rust = generate(&schema, &Options::default())?.root;
/// assert!(rust.contains("#[table(name = \"Employees\", partition = \"{department}\", row = \"empid_{id:06}\")]"));
/// assert!(rust.contains("pub fn employee(department: &str, id: u32) -> PointQuery<Self>"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
///
/// All that the derive cannot do yet.
pub fn generate(schema: &Schema, options: &Options) -> Result<Generated, Refusals> {
    let hash = crate::design_hash(schema);
    let (schema, renamed) = align::aligned(schema);
    let names = names::Names::of(&schema);
    let mut refused = limits::check(&schema);
    refused.extend(names::check(&schema));
    if !refused.is_empty() {
        return Err(Refusals(refused));
    }
    let context = Context { schema: &schema, names: &names, renamed: &renamed, options };
    let mut left_out = Vec::new();
    let items: Vec<(&EntityDesign, TokenStream)> = schema
        .entities
        .iter()
        .map(|entity| (entity, entity::expand(&context, entity, &mut left_out)))
        .collect();
    let head = form::Head { context: &context, hash: &hash };
    let mut parts = Vec::new();
    let root = if options.split {
        for (entity, tokens) in items {
            parts.push((names.module(&entity.name), form::text(&head, Some(entity), &tokens)));
        }
        form::text(&head, None, &form::modules(parts.iter().map(|(name, _)| name.as_str())))
    } else {
        form::text(&head, None, &items.into_iter().map(|(_, tokens)| tokens).collect())
    };
    Ok(Generated { root, parts, left_out })
}

/// What everything is written from.
struct Context<'s> {
    schema: &'s Schema,
    names: &'s names::Names,
    renamed: &'s [align::Renamed],
    options: &'s Options,
}
