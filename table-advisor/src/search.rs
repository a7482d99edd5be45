//! The design search: from a workload to the cheapest design that meets its limits.
//!
//! Each query of the workload becomes steps on single entities. For each entity, the search tries primary keys, and for
//! each of them assigns a path to each step by branch and bound. All costs are results of [`Model`](crate::Model).
//!
//! ```
//! use table_advisor::search::{Options, search};
//!
//! let workload = table_codegen::read_workload(
//!     "tables = 1\n\
//!      [entity.Ticket]\nid = [\"tenant\", \"number\"]\n\
//!      [entity.Ticket.fields]\ntenant = \"u32\"\nnumber = \"u32\"\nopened = \"datetime\"\n\
//!      [query.newest]\nfind = \"Ticket\"\nwhere = \"tenant = ?\"\norder = \"-opened\"\nlimit = 20\nrate = \"9/s\"\n\
//!      [load.Ticket]\ncount = 1_000_000\nvalues.tenant = { distinct = 8_000 }\n\
//!      values.number = { distinct = 1_000_000 }\n",
//!     "tickets.toml",
//! )?;
//! let designed = search(&workload, &Options::default())?;
//! let row = designed.schema.entities[0].row.as_ref().map(|row| row.text());
//! assert_eq!(row, Some("{opened:inverted_ticks}_{number:08}"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod alternative;
mod branch;
mod candidates;
mod case;
mod combine;
mod copied;
mod derive;
mod effort;
mod entity;
mod figures;
mod front;
mod improve;
mod instance;
mod key;
mod loosen;
mod measure;
mod migration;
mod reach;
mod shards;
mod site;
mod standing;
mod step;
mod storage;
#[cfg(test)]
mod tests;
mod together;
mod total;
mod violation;

use std::fmt;

use table_designs::schema::{Schema, Workload};

use combine::Combination;

pub use alternative::{Alternative, Subject};
pub use derive::workload_of;
pub use figures::Figures;
pub use front::{Point, Variant, front};
pub use improve::{Improved, improve, unsearched};
pub use loosen::{Loosened, Obstacle, obstacles};
pub use migration::{Job, Migration};
pub use violation::Violation;

/// How a design is searched.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Options {
    /// How much more than the cheapest design the result may cost, as a fraction, for fewer late reads and then fewer
    /// rows read.
    pub slack: f64,
    /// The maximum number of partial designs that are examined: a step on one more path. The measurement of a path counts as
    /// one for each field of its entity and each step.
    pub nodes: u64,
}

impl Default for Options {
    fn default() -> Self {
        Self { slack: 0.01, nodes: 500_000 }
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
    /// What the model says about the design.
    pub figures: Figures,
    /// The cost per month as the search adds it up. The model also counts rows of other kinds that table scans read.
    pub added_up: f64,
    /// The cost per month of the cheapest design that was found, without the slack.
    pub cheapest: f64,
    /// The cost per month that no design of the search is below.
    pub bound: f64,
    /// The examined partial designs.
    pub nodes: u64,
    cases: Vec<case::Case>,
    points: Vec<(String, site::Plot, branch::Point)>,
    /// `true` if a cheaper design has too much storage.
    is_small: bool,
}

/// The limits allow no design.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Infeasible;

impl fmt::Display for Infeasible {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("no design meets the limits of the workload")
    }
}

impl std::error::Error for Infeasible {}

impl Designed {
    /// Returns the queries whose paths are not in the required order, with what the program must do: sort the result, and cut
    /// it to the limit.
    pub fn unsorted(&self) -> impl Iterator<Item = (&str, &str)> {
        self.schema.queries.iter().filter_map(|query| Some((query.name.as_str(), step::unsorted(query)?)))
    }

    /// Returns how much cheaper a design could be at most, as a fraction of the bound. 0 if the cheapest design was found.
    #[must_use]
    pub fn gap(&self) -> f64 {
        if self.bound > 0.0 { (self.cheapest / self.bound - 1.0).max(0.0) } else { 0.0 }
    }
}

/// The fractions of the load of a partition that each entity of common transactions may use: all of it, or less if
/// their sum exceeds the limit.
const SHARES: [f64; 3] = [1.0, 0.5, 0.25];

const GIB: f64 = 1_073_741_824.0;

/// Searches the cheapest design for a workload.
///
/// # Errors
///
/// Returns [`Infeasible`] if the limits allow no design.
pub fn search(workload: &Workload, options: &Options) -> Result<Designed, Infeasible> {
    searched(workload, options).0
}

/// Searches a design, and returns the number of examined partial designs, too.
fn searched(workload: &Workload, options: &Options) -> (Result<Designed, Infeasible>, u64) {
    let limits = &workload.limits;
    let (designed, mut examined) = unlimited(workload, options);
    let is_small =
        |designed: &Designed| limits.storage_gib.is_none_or(|most| designed.figures.storage_gib <= most);
    let designed = match (designed, limits.storage_gib) {
        (Some(designed), Some(most)) if !is_small(&designed) => {
            let small = storage::within(workload, options, most);
            examined += small.as_ref().map_or(0, |small| small.nodes);
            small
        }
        (designed, _) => designed,
    };
    let is_affordable = |designed: &Designed| limits.usd.is_none_or(|most| designed.figures.usd <= most);
    (designed.filter(is_affordable).ok_or(Infeasible), examined)
}

/// Searches the cheapest design, whatever its cost and storage.
fn unlimited(workload: &Workload, options: &Options) -> (Option<Designed>, u64) {
    let target = workload.content.targets.partition_entities_s;
    let hottest = workload.limits.hottest.unwrap_or(target) * (1.0 + 1e-6);
    let has_groups = workload.content.relations.iter().any(|relation| relation.atomic);
    let mut examined = 0;
    for share in SHARES.into_iter().take(if has_groups { SHARES.len() } else { 1 }) {
        let left = Options { nodes: options.nodes.saturating_sub(examined), ..*options };
        let (designed, nodes) = Combination::new(workload, left, share).run();
        examined += nodes;
        // Entities that keep their keys can exceed the limit.
        let is_cool = |designed: &Designed| {
            designed.figures.hottest <= hottest || designed.cases.iter().any(case::Case::is_fixed)
        };
        if let Some(designed) = designed.filter(is_cool) {
            return (Some(designed), examined);
        }
    }
    (None, examined)
}
