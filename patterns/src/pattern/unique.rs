//! Unique keys in other partitions. The index row is reserved before the commit.

mod claim;
pub(crate) mod reserve;

pub(crate) use claim::{Claim, Claims};

use crate::{
    Error,
    write::{Pattern, Sending, States, Write},
};

/// The pattern of unique keys.
#[derive(Debug)]
pub(crate) struct Uniques;

impl Pattern for Uniques {
    fn plan(&self, states: &mut States<'_>, write: &mut Write) -> Result<(), Error> {
        let is_moved = states.is_moved();
        let Some((old, Some(new))) = states.of_entity() else { return Ok(()) };
        if let Some((old, index)) =
            old.filter(|_| is_moved).and_then(|old| Some((old, Claim::kept(old, new)?)))
        {
            return Err(Error::HoldsUnique { entity: Box::new(old.address.clone()), index: index.name });
        }
        let claims = Claim::between(old, new);
        if !claims.is_empty() {
            write.add(Claims(claims));
        }
        Ok(())
    }
}

/// Returns the claims of a transaction with the index of their write, in an order that all writers use.
pub(crate) fn claims(batch: &Sending) -> Vec<(usize, &Claim)> {
    let mut claims: Vec<_> = batch
        .changes::<Claims>()
        .flat_map(|(write, claims)| claims.0.iter().map(move |claim| (write, claim)))
        .collect();
    claims.sort_by(|(_, left), (_, right)| left.order().cmp(&right.order()));
    claims
}
