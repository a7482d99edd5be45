use std::fmt;

use super::{Cut, KeyRange, Plan};

/// Maximum number of ranges printed individually.
const SHOWN: usize = 20;

/// Prints the class, the number of ranges, one line per range, and the residual condition.
impl fmt::Display for Plan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let count = self.ranges.len();
        write!(f, "{}, {count} range{}", self.class, if count == 1 { "" } else { "s" })?;
        if count == 0 {
            f.write_str("\nno key can match, nothing is read")?;
        }
        for range in self.ranges.iter().take(SHOWN) {
            write!(f, "\n- {range}")?;
        }
        if count > SHOWN {
            write!(f, "\n- and {} more", count - SHOWN)?;
        }
        match &self.residual {
            Some(residual) => write!(f, "\ncheck on each entity: {residual}"),
            None => Ok(()),
        }
    }
}

/// Prints the range: `PartitionKey 'Sales', RowKey from 'S' to before 'T'`.
impl fmt::Display for KeyRange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some((partition, row)) = self.point() {
            return write!(f, "PartitionKey '{partition}', RowKey '{row}'");
        }
        let (lower, upper) = (self.lower.parts(), self.upper.parts());
        match (lower, upper) {
            (Some((partition, from)), Some((last, to))) if partition == last => {
                write!(f, "PartitionKey '{partition}', ")?;
                match (from, to) {
                    (Row::From(""), Row::End) => f.write_str("all rows"),
                    (from, Row::End) => write!(f, "RowKey {from}"),
                    (Row::From(""), to) => write!(f, "RowKey {}", To(to)),
                    (from, to) => write!(f, "RowKey {from} {}", To(to)),
                }
            }
            (None, None) => f.write_str("all of the table"),
            (lower, upper) => {
                match lower {
                    None => f.write_str("from the start")?,
                    Some((partition, Row::From(""))) => write!(f, "from PartitionKey '{partition}'")?,
                    Some((partition, Row::End)) => write!(f, "after PartitionKey '{partition}'")?,
                    Some((partition, row)) => write!(f, "from PartitionKey '{partition}', RowKey {row}")?,
                }
                match upper {
                    None => f.write_str(" to the end"),
                    Some((partition, Row::From(""))) => write!(f, " to before PartitionKey '{partition}'"),
                    Some((partition, Row::End)) => write!(f, " through PartitionKey '{partition}'"),
                    Some((partition, row)) => write!(f, " to PartitionKey '{partition}', RowKey {}", To(row)),
                }
            }
        }
    }
}

/// Position in a partition.
#[derive(Clone, Copy)]
enum Row<'a> {
    /// Immediately before this RowKey.
    From(&'a str),
    /// Immediately after this RowKey.
    After(&'a str),
    /// After all rows.
    End,
}

impl Cut {
    /// Returns the partition and the position in it; `None` for the start and end of the table.
    fn parts(&self) -> Option<(&str, Row<'_>)> {
        match self {
            Self::Start | Self::End => None,
            Self::Before(partition, row) => Some((partition, Row::From(row))),
            Self::After(partition, row) => Some((partition, Row::After(row))),
            Self::AfterPartition(partition) => Some((partition, Row::End)),
        }
    }
}

/// Prints a lower bound.
impl fmt::Display for Row<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::From(row) => write!(f, "from '{row}'"),
            Self::After(row) => write!(f, "after '{row}'"),
            Self::End => f.write_str("after all"),
        }
    }
}

/// Upper bound, for printing.
struct To<'a>(Row<'a>);

impl fmt::Display for To<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Row::From(row) => write!(f, "to before '{row}'"),
            Row::After(row) => write!(f, "through '{row}'"),
            Row::End => f.write_str("to the last"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Filter;

    #[test]
    fn ranges_are_told_in_words() {
        for (filter, lines) in [
            ("", "table-scan, 1 range\n- all of the table"),
            ("false", "point, 0 ranges\nno key can match, nothing is read"),
            ("PartitionKey eq 'a'", "partition-scan, 1 range\n- PartitionKey 'a', all rows"),
            (
                "PartitionKey eq 'a' and (RowKey eq 'x' or RowKey gt 'y')",
                "fan-out, 2 ranges\n- PartitionKey 'a', RowKey 'x'\n- PartitionKey 'a', RowKey after 'y'",
            ),
            (
                "PartitionKey eq 'a' and RowKey gt 'x' and RowKey le 'y'",
                "row-range, 1 range\n- PartitionKey 'a', RowKey after 'x' through 'y'",
            ),
            (
                "PartitionKey eq 'a' and RowKey lt 'x' and Age gt 5",
                "row-range, 1 range\n- PartitionKey 'a', RowKey to before 'x'\ncheck on each entity: Age gt 5",
            ),
            ("PartitionKey gt 'a'", "key-range, 1 range\n- after PartitionKey 'a' to the end"),
            ("PartitionKey lt 'b'", "key-range, 1 range\n- from the start to before PartitionKey 'b'"),
            (
                "PartitionKey ge 'a' and PartitionKey le 'b'",
                "key-range, 1 range\n- from PartitionKey 'a' through PartitionKey 'b'",
            ),
            (
                "PartitionKey ge 'a' and PartitionKey le 'b' and RowKey eq 'x'",
                "key-range, 1 range\n- from PartitionKey 'a', RowKey from 'x' to PartitionKey 'b', RowKey through 'x'\n\
                 check on each entity: RowKey eq 'x'",
            ),
        ] {
            let plan = Plan::of(Some(&Filter::parse(filter).unwrap()));
            assert_eq!(plan.to_string(), lines, "{filter}");
        }
    }

    #[test]
    fn many_ranges_are_told_in_part() {
        let many = (0..30).map(|n| Filter::eq("PartitionKey", format!("{n:02}"))).collect();
        let text = Plan::of(Some(&Filter::Or(many))).to_string();
        assert_eq!(text.lines().count(), 1 + SHOWN + 1);
        assert!(text.ends_with("- and 10 more"), "{text}");
    }
}
