use std::fmt;

/// Counts by name. The rate refers to the first count.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Counts(Vec<(&'static str, u64)>);

impl Counts {
    /// Creates these counts.
    #[must_use]
    pub fn of<const N: usize>(counts: [(&'static str, u64); N]) -> Self {
        Self(counts.into())
    }

    /// Returns the count with this name; 0 if it does not exist.
    #[must_use]
    pub fn get(&self, name: &str) -> u64 {
        self.0.iter().find(|(known, _)| *known == name).map_or(0, |(_, count)| *count)
    }

    /// Returns the count for the rate, with its name.
    #[must_use]
    pub fn main(&self) -> Option<(&'static str, u64)> {
        self.0.first().copied()
    }
}

impl std::ops::AddAssign for Counts {
    fn add_assign(&mut self, other: Self) {
        for (name, count) in other.0 {
            match self.0.iter_mut().find(|(known, _)| *known == name) {
                Some((_, sum)) => *sum += count,
                None => self.0.push((name, count)),
            }
        }
    }
}

impl fmt::Display for Counts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, (name, count)) in self.0.iter().enumerate() {
            let comma = if index == 0 { "" } else { ", " };
            write!(f, "{comma}{} {name}", Grouped(*count))?;
        }
        Ok(())
    }
}

/// A number with thousands separators.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Grouped(pub(crate) u64);

impl fmt::Display for Grouped {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let digits = self.0.to_string();
        let (first, rest) = digits.split_at((digits.len() - 1) % 3 + 1);
        f.write_str(first)?;
        for (index, digit) in rest.chars().enumerate() {
            let comma = if index % 3 == 0 { "," } else { "" };
            write!(f, "{comma}{digit}")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_of_one_name_are_added_and_printed_in_groups_of_digits() {
        let mut counts = Counts::default();
        counts += Counts::of([("crashes", 999), ("programs", 1)]);
        counts += Counts::of([("crashes", 1_234_001), ("nested", 0)]);
        assert_eq!(counts.to_string(), "1,235,000 crashes, 1 programs, 0 nested");
        assert_eq!(counts.get("crashes"), 1_235_000);
    }
}
