//! What a search may examine.

/// Ways that a bound compares in the time of one partial design.
const COMPARED: usize = 64;
/// How many keys are examined after the end, as long as none has a design.
const LAST: u32 = 16;

/// What a search may still examine, in partial designs: a step on one more path. The measurement of a path counts as one for
/// each field and each step.
#[derive(Debug)]
pub(super) struct Effort {
    left: u64,
    spent: u64,
    /// Compared ways that are less than one partial design.
    compared: usize,
    last: u32,
}

impl Effort {
    pub(super) const fn new(nodes: u64) -> Self {
        Self { left: nodes, spent: 0, compared: 0, last: LAST }
    }

    /// Starts the search of an entity.
    pub(super) const fn start(&mut self) {
        self.last = LAST;
    }

    /// Counts partial designs.
    pub(super) fn spend(&mut self, count: usize) {
        let count = count as u64;
        self.spent = self.spent.saturating_add(count);
        self.left = self.left.saturating_sub(count);
    }

    /// Counts ways that are only compared.
    pub(super) fn compare(&mut self, count: usize) {
        self.compared = self.compared.saturating_add(count);
        self.spend(self.compared / COMPARED);
        self.compared %= COMPARED;
    }

    pub(super) const fn is_over(&self) -> bool {
        self.left == 0
    }

    /// Returns the examined partial designs.
    pub(super) const fn spent(&self) -> u64 {
        self.spent
    }

    /// Returns whether one more key may be examined: after the end, only a few, and only to find a design.
    pub(super) fn has_more(&mut self, has_design: bool) -> bool {
        if !self.is_over() {
            return true;
        }
        let is_last = !has_design && self.last > 0;
        self.last -= u32::from(is_last);
        is_last
    }
}
