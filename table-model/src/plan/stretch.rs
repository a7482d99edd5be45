use super::{Cut, KeyRange, legal, region::Region, steps::KeySet};

/// A pair (PartitionKey, RowKey), denoting the position immediately before it.
type Place = (String, String);

/// Contiguous pairs in table order, from `lower` up to, but excluding, `upper`, or to the end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Stretch {
    lower: Place,
    upper: Option<Place>,
}

/// Extent of a stretch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Extent {
    /// The given number of adjacent keys of one partition.
    Keys(usize),
    /// A range of one partition.
    Rows,
    /// The given number of adjacent whole partitions.
    WholePartitions(usize),
    /// Any other range across partitions.
    Across,
}

/// Returns the minimal stretches that cover a region, ascending and not adjacent, and the region that they cover. It is
/// larger than the given region if a row restriction applies across partitions.
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
                let upper = upper.map(str::to_owned);
                append(&mut stretches, Stretch::in_partition(partition.clone(), lower.to_owned(), upper));
            }
        }
    }
    (stretches, covered)
}

/// Returns one stretch over the partitions from `start` to `end`, without the excluded rows at the start of the first
/// and at the end of the last partition.
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
    /// Returns the rows of a partition from `lower` up to, but excluding, `upper`, or to its end.
    pub(super) fn in_partition(partition: String, lower: String, upper: Option<String>) -> Self {
        let upper = upper.map_or_else(|| end_of(&partition), |row| (partition.clone(), row));
        Self { lower: (partition, lower), upper: Some(upper) }
    }

    /// Returns the stretch of the whole table.
    pub(super) const fn table() -> Self {
        Self { lower: (String::new(), String::new()), upper: None }
    }

    /// Returns the whole partition in which the stretch starts.
    pub(super) fn its_partition(&self) -> Self {
        let partition = self.partition();
        Self { lower: (partition.to_owned(), String::new()), upper: Some(end_of(partition)) }
    }

    /// Returns the partition in which the stretch starts.
    pub(super) fn partition(&self) -> &str {
        &self.lower.0
    }

    /// Returns the gaps between the given parts of the stretch. The parts are ascending and disjoint.
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

    /// Converts the stretch to cuts. They contain no forbidden character because the bounds are valid keys. A bound
    /// immediately after a key is converted to `Cut::After`.
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
