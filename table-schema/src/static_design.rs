//! A checked design as const data: what generated code keeps in `TableEntity::DESIGN`, and tools read at run time.
//!
//! Nothing here is parsed at run time: templates stand as their parts. Displayed, a design is a small table of its
//! layout.
//!
//! ```
//! use table_schema::{
//!     key::KeyKind,
//!     static_design::{Design, Field, Held, Path, PathKind, Template},
//!     template::{Part, Shape},
//! };
//!
//! const EMPLOYEES: Design = Design {
//!     name: "Employee",
//!     entity_type: Some("Employee"),
//!     aliases: &[],
//!     version: 1,
//!     paths: &[Path {
//!         name: "row",
//!         kind: PathKind::Primary,
//!         table: Template::new(KeyKind::Table, "Employees", &[Part::Literal("Employees")]),
//!         partition: Template::new(
//!             KeyKind::Partition,
//!             "{department}",
//!             &[Part::Hole { field: "department", shape: Shape::Text, exact: true }],
//!         ),
//!         row: Template::new(
//!             KeyKind::Row,
//!             "empid_{id:06}",
//!             &[Part::Literal("empid_"), Part::Hole { field: "id", shape: Shape::Padded(6), exact: true }],
//!         ),
//!         unique: true,
//!         same_partition: true,
//!         copied: &[],
//!     }],
//!     fields: &[
//!         Field { name: "department", property: "department", held: Held::Key, edm: Some("Edm.String"), optional: false },
//!         Field { name: "id", property: "id", held: Held::Key, edm: Some("Edm.Int64"), optional: false },
//!         Field { name: "age", property: "age", held: Held::Property, edm: Some("Edm.Int32"), optional: true },
//!     ],
//!     wide: None,
//!     deny_table_scan: false,
//! };
//!
//! assert_eq!(
//!     EMPLOYEES.to_string(),
//!     "Employee in Employees\n\
//!      \x20 path  PartitionKey  RowKey         holds\n\
//!      \x20 row   {department}  empid_{id:06}  the entity\n\
//!      \x20 properties: age Edm.Int32?, EntityType = Employee\n"
//! );
//! let row = EMPLOYEES.primary().map(|path| path.row.form());
//! assert!(row.is_some_and(|form| form.decode("empid_000223").is_ok()));
//! ```

mod design;
mod path;
mod template;

pub use design::{Design, Field, Held};
pub use path::{Path, PathKind};
pub use template::Template;
