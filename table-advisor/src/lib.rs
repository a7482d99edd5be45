//! The cost and the problems of a design: the class of every query, the effects of writes, storage and money, findings,
//! and the effect of design changes. Everything is computed from a [`Schema`]; no store and no clock are used.
//!
//! Unless documented otherwise, all numbers are averages over the assumed values of the file. Assumptions that the file
//! does not specify (prices, targets, string lengths) are the defaults of the schema.
//!
//! ```
//! use table_advisor::{Class, Model};
//! use table_designs::schema::{Query, Schema};
//! use table_schema::design::{EntityDesign, FieldDesign, FieldKind};
//!
//! let mut employee = EntityDesign::new("Employee");
//! employee.table = Some("Employees".into());
//! employee.partition = Some("{department}".into());
//! employee.row = Some("empid_{id:06}".into());
//! employee.fields = vec![
//!     FieldDesign::new("department", FieldKind::Text { max: Some(40) }),
//!     FieldDesign::new("id", FieldKind::Int { bits: 32, signed: false }),
//! ];
//! let by_id = Query {
//!     name: "employee".to_owned(),
//!     find: "Employee".to_owned(),
//!     filter: Some("department = ? and id = ?".parse()?),
//!     ..Query::default()
//! };
//! let schema = Schema { entities: vec![employee], queries: vec![by_id], ..Schema::default() };
//!
//! let model = Model::new(&schema);
//! assert_eq!(model.accesses()[0].class, Class::Point);
//! # Ok::<(), table_schema::language::LanguageError>(())
//! ```

mod access;
mod assumption;
mod binding;
mod class;
mod cost;
pub mod explanations;
mod facts;
mod findings;
mod group;
mod model;
mod parts;
mod path;
mod plan;
pub mod search;
pub mod simulate;
mod size;
pub mod sketch;
mod streams;
mod suggest;
mod text;
pub mod trace;

pub use access::Access;
pub use assumption::{Assumption, FieldAssumption, RowsAssumption};
pub use class::Class;
pub use cost::{Cosmos, Costs, Line, Money, Operation, OperationKind, Transactions};
pub use findings::{Fact, Finding};
pub use group::Group;
pub use model::Model;
pub use plan::{Effect, Plan, Step, WriteKind};
pub use streams::streams;
pub use suggest::{Advice, Answer, Change, Measure, Section, Suggestion};
pub use text::{money_text, plain, size_text, time_text};

#[cfg(doc)]
use table_designs::schema::Schema;
