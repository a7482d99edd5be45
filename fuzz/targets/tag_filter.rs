//! Every string parses as a search by tags, as a condition on tags, or an error. A search is also a condition, with the same
//! outcome, unless it names a container; both are printed as they were parsed.

#![no_main]

use libfuzzer_sys::fuzz_target;
use table_store::blob::{BlobTags, TagCondition, TagFilter};

fn tags(pairs: &[(&str, &str)]) -> BlobTags {
    pairs
        .iter()
        .fold(BlobTags::new(), |tags, (key, value)| tags.with(*key, *value).expect("the tags are valid"))
}

fuzz_target!(|text: &str| {
    let condition = text.parse::<TagCondition>();
    if let Ok(condition) = &condition {
        assert_eq!(condition.to_string(), text);
        assert!(!condition.holds(&BlobTags::new()), "no tags satisfy {text}");
    }
    let Ok(filter) = text.parse::<TagFilter>() else { return };
    assert_eq!(filter.to_string(), text);
    if filter.container().is_some() {
        assert!(condition.is_err(), "a condition names a container: {text}");
        return;
    }
    let condition = condition.expect("a search is a condition");
    for tags in [tags(&[("a", "b")]), tags(&[("a", ""), ("Status", "Done"), ("k", "05")]), BlobTags::new()] {
        let found = filter.select(&tags);
        assert_eq!(found.is_some(), condition.holds(&tags), "{text}");
        let found = found.unwrap_or_default();
        assert!(found.iter().all(|(key, value)| tags.get(key) == Some(value)), "{text}");
    }
});
