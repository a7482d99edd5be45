use std::path::PathBuf;

use clap::{Args, ValueEnum};

use crate::{prove::ProveArguments, trace::TraceArguments};

/// Search the cheapest design for a workload
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
#[command(mut_arg("trace", |trace| trace.requires("from").conflicts_with("file")))]
pub(crate) struct Arguments {
    /// Workload file, in TOML: entities without keys, queries, load and limits. With --workload-only, a design file
    #[arg(value_name = "FILE", required_unless_present = "from")]
    pub(super) file: Option<PathBuf>,

    /// Existing design file to start from. Without FILE, its queries and load are the workload
    #[arg(long, value_name = "DESIGN")]
    pub(super) from: Option<PathBuf>,

    /// Entity of the existing design to leave unchanged; can be repeated
    #[arg(long, value_name = "ENTITY", requires = "from")]
    pub(super) keep: Vec<String>,

    /// Maximum number of changed indexes and keys of the existing design, those that save most first
    #[arg(long, value_name = "COUNT", requires = "from")]
    pub(super) steps: Option<usize>,

    #[command(flatten)]
    pub(super) recorded: TraceArguments,

    /// Print the workload of a design FILE instead of a design
    #[arg(long, requires = "file", conflicts_with_all = ["from", "format", "json", "point"])]
    pub(super) workload_only: bool,

    /// Design file to write
    #[arg(long, short, value_name = "FILE")]
    pub(super) output: Option<PathBuf>,

    /// Output format
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    format: Format,

    /// Same as --format json
    #[arg(long, conflicts_with = "format")]
    json: bool,

    /// How much more than the cheapest design the result may cost, for fewer late reads and fewer rows read
    #[arg(long, value_name = "PERCENT", default_value = "1", value_parser = percent)]
    pub(super) slack: f64,

    /// Maximum number of partial designs to examine
    #[arg(long, value_name = "COUNT", default_value_t = 500_000)]
    pub(super) effort: u64,

    /// Use this point of the front, as numbered in the report
    #[arg(long, value_name = "NUMBER", conflicts_with = "from")]
    pub(super) point: Option<usize>,

    #[command(flatten)]
    pub(super) prove: ProveArguments,
}

/// Output formats.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum Format {
    /// Report for a terminal
    Text,
    /// Design file
    Toml,
    /// Self-contained HTML page without scripts
    Html,
    /// JSON with unrounded numbers, and the design file as a string
    Json,
}

impl Arguments {
    /// Returns whether the output is JSON.
    pub(crate) fn prints_json(&self) -> bool {
        self.form() == Format::Json
    }

    /// Returns the output format.
    pub(super) const fn form(&self) -> Format {
        if self.json { Format::Json } else { self.format }
    }
}

/// Parses a percentage, with or without a sign, and returns a fraction.
fn percent(text: &str) -> Result<f64, String> {
    let number = text.trim().trim_end_matches('%').trim().parse::<f64>().ok();
    let number = number.filter(|percent| (0.0..=1_000.0).contains(percent));
    number.map(|percent| percent / 100.0).ok_or_else(|| "expected a percentage from 0 to 1000".to_owned())
}

const EXAMPLES: &str = "\
Examples:
  tables design tickets.toml
  tables design tickets.toml -o design.toml
  tables design tickets.toml --slack 0 --format toml
  tables design tickets.toml --format html > report.html
  tables design tickets.toml --point 1 --json
  tables design tickets.toml --prove
  tables design --from company.toml --steps 2 -o improved.toml
  tables design --from company.toml --trace requests.jsonl -o improved.toml
  tables design company.toml --workload-only -o workload.toml
  tables design workload.toml --from company.toml --keep Employee

With --from, costs are per month, the cost of a migration is paid once, and the result costs at most as much as the \
existing design, unless that exceeds a limit.

The exit code is 1 if the limits allow no design, the result exceeds them, the workload is invalid, or an execution differs from the prediction, 2 for invalid arguments, and 0 \
otherwise. The same workload produces the same design.";
