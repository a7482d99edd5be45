//! Encoding of leases in the records of containers and blobs.

use crate::{
    Uuid,
    blob::{Lease, LeaseTerm},
    fields::Fields,
};

/// Appends a lease: its id, the kind of its term, the seconds of its duration, and its end.
pub fn push_lease(body: &mut Vec<u8>, lease: &Lease) {
    let (kind, seconds, until) = match lease.term {
        LeaseTerm::Infinite => (1, 0, 0),
        LeaseTerm::Fixed { seconds, until } => (2, seconds, until.ticks()),
        LeaseTerm::Breaking { until } => (3, 0, until.ticks()),
    };
    body.extend_from_slice(lease.id.as_bytes());
    body.extend_from_slice(&[kind, seconds]);
    body.extend_from_slice(&until.to_le_bytes());
}

/// Reads a lease. Returns `None` if the bytes are not a lease.
pub fn read_lease(fields: &mut Fields<'_>) -> Option<Lease> {
    let id = Uuid::from_bytes(fields.sixteen()?);
    let term = match (fields.byte()?, fields.byte()?, fields.time()?) {
        (1, 0, until) if until.ticks() == 0 => LeaseTerm::Infinite,
        (2, seconds, until) => LeaseTerm::Fixed { seconds, until },
        (3, 0, until) => LeaseTerm::Breaking { until },
        _ => return None,
    };
    Some(Lease { id, term })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Timestamp;

    #[test]
    fn each_term_reads_back_and_no_part_of_it_does() {
        let until = Timestamp::UNIX_EPOCH;
        for term in
            [LeaseTerm::Infinite, LeaseTerm::Fixed { seconds: 60, until }, LeaseTerm::Breaking { until }]
        {
            let lease = Lease { id: Uuid::from_u128(7), term };
            let mut body = Vec::new();
            push_lease(&mut body, &lease);
            assert_eq!(read_lease(&mut Fields::new(&body)), Some(lease));
            for end in 0..body.len() {
                assert_eq!(read_lease(&mut Fields::new(&body[..end])), None, "{end}");
            }
            body[16] = 0;
            assert_eq!(read_lease(&mut Fields::new(&body)), None);
        }
    }
}
