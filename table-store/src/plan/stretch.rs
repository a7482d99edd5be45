use super::{Cut, KeyRange, legal, region::Region, steps::KeySet};

/// A pair (PartitionKey, RowKey), as the place just before it.
type Place = (String, String);

/// A run of pairs in the table's order, from `lower` up to, not including, `upper`; to the end if there is none.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Stretch {
    lower: Place,
    upper: Option<Place>,
}

/// How much of the table a stretch takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Extent {
    /// So many keys, neighbours of one partition.
    Keys(usize),
    /// A range of one partition.
    Rows,
    /// All of so many partitions, neighbours.
    WholePartitions(usize),
    /// Any other range over more than one partition.
    Across,
}

/// The fewest stretches that hold a region, ascending, no two touching; and all that they hold, which is more than the
/// region where a restriction on rows goes across partitions.
pub(super) fn stretches(region: &Region) -> (Vec<Stretch>, Region) {
    let mut stretches = Vec::new();
    let mut covered = Region::everything_if(false);
    for (start, end, rows) in region.iter() {
        let Some(hull) = rows.hull() else {
            covered.push(start.to_owned(), rows.clone());
            continue;
        };
        let Some(count) = legal::count(start, end) else {
            append(&mut stretches, across(start, end, hull, &mut covered));
            continue;
        };
        covered.push(start.to_owned(), rows.clone());
        for partition in legal::run(start, count) {
            for (lower, upper) in rows.ranges() {
                let upper =
                    upper.map_or_else(|| end_of(&partition), |row| (partition.clone(), row.to_owned()));
                let lower = (partition.clone(), lower.to_owned());
                append(&mut stretches, Stretch { lower, upper: Some(upper) });
            }
        }
    }
    (stretches, covered)
}

/// One stretch over the partitions from `start` to `end`, without the rows that are known not to be wanted of the first
/// and the last one.
fn across(start: &str, end: Option<&str>, rows: (&str, Option<&str>), covered: &mut Region) -> Stretch {
    let (first_row, end_row) = rows;
    covered.push(start.to_owned(), KeySet::between(first_row, None));
    covered.push(legal::next(start), KeySet::constant(true));
    let last_and_row = end.and_then(legal::previous).zip(end_row);
    let upper = match last_and_row {
        Some((last, row)) => {
            covered.push(last.to_owned(), KeySet::between("", Some(row)));
            Some((last.to_owned(), row.to_owned()))
        }
        None => end.map(|end| (end.to_owned(), String::new())),
    };
    Stretch { lower: (start.to_owned(), first_row.to_owned()), upper }
}

fn append(stretches: &mut Vec<Stretch>, next: Stretch) {
    match stretches.last_mut() {
        Some(last) if last.upper.as_ref() == Some(&next.lower) => last.upper = next.upper,
        _ => stretches.push(next),
    }
}

fn end_of(partition: &str) -> Place {
    (legal::next(partition), String::new())
}

impl Stretch {
    /// All of a table.
    pub(super) const fn table() -> Self {
        Self { lower: (String::new(), String::new()), upper: None }
    }

    /// All of the partition in which the stretch begins.
    pub(super) fn its_partition(&self) -> Self {
        let partition = self.partition();
        Self { lower: (partition.to_owned(), String::new()), upper: Some(end_of(partition)) }
    }

    /// The partition in which the stretch begins.
    pub(super) fn partition(&self) -> &str {
        &self.lower.0
    }

    /// What some of its parts, ascending and apart, leave out of the stretch.
    pub(super) fn without(&self, parts: &[Self]) -> Vec<Self> {
        let gap = |lower: Option<&Place>, upper: Option<&Place>| {
            let lower = lower.filter(|lower| Some(*lower) != upper)?.clone();
            Some(Self { lower, upper: upper.cloned() })
        };
        let mut reached = Some(&self.lower);
        let mut gaps = Vec::new();
        for part in parts {
            gaps.extend(gap(reached, Some(&part.lower)));
            reached = part.upper.as_ref();
        }
        gaps.extend(gap(reached, self.upper.as_ref()));
        gaps
    }

    pub(super) fn extent(&self) -> Extent {
        let (partition, row) = &self.lower;
        match &self.upper {
            Some((end, end_row)) if end == partition => {
                legal::count(row, Some(end_row)).map_or(Extent::Rows, Extent::Keys)
            }
            Some((end, end_row)) if end_row.is_empty() => match legal::count(partition, Some(end)) {
                Some(count) if row.is_empty() => Extent::WholePartitions(count),
                Some(1) => Extent::Rows,
                _ => Extent::Across,
            },
            _ => Extent::Across,
        }
    }

    /// The stretch as cuts. They hold no forbidden character, as the places are keys that can exist. A place just after
    /// a key is written so.
    pub(super) fn to_range(&self) -> KeyRange {
        let (partition, row) = &self.lower;
        let lower = match self.extent() {
            Extent::Keys(_) | Extent::WholePartitions(_) => Cut::Before(partition.clone(), row.clone()),
            Extent::Rows => row_cut(partition, row),
            Extent::Across if partition.is_empty() && row.is_empty() => Cut::Start,
            Extent::Across => cut(partition, row),
        };
        let upper = self.upper.as_ref().map_or(Cut::End, |(partition, row)| cut(partition, row));
        KeyRange { lower, upper }
    }
}

fn cut(partition: &str, row: &str) -> Cut {
    match legal::previous(partition) {
        Some(before) if row.is_empty() => Cut::AfterPartition(before.to_owned()),
        _ => row_cut(partition, row),
    }
}

fn row_cut(partition: &str, row: &str) -> Cut {
    match legal::previous(row) {
        Some(before) => Cut::After(partition.to_owned(), before.to_owned()),
        None => Cut::Before(partition.to_owned(), row.to_owned()),
    }
}
