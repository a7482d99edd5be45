use super::real::{real, whole};

/// Number of terms that are added individually.
const EXACT: f64 = 10_000.0;

/// Returns the generalized harmonic number: the sum of `k^-s` for `k` from 1 to `n`.
///
/// Beyond 10,000 terms it uses the Euler–Maclaurin formula, whose error there is below 10^-15 of the sum.
///
/// ```
/// use table_advisor::simulate::harmonic;
///
/// assert!((harmonic(10.0, 1.0) - 2.928_968_253_97).abs() < 1e-10);
/// assert!((harmonic(1e9, 0.6) - 9_950.726_604_38).abs() < 1e-6);
/// ```
#[must_use]
pub fn harmonic(n: f64, s: f64) -> f64 {
    let head = n.min(EXACT);
    if s == 0.0 {
        return if n <= EXACT { real(whole(head, usize::MAX)) } else { n };
    }
    let sum: f64 = (1..=whole(head, usize::MAX)).map(|k| real(k).powf(-s)).sum();
    if n <= EXACT {
        return sum;
    }
    let power = |k: f64| k.powf(-s);
    let integral = if (s - 1.0).abs() < 1e-12 {
        (n / EXACT).ln()
    } else {
        (n.powf(1.0 - s) - EXACT.powf(1.0 - s)) / (1.0 - s)
    };
    let ends = f64::midpoint(power(n), -power(EXACT));
    let slopes = s * (EXACT.powf(-s - 1.0) - n.powf(-s - 1.0)) / 12.0;
    sum + integral + ends + slopes
}

/// Returns the exponent with which the most frequent of `n` values has this share, at most 64.
///
/// ```
/// use table_advisor::simulate::{exponent, harmonic};
///
/// assert!((exponent(40.0, 1.0 / harmonic(40.0, 0.8)) - 0.8).abs() < 1e-9);
/// assert_eq!(exponent(40.0, 1.0 / 40.0), 0.0);
/// ```
#[must_use]
pub fn exponent(n: f64, share: f64) -> f64 {
    let (mut low, mut high) = (0.0_f64, 64.0_f64);
    if n < 2.0 || share * n <= 1.0 + 1e-9 {
        return 0.0;
    }
    while high - low > 1e-12 * high {
        let middle = f64::midpoint(low, high);
        if 1.0 / harmonic(n, middle) < share { low = middle } else { high = middle }
    }
    high
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_sums_meet_those_added_term_by_term() {
        for s in [0.0, 0.6, 1.0, 1.2] {
            let added: f64 = (1..=200_000).map(|k| f64::from(k).powf(-s)).sum();
            let found = harmonic(200_000.0, s);
            assert!((added - found).abs() <= added * 1e-12, "{s}: {added} and {found}");
        }
    }
}
