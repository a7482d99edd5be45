/// A set of small numbers.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Bits(Box<[u64]>);

impl Bits {
    /// Returns the empty set, with capacity for numbers below `count`.
    pub(super) fn new(count: usize) -> Self {
        Self(vec![0; count.div_ceil(64)].into())
    }

    /// Returns the set with an additional number.
    pub(super) fn with(&self, number: usize) -> Self {
        let mut more = self.clone();
        if let Some(word) = more.0.get_mut(number / 64) {
            *word |= 1 << (number % 64);
        }
        more
    }

    /// Returns whether the set contains a number.
    pub(super) fn has(&self, number: usize) -> bool {
        self.0.get(number / 64).is_some_and(|word| word >> (number % 64) & 1 == 1)
    }
}
