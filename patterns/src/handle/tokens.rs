use std::{
    fmt,
    sync::{Mutex, PoisonError},
    time::{Duration, SystemTime, UNIX_EPOCH},
};

use table_model::{Timestamp, split_mix::SplitMix64};

use crate::Error;

/// Generator of unique tokens for write attempts. A token has 26 characters of Crockford's base 32: 10 for the time in
/// milliseconds, by which tokens sort, and 16 random characters.
pub(crate) struct Tokens(Mutex<Source>);

/// Source of the random part.
enum Source {
    /// The operating system.
    System,
    /// A seed for deterministic tests, and a counter as clock.
    Seeded { random: SplitMix64, clock: u64 },
}

const DIGITS: &[u8; 32] = b"0123456789ABCDEFGHJKMNPQRSTVWXYZ";

impl Tokens {
    pub(crate) const fn of_the_system() -> Self {
        Self(Mutex::new(Source::System))
    }

    pub(crate) const fn seeded(seed: u64) -> Self {
        Self(Mutex::new(Source::Seeded { random: SplitMix64(seed), clock: 0 }))
    }

    /// Returns a unique token.
    pub(crate) fn next(&self) -> Result<String, Error> {
        self.number().map(|(time, random)| text(time << 80 | random >> 48))
    }

    /// Returns the creation time of a token, by the clock of its creator. Returns `None` if the token is invalid.
    pub(crate) fn time(token: &str) -> Option<Timestamp> {
        let mut digits = token.get(..10)?.bytes().map(|byte| DIGITS.iter().position(|digit| *digit == byte));
        let millis =
            digits.try_fold(0_u64, |millis, digit| Some(millis << 5 | u64::try_from(digit?).ok()?))?;
        Some(Timestamp::UNIX_EPOCH.saturating_add(Duration::from_millis(millis)))
    }

    /// Returns 8 unique bytes, neither all zeros nor all ones.
    pub(crate) fn stamp(&self) -> Result<[u8; 8], Error> {
        let (_, random) = self.number()?;
        let low = u64::try_from(random & u128::from(u64::MAX)).unwrap_or_default();
        Ok((low & !(1 << 63) | 1 << 62).to_be_bytes())
    }

    /// Returns 12 random bytes for a cipher.
    pub(crate) fn nonce(&self) -> Result<[u8; 12], Error> {
        let (_, random) = self.number()?;
        let mut nonce = [0; 12];
        nonce.iter_mut().zip(random.to_be_bytes()).for_each(|(to, from)| *to = from);
        Ok(nonce)
    }

    /// Returns the time in milliseconds and a random number.
    fn number(&self) -> Result<(u128, u128), Error> {
        let mut source = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        Ok(match &mut *source {
            Source::System => {
                let time = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_millis();
                let mut random = [0; 16];
                getrandom::fill(&mut random).map_err(Error::no_random)?;
                (time, u128::from_le_bytes(random))
            }
            Source::Seeded { random, clock } => {
                *clock += 1;
                let (low, high) = (random.draw(), random.draw());
                (u128::from(*clock), u128::from(high) << 64 | u128::from(low))
            }
        })
    }
}

fn text(number: u128) -> String {
    let digit = |place: u32| {
        let at = usize::try_from(number >> (5 * place) & 31).unwrap_or_default();
        char::from(DIGITS.get(at).copied().unwrap_or(b'0'))
    };
    (0..26).rev().map(digit).collect()
}

impl fmt::Debug for Tokens {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Tokens")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_have_26_characters_and_sort_by_time() {
        assert_eq!(text(0), "0".repeat(26));
        assert_eq!(text(u128::MAX >> 2), format!("1{}", "Z".repeat(25)));
        let tokens = Tokens::seeded(7);
        let given: Vec<_> = (0..100).map(|_| tokens.next().unwrap()).collect();
        assert!(given.is_sorted());
        assert!(given.windows(2).all(|pair| pair[0] != pair[1]));
        assert_eq!(
            given,
            (0..100)
                .map({
                    let again = Tokens::seeded(7);
                    move |_| again.next().unwrap()
                })
                .collect::<Vec<_>>()
        );
        let system = Tokens::of_the_system();
        let given = Tokens::time(&system.next().unwrap()).unwrap();
        assert!(Timestamp::now().duration_since(given) < Duration::from_secs(3_600));
        assert_eq!(Tokens::time("no token"), None);
        assert_ne!(system.next().unwrap(), system.next().unwrap());
    }
}
