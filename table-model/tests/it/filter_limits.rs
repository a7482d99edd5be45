//! Size limits of parsed and built filters, and robustness of the parser against any input.

use table_model::{ErrorCode, Filter, limits};

#[test]
fn fifteen_comparisons_are_read_and_sixteen_are_not() {
    let joined = |count: usize, part: &str| vec![part; count].join(" or ");
    for part in ["A eq 1", "not (1 lt A)", "Flag"] {
        assert!(Filter::parse(&joined(15, part)).unwrap().check().is_ok(), "{part}");
        let text = joined(16, part);
        let error = Filter::parse(&text).unwrap_err();
        assert_eq!(error.code(), ErrorCode::InvalidInput);
        assert!(error.message().contains("more than 15 comparisons"), "{error}");
        assert!(error.span().start >= text.rfind(part).unwrap(), "{error}");
    }
    assert!(Filter::parse(&joined(100, "true")).is_ok(), "constants are no comparisons");
    assert!(Filter::Or(vec![Filter::eq("A", 1); 15]).check().is_ok());
    let error = Filter::Or(vec![Filter::eq("A", 1); 16]).check().unwrap_err();
    assert!(error.message().contains("16 comparisons"), "{error}");
}

#[test]
fn depth_is_refused_one_past_the_limit() {
    let limit = limits::FILTER_DEPTH;
    for (open, close, levels) in [("(", ")", 1), ("not ", "", 1), ("not(", ")", 2)] {
        let nested = |depth: usize| {
            let count = depth / levels;
            format!("{}A{}", open.repeat(count), close.repeat(count))
        };
        assert!(Filter::parse(&nested(limit)).unwrap().check().is_ok(), "{open}");
        let error = Filter::parse(&nested(limit + levels)).unwrap_err();
        assert!(error.message().contains("more than 64 levels deep"), "{error}");
        assert_eq!(error.code(), ErrorCode::InvalidInput);
    }
    let built = |depth| (0..depth).fold(Filter::flag("A"), |inner, _| Filter::Not(Box::new(inner)));
    assert!(built(limit).check().is_ok());
    assert!(built(limit + 1).check().is_err());
}

#[test]
fn hostile_texts_get_a_typed_error_without_using_the_stack() {
    let texts = [
        "(".repeat(10_000),
        format!("{}A eq 1{}", "(".repeat(10_000), ")".repeat(10_000)),
        "not ".repeat(10_000),
        "not ".repeat(100_000),
        "not(".repeat(10_000),
        "A eq ((((".repeat(7_000),
        "- ".repeat(10_000),
        "A and ".repeat(10_000),
        "A or (B and ".repeat(5_000),
        "x".repeat(1 << 20),
        "'".repeat(65_535),
        format!("A eq '{}", "x".repeat(60_000)),
        format!("A eq {}", "9".repeat(60_000)),
        format!("A eq 1e{}", "9".repeat(60_000)),
        format!("A eq 0.{}e", "0".repeat(60_000)),
        format!("{} eq 1", "n".repeat(60_000)),
        format!("A eq X'{}'", "0".repeat(60_001)),
        "=".repeat(60_000),
        "\u{0}\u{1}\u{7f}".to_owned(),
        "😀".repeat(10_000),
    ];
    // A thread with a small stack: unbounded recursion would end the process.
    let check = move || {
        for text in &texts {
            let start: String = text.chars().take(20).collect();
            let error = Filter::parse(text).expect_err(&start);
            assert!(error.to_string().len() < 2_000, "{start}");
            assert!(error.span().end <= text.len(), "{start}");
        }
    };
    std::thread::Builder::new().stack_size(1 << 20).spawn(check).unwrap().join().unwrap();
}

#[test]
fn long_values_pass_as_long_as_their_text_can_be_read_again() {
    let longest = "x".repeat(limits::STRING_UNITS);
    let filter = Filter::eq("A", longest.as_str());
    assert!(filter.check().is_ok());
    assert_eq!(Filter::parse(&filter.to_string()), Ok(filter.clone()));

    let error = filter.or(Filter::eq("B", longest)).check().unwrap_err();
    assert!(error.message().contains("bytes"), "{error}");
    let quotes = Filter::eq("A", "'".repeat(limits::STRING_UNITS));
    assert!(quotes.check().is_err(), "doubled quotes count");
    let fits = Filter::eq("A", "é".repeat(limits::STRING_UNITS - 100));
    assert!(fits.check().is_ok(), "the text counts, not the estimate of its length");
    assert!(Filter::parse(&fits.to_string()).is_ok());
}

#[test]
fn built_filters_are_checked_for_names_that_cannot_be_written() {
    for (name, code) in [
        ("a-b", ErrorCode::PropertyNameInvalid),
        ("", ErrorCode::PropertyNameInvalid),
        ("A eq 1 or B", ErrorCode::PropertyNameInvalid),
        ("not", ErrorCode::InvalidInput),
        ("true", ErrorCode::InvalidInput),
        ("INF", ErrorCode::InvalidInput),
        ("eq", ErrorCode::InvalidInput),
    ] {
        assert_eq!(Filter::eq(name, 1).check().unwrap_err().code(), code, "{name}");
        assert_eq!(Filter::flag(name).check().unwrap_err().code(), code, "{name}");
    }
    assert_eq!(Filter::flag("n".repeat(256)).check().unwrap_err().code(), ErrorCode::PropertyNameTooLong);
    for name in ["PartitionKey", "RowKey", "Timestamp", "add", "datetime", "Größe"] {
        let filter = Filter::eq(name, 1).and(Filter::flag(name));
        assert!(filter.check().is_ok(), "{name}");
        assert_eq!(Filter::parse(&filter.to_string()), Ok(filter), "{name}");
    }
}

/// Builds filters `depth` levels deep, like a loop over a list of unknown length.
fn nested(depth: usize) -> [Filter; 2] {
    let negated = (0..depth).fold(Filter::flag("A"), |inner, _| Filter::Not(Box::new(inner)));
    let joined = (0..depth / 2)
        .fold(Filter::flag("A"), |inner, _| inner.or(Filter::eq("B", 1)).and(Filter::eq("C", 2)));
    [negated, joined]
}

#[test]
fn a_filter_of_any_depth_is_refused_and_dropped_without_using_the_stack() {
    let refuse = || {
        for filter in nested(1_000_000) {
            assert!(filter.check().unwrap_err().message().contains("more than 64 levels deep"));
        }
    };
    std::thread::Builder::new().stack_size(256 << 10).spawn(refuse).unwrap().join().unwrap();
}
