//! Heavy hitters of a stream in constant memory: Space-Saving, by Metwally, Agrawal and El Abbadi (ICDT 2005).

use std::{
    collections::{BTreeMap, HashMap},
    hash::Hash,
};

/// Number of counters. The count of a key is too high by at most the total weight divided by this number.
pub(super) const COUNTERS: usize = 256;

/// Counters of the heaviest keys.
#[derive(Debug)]
pub(super) struct Sketch<K> {
    /// The places of the keys in `counters`.
    places: HashMap<K, usize>,
    counters: Vec<(K, Count)>,
    total: u64,
}

/// The count of a key: between `most - over` and `most`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Count {
    pub(super) most: u64,
    pub(super) over: u64,
}

impl Count {
    pub(super) fn plus(self, more: Self) -> Self {
        Self { most: self.most.saturating_add(more.most), over: self.over.saturating_add(more.over) }
    }
}

impl<K> Default for Sketch<K> {
    fn default() -> Self {
        Self { places: HashMap::new(), counters: Vec::new(), total: 0 }
    }
}

impl<K: Clone + Eq + Hash + Ord> Sketch<K> {
    /// Adds weight to a key. If it has no counter, it replaces the key with the lowest count, which it inherits.
    pub(super) fn add(&mut self, key: K, weight: u64) {
        self.total = self.total.saturating_add(weight);
        let more = Count { most: weight, over: 0 };
        if let Some((_, count)) = self.places.get(&key).and_then(|place| self.counters.get_mut(*place)) {
            *count = count.plus(more);
        } else if self.counters.len() < COUNTERS {
            self.places.insert(key.clone(), self.counters.len());
            self.counters.push((key, more));
        } else if let Some((place, lowest)) =
            self.counters.iter_mut().enumerate().min_by_key(|(_, (_, count))| count.most)
        {
            self.places.remove(&lowest.0);
            self.places.insert(key.clone(), place);
            let most = lowest.1.most;
            *lowest = (key, Count { most, over: most }.plus(more));
        }
    }

    /// Returns the weight of all keys.
    pub(super) fn total(&self) -> u64 {
        self.total
    }

    /// Returns the count of a key. A key without a counter has at most the lowest count.
    fn count(&self, key: &K) -> Count {
        match self.places.get(key).and_then(|place| self.counters.get(*place)) {
            Some((_, count)) => *count,
            None if self.counters.len() < COUNTERS => Count::default(),
            None => {
                let most = self.counters.iter().map(|(_, count)| count.most).min().unwrap_or_default();
                Count { most, over: most }
            }
        }
    }
}

/// Returns the counts of all keys with a counter in one of the sketches, the highest first. The bound of each sketch holds for
/// the sum: a count is too high by at most the total weight divided by [`COUNTERS`].
pub(super) fn top<'s, K: Clone + Eq + Hash + Ord>(sketches: &[&'s Sketch<K>]) -> Vec<(&'s K, Count)> {
    let mut counts: BTreeMap<&K, Count> = BTreeMap::new();
    for (key, _) in sketches.iter().flat_map(|sketch| &sketch.counters) {
        counts.entry(key).or_insert_with(|| {
            let all = sketches.iter().map(|sketch| sketch.count(key));
            all.fold(Count::default(), Count::plus)
        });
    }
    let mut counts: Vec<_> = counts.into_iter().collect();
    counts.sort_by_key(|(_, count)| std::cmp::Reverse(count.most));
    counts
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Length of a stream.
    const DRAWS: u32 = 4_000;

    /// A generator of numbers below one: splitmix64.
    struct Numbers(u64);

    impl Numbers {
        #[expect(clippy::cast_precision_loss, reason = "any number below one serves")]
        fn next(&mut self) -> f64 {
            self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
            let mut mixed = self.0;
            mixed = (mixed ^ mixed >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
            mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
            ((mixed ^ mixed >> 31) >> 11) as f64 / (1_u64 << 53) as f64
        }
    }

    /// Returns keys whose frequency is the rank to the power of `-exponent`, with small weights.
    fn zipf(exponent: f64, seed: u64) -> Vec<(u32, u64)> {
        let mut sums = Vec::new();
        let mut sum = 0.0;
        for rank in 1..=1_000 {
            sum += f64::from(rank).powf(-exponent);
            sums.push(sum);
        }
        let mut numbers = Numbers(seed);
        let draws = (0..DRAWS).map(|draw| {
            let at = numbers.next() * sum;
            (u32::try_from(sums.partition_point(|sum| *sum < at)).unwrap(), u64::from(1 + draw % 3))
        });
        draws.collect()
    }

    /// Compares the counts of a stream in several sketches with the exact ones.
    fn check(stream: &[(u32, u64)], parts: usize) {
        let mut exact: BTreeMap<u32, u64> = BTreeMap::new();
        let mut sketches: Vec<_> = (0..parts).map(|_| Sketch::default()).collect();
        for (number, (key, weight)) in stream.iter().enumerate() {
            *exact.entry(*key).or_default() += weight;
            sketches[number * parts / stream.len()].add(*key, *weight);
        }
        let all: Vec<_> = sketches.iter().collect();
        let (found, total) = (top(&all), exact.values().sum::<u64>());
        assert_eq!(all.iter().map(|sketch| sketch.total()).sum::<u64>(), total);
        let bound = total / COUNTERS as u64;
        for (key, count) in &found {
            let exact = exact[*key];
            assert!(count.most - count.over <= exact && exact <= count.most, "{key}: {count:?}, {exact}");
            assert!(count.over <= bound, "{key}: {count:?}, {bound}");
        }
        assert!(found.is_sorted_by(|(_, one), (_, next)| one.most >= next.most));
        for (key, _) in exact.iter().filter(|(_, exact)| **exact > bound) {
            assert!(found.iter().any(|(found, _)| *found == key), "{key} is missing");
        }
        assert!(found.len() >= COUNTERS.min(exact.len()));
    }

    #[test]
    fn the_error_of_each_count_is_bounded() {
        let mut streams = Vec::new();
        for (seed, exponent) in (0..).zip([0.6, 0.8, 1.0, 1.2]) {
            let random = zipf(exponent, seed);
            let mut heaviest_last = random.clone();
            heaviest_last.sort_by_key(|(key, _)| std::cmp::Reverse(*key));
            let heaviest_first = heaviest_last.iter().rev().copied().collect();
            streams.extend([random, heaviest_last, heaviest_first]);
        }
        // Each key replaces the one that is needed next.
        streams.push((0..DRAWS).map(|number| (number % 257, 1)).collect());
        // A heavy key, after more light ones than there are counters, again and again.
        streams.push((0..DRAWS).map(|number| (if number % 300 == 0 { 0 } else { number }, 1)).collect());
        for stream in streams {
            check(&stream, 1);
            check(&stream, 5);
        }
    }

    #[test]
    fn few_keys_are_counted_exactly() {
        let mut sketch = Sketch::default();
        for (key, weight) in [("a", 3), ("b", 1), ("a", 2)] {
            sketch.add(key, weight);
        }
        let count = |most| Count { most, over: 0 };
        assert_eq!(top(&[&sketch]), [(&"a", count(5)), (&"b", count(1))]);
    }
}
