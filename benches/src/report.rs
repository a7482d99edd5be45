//! `RESULTS.md`: what was measured, on what, and whether it is enough.

use std::fmt::{self, Display, Write as _};

use crate::{
    bench::Effort,
    contender::Kind,
    machine::Machine,
    rounds::Measured,
    rows::{Goal, Unit},
    show,
};

pub struct Report<'r> {
    pub machine: &'r Machine,
    pub effort: &'r Effort,
    pub rows: &'r [Measured],
}

impl Display for Report<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "# Results\n")?;
        writeln!(
            f,
            "Written by `benches/run {}`. What is compared, and how: [README](README.md).\n",
            self.effort.name
        )?;
        writeln!(f, "{}", self.machine)?;
        let Effort { rounds, orders, dropped, .. } = self.effort;
        writeln!(
            f,
            "Medians of {rounds} rounds, in which each contender ran each row once, in rotated order. {orders} entities, \
             1,000 to a partition; dropped tables have {dropped}.\n"
        )?;
        self.ratios(f)?;
        self.figures(f)?;
        self.latencies(f)
    }
}

impl Report<'_> {
    /// How many times ours is as good as each other, and what was to be reached.
    fn ratios(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const OTHERS: [Kind; 6] =
            [Kind::Redb, Kind::RedbCursor, Kind::Sqlite, Kind::NativeDb, Kind::ByHand, Kind::Probe];
        writeln!(f, "## Ours beside the others\n")?;
        writeln!(f, "How many times as good as each; 1.00 is equal, more is better.\n")?;
        head(f, &["row", "entity"], &OTHERS, &["goals"])?;
        for row in self.rows {
            write!(f, "| {} | {} |", row.row.title, row.size.label())?;
            for other in OTHERS {
                let ratio = row.ratio(Kind::Ours, other).map(show::number).unwrap_or_default();
                write!(f, " {ratio} |")?;
            }
            writeln!(f, " {} |", goals(row))?;
        }
        writeln!(f)
    }

    fn figures(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "## Figures\n")?;
        writeln!(f, "Beside each median: half of the way from the least to the most of its rounds.\n")?;
        head(f, &["row", "entity", "unit"], &Kind::ALL, &[])?;
        for row in self.rows {
            write!(f, "| {} | {} | {} |", row.row.title, row.size.label(), unit(row.row.unit))?;
            for kind in Kind::ALL {
                match (row.median(kind), row.spread(kind)) {
                    (Some(median), Some(spread)) if !row.row.once => {
                        write!(f, " {} ±{:.0} % |", show::number(median), spread * 100.0)?;
                    }
                    (Some(median), _) => write!(f, " {} |", show::number(median))?,
                    (None, _) => write!(f, " |")?,
                }
            }
            writeln!(f)?;
        }
        writeln!(f)
    }

    fn latencies(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "## Time of single operations\n")?;
        writeln!(f, "The middle one / the slowest hundredth.\n")?;
        head(f, &["row", "entity"], &Kind::ALL, &[])?;
        for row in self.rows {
            if row.latency(Kind::Ours).is_none() {
                continue;
            }
            write!(f, "| {} | {} |", row.row.title, row.size.label())?;
            for kind in Kind::ALL {
                let cell = row
                    .latency(kind)
                    .map(|[middle, slow]| format!("{} / {}", show::time(middle), show::time(slow)));
                write!(f, " {} |", cell.unwrap_or_default())?;
            }
            writeln!(f)?;
        }
        Ok(())
    }
}

fn head(f: &mut fmt::Formatter<'_>, first: &[&str], kinds: &[Kind], last: &[&str]) -> fmt::Result {
    let names =
        first.iter().copied().chain(kinds.iter().map(|kind| kind.title())).chain(last.iter().copied());
    let (mut titles, mut rule) = (String::from("|"), String::from("|"));
    for (column, name) in names.enumerate() {
        write!(titles, " {name} |")?;
        let is_number = column >= first.len() && column < first.len() + kinds.len();
        rule.push_str(if is_number { "---:|" } else { "---|" });
    }
    writeln!(f, "{titles}\n{rule}")
}

/// Each goal with what was reached: `bare redb 0.87 of 0.85`, and those that were missed in bold.
fn goals(row: &Measured) -> String {
    let mut texts = Vec::new();
    for goal in row.row.goals {
        let Some((wanted, reached, met)) = row.judge(*goal) else { continue };
        let text = match goal {
            Goal::Ratio { to, .. } => format!("{} {} of {wanted}", to.title(), show::number(reached)),
            Goal::AtMost(_) => {
                format!(
                    "{}, at most {}",
                    show::with_unit(reached, row.row.unit),
                    show::with_unit(wanted, row.row.unit)
                )
            }
        };
        texts.push(if met { text } else { format!("**missed: {text}**") });
    }
    texts.join("; ")
}

const fn unit(unit: Unit) -> &'static str {
    match unit {
        Unit::PerSecond(what) => what,
        Unit::Milliseconds => "ms",
        Unit::Mebibytes => "MiB",
        Unit::Times => "× of the data",
    }
}
