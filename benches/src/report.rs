//! `RESULTS.md`: the measurements, the machine, and the comparison with the goals.

use std::fmt::{self, Display};

use crate::{
    bench::Effort,
    contender::{Kind, WITHOUT_ROCKSDB},
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
        if !Kind::RocksDb.is_built() {
            writeln!(f, "{WITHOUT_ROCKSDB}\n")?;
        }
        self.ratios(f)?;
        self.goals(f)?;
        self.figures(f)?;
        self.latencies(f)
    }
}

impl Report<'_> {
    /// Writes the factors between ours and each other contender.
    fn ratios(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const OTHERS: [Kind; 7] = [
            Kind::Redb,
            Kind::RedbCursor,
            Kind::Sqlite,
            Kind::RocksDb,
            Kind::NativeDb,
            Kind::ByHand,
            Kind::Probe,
        ];
        writeln!(f, "## Ours beside the others\n")?;
        writeln!(f, "How many times as good as each: 1.00 is equal, more is better.\n")?;
        head(f, &["row", "entity"], &OTHERS)?;
        for row in self.rows {
            write!(f, "| {} | {} |", row.row.title, row.size.label())?;
            for other in OTHERS {
                let ratio = row.ratio(Kind::Ours, other).map(show::number).unwrap_or_default();
                write!(f, " {ratio} |")?;
            }
            writeln!(f)?;
        }
        writeln!(f)
    }

    /// Writes the goals and the measured values.
    fn goals(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut lines = Vec::new();
        for row in self.rows {
            for goal in row.row.goals {
                let Some((wanted, reached, met)) = row.judge(*goal) else { continue };
                let (against, least) = match goal {
                    Goal::Ratio { to, .. } => (to.title(), "at least"),
                    Goal::AtMost(_) => ("", "at most"),
                };
                let (unit, mark) = (unit_of(*goal, row.row.unit), if met { "met" } else { "**missed**" });
                let (title, size) = (row.row.title, row.size.label());
                let reached = show::number(reached);
                lines.push((
                    met,
                    format!(
                        "| {title} | {size} | {against} | {least} {wanted}{unit} | {reached}{unit} | {mark} |"
                    ),
                ));
            }
        }
        let met = lines.iter().filter(|(met, _)| *met).count();
        writeln!(f, "## Goals\n\n{met} of {} are met.\n", lines.len())?;
        writeln!(f, "| row | entity | beside | goal | reached | |\n|---|---|---|---:|---:|---|")?;
        lines.iter().try_for_each(|(_, line)| writeln!(f, "{line}"))?;
        writeln!(f)
    }

    fn figures(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "## Figures\n")?;
        writeln!(f, "Beside each median: half of the way from the least to the most of its rounds.\n")?;
        head(f, &["row", "entity", "unit"], &Kind::ALL)?;
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
        head(f, &["row", "entity"], &Kind::ALL)?;
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

fn head(f: &mut fmt::Formatter<'_>, words: &[&str], kinds: &[Kind]) -> fmt::Result {
    let names = words.iter().copied().chain(kinds.iter().map(|kind| kind.title()));
    writeln!(f, "| {} |", names.collect::<Vec<_>>().join(" | "))?;
    writeln!(f, "|{}{}", "---|".repeat(words.len()), "---:|".repeat(kinds.len()))
}

/// Returns the unit of the numbers of a goal.
const fn unit_of(goal: Goal, unit: Unit) -> &'static str {
    match (goal, unit) {
        (Goal::Ratio { .. }, _) | (_, Unit::PerSecond(_)) => "",
        (_, Unit::Milliseconds) => " ms",
        (_, Unit::Mebibytes) => " MiB",
        (_, Unit::Times) => "×",
    }
}

const fn unit(unit: Unit) -> &'static str {
    match unit {
        Unit::PerSecond(what) => what,
        Unit::Milliseconds => "ms",
        Unit::Mebibytes => "MiB",
        Unit::Times => "× of the data",
    }
}
