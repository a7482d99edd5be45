use super::steps::{KeySet, Steps};

/// Maximum number of ranges in a region. A larger region is widened: the plan reads and checks more entities, but the
/// planning cost stays bounded for every filter.
pub(super) const MOST_RANGES: usize = 512;

/// Set of pairs (PartitionKey, RowKey): for each PartitionKey the set of its RowKey values.
pub(super) type Region = Steps<KeySet>;

impl Region {
    /// Returns the region of all pairs or the empty region.
    pub(super) fn everything_if(all: bool) -> Self {
        Self::constant(KeySet::constant(all))
    }

    /// Returns all pairs whose PartitionKey is in the set.
    pub(super) fn of_partitions(keys: &KeySet) -> Self {
        keys.map(|inside| KeySet::constant(*inside))
    }

    /// Returns all pairs whose RowKey is in the set.
    pub(super) fn of_rows(keys: KeySet) -> Self {
        Self::constant(keys)
    }

    /// Returns the pairs in both regions.
    pub(super) fn intersect(&self, other: &Self) -> Self {
        self.combine(other, both_rows).widened()
    }

    /// Returns the pairs in either region.
    pub(super) fn unite(&self, other: &Self) -> Self {
        self.combine(other, either_rows).widened()
    }

    /// Returns whether the regions have a common pair.
    pub(super) fn overlaps(&self, other: &Self) -> bool {
        self.meets(other, |a, b| a.meets(b, |a, b| *a && *b))
    }

    /// Returns the region, or a superset if it has too many ranges. First the gaps between the rows of each partition
    /// are filled, then neighboring partitions are merged.
    fn widened(self) -> Self {
        let ranges: usize = self.iter().map(|(_, _, rows)| rows.ranges().count()).sum();
        if ranges <= MOST_RANGES {
            return self;
        }
        let filled = self.map(filled_up);
        let pieces: Vec<_> = filled.iter().filter(|(_, _, rows)| !rows.is_empty()).collect();
        let mut region = Self::everything_if(false);
        for together in pieces.chunks(pieces.len().div_ceil(MOST_RANGES).max(1)) {
            let (Some((start, _, _)), Some((_, end, _))) = (together.first(), together.last()) else {
                continue;
            };
            let rows =
                together.iter().fold(KeySet::constant(false), |all, (_, _, rows)| either_rows(&all, rows));
            region.push((*start).to_owned(), filled_up(&rows));
            if let Some(end) = end {
                region.push((*end).to_owned(), KeySet::constant(false));
            }
        }
        region
    }
}

fn both_rows(a: &KeySet, b: &KeySet) -> KeySet {
    a.combine(b, |a, b| *a && *b)
}

fn either_rows(a: &KeySet, b: &KeySet) -> KeySet {
    a.combine(b, |a, b| *a || *b)
}

fn filled_up(rows: &KeySet) -> KeySet {
    rows.hull().map_or_else(|| KeySet::constant(false), |(lower, upper)| KeySet::between(lower, upper))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::filter::Comparison;

    fn key(text: &str) -> KeySet {
        KeySet::of(Comparison::Eq, &text.into())
    }

    fn pair(partition: &str, row: &str) -> Region {
        Region::of_partitions(&key(partition)).intersect(&Region::of_rows(key(row)))
    }

    #[test]
    fn pairs_unite_and_meet() {
        let both = pair("a", "x").unite(&pair("b", "y"));
        assert!(both.overlaps(&pair("a", "x")) && both.overlaps(&pair("b", "y")));
        assert!(!both.overlaps(&pair("a", "y")) && !both.overlaps(&pair("b", "x")));
        assert_eq!(both.intersect(&Region::of_partitions(&key("b"))), pair("b", "y"));
        assert_eq!(pair("a", "x").unite(&pair("a", "x")), pair("a", "x"));
    }

    #[test]
    fn a_region_of_too_many_ranges_is_widened_but_loses_nothing() {
        let names: Vec<String> = (0..3 * MOST_RANGES).map(|n| format!("{n:05}")).collect();
        let mut partitions = Region::everything_if(false);
        let mut rows = Region::everything_if(false);
        for name in &names {
            partitions = partitions.unite(&Region::of_partitions(&key(name)));
            rows = rows.unite(&Region::of_rows(key(name)));
        }
        for region in [partitions.clone(), rows.clone(), partitions.intersect(&rows)] {
            let ranges: usize = region.iter().map(|(_, _, rows)| rows.ranges().count()).sum();
            assert!(ranges <= MOST_RANGES, "{ranges}");
            for name in &names {
                assert!(region.overlaps(&pair(name, name)), "{name}");
            }
            assert!(!region.overlaps(&pair("x", "x")));
        }
    }
}
