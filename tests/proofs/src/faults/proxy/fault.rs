//! Faults of requests.

use std::time::Duration;

use table_tests::seed::Seed;

/// The handling of one request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// Forwarded without a fault.
    None,
    /// Forwarded after a delay.
    Delay(Duration),
    /// The request never reaches the server; the connection is closed.
    LoseRequest,
    /// The request is executed, and the connection is closed without a response.
    LoseAnswer,
    /// The connection is closed immediately, and the request reaches the server later.
    Late(Duration),
    /// The request reaches the server twice; the first response is returned.
    Twice,
    /// The server receives a part of the request, then the end of the connection.
    CutRequest,
    /// The request is executed, and the client receives a part of the response.
    CutAnswer,
}

impl Fault {
    pub(crate) const fn word(self) -> &'static str {
        match self {
            Self::None => "forwarded",
            Self::Delay(_) => "delayed",
            Self::LoseRequest => "request lost",
            Self::LoseAnswer => "answer lost",
            Self::Late(_) => "late",
            Self::Twice => "doubled",
            Self::CutRequest => "request cut",
            Self::CutAnswer => "answer cut",
        }
    }
}

/// The rates of faults.
#[derive(Clone, Copy, Debug)]
pub struct Rates {
    /// Number of faulty requests per thousand.
    pub of_a_thousand: usize,
    /// Maximum delay of a delayed or late request.
    pub longest: Duration,
}

impl Rates {
    pub(crate) fn draw(&self, seed: &mut Seed) -> Fault {
        if !seed.chance(self.of_a_thousand, 1_000) {
            return Fault::None;
        }
        // Most delays are short; some have the maximum length.
        let part = seed.below(1_000) as f64 / 1_000.0;
        let time = self.longest.mul_f64(part * part * part);
        match seed.below(16) {
            0..3 => Fault::Delay(time / 4),
            3..5 => Fault::LoseRequest,
            5..8 => Fault::LoseAnswer,
            8..11 => Fault::Late(time),
            11..13 => Fault::Twice,
            13 => Fault::CutRequest,
            _ => Fault::CutAnswer,
        }
    }
}
