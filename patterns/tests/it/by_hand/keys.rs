use std::collections::{BTreeSet, HashSet};

use super::{Employee, EmployeeKey, Review, ReviewKey, review};
use table_patterns::prelude::*;

#[test]
fn a_key_is_written_and_read_by_its_templates() {
    let address = review(123, 2012).address().unwrap();
    assert_eq!(address.to_string(), "Reviews(PartitionKey='Sales',RowKey='000123_2012')");
    let key = ReviewKey::parse("Sales", "000123_2012").unwrap();
    assert_eq!((key.department.as_str(), key.id, key.year), ("Sales", 123, 2012));
    assert_eq!(key, review(123, 2012).key());
    assert_eq!(key.to_string(), address.to_string());
    assert_eq!(key.point().address().unwrap(), address);
}

#[test]
fn a_key_of_another_form_is_foreign() {
    for foreign in ["000123_2012x", "123_2012", "+00123_2012", "000123", "000123_99999", ""] {
        assert!(ReviewKey::parse("Sales", foreign).is_none(), "{foreign}");
    }
    for foreign in ["empid_223", "empid_0002234", "email_000223", "000223"] {
        assert!(EmployeeKey::parse("Sales", foreign).is_none(), "{foreign}");
    }
}

#[test]
fn keys_compare_and_hash_as_they_sort() {
    let key = |id, year| review(id, year).key();
    let keys = [key(2, 2011), key(1, 2012), key(1, 2011), key(1, 2012)];
    assert_eq!(keys.iter().collect::<HashSet<_>>().len(), 3);
    let sorted: Vec<String> = keys
        .iter()
        .collect::<BTreeSet<_>>()
        .iter()
        .map(|key| key.address().unwrap().row_key().to_owned())
        .collect();
    assert_eq!(sorted, ["000001_2011", "000001_2012", "000002_2011"]);
}

#[test]
fn a_value_that_no_key_can_hold_says_field_rule_and_template() {
    let error = Review::point("Sales", 1_000_000, 2012).explain().unwrap_err();
    assert_eq!(
        error.to_string(),
        "key of `Review`: field `id` = 1000000: does not fit :06 (in \"{id:06}_{year:04}\")"
    );
    let error = Employee::rows("R/D").explain().unwrap_err();
    assert_eq!(
        error.to_string(),
        "key of `Employee`: field `department` = \"R/D\": `/` cannot be in a key; write `{department:esc}` \
         (\"{department:esc}\" instead of \"{department}\")"
    );
}

#[test]
fn a_broken_key_stays_in_the_query_until_it_runs() {
    let tables = Tables::in_memory().unwrap();
    let query = Review::rows("a/b").at(1).between(2010..).page_size(10).take(3);
    assert!(matches!(super::run(query.all(&tables)), Err(Error::Key(_))));
    assert!(matches!(super::run(query.page(&tables)), Err(Error::Key(_))));
    assert!(matches!(super::run(query.stream(&tables).try_next()), Err(Error::Key(_))));
    assert!(matches!(super::run(Review::point("a/b", 1, 2).get(&tables)), Err(Error::Key(_))));
    assert!(matches!(
        super::run(tables.merge(Review::patch("a/b", 1, 2).manager_rating(1))),
        Err(Error::Key(_))
    ));
}
