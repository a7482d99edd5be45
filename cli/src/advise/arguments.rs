use std::{path::PathBuf, str::FromStr};

use clap::{ArgGroup, Args, ValueEnum};
use table_rest::AccountName;
use table_schema::catalogue::{Code, UnknownCode};

use crate::{location::Where, prove::ProveArguments, trace::TraceArguments};

/// Report the cost and the problems of a design
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
#[command(mut_arg("trace", |trace| trace.requires("file").conflicts_with("diff")))]
#[command(group = ArgGroup::new("measured").args(["observe", "trace"]).multiple(true))]
pub(crate) struct Arguments {
    /// Design file, in TOML
    #[arg(value_name = "FILE", required_unless_present = "explain")]
    pub(crate) file: Option<PathBuf>,

    /// File with queries, load, prices, targets and lint that override the design
    #[arg(long, value_name = "FILE")]
    pub(crate) load: Option<PathBuf>,

    /// Output format
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    format: Format,

    /// Same as --format json
    #[arg(long, conflicts_with = "format")]
    json: bool,

    /// Exit with 2 if a warning is found
    #[arg(long)]
    pub(crate) strict: bool,

    /// Report only the changes from an older design: a file, or REV:PATH as in git
    #[arg(long, value_name = "OLD", requires = "file", conflicts_with = "prove")]
    pub(crate) diff: Option<String>,

    /// Replace assumptions with values measured in a store: store file, data directory of `tables serve`, connection
    /// string, signed URL, or address of a database
    #[arg(long, value_name = "STORE", requires = "file", conflicts_with = "diff")]
    pub(crate) observe: Option<Where>,

    /// Account to use if the data directory contains several, or for {account} in the address of a database
    #[arg(long, value_name = "NAME", requires = "observe")]
    pub(crate) account: Option<AccountName>,

    #[command(flatten)]
    pub(crate) recorded: TraceArguments,

    /// Write the measured values to a file for --load
    #[arg(long, value_name = "FILE", requires = "measured")]
    pub(crate) write_load: Option<PathBuf>,

    /// Explain a rule, such as K01, without a design; list all rules if CODE is omitted
    #[arg(long, value_name = "CODE", num_args = 0..=1, default_missing_value = "all", conflicts_with = "file")]
    pub(crate) explain: Option<Topic>,

    /// Comma-separated numbers of servers to simulate
    #[arg(long, value_name = "COUNTS", value_delimiter = ',', default_value = SERVERS, value_parser = crate::values::servers)]
    pub(crate) servers: Vec<usize>,

    /// Simulated load in entities per second, in the declared proportions [default: the declared peak]
    #[arg(long, value_name = "RATE", value_parser = crate::values::rate)]
    pub(crate) rate: Option<f64>,

    /// Seed that selects the hot partitions
    #[arg(long, value_name = "SEED", default_value_t = SEED)]
    pub(crate) seed: u64,

    #[command(flatten)]
    pub(crate) prove: ProveArguments,
}

/// The subject of an explanation.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Topic {
    /// The list of all rules.
    All,
    /// One rule.
    Rule(Code),
}

impl FromStr for Topic {
    type Err = UnknownCode;

    fn from_str(text: &str) -> Result<Self, UnknownCode> {
        if text == "all" { Ok(Self::All) } else { text.parse().map(Self::Rule) }
    }
}

impl Arguments {
    /// Returns whether the output is JSON.
    pub(crate) const fn prints_json(&self) -> bool {
        matches!(self.form(), Format::Json)
    }

    /// Returns the output format.
    pub(crate) const fn form(&self) -> Format {
        if self.json { Format::Json } else { self.format }
    }
}

/// Output formats.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum Format {
    /// Text for a terminal
    Text,
    /// Markdown for a review comment
    Markdown,
    /// Self-contained HTML page without scripts
    Html,
    /// JSON with unrounded numbers
    Json,
}

/// Default numbers of simulated servers.
pub(super) const SERVERS: &str = "1,10,100,1000";
/// Default seed.
pub(super) const SEED: u64 = 1;

const EXAMPLES: &str = "\
Examples:
  tables advise company.toml
  tables advise company.toml --load peak.toml --strict
  tables advise company.toml --observe company.tables --write-load measured.toml
  tables advise company.toml --trace requests.jsonl
  tables advise company.toml --format html > report.html
  tables advise company.toml --servers 10,100 --rate 1e6
  tables advise company.toml --diff main:company.toml --format markdown
  tables advise company.toml --prove
  tables advise --explain K01

The exit code is 1 if a finding is an error, the design is invalid, or an execution differs from the prediction, 2 with --strict if a finding is \
a warning, 2 for invalid arguments, and 0 otherwise. With --diff, only new findings count. The same \
design produces the same report.";
