use super::{facts::Facts, path::Path};
use crate::template::{SegmentKind, Template};

/// The partitions of a table that are made by one template: what is split over servers.
#[derive(Clone, Debug, PartialEq)]
pub struct Group {
    /// The table's name and the template of its partitions, fields left out, in lower case: `employees[badge_{}]`.
    pub name: String,
    /// How many partitions there are.
    pub partitions: f64,
    /// The exponent of how unevenly they are wanted.
    pub zipf: f64,
    /// The entities a second, written and read, of the busiest partition at the peak.
    pub hot: f64,
    /// The entities a second, written and read, of all of them at the peak; scans of tables aside.
    pub rate: f64,
    /// Those among them that are inserted at one end of the key space.
    pub rising: f64,
    /// Whether that is the beginning.
    pub is_inverted: bool,
    /// How many partitions are written there at a time.
    pub concurrent: f64,
}

impl Group {
    /// The name of the group whose partitions a template makes in a table; both as the design says them.
    ///
    /// ```
    /// use table_schema::{advise::Group, template::Template};
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
                SegmentKind::Hole(_) => name.push_str("{}"),
            }
        }
        name.push(']');
        name
    }

    /// The group of a kind of rows, with nothing asked of it yet.
    pub(super) fn new(facts: &Facts<'_>, path: &Path<'_>) -> Self {
        let partition = &path.kind.partition;
        let zipf = partition.holes().map(|hole| facts.zipf(&hole.field)).fold(0.0, f64::max);
        let end = rising_end(facts, partition);
        let others = partition.holes().skip(1).filter(|hole| !facts.is_rising(&hole.field));
        let ticks = partition.holes().next().is_some_and(|hole| {
            matches!(hole.shape, crate::template::Shape::Ticks | crate::template::Shape::InvertedTicks)
        });
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

/// Whether new partitions stand at one end of the key space: `Some(true)` at the beginning.
pub(super) fn rising_end(facts: &Facts<'_>, partition: &Template) -> Option<bool> {
    let first = partition.holes().next()?;
    let inverted = first.shape == crate::template::Shape::InvertedTicks;
    facts.is_rising(&first.field).then_some(inverted)
}
