use super::sync::{AtomicU64, Ordering};

/// Number of bits, a power of two: with 100,000 keys, one of 30 other keys is not excluded.
const BITS: u32 = if cfg!(all(test, shuttle)) { 1 << 8 } else { 1 << 20 };

/// Set of keys that excludes most other keys: two bits for each key. Reads use it to skip the search in a layer.
#[derive(Debug)]
pub(super) struct Filter(Box<[AtomicU64]>);

impl Filter {
    pub(super) fn new() -> Self {
        Self((0..BITS / u64::BITS).map(|_| AtomicU64::new(0)).collect())
    }

    /// Adds a key. The caller publishes it afterwards, with a release store.
    pub(super) fn add(&self, key: &[u8]) {
        for (word, bit) in bits(key) {
            if let Some(word) = self.0.get(word) {
                word.fetch_or(bit, Ordering::Relaxed);
            }
        }
    }

    /// Adds a key before the set is shared.
    pub(super) fn add_first(&mut self, key: &[u8]) {
        for (word, bit) in bits(key) {
            if let Some(word) = self.0.get_mut(word) {
                *word.get_mut() |= bit;
            }
        }
    }

    /// Returns `false` only if the key was never added.
    pub(super) fn may_contain(&self, key: &[u8]) -> bool {
        let set = |(word, bit): (usize, u64)| {
            self.0.get(word).is_some_and(|word| word.load(Ordering::Relaxed) & bit != 0)
        };
        bits(key).into_iter().all(set)
    }
}

/// Returns the words and masks of the two bits of a key.
fn bits(key: &[u8]) -> [(usize, u64); 2] {
    let hash = crc32c::crc32c(key);
    // The second bit must not depend on the same 20 bits of the hash alone.
    [hash, hash.wrapping_mul(0x9e37_79b9).rotate_left(15)].map(|hash| {
        let bit = hash % BITS;
        ((bit / u64::BITS) as usize, 1 << (bit % u64::BITS))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn added_keys_are_found_and_most_others_are_not() {
        let mut filter = Filter::new();
        let key = |number: u32| format!("key {number}").into_bytes();
        (0..50_000).for_each(|number| filter.add_first(&key(number)));
        (50_000..100_000).for_each(|number| filter.add(&key(number)));
        assert!((0..100_000).all(|number| filter.may_contain(&key(number))));
        let wrong = (100_000..200_000).filter(|number| filter.may_contain(&key(*number))).count();
        assert!(wrong < 5_000, "{wrong}");
    }
}
