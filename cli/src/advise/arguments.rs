use std::{path::PathBuf, str::FromStr};

use clap::{Args, ValueEnum};
use table_rest::AccountName;
use table_schema::catalogue::{Code, UnknownCode};

use crate::place::Where;

/// Says what a design costs, and where it will hurt.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Arguments {
    /// The design, in TOML
    #[arg(value_name = "FILE", required_unless_present = "explain")]
    pub(crate) file: Option<PathBuf>,

    /// Another file whose queries, load, prices, targets and lint are laid over the design's
    #[arg(long, value_name = "FILE")]
    pub(crate) load: Option<PathBuf>,

    /// How it is written
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    format: Format,

    /// The same as `--format json`
    #[arg(long, conflicts_with = "format")]
    json: bool,

    /// Exits with 2 if there is a warning
    #[arg(long)]
    pub(crate) strict: bool,

    /// Tells only what changes from an older design: a file, or REV:PATH as git names one
    #[arg(long, value_name = "OLD", requires = "file")]
    pub(crate) diff: Option<String>,

    /// Reads the design's tables at a place, once, and puts what is there for what is assumed: a store's file, the folder of
    /// `tables serve`, a connection string or a signed URL
    #[arg(long, value_name = "PLACE", requires = "file", conflicts_with = "diff")]
    pub(crate) observe: Option<Where>,

    /// The account, where the place is a folder that holds several
    #[arg(long, value_name = "NAME", requires = "observe")]
    pub(crate) account: Option<AccountName>,

    /// Writes what was measured as a file for --load
    #[arg(long, value_name = "FILE", requires = "observe")]
    pub(crate) write_load: Option<PathBuf>,

    /// Tells a rule, and nothing of a design: K01; without a code lists them all
    #[arg(long, value_name = "CODE", num_args = 0..=1, default_missing_value = "all", conflicts_with = "file")]
    pub(crate) explain: Option<Topic>,

    /// Numbers of servers that the design is tried on
    #[arg(long, value_name = "N", value_delimiter = ',', default_value = "1,10,100,1000", value_parser = crate::values::servers)]
    pub(crate) servers: Vec<usize>,

    /// Entities a second that they are asked for, in the declared proportions; else the declared peak
    #[arg(long, value_name = "N", value_parser = crate::values::rate)]
    pub(crate) rate: Option<f64>,

    /// Decides which partitions are the wanted ones
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub(crate) seed: u64,
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
    /// Returns the output format.
    pub(crate) const fn form(&self) -> Format {
        if self.json { Format::Json } else { self.format }
    }
}

/// The forms of a report.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum Format {
    /// For a terminal
    Text,
    /// For a comment on a change
    Markdown,
    /// A page of its own: nothing is loaded, nothing runs
    Html,
    /// An object, numbers not rounded
    Json,
}

const EXAMPLES: &str = "\
Examples:
  tables advise company.toml
  tables advise company.toml --load peak.toml --strict
  tables advise company.toml --observe company.tables --write-load measured.toml
  tables advise company.toml --format html > report.html
  tables advise company.toml --servers 10,100 --rate 1e6
  tables advise company.toml --diff main:company.toml --format markdown
  tables advise --explain K01

It exits with 0 if nothing fails, with 1 if something does or the design has mistakes, with 2 under --strict if something
will hurt, or if it was called wrongly. With --diff only what is new counts. The same design gives the same report.";
