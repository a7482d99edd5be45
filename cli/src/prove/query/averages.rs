/// Averages over the values of the parameters, each value counted once, however many entities have it.
#[derive(Default)]
pub(super) struct Averages {
    weight: f64,
    sums: [f64; 6],
    pub(super) cut: usize,
    pub(super) unweighted: f64,
}

impl Averages {
    pub(super) fn add(&mut self, weight: f64, numbers: [f64; 6]) {
        self.weight += weight;
        self.unweighted += numbers[1];
        for (sum, number) in self.sums.iter_mut().zip(numbers) {
            *sum += weight * number;
        }
    }

    pub(super) fn averages(&self) -> [f64; 6] {
        self.sums.map(|sum| if self.weight > 0.0 { sum / self.weight } else { 0.0 })
    }
}
