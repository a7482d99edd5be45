use super::{
    facts::{Facts, up},
    path::Path,
};
use table_schema::template::{SegmentKind, Template};

/// The partitions of a table that one template describes: the unit of distribution over servers.
#[derive(Clone, Debug, PartialEq)]
pub struct Group {
    /// The table name and the partition template without field names, in lower case: `employees[badge_{}]`.
    pub name: String,
    /// Number of partitions.
    pub partitions: f64,
    /// Number of partitions that take the load of a second: inserts with a rising field reach only its new values.
    pub active: f64,
    /// The largest Zipf exponent of the values in the key.
    pub zipf: f64,
    /// Entities per second, written and read, in the busiest partition at the peak, without table scans.
    pub hot: f64,
    /// Entities per second that table scans read in a partition at the peak.
    pub scans: f64,
    /// The operations with their shares of `hot` and `scans`, highest first.
    pub by: Vec<(String, f64)>,
    /// Entities per second, written and read, in all partitions at the peak, without table scans.
    pub rate: f64,
    /// Entities per second that are inserted at one end of the key space.
    pub rising: f64,
    /// `true` if that end is the start.
    pub is_inverted: bool,
}

/// A part of the load of a group.
#[derive(Clone, Debug)]
pub(super) struct Share {
    /// The name of the query or write.
    pub operation: String,
    /// Entities per second at the peak.
    pub rate: f64,
    /// Fraction in the busiest partition.
    pub busiest: f64,
    /// Number of partitions.
    pub active: f64,
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
        Self {
            name: path.group(),
            partitions: facts.keys(partition),
            active: 0.0,
            zipf: partition.holes().map(|hole| facts.zipf(&hole.field)).fold(0.0, f64::max),
            hot: 0.0,
            scans: 0.0,
            by: Vec::new(),
            rate: 0.0,
            rising: 0.0,
            is_inverted: rising_end(facts, partition) == Some(true),
        }
    }

    /// Adds load to the busiest partition.
    pub(super) fn add(&mut self, share: Share) {
        self.rate += share.rate;
        self.hot += share.rate * share.busiest;
        // Until `finish`, the load of an average partition.
        self.active += share.rate / share.active;
        self.count(share.operation, share.rate * share.busiest);
    }

    /// Adds the entities that a table scan reads in a partition.
    pub(super) fn add_scan(&mut self, operation: &str, rate: f64) {
        self.scans += rate;
        self.count(operation.to_owned(), rate);
    }

    fn count(&mut self, operation: String, rate: f64) {
        if rate <= 0.0 {
            return;
        }
        match self.by.iter_mut().find(|(known, _)| *known == operation) {
            Some((_, known)) => *known += rate,
            None => self.by.push((operation, rate)),
        }
    }

    /// Derives the distribution from the complete load.
    pub(super) fn finish(&mut self) {
        self.by.sort_by(|one, other| other.1.total_cmp(&one.1));
        if self.rate <= 0.0 {
            self.active = self.partitions;
            return;
        }
        self.active = up(self.rate / self.active).max(1.0);
    }
}

/// Returns whether new partitions are created at one end of the key space: `Some(true)` for the start, `Some(false)`
/// for the end.
pub(super) fn rising_end(facts: &Facts<'_>, partition: &Template) -> Option<bool> {
    let first = partition.holes().next()?;
    facts.is_rising(&first.field).then_some(first.shape.is_descending())
}
