use std::time::Duration;

/// Formats a count with a comma between thousands.
pub(crate) fn grouped(count: u64) -> String {
    let digits = count.to_string();
    let mut text = String::with_capacity(digits.len() + digits.len() / 3);
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// Formats a count with a noun, such as `1 message` and `2 messages`.
pub(crate) fn counted(count: u64, one: &str, many: &str) -> String {
    format!("{} {}", grouped(count), if count == 1 { one } else { many })
}

/// Formats a size in bytes.
pub(crate) fn bytes(count: u64) -> String {
    const UNITS: [&str; 4] = ["KiB", "MiB", "GiB", "TiB"];
    if count < 1 << 10 {
        return format!("{count} B");
    }
    let unit = (count.ilog2() / 10).clamp(1, 4);
    let tenths = u128::from(count) * 10 / (1 << (10 * unit));
    let name = UNITS.get(unit as usize - 1).copied().unwrap_or_default();
    format!("{}.{} {name}", tenths / 10, tenths % 10)
}

/// Formats a quotient: with one decimal below 100.
pub(crate) fn ratio(part: u64, whole: u64) -> String {
    let tenths = u128::from(part) * 10 / u128::from(whole.max(1));
    match u64::try_from(tenths / 10).unwrap_or(u64::MAX) {
        integer @ 0..100 => format!("{integer}.{}", tenths % 10),
        integer => grouped(integer),
    }
}

/// Formats microseconds.
pub(crate) fn milliseconds(micros: u64) -> String {
    format!("{}.{:02} ms", grouped(micros / 1000), micros % 1000 / 10)
}

/// Formats a duration with its largest unit.
pub(crate) fn age(duration: Duration) -> String {
    match duration.as_secs() {
        seconds @ 0..120 => format!("{seconds} s"),
        seconds @ 120..7_200 => format!("{} min", seconds / 60),
        seconds @ 7_200..172_800 => format!("{} h", seconds / 3_600),
        seconds => format!("{} days", grouped(seconds / 86_400)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_for_people() {
        let cases = [(0, "0"), (999, "999"), (1000, "1,000"), (1_234_567, "1,234,567")];
        for (count, text) in cases {
            assert_eq!(grouped(count), text);
        }
        assert_eq!([0, 1].map(|count| counted(count, "row", "rows")), ["0 rows", "1 row"]);
        for (count, text) in
            [(1023, "1023 B"), (1024, "1.0 KiB"), (920_473, "898.8 KiB"), (u64::MAX, "16777215.9 TiB")]
        {
            assert_eq!(bytes(count), text);
        }
        assert_eq!(
            [(7, 2), (0, 0), (123_456, 1)].map(|(part, whole)| ratio(part, whole)),
            ["3.5", "0.0", "123,456"]
        );
        assert_eq!(milliseconds(1_234_567), "1,234.56 ms");
        let ages = [59, 119, 120, 7_199, 7_200, 200_000].map(|seconds| age(Duration::from_secs(seconds)));
        assert_eq!(ages, ["59 s", "119 s", "2 min", "119 min", "2 h", "2 days"]);
    }
}
