//! Comparison of predicted and executed counts.

/// Numbers up to this may differ by one.
const SMALL: f64 = 20.0;

/// A predicted number, and the average that was counted.
#[derive(Clone, Copy, Debug)]
pub(super) struct Measure {
    pub(super) what: &'static str,
    pub(super) predicted: f64,
    pub(super) executed: f64,
}

impl Measure {
    /// Returns whether both differ by at most 5 %, or, if the prediction is below 20, by at most 1.
    pub(super) fn agrees(&self) -> bool {
        let difference = (self.executed - self.predicted).abs();
        difference <= 0.05 * self.predicted.abs() || self.predicted < SMALL && difference <= 1.0 + 1e-9
    }

    /// Returns whether both differ by at most a fraction.
    pub(super) fn is_within(&self, fraction: f64) -> bool {
        (self.executed - self.predicted).abs() <= fraction * self.predicted.abs()
    }
}

/// The comparison of one query or write.
#[derive(Clone, Debug)]
pub(super) struct Line {
    pub(super) name: String,
    pub(super) calls: usize,
    pub(super) measures: Vec<Measure>,
    /// Differences that follow from what the model leaves out.
    pub(super) explained: Vec<String>,
    /// Other differences.
    pub(super) failures: Vec<String>,
}

impl Line {
    pub(super) const fn new(name: String, calls: usize) -> Self {
        Self { name, calls, measures: Vec::new(), explained: Vec::new(), failures: Vec::new() }
    }

    /// Adds a number. A difference is a failure, unless there is an explanation.
    pub(super) fn add(
        &mut self,
        what: &'static str,
        predicted: f64,
        executed: f64,
        explanation: Option<String>,
    ) {
        let measure = Measure { what, predicted, executed };
        self.add_as(measure, measure.agrees(), explanation);
    }

    /// Adds a number of bytes: a small one is not exempt.
    pub(super) fn add_bytes(
        &mut self,
        what: &'static str,
        predicted: f64,
        executed: f64,
        explanation: Option<String>,
    ) {
        let measure = Measure { what, predicted, executed };
        self.add_as(measure, measure.is_within(0.05), explanation);
    }

    fn add_as(&mut self, measure: Measure, agrees: bool, explanation: Option<String>) {
        self.measures.push(measure);
        if agrees {
            return;
        }
        let [predicted, executed] = [measure.predicted, measure.executed].map(table_advisor::plain);
        let text = format!("{} {executed}, predicted {predicted}", measure.what);
        match explanation {
            Some(reason) => self.explained.push(format!("{text}: {reason}")),
            None => self.failures.push(text),
        }
    }
}
