//! The entity model as declared by a front end: owned plain data, without defaults.
//!
//! The derive creates it from Rust tokens, and the reader of design files creates it from TOML.
//! [`check`](crate::rules::check) validates it; each rule violation has a [`Place`] that the front end maps to its own
//! spans.
//!
//! ```
//! use table_schema::design::{EntityDesign, FieldDesign, FieldKind, TemplateText};
//!
//! let mut employee = EntityDesign::new("Employee");
//! employee.table = Some(TemplateText::new("Employees"));
//! employee.partition = Some(TemplateText::new("{department}"));
//! employee.row = Some(TemplateText::new("empid_{id:06}"));
//! employee.fields = vec![
//!     FieldDesign::new("department", FieldKind::Text { max: Some(40) }),
//!     FieldDesign::new("id", FieldKind::Int { bits: 32, signed: false }),
//!     FieldDesign::new("age", FieldKind::Int { bits: 32, signed: true }),
//! ];
//! assert!(table_schema::rules::check(&employee).is_empty());
//!
//! // The keys give `department` and `id` back.
//! let stored: Vec<&str> = employee.stored_fields().map(|field| field.name.as_str()).collect();
//! assert_eq!(stored, ["age"]);
//! assert_eq!(employee.longest_key(employee.row.as_ref().unwrap().template().unwrap()), Some(12));
//! ```

mod entity;
mod field;
mod index;
mod kept;
mod kind_word;
mod lookup;
mod place;
mod resolve;
mod row_kind;
mod template_text;

pub use entity::{EntityDesign, EntityTypeRule, Shard};
pub use field::{FieldDesign, FieldKind, PartOf, RequiredIf, Series, Stamp};
pub use index::{CopiedFields, IndexDesign};
pub use kept::{ArchiveDesign, BlobDesign, ChangesDesign, ContributionDesign, EmbedDesign, TotalDesign};
pub use lookup::{LookupDesign, LookupPlace};
pub use place::{Place, Which};
pub(crate) use resolve::RESERVED_HOLES;
pub use resolve::holes_to_read;
pub use row_kind::{Origin, RowKind};
pub use template_text::TemplateText;
