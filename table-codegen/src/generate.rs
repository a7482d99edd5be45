//! Generation of Rust code from a design: a struct with `#[derive(TableEntity)]` for each entity, enums for closed
//! sets, and a function for each query.
//!
//! Generated code compiles under `deny(missing_docs, warnings)`. Designs that violate a [rule](table_schema::rules) are
//! rejected with the location of the violation, as by the reader of design files. A query without a corresponding typed function is skipped and listed
//! in the generated text.

mod chosen;
pub(crate) mod condition;
pub(crate) mod doc;
mod entity;
mod enums;
mod feeds;
pub(crate) mod fields;
mod files;
mod form;
mod merge;
pub(crate) mod names;
mod query;
mod violations;

pub use files::{Change, FileError, Files};
pub use merge::{MergeError, merge};

use std::fmt;

use proc_macro2::TokenStream;
use quote::quote;
use table_designs::schema::{Renamed, Schema};
use table_schema::{
    catalogue::Code,
    design::{EntityDesign, TemplateText},
};

use crate::read::Comments;

/// The options of code generation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Options {
    /// The name of the design file in the generated text.
    pub source: String,
    /// `true` to generate one file per entity and a root file, `false` to generate a single file.
    pub split: bool,
    /// The comments of the design file, which become doc comments; see [`Positions::comments`](crate::Positions::comments).
    pub comments: Comments,
}

impl Default for Options {
    fn default() -> Self {
        Self { source: "the design".to_owned(), split: false, comments: Comments::default() }
    }
}

/// The generated code.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Generated {
    /// The content of the root file, which declares the other files or contains all code.
    pub root: String,
    /// The files of the entities: the name without `.rs`, and the content. Empty for a single file.
    pub parts: Vec<(String, String)>,
    /// The queries without a function: the name and the reason.
    pub left_out: Vec<(String, String)>,
}

/// A rule violation of a design, or a collision of generated names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refused {
    /// The catalog entry.
    pub code: Code,
    /// The location in the design: keys and names from the root of the file.
    pub path: Vec<String>,
    /// The cause.
    pub message: String,
    /// The remedy.
    pub help: String,
}

/// All violations of a design. Never empty as an error.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusals(pub Vec<Refused>);

impl std::error::Error for Refusals {}

impl fmt::Display for Refusals {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (number, Refused { code, path, message, help }) in self.0.iter().enumerate() {
            if number > 0 {
                writeln!(f)?;
            }
            write!(f, "{}: {message} [{code}]; {help}", path.join("."))?;
        }
        Ok(())
    }
}

impl Refused {
    fn of(code: Code, path: &[&str], message: impl Into<String>, help: impl Into<String>) -> Self {
        let path = path.iter().map(|&part| part.to_owned()).collect();
        Self { code, path, message: message.into(), help: help.into() }
    }
}

/// Generates the code of a valid design.
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
/// Returns all rule violations, or all name collisions.
pub fn generate(schema: &Schema, options: &Options) -> Result<Generated, Refusals> {
    let hash = crate::design_hash(schema);
    let refused = violations::of(schema);
    if !refused.is_empty() {
        return Err(Refusals(refused));
    }
    let (schema, renamed) = schema.aligned();
    let names = names::Names::of(&schema);
    let refused = names::check(&schema);
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

/// The inputs of code generation.
pub(crate) struct Context<'s> {
    pub(crate) schema: &'s Schema,
    names: &'s names::Names,
    renamed: &'s [Renamed],
    options: &'s Options,
}

/// Generates `, row = ".."` in an attribute.
pub(crate) fn template_word(word: &str, template: Option<&TemplateText>) -> Option<TokenStream> {
    let (word, text) = (names::ident(word), template?.text());
    Some(quote!(, #word = #text))
}
