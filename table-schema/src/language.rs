//! The small languages of design files: conditions, time spans and sizes. Each is parsed from a string, retains
//! its spans, and is displayed as written.
//!
//! ```
//! use table_schema::language::{Condition, Size, Span};
//!
//! assert_eq!("90d".parse::<Span>()?.seconds(), 90 * 86_400);
//! assert_eq!("4MiB".parse::<Size>()?.bytes(), 4 << 20);
//! let condition: Condition = "department = ? and age > 20%".parse()?;
//! assert_eq!(condition.alternatives[0].tests[1].field, "age");
//!
//! let error = "department == ?".parse::<Condition>().unwrap_err();
//! assert_eq!((error.span, error.help.as_str()), (11..13, "department = ?"));
//! # Ok::<(), table_schema::language::LanguageError>(())
//! ```

mod condition;
mod error;
pub mod number;
mod size;
mod span;
mod token;
mod when;

pub use condition::{Argument, Comparison, Condition, Conjunction, Test};
pub use error::LanguageError;
pub use size::{Size, SizeUnit};
pub use span::{Span, SpanUnit};
pub use when::{Equality, Literal, When};
