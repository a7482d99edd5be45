//! The behavior of a table service, as cases in files: each consists of a few steps with their results or errors. Every
//! backend runs all cases: the embedded store, our server through our client, Azurite through our client.
//!
//! A file in `tests/conformance/cases` is a case. It contains entities in the wire format, OData's JSON. If a backend
//! deviates, the case lists the reason, and then the backend must deviate: a deviation that no longer exists is
//! reported too.

mod case;
mod run;
mod step;

pub use case::{Case, CaseError};
pub use run::{Mismatch, run};
pub use step::{Change, Step};
