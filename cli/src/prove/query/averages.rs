use crate::prove::measure::Measure;

/// Averages over the values of the parameters, each value counted once, however many entities have it.
#[derive(Default)]
pub(super) struct Averages {
    weight: f64,
    sums: [f64; 6],
    pub(super) cut: usize,
    /// Rows read by a call, if values are used as often as entities have them.
    pub(super) skewed: f64,
    /// The number of combinations of values that entities have, and that of all.
    pub(super) combinations: [f64; 2],
}

impl Averages {
    pub(super) fn add(&mut self, [weight, share]: [f64; 2], numbers: [f64; 6]) {
        self.weight += weight;
        self.skewed += share * numbers[1];
        for (sum, number) in self.sums.iter_mut().zip(numbers) {
            *sum += weight * number;
        }
    }

    /// Explains a difference by the combinations of values that no entity has: the model counts them, but no call uses them.
    pub(super) fn unused(&self, predicted: f64, executed: f64) -> Option<String> {
        let [used, all] = self.combinations;
        // The calls stand for this number of combinations, so the deviations of both numbers cancel out.
        let executed = executed * self.weight / all;
        let measure = Measure { what: "matching", predicted, executed };
        (used < all && measure.is_within(0.05)).then(|| {
            let [used, all] = [used, all].map(table_advisor::plain);
            format!("entities have {used} of {all} combinations of the values, and calls use those")
        })
    }

    pub(super) fn averages(&self) -> [f64; 6] {
        self.sums.map(|sum| if self.weight > 0.0 { sum / self.weight } else { 0.0 })
    }
}
