use table_model::queue::PopReceipt;

/// Returns the receipt of a message: the timestamp of the request that received or updated it, in hexadecimal digits.
pub(super) fn of(stamp: i64) -> PopReceipt {
    PopReceipt::new(format!("{stamp:016x}"))
}

/// Returns the timestamp of a receipt. No message has the timestamp -1.
pub(super) fn stamp(receipt: &PopReceipt) -> i64 {
    i64::from_str_radix(receipt.as_str(), 16).ok().filter(|stamp| of(*stamp) == *receipt).unwrap_or(-1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_receipt_that_was_issued_has_a_timestamp() {
        for issued in [0, 7, 639_000_000_000_000_123] {
            assert_eq!(stamp(&of(issued)), issued);
        }
        for other in ["", "7", "000000000000000G", "+000000000000007", "ffffffffffffffff0"] {
            assert_eq!(stamp(&PopReceipt::new(other)), -1, "{other}");
        }
    }
}
