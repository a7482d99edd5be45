//! The design search: from a workload to the cheapest design that meets its limits.
//!
//! Each query of the workload becomes steps on single entities. For each entity, the search tries primary keys, and for
//! each of them assigns a path to each step by branch and bound. All costs are results of [`Model`](crate::Model).

mod branch;
mod candidates;
mod case;
mod combine;
mod entity;
mod instance;
mod key;
mod measure;
mod reach;
mod site;
mod step;
mod together;

use table_schema::schema::{Schema, Workload};

use crate::Model;

/// How a design is searched.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Options {
    /// How much more than the cheapest design the result may cost, as a fraction, for fewer late reads and then fewer
    /// rows read.
    pub slack: f64,
    /// The maximum number of partial designs that are examined.
    pub nodes: u64,
}

impl Default for Options {
    fn default() -> Self {
        Self { slack: 0.01, nodes: 5_000_000 }
    }
}

/// A design for a workload.
#[derive(Clone, Debug)]
pub struct Designed {
    /// The design, with a query for each step of each query, and for each read that a write requires.
    pub schema: Schema,
    /// The query of the workload that each query of the design belongs to. `None` for reads that writes require.
    pub origins: Vec<Option<String>>,
    /// How queries over references are answered: `post: author: copy`.
    pub reach: Vec<String>,
    /// The cost per month as the search adds it up. The model also counts rows of other kinds that table scans read.
    pub added_up: f64,
    /// The cost per month that no design of the search is below.
    pub bound: f64,
    /// The examined partial designs.
    pub nodes: u64,
}

/// The limits allow no design.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Infeasible;

impl std::fmt::Display for Infeasible {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("no design meets the limits of the workload")
    }
}

impl std::error::Error for Infeasible {}

impl Designed {
    /// Returns the cost per month according to the model.
    #[must_use]
    pub fn cost(&self) -> f64 {
        Model::new(&self.schema).costs().total()
    }
}

/// Searches the cheapest design for a workload.
///
/// # Errors
///
/// Returns [`Infeasible`] if the limits allow no design.
pub fn search(workload: &Workload, options: &Options) -> Result<Designed, Infeasible> {
    combine::Combination::new(workload, options).run().ok_or(Infeasible)
}
