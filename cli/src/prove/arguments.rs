use clap::Args;
use table_designs::schema::Schema;

use super::{Proof, prove};
use crate::error::CommandError;

/// Maximum number of entities of a type.
const MOST_ROWS: u64 = 200_000;

/// Whether a design is executed.
#[derive(Debug, Args)]
pub(crate) struct ProveArguments {
    /// Execute the design on a store in memory with synthetic entities, and compare counts, sizes and results with the
    /// prediction; exit with 1 if they differ
    #[arg(long)]
    pub(crate) prove: bool,

    /// Maximum number of entities of a type to execute the design with
    #[arg(long, value_name = "COUNT", default_value_t = 20_000, value_parser = clap::value_parser!(u64).range(100..=MOST_ROWS), requires = "prove")]
    pub(crate) prove_rows: u64,
}

impl ProveArguments {
    /// Executes a design, if requested.
    pub(crate) fn run(&self, schema: &Schema) -> Result<Option<Proof>, CommandError> {
        self.prove.then(|| prove(schema, self.prove_rows)).transpose()
    }
}
