//! What can befall a request.

use std::time::Duration;

use table_tests::seed::Seed;

/// What is done with one request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// It is forwarded, and answered.
    None,
    /// The same, after a time.
    Delay(Duration),
    /// It never reaches the server; the connection ends.
    LoseRequest,
    /// It is done, and the connection ends without an answer.
    LoseAnswer,
    /// The connection ends at once, and the request reaches the server later.
    Late(Duration),
    /// It reaches the server twice; the first answer is returned.
    Twice,
    /// The server gets a part of it, then the end of the connection.
    CutRequest,
    /// It is done, and the client gets a part of the answer.
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

/// How often requests meet with a fault.
#[derive(Clone, Copy, Debug)]
pub struct Rates {
    /// In so many of a thousand requests there is one.
    pub of_a_thousand: usize,
    /// How long a request is delayed or late at most.
    pub longest: Duration,
}

impl Rates {
    pub(crate) fn draw(&self, seed: &mut Seed) -> Fault {
        if !seed.chance(self.of_a_thousand, 1_000) {
            return Fault::None;
        }
        // Most are short, some take as long as they may.
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
