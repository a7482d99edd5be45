//! Every string parses as a filter or an error with a position, and a filter round-trips through `Display`.

#![no_main]

use libfuzzer_sys::fuzz_target;
use table_store::{Entity, Filter, Plan};

fuzz_target!(|text: &str| {
    let filter = match Filter::parse(text) {
        Ok(filter) => filter,
        Err(error) => {
            assert!(text.get(error.span()).is_some(), "the span cuts a character: {error}");
            return;
        }
    };
    filter.check().expect("what parses passes the check");
    let printed = filter.to_string();
    let again = Filter::parse(&printed).expect("what is printed parses");
    assert_eq!(again, filter, "{printed}");
    assert_eq!(again.to_string(), printed);
    let entity = Entity::new("Sales", "1").with("A", 1).with("B", "b").with("C", true);
    assert_eq!(again.matches(&entity), filter.matches(&entity), "{printed}");
    let _ = Plan::of(Some(&filter)).to_string();
});
