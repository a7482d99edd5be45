//! What a table service does, as cases in files: each a few steps with what they give or how they are refused. Every
//! backend is held against all of them: the embedded store, our server through our client, Azurite through our client.
//!
//! A file in `cases` is a case. Entities stand in it as they travel, in OData's JSON. Where a backend is known to differ,
//! the case says so with the reason, and then it must differ: a difference that is gone is found too.

mod case;
mod run;
mod step;

pub use case::{Case, CaseError};
pub use run::{Mismatch, run};
pub use step::{Change, Step};
