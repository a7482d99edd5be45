//! Input that the parser accepts, input that it rejects, and its errors.

use table_model::{ErrorCode, Filter, TableError};

#[test]
fn texts_that_mean_the_same_are_read_the_same() {
    for (text, printed) in [
        ("", "true"),
        ("   ", "true"),
        ("A eq 1 or B eq 2 and C eq 3", "A eq 1 or B eq 2 and C eq 3"),
        ("A eq 1 or (B eq 2 and C eq 3)", "A eq 1 or B eq 2 and C eq 3"),
        ("(A eq 1 or B eq 2) and C eq 3", "(A eq 1 or B eq 2) and C eq 3"),
        ("A eq 1 and B eq 2 or C eq 3 and D eq 4", "A eq 1 and B eq 2 or C eq 3 and D eq 4"),
        ("A eq 1 and (B eq 2 and (C eq 3))", "A eq 1 and B eq 2 and C eq 3"),
        ("not A eq 1 and B eq 2", "not (A eq 1) and B eq 2"),
        ("not (A eq 1 and B eq 2)", "not (A eq 1 and B eq 2)"),
        ("not not A", "A"),
        ("not not not (A)", "not A"),
        ("not(A eq 1)or(B eq 2)", "not (A eq 1) or B eq 2"),
        ("5 lt Age", "Age gt 5"),
        ("-5L le Age", "Age ge -5L"),
        ("'x' eq Name", "Name eq 'x'"),
        ("(Age) gt (5)", "Age gt 5"),
        ("((((Age)))) gt ((-5))", "Age gt -5"),
        ("(5) gt Age", "Age lt 5"),
        ("  Age   gt    5  ", "Age gt 5"),
        ("\tAge\r\ngt 5", "Age gt 5"),
        ("Active", "Active"),
        ("(Active) and not Gone", "Active and not Gone"),
        ("Active eq true", "Active eq true"),
        ("Active eq True", "Active eq true"),
        ("FALSE ne Active", "Active ne false"),
        ("True eq FALSE", "True eq false"),
        ("True eq 5", "True eq 5"),
        ("True", "True"),
        ("true", "true"),
        ("not true", "false"),
        ("true and A eq 1", "A eq 1"),
        ("false or (true and false) or A", "A"),
        ("add eq 1 and mod gt 2", "add eq 1 and mod gt 2"),
        ("datetime eq 1 and X eq 2", "datetime eq 1 and X eq 2"),
        ("Größe eq 1 and _a1 eq 2", "Größe eq 1 and _a1 eq 2"),
        ("Not eq 1", "Not eq 1"),
    ] {
        let filter = Filter::parse(text).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(filter.to_string(), printed, "{text}");
        assert_eq!(Filter::parse(printed).as_ref(), Ok(&filter), "{text}");
    }
}

#[test]
fn syntax_errors_name_the_position_past_the_token_and_what_to_write() {
    for (text, position, start, hint) in [
        ("aaa bbb ccc", 7, 4, "expected a comparison"),
        ("A eq", 4, 4, "a property or a value is missing"),
        ("A eq 1 and", 10, 10, "is missing at the end"),
        ("(A eq 1", 7, 7, "a `)` is missing"),
        ("A eq 1)", 7, 6, "`and` or `or`"),
        ("(A 1)", 4, 3, "expected a comparison"),
        ("()", 2, 1, "a property or a value"),
        ("A eq 1 B eq 2", 8, 7, "`and` or `or`"),
        ("A eq 1 eq 2", 9, 7, "`and` or `or`"),
        ("(A eq 1) eq true", 11, 9, "a condition cannot be compared"),
        ("A EQ 1", 4, 2, "write `eq` instead of `EQ`"),
        ("A == 1", 4, 2, "write `eq` instead of `==`"),
        ("A = 1", 3, 2, "write `eq` instead of `=`"),
        ("A != 1", 4, 2, "write `ne` instead of `!=`"),
        ("A <> 1", 4, 2, "write `ne` instead of `<>`"),
        ("A > 1", 3, 2, "write `gt` instead of `>`"),
        ("A>=1", 3, 1, "write `ge` instead of `>=`"),
        ("A < 1", 3, 2, "write `lt` instead of `<`"),
        ("A =< 1", 4, 2, "write `le` instead of `=<`"),
        ("A eq 1 && B eq 2", 9, 7, "write `and` instead of `&&`"),
        ("A eq 1 || B eq 2", 9, 7, "write `or` instead of `||`"),
        ("A eq 1 AND B eq 2", 10, 7, "write `and` instead of `AND`"),
        ("A eq 1 Or B eq 2", 9, 7, "write `or` instead of `Or`"),
        ("!A", 1, 0, "write `not` instead of `!`"),
        ("NOT A", 5, 4, "write `not` instead of `NOT`"),
        ("A equals 1", 8, 2, "write `eq` instead of `equals`"),
        ("A neq 1", 5, 2, "write `ne` instead of `neq`"),
        ("A not eq 1", 5, 2, "write `ne`"),
        ("A like 'x%'", 6, 2, "write a range"),
        ("A in (1, 2)", 4, 2, "A eq 1 or A eq 2"),
        ("A between 1 and 2", 9, 2, "A ge 1 and A le 2"),
        ("Name eq \"x\"", 9, 8, "single quotes"),
        ("A eq'x'", 7, 2, "put a space after `eq`"),
        ("'x'eq A", 5, 3, "put a space"),
        ("A eq 'x'and B eq 1", 11, 8, "put a space"),
        ("A eq and", 8, 5, "a property or a value"),
        ("A eq #", 6, 5, "a property or a value"),
        ("A eq 5x", 7, 5, "invalid number"),
        ("A/B eq 1", 2, 1, "arithmetic is not supported"),
        ("foo(A)", 4, 3, "functions such as `foo` are not supported"),
    ] {
        let error = Filter::parse(text).unwrap_err();
        assert_eq!(error.message(), format!("Syntax error at position {position} in '{text}'."));
        assert_eq!(error.span(), start..position, "{text}");
        assert!(error.hint().unwrap_or_default().contains(hint), "{text}: {error}");
        assert_eq!(error.code(), ErrorCode::InvalidInput, "{text}");
    }
}

#[test]
fn what_means_nothing_here_is_refused_in_words_of_its_own() {
    for (text, code, message, hint) in [
        ("A eq B", ErrorCode::InvalidInput, "Two properties", "'B' in single quotes"),
        ("1 eq 1", ErrorCode::InvalidInput, "Two values", "one side must be the name"),
        ("true eq false", ErrorCode::InvalidInput, "Two values", "one side must be the name"),
        ("A eq null", ErrorCode::InvalidInput, "never null", "fails every comparison"),
        ("null ne A", ErrorCode::InvalidInput, "never null", "fails every comparison"),
        ("5", ErrorCode::InvalidInput, "A value alone", "compare it with a property"),
        ("A and 'x'", ErrorCode::InvalidInput, "A value alone", "compare it with a property"),
        ("startswith(Name, 'a')", ErrorCode::NotImplemented, "not implemented", "write a range"),
        ("substringof('a', Name)", ErrorCode::NotImplemented, "not implemented", "functions such as"),
        ("year(Timestamp) eq 2014", ErrorCode::NotImplemented, "not implemented", "functions such as"),
        ("A eq tolower('B')", ErrorCode::NotImplemented, "not implemented", "functions such as"),
        ("A add 1 eq 2", ErrorCode::NotImplemented, "not implemented", "arithmetic is not supported"),
        ("A eq 1 sub 2", ErrorCode::NotImplemented, "not implemented", "arithmetic is not supported"),
        ("A eq (1 mul 2)", ErrorCode::NotImplemented, "not implemented", "arithmetic is not supported"),
        ("A - 1 eq 2", ErrorCode::NotImplemented, "not implemented", "arithmetic is not supported"),
        ("A eq -B", ErrorCode::NotImplemented, "not implemented", "arithmetic is not supported"),
    ] {
        let error = Filter::parse(text).unwrap_err();
        assert!(error.message().contains(message), "{text}: {error}");
        assert!(error.hint().unwrap_or_default().contains(hint), "{text}: {error}");
        let status = if code == ErrorCode::NotImplemented { 501 } else { 400 };
        let error = TableError::from(error);
        assert_eq!((error.code(), error.status()), (code, status), "{text}");
    }
}
