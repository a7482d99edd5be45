//! Plans of given filters: class, ranges and residual.

#![expect(clippy::panic, reason = "a helper of a test fails as a test does")]

use table_model::{
    Filter, Plan, QueryClass,
    plan::{Cut, KeyRange},
};

fn plan(filter: &str) -> Plan {
    Plan::of(Some(&Filter::parse(filter).unwrap_or_else(|error| panic!("{error}"))))
}

fn before(partition: &str, row: &str) -> Cut {
    Cut::Before(partition.to_owned(), row.to_owned())
}

fn after(partition: &str, row: &str) -> Cut {
    Cut::After(partition.to_owned(), row.to_owned())
}

fn after_partition(partition: &str) -> Cut {
    Cut::AfterPartition(partition.to_owned())
}

fn point(partition: &str, row: &str) -> KeyRange {
    KeyRange { lower: before(partition, row), upper: after(partition, row) }
}

fn range(lower: Cut, upper: Cut) -> KeyRange {
    KeyRange { lower, upper }
}

#[test]
fn no_filter_is_all_of_the_table() {
    let all =
        Plan { class: QueryClass::TableScan, ranges: vec![range(Cut::Start, Cut::End)], residual: None };
    assert_eq!(Plan::of(None), all);
    assert_eq!(plan(""), all);
    assert_eq!(plan("PartitionKey ge ''"), all);
    assert_eq!(plan("PartitionKey lt 'a' or not (PartitionKey lt 'a')"), all);
    assert_eq!(plan("RowKey lt 5"), all, "a String is less than any value of another type");
    assert_eq!(plan("not (Timestamp gt 'x')"), all);
}

#[test]
fn keys_become_ranges() {
    for (filter, class, ranges) in [
        ("PartitionKey eq 'a' and RowKey eq 'x'", QueryClass::Point, vec![point("a", "x")]),
        ("RowKey eq '' and PartitionKey eq ''", QueryClass::Point, vec![point("", "")]),
        ("PartitionKey eq 'a ' and RowKey eq 'x '", QueryClass::Point, vec![point("a ", "x ")]),
        (
            "PartitionKey eq 'b' and RowKey eq 'y' or PartitionKey eq 'a' and RowKey eq 'x'",
            QueryClass::MultiPoint,
            vec![point("a", "x"), point("b", "y")],
        ),
        (
            "(PartitionKey eq 'a' or PartitionKey eq 'b') and (RowKey eq 'x' or 'y' eq RowKey)",
            QueryClass::MultiPoint,
            vec![point("a", "x"), point("a", "y"), point("b", "x"), point("b", "y")],
        ),
        (
            "PartitionKey eq 'a' and RowKey ge 'x' and RowKey lt 'y'",
            QueryClass::RowRange,
            vec![range(before("a", "x"), before("a", "y"))],
        ),
        (
            "PartitionKey eq 'a' and RowKey gt 'x' and RowKey le 'y' and RowKey gt 'w'",
            QueryClass::RowRange,
            vec![range(after("a", "x"), after("a", "y"))],
        ),
        (
            "PartitionKey eq 'a' and RowKey ge 'x'",
            QueryClass::RowRange,
            vec![range(before("a", "x"), after_partition("a"))],
        ),
        (
            "PartitionKey eq 'a' and not (RowKey ge 'x')",
            QueryClass::RowRange,
            vec![range(before("a", ""), before("a", "x"))],
        ),
        (
            "PartitionKey eq 'a' and (RowKey lt 'c' or RowKey eq 'd' or RowKey ge 'x')",
            QueryClass::FanOut,
            vec![
                range(before("a", ""), before("a", "c")),
                point("a", "d"),
                range(before("a", "x"), after_partition("a")),
            ],
        ),
        (
            "(PartitionKey eq 'a' or PartitionKey eq 'b') and RowKey ge 'x'",
            QueryClass::FanOut,
            vec![
                range(before("a", "x"), after_partition("a")),
                range(before("b", "x"), after_partition("b")),
            ],
        ),
        (
            "PartitionKey eq 'a'",
            QueryClass::PartitionScan,
            vec![range(before("a", ""), after_partition("a"))],
        ),
        (
            "PartitionKey eq 'a' and RowKey ne 'x'",
            QueryClass::PartitionScan,
            vec![range(before("a", ""), before("a", "x")), range(after("a", "x"), after_partition("a"))],
        ),
        (
            "PartitionKey eq 'b' or PartitionKey eq 'a'",
            QueryClass::FanOutScan,
            vec![range(before("a", ""), after_partition("a")), range(before("b", ""), after_partition("b"))],
        ),
        (
            "PartitionKey eq 'a' or PartitionKey eq 'b' and RowKey eq 'x'",
            QueryClass::FanOutScan,
            vec![range(before("a", ""), after_partition("a")), point("b", "x")],
        ),
        (
            "PartitionKey ge 'a' and PartitionKey lt 'b'",
            QueryClass::KeyRange,
            vec![range(before("a", ""), before("b", ""))],
        ),
        ("PartitionKey gt 'a'", QueryClass::KeyRange, vec![range(after_partition("a"), Cut::End)]),
        (
            "PartitionKey lt 'b' or PartitionKey gt 'd'",
            QueryClass::KeyRange,
            vec![range(Cut::Start, before("b", "")), range(after_partition("d"), Cut::End)],
        ),
        (
            "PartitionKey ne 'a'",
            QueryClass::TableScan,
            vec![range(Cut::Start, before("a", "")), range(after_partition("a"), Cut::End)],
        ),
        (
            "not (PartitionKey eq 'a' and RowKey eq 'x')",
            QueryClass::TableScan,
            vec![range(Cut::Start, before("a", "x")), range(after("a", "x"), Cut::End)],
        ),
        (
            "PartitionKey gt 'a' or PartitionKey eq 'a' and RowKey gt 'x'",
            QueryClass::KeyRange,
            vec![range(after("a", "x"), Cut::End)],
        ),
    ] {
        assert_eq!(plan(filter), Plan { class, ranges, residual: None }, "{filter}");
    }
}

#[test]
fn what_no_key_can_satisfy_reads_nothing() {
    let nothing = Plan { class: QueryClass::Point, ranges: Vec::new(), residual: None };
    for filter in [
        "false",
        "PartitionKey eq 'a' and PartitionKey eq 'b'",
        "PartitionKey eq 'a' and RowKey lt 'x' and RowKey ge 'x' and Age gt 5",
        "PartitionKey gt 'b' and PartitionKey lt 'a'",
        "PartitionKey eq 5",
        "PartitionKey lt ''",
        "RowKey ge guid'00000000-0000-0000-0000-000000000000'",
        "RowKey",
        "Timestamp eq 5",
        "PartitionKey eq 'a/b'",
        "RowKey gt 'a' and RowKey lt 'a '",
        "Age gt 5 and not (PartitionKey ne 7)",
    ] {
        assert_eq!(plan(filter), nothing, "{filter}");
    }
}

#[test]
fn the_residual_is_what_the_ranges_do_not_say() {
    for (filter, class, residual) in [
        ("Age gt 5", QueryClass::TableScan, "Age gt 5"),
        ("RowKey eq 'x'", QueryClass::TableScan, "RowKey eq 'x'"),
        ("PartitionKey eq 'a' and Age gt 5", QueryClass::PartitionScan, "Age gt 5"),
        ("Age gt 5 and PartitionKey eq 'a' and RowKey ge 'x' and B", QueryClass::RowRange, "Age gt 5 and B"),
        ("PartitionKey eq 'a' and RowKey eq 'x' and not (Age gt 5)", QueryClass::Point, "not (Age gt 5)"),
        ("PartitionKey ge 'a' and RowKey eq 'x'", QueryClass::KeyRange, "RowKey eq 'x'"),
        ("not (PartitionKey ne 'a' or Age gt 5)", QueryClass::PartitionScan, "not (Age gt 5)"),
        (
            "PartitionKey eq 'a' and A eq 1 or PartitionKey eq 'b' and B eq 2",
            QueryClass::FanOutScan,
            "PartitionKey eq 'a' and A eq 1 or PartitionKey eq 'b' and B eq 2",
        ),
        (
            "PartitionKey eq 'a' and A eq 1 or PartitionKey eq 'a' and B eq 2",
            QueryClass::PartitionScan,
            "A eq 1 or B eq 2",
        ),
        ("PartitionKey eq 'a' or Age gt 5", QueryClass::TableScan, "PartitionKey eq 'a' or Age gt 5"),
        (
            "PartitionKey eq 'a' and Timestamp ge datetime'2014-01-01'",
            QueryClass::PartitionScan,
            "Timestamp ge datetime'2014-01-01T00:00:00Z'",
        ),
        ("PartitionKey eq 'a' and (Age gt 5 or RowKey ge '')", QueryClass::PartitionScan, ""),
        ("PartitionKey eq 'a' and (Age gt 5 and true)", QueryClass::PartitionScan, "Age gt 5"),
    ] {
        let plan = plan(filter);
        assert_eq!(plan.class, class, "{filter}");
        let printed = plan.residual.map(|residual| residual.to_string()).unwrap_or_default();
        assert_eq!(printed, residual, "{filter}");
    }
}

#[test]
fn a_range_over_partitions_is_cut_to_the_rows_at_its_ends() {
    let plan = plan("PartitionKey ge 'a' and PartitionKey le 'c' and RowKey ge 'm' and RowKey lt 'n'");
    assert_eq!(plan.ranges, [range(before("a", "m"), before("c", "n"))]);
    assert_eq!(plan.class, QueryClass::KeyRange);
    assert_eq!(plan.residual, Some(Filter::parse("RowKey ge 'm' and RowKey lt 'n'").unwrap()));
}

#[test]
fn bounds_that_no_key_can_have_are_moved_to_one_that_can() {
    for (filter, lower, upper) in [
        ("RowKey ge 'a/' and RowKey lt 'b\\'", before("a", "a0"), before("a", "b]")),
        ("RowKey gt 'a\u{0}' and RowKey le 'b\u{1}'", after("a", "a"), after("a", "b")),
        ("RowKey gt 'a#x' and RowKey lt 'b?'", before("a", "a$"), before("a", "b@")),
        ("RowKey ge '\u{1f}' and RowKey lt '\u{7f}'", after("a", ""), before("a", "\u{a0}")),
    ] {
        let plan = plan(&format!("PartitionKey eq 'a' and {filter}"));
        assert_eq!(plan.ranges, [range(lower, upper)], "{filter}");
        assert_eq!((plan.class, plan.residual), (QueryClass::RowRange, None), "{filter}");
    }
    assert_eq!(plan("PartitionKey ge 'a\u{0}'").ranges, [range(after_partition("a"), Cut::End)]);
}

#[test]
fn neighbouring_keys_are_one_range_but_still_points_and_partitions() {
    let rows = plan("PartitionKey eq 'a' and (RowKey eq 'x' or RowKey eq 'x ')");
    assert_eq!(rows.ranges, [range(before("a", "x"), after("a", "x "))]);
    assert_eq!((rows.class, rows.residual), (QueryClass::MultiPoint, None));
    let partitions = plan("PartitionKey eq 'a' or PartitionKey eq 'a '");
    assert_eq!(partitions.ranges, [range(before("a", ""), after_partition("a "))]);
    assert_eq!((partitions.class, partitions.residual), (QueryClass::FanOutScan, None));
    let points = plan("(PartitionKey eq 'a' or PartitionKey eq 'a ') and RowKey eq 'x'");
    assert_eq!(points.ranges, [point("a", "x"), point("a ", "x")]);
    assert_eq!((points.class, points.residual), (QueryClass::MultiPoint, None));
}

#[test]
fn surrogates_sort_below_the_private_use_area() {
    assert!(plan("RowKey gt '\u{e000}' and RowKey lt '\u{10000}'").ranges.is_empty());
    let plan = plan("PartitionKey eq 'a' and RowKey ge '\u{10000}' and RowKey lt '\u{e000}'");
    assert_eq!(plan.ranges, [range(before("a", "\u{10000}"), before("a", "\u{e000}"))]);
}

#[test]
fn a_plan_of_any_filter_is_small_and_loses_nothing() {
    let name = |n: usize| format!("{n:04}");
    let any = |property: &'static str, count: usize| {
        Filter::Or((0..count).map(|n| Filter::eq(property, name(n))).collect())
    };
    // Fully expanded, this would be 10^22 conjunctions.
    let product = (0..8).fold(Filter::Constant(true), |all, n| {
        let part = if n % 2 == 0 { any("PartitionKey", 600) } else { any("RowKey", 600) };
        all.and(part)
    });
    let diagonal = Filter::Or(
        (0..900).map(|n| Filter::eq("PartitionKey", name(n)).and(Filter::eq("RowKey", name(n)))).collect(),
    );
    for filter in [product, diagonal.clone(), !diagonal, any("PartitionKey", 1500), any("RowKey", 1500)] {
        let plan = Plan::of(Some(&filter));
        assert!((1..=1024).contains(&plan.ranges.len()), "{}", plan.ranges.len());
        assert!(plan.residual.is_some());
        for n in (0..900).step_by(37) {
            let entity = table_model::Entity::new(name(n), name(n));
            let (at, past) = (before(&name(n), &name(n)), after(&name(n), &name(n)));
            let inside = plan.ranges.iter().any(|range| range.lower <= at && past <= range.upper);
            let found = inside && plan.residual.as_ref().is_some_and(|residual| residual.matches(&entity));
            assert_eq!(found, filter.matches(&entity), "{n}");
        }
    }
}
