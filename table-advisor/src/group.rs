use super::{facts::Facts, path::Path};
use table_schema::template::{SegmentKind, Template};

/// The partitions of a table that one template describes: the unit of distribution over servers.
#[derive(Clone, Debug, PartialEq)]
pub struct Group {
    /// The table name and the partition template without field names, in lower case: `employees[badge_{}]`.
    pub name: String,
    /// Number of partitions.
    pub partitions: f64,
    /// The Zipf exponent of the load distribution.
    pub zipf: f64,
    /// Entities per second, written and read, in the busiest partition at the peak.
    pub hot: f64,
    /// Entities per second, written and read, in all partitions at the peak, without table scans.
    pub rate: f64,
    /// Entities per second that are inserted at one end of the key space.
    pub rising: f64,
    /// `true` if that end is the start.
    pub is_inverted: bool,
    /// Number of partitions that are written concurrently at that end.
    pub concurrent: f64,
}

impl Group {
    /// Returns the name of the group for a table and a partition template, both as written in the design.
    ///
    /// ```
    /// use table_advisor::Group;
    /// use table_schema::template::Template;
    ///
    /// let partition = Template::parse("badge_{department}")?;
    /// assert_eq!(Group::name_of("Employees", &partition), "employees[badge_{}]");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn name_of(table: &str, partition: &Template) -> String {
        let mut name = table.to_lowercase();
        name.push('[');
        for segment in partition.segments() {
            match &segment.kind {
                SegmentKind::Literal(text) => name.push_str(text),
                SegmentKind::Field(_) => name.push_str("{}"),
            }
        }
        name.push(']');
        name
    }

    /// Creates the group of a row kind without load.
    pub(super) fn new(facts: &Facts<'_>, path: &Path<'_>) -> Self {
        let partition = &path.kind.partition;
        let zipf = partition.holes().map(|hole| facts.zipf(&hole.field)).fold(0.0, f64::max);
        let end = rising_end(facts, partition);
        let others = partition.holes().skip(1).filter(|hole| !facts.is_rising(&hole.field));
        let ticks = partition
            .holes()
            .next()
            .is_some_and(|hole| hole.shape.ascending() == table_schema::template::Shape::Ticks);
        Self {
            name: path.group(),
            partitions: facts.keys(partition),
            zipf,
            hot: 0.0,
            rate: 0.0,
            rising: 0.0,
            is_inverted: end == Some(true),
            concurrent: if ticks {
                facts.keys(partition)
            } else {
                others.map(|hole| facts.distinct_in(hole)).product::<f64>().max(1.0)
            },
        }
    }
}

/// Returns whether new partitions are created at one end of the key space: `Some(true)` for the start, `Some(false)`
/// for the end.
pub(super) fn rising_end(facts: &Facts<'_>, partition: &Template) -> Option<bool> {
    let first = partition.holes().next()?;
    facts.is_rising(&first.field).then_some(first.shape.is_descending())
}
