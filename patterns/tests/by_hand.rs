//! The contract between the derive and the runtime: what the derive writes for two entities, a projection and a union,
//! written by hand. It compiles, and it works.

#![allow(unreachable_pub, unused_qualifications, dead_code, reason = "written as generated code is")]

#[path = "by_hand/employee.rs"]
mod employee;
#[path = "by_hand/review.rs"]
mod review;
#[path = "by_hand/shapes.rs"]
mod shapes;

use employee::Employee;
use review::{Review, ReviewKey};
use shapes::{Member, Rating};
use table_patterns::prelude::*;

fn review() -> Review {
    Review { department: "Sales".into(), id: 123, year: 2012, manager_rating: 4, comment: None }
}

#[test]
fn a_key_is_written_and_read_by_its_templates() {
    let address = review().address().unwrap();
    assert_eq!(address.to_string(), "Reviews(PartitionKey='Sales',RowKey='000123_2012')");
    let key = ReviewKey::parse("Sales", "000123_2012").unwrap();
    assert_eq!(key, review().key());
    assert_eq!(key.to_string(), address.to_string());
    for foreign in ["000123_2012x", "123_2012", "+00123_2012", "000123", ""] {
        assert!(ReviewKey::parse("Sales", foreign).is_none(), "{foreign}");
    }
}

#[test]
fn queries_explain_themselves_without_a_store() {
    let range = Review::rows("Sales").at(123).between(2010..=2012).explain().unwrap();
    assert_eq!(
        range.filter.unwrap().to_string(),
        "PartitionKey eq 'Sales' and RowKey ge '000123_2010' and RowKey le '000123_2012'"
    );
}
