//! A claim that was begun.

use super::{Claim, Hint, Looked};
use crate::{Error, Tables};

/// Looks whether a reservation is left that no commit stands behind.
#[expect(clippy::unused_async, reason = "unique values across partitions are not in this release")]
pub(super) async fn look(
    _tables: &Tables,
    _hint: &Hint,
    _claim: &Claim,
    _is_over: bool,
) -> Result<Looked, Error> {
    // The hint is a newer program's: it stays for that one.
    Ok(Looked::Left)
}
