//! The small languages of design files: those of [`table_schema::language`], and the ones that only assumptions need:
//! rates and delays.
//!
//! ```
//! use table_designs::language::{Delay, Rate};
//!
//! assert_eq!("120/min".parse::<Rate>()?.per_second(), 2.0);
//! assert_eq!("2s".parse::<Delay>()?.milliseconds, 2_000.0);
//! # Ok::<(), table_designs::language::LanguageError>(())
//! ```

mod delay;
mod rate;

pub use delay::Delay;
pub use rate::{Rate, RateUnit};
pub use table_schema::language::*;
