use super::{
    Parameters,
    cell::Cell,
    harmonic,
    random::unit,
    real::{real, whole},
    stream::{End, Kind, Stream},
};

/// Number of idle cells in a rising key space, in addition to the cell at the end that receives all traffic.
const IDLE: usize = 64;

/// Creates the cells of a stream, ordered by position. `place` is the number of the stream.
pub(super) fn cells(stream: &Stream, place: u64, parameters: &Parameters) -> Vec<Cell> {
    let mut cells = match stream.kind {
        Kind::Rising { end, concurrent } => rising(stream.rate, end, concurrent, parameters),
        Kind::Spread { zipf } => spread(stream, zipf, parameters.seed.wrapping_add(place), parameters),
    };
    cells.sort_by(|one, other| one.position.total_cmp(&other.position));
    cells
}

fn rising(rate: f64, end: End, concurrent: f64, parameters: &Parameters) -> Vec<Cell> {
    let at = |index: usize| (real(index) + 0.5) / real(IDLE + 1);
    let hot = match end {
        End::Append => IDLE,
        End::Prepend => 0,
    };
    let cell = |index: usize| {
        if index == hot {
            Cell::new(at(index), rate, concurrent, parameters)
        } else {
            Cell::new(at(index), 0.0, 1.0, parameters)
        }
    };
    (0..=IDLE).map(cell).collect()
}

fn spread(stream: &Stream, zipf: f64, seed: u64, parameters: &Parameters) -> Vec<Cell> {
    let (count, most) = (stream.partitions.max(1.0), parameters.cells.max(2));
    let even = |index: usize, of: usize| (real(index) + 0.5) / real(of);
    let sum = harmonic(count, zipf);
    let one = |rank: usize| {
        let rate = stream.rate * (real(rank).powf(-zipf) / sum);
        Cell::new(unit(seed, rank as u64), rate, 1.0, parameters)
    };
    if count <= real(most) {
        return (1..=whole(count, most)).map(one).collect();
    }
    if zipf == 0.0 {
        let (rate, partitions) = (stream.rate * (1.0 / real(most)), count / real(most));
        return (0..most).map(|index| Cell::new(even(index, most), rate, partitions, parameters)).collect();
    }
    // The hottest partitions have individual cells; the long tail is divided into cells with equal load.
    let (head, tail) = (most / 2, most - most / 2);
    let left = (sum - harmonic(real(head), zipf)) / sum;
    let (rate, partitions) = (stream.rate * (left / real(tail)), (count - real(head)) / real(tail));
    let rest = (0..tail).map(|index| Cell::new(even(index, tail), rate, partitions, parameters));
    (1..=head).map(one).chain(rest).collect()
}
