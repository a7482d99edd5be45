use super::*;

fn code<T: std::fmt::Debug>(result: Result<T>) -> ErrorCode {
    result.unwrap_err().code()
}

fn tags(pairs: &[(&str, &str)]) -> BlobTags {
    pairs.iter().fold(BlobTags::new(), |tags, (key, value)| tags.with(*key, *value).unwrap())
}

#[test]
fn tags_have_the_documented_limits() {
    let (key, value) = ("k".repeat(128), "v".repeat(256));
    let full = (0..9).fold(BlobTags::new().with(&key, &value).unwrap(), |tags, number| {
        tags.with(number.to_string(), "").unwrap()
    });
    assert_eq!((full.len(), full.get(&key)), (10, Some(value.as_str())));
    assert_eq!(code(full.clone().with("more", "")), ErrorCode::TagsTooLarge);
    assert_eq!(full.with("8", "new").unwrap().get("8"), Some("new"));
    for (key, value, expected) in [
        ("", "v", ErrorCode::EmptyTagName),
        (&*format!("{key}k"), "v", ErrorCode::TagsTooLarge),
        ("k", &*format!("{value}v"), ErrorCode::TagsTooLarge),
        ("a,b", "v", ErrorCode::InvalidTag),
        ("k", "a&b", ErrorCode::InvalidTag),
        ("é", "v", ErrorCode::InvalidTag),
        ("k", "a\nb", ErrorCode::InvalidTag),
        ("k", "'", ErrorCode::InvalidTag),
    ] {
        assert_eq!(code(BlobTags::new().with(key, value)), expected, "{key:?}={value:?}");
    }
    let odd = tags(&[(" +-./:=_", "aZ09 +-./:=_"), ("K", "1"), ("k", "2")]);
    assert_eq!(odd.iter().map(|(key, _)| key).collect::<Vec<_>>(), [" +-./:=_", "K", "k"]);
}

/// The examples of the page "Manage and find Azure Blob data with blob index tags", and those of the REST reference.
#[test]
fn each_documented_expression_finds_what_it_says() {
    let blob = [
        ("Status", "In Progress"),
        ("Date", "2020-06-20"),
        ("Priority", "05"),
        ("Age", "031"),
        ("Rank", "050"),
        ("Name", "Cat"),
        ("processedDate", "2020-01-01"),
        ("scan result", "none"),
    ];
    for (expression, found) in [
        ("\"Status\" = 'In Progress'", "Status"),
        ("Status = 'In Progress'", "Status"),
        ("\"Date\" > '2018-06-18'", "Date"),
        ("\"Priority\" >= '05'", "Priority"),
        ("\"Age\" < '32'", "Age"),
        ("\"Priority\" <= '5'", "Priority"),
        ("\"Rank\" >= '010' AND \"Rank\" < '100'", "Rank"),
        ("Rank<'100' and Rank>='010'", "Rank"),
        ("Name > 'C' AND Name < 'D'", "Name"),
        ("\"scan result\"='none'", "scan result"),
        (" ( \"Age\" >= '031' ) AND ((\"Name\" = 'Cat'))", "Age,Name"),
        ("@container = 'videofiles' AND \"Status\" = 'In Progress'", "Status"),
        ("@container='videofiles'", ""),
        // Comparisons are lexicographic and case-sensitive.
        ("\"Age\" < '4'", "Age"),
        ("\"Age\" > '4'", "-"),
        ("\"status\" = 'In Progress'", "-"),
        ("\"Status\" = 'in progress'", "-"),
        ("\"Missing\" < 'z'", "-"),
        ("\"Status\" = 'In Progress' AND \"Age\" = '32'", "-"),
        ("\"Status\" > 'it''s'", "-"),
    ] {
        let filter: TagFilter = expression.parse().unwrap();
        let keys = filter.select(&tags(&blob)).map(|found| {
            let keys: Vec<_> = found.iter().map(|(key, _)| key.to_owned()).collect();
            keys.join(",")
        });
        assert_eq!(keys.as_deref().unwrap_or("-"), found, "{expression}");
        assert_eq!(filter.to_string(), expression);
        assert_eq!(filter.container(), expression.contains('@').then_some("videofiles"));
    }
}

#[test]
fn a_search_that_is_none_is_refused_with_its_place() {
    let eleven: Vec<_> = (0..11).map(|number| format!("k{number} = ''")).collect();
    let deep = format!("{}a = ''{}", "(".repeat(33), ")".repeat(33));
    for (expression, problem) in [
        ("", " at or near character position 1: unexpected end"),
        ("   ", " at or near character position 4: unexpected end"),
        ("Status", " at or near character position 7: unexpected end"),
        ("Status =", " at or near character position 9: unexpected end"),
        ("Status 'a'", " at or near character position 8: unexpected 'a'"),
        ("Status = \"a\"", " at or near character position 10: unexpected 'a'"),
        ("Status = a", " at or near character position 10: unexpected 'a'"),
        ("'Status' = 'a'", " at or near character position 1: unexpected 'Status'"),
        ("Status = 'a", " at or near character position 10: the quote is not closed"),
        ("\"Status = 'a'", " at or near character position 1: the quote is not closed"),
        ("Status == 'a'", " at or near character position 9: unexpected '='"),
        ("Status = 'a' Age = 'b'", " at or near character position 14: unexpected 'Age'"),
        ("Status = 'a' AND", " at or near character position 17: unexpected end"),
        ("Status = 'a' OR Age = 'b'", " at or near character position 14: unexpected 'OR'"),
        ("Status <> 'a'", " at or near character position 8: unexpected '<>'"),
        ("NOT Status = 'a'", " at or near character position 1: unexpected 'NOT'"),
        ("(Status = 'a'", " at or near character position 14: unexpected end"),
        ("Status = 'a')", " at or near character position 13: unexpected ')'"),
        ("é = 'a'", " at or near character position 1: unexpected '\\u{e9}'"),
        ("'é' = 'é' x", " at or near character position 1: unexpected '\\u{e9}'"),
        ("@other = 'a'", " at or near character position 1: only @container may follow @"),
        ("@containers = 'a'", " at or near character position 1: only @container may follow @"),
        ("@container > 'a'", " at or near character position 12: @container can be compared with = only"),
        ("@container = 'a' AND @container = 'a'", ": there can be at most one container in a query"),
        (
            "\"\" = 'a'",
            " at or near character position 1: The name of one of the tag key-value pairs is empty.",
        ),
        (&deep, " at or near character position 33: too many parentheses"),
        (&eleven.join(" AND "), ": there can be at most 10 unique tags in a query"),
        ("a > '1' AND a >= '2'", RANGE),
        ("a = '1' AND a = '1'", RANGE),
        ("a = '1' AND a < '2'", RANGE),
        ("a > '1' AND a < '3' AND a < '2'", RANGE),
    ] {
        let error = expression.parse::<TagFilter>().unwrap_err();
        assert_eq!(error.code(), ErrorCode::InvalidQueryParameterValue, "{expression}");
        assert_eq!(error.message(), format!("Error parsing query{problem}"), "{expression}");
    }
    let key = "\"a&b\" = ''".parse::<TagFilter>().unwrap_err();
    assert!(key.message().contains("position 1: The tags specified are invalid."), "{key}");
}

const RANGE: &str = ": can't have multiple conditions for a single tag unless they define a range";

#[test]
fn a_condition_has_two_more_operators_and_no_container() {
    let blob = tags(&[("Status", "Done"), ("Priority", "05")]);
    for (expression, expected) in [
        ("\"Status\" <> 'Done'", false),
        ("\"Status\" <> 'Open'", true),
        ("\"Missing\" <> 'Open'", false),
        ("\"Status\" = 'Open' OR \"Priority\" >= '05'", true),
        // `AND` binds closer than `OR`.
        ("Status = 'Done' OR Status = 'Open' AND Priority = '9'", true),
        ("(Status = 'Done' OR Status = 'Open') AND Priority = '9'", false),
        // The rules for the comparisons of one tag are those of searches only.
        ("Priority > '04' AND Priority >= '05' AND Priority = '05'", true),
    ] {
        let condition: TagCondition = expression.parse().unwrap();
        assert_eq!(condition.holds(&blob), expected, "{expression}");
        assert!(!condition.holds(&BlobTags::new()), "{expression}");
        assert_eq!(condition.to_string(), expression);
    }
    for expression in ["", "@container = 'a'", "Status", "Status = Done", "Status = 'Done' XOR a = ''"] {
        assert_eq!(code(expression.parse::<TagCondition>()), ErrorCode::InvalidHeaderValue, "{expression}");
    }
}

#[test]
fn a_long_condition_is_read_without_deep_calls() {
    let many = vec!["a = '1'"; 10_000].join(" OR ");
    let condition: TagCondition = many.parse().unwrap();
    assert!(condition.holds(&tags(&[("a", "1")])));
    let nested = format!("{}a = '1'{}", "(".repeat(32), ")".repeat(32));
    assert!(nested.parse::<TagCondition>().unwrap().holds(&tags(&[("a", "1")])));
}
