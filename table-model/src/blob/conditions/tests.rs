use super::{BlobAccess::*, *};

fn at(second: u8) -> Timestamp {
    format!("2014-07-31T18:00:{second:02}.5Z").parse().unwrap()
}

/// Returns code and status for a blob that was changed at second 10.
fn outcome(conditions: &BlobConditions, there: bool, access: BlobAccess) -> Option<(ErrorCode, u16)> {
    let etag = BlobETag::from(at(10));
    let found = there.then_some((&etag, at(10)));
    conditions.check(found, access).err().map(|error| (error.code(), error.status()))
}

const FAILED: Option<(ErrorCode, u16)> = Some((ErrorCode::ConditionNotMet, 412));
const UNSATISFIABLE: Option<(ErrorCode, u16)> = Some((ErrorCode::UnsatisfiableCondition, 400));
const NOT_MODIFIED: Option<(ErrorCode, u16)> = Some((ErrorCode::ConditionNotMet, 304));

#[test]
fn each_condition_fails_with_the_code_of_its_access() {
    let (same, other) = (BlobETag::from(at(10)), BlobETag::from(at(11)));
    let none = BlobConditions::none;
    for (conditions, on_read, on_write) in [
        (none(), None, None),
        (BlobConditions::exists(), None, None),
        (same.clone().into(), None, None),
        (other.clone().into(), FAILED, FAILED),
        (none().if_none_match(other.clone()), None, None),
        (none().if_none_match(same.clone()), NOT_MODIFIED, FAILED),
        (BlobConditions::absent(), UNSATISFIABLE, FAILED),
        (none().if_modified_since(at(9)), None, None),
        (none().if_modified_since(at(10)), NOT_MODIFIED, FAILED),
        (none().if_unmodified_since(at(10)), None, None),
        (none().if_unmodified_since(at(9)), FAILED, FAILED),
    ] {
        assert_eq!(outcome(&conditions, true, Read), on_read, "{conditions:?}");
        assert_eq!(outcome(&conditions, true, Write), on_write, "{conditions:?}");
    }
}

#[test]
fn of_another_version_and_a_later_time_one_is_enough() {
    let (same, other) = (BlobETag::from(at(10)), BlobETag::from(at(11)));
    for (etag, time, expected) in
        [(&same, at(9), None), (&other, at(10), None), (&same, at(10), NOT_MODIFIED), (&other, at(9), None)]
    {
        let conditions = BlobConditions::none().if_none_match(etag.clone()).if_modified_since(time);
        assert_eq!(outcome(&conditions, true, Read), expected, "{conditions:?}");
    }
}

#[test]
fn a_match_must_hold_besides_a_time() {
    let conditions = BlobConditions::from(BlobETag::from(at(10))).if_unmodified_since(at(9));
    assert_eq!(outcome(&conditions, true, Write), FAILED);
    let conditions = BlobConditions::from(BlobETag::from(at(11))).if_modified_since(at(9));
    assert_eq!(outcome(&conditions, true, Read), FAILED);
}

#[test]
fn what_must_be_new_but_is_there_has_a_code_of_its_own() {
    let there = Some((ErrorCode::BlobAlreadyExists, 409));
    assert_eq!(outcome(&BlobConditions::absent(), true, Create), there);
    assert_eq!(outcome(&BlobConditions::absent(), false, Create), None);
    let version = BlobConditions::none().if_none_match(BlobETag::from(at(10)));
    assert_eq!(outcome(&version, true, Create), FAILED);
}

#[test]
fn what_is_absent_fails_only_a_match() {
    for access in [Read, Write, Create] {
        assert_eq!(outcome(&BlobConditions::exists(), false, access), FAILED);
        assert_eq!(outcome(&BlobETag::from(at(1)).into(), false, access), FAILED);
        let times = BlobConditions::none().if_modified_since(at(1)).if_unmodified_since(at(1));
        assert_eq!(outcome(&times, false, access), None);
    }
}

#[test]
fn what_is_read_cannot_be_absent() {
    assert_eq!(outcome(&BlobConditions::absent(), false, Read), UNSATISFIABLE);
}

#[test]
fn times_are_compared_by_the_second() {
    let whole: Timestamp = "2014-07-31T18:00:10Z".parse().unwrap();
    assert_eq!(outcome(&BlobConditions::none().if_modified_since(whole), true, Read), NOT_MODIFIED);
    assert_eq!(outcome(&BlobConditions::none().if_unmodified_since(whole), true, Read), None);
}

#[test]
fn a_condition_on_tags_is_about_an_existing_blob() {
    let conditions = BlobConditions::none().tags("a <> '1'".parse().unwrap());
    let tags = |value: &str| BlobTags::new().with("a", value).unwrap();
    let outcome = |tags: Option<&BlobTags>, access| {
        conditions.check_tags(tags, access).err().map(|error| (error.code(), error.status()))
    };
    for access in [Read, Write, Create] {
        assert_eq!(outcome(Some(&tags("2")), access), None);
        assert_eq!(outcome(Some(&tags("1")), access), FAILED);
        assert_eq!(outcome(Some(&BlobTags::new()), access), FAILED);
        assert!(BlobConditions::none().check_tags(None, access).is_ok());
    }
    // Without the blob, a read fails as it does in any case, and nothing is created.
    assert_eq!([Read, Write, Create].map(|access| outcome(None, access)), [None, None, FAILED]);
}

#[test]
fn the_lease_comes_before_absence_and_its_owner_satisfies_it() {
    use crate::{
        Uuid,
        blob::{Lease, LeaseTerm, LeaseUse},
    };
    let etag = BlobETag::from(at(10));
    let id = |number| Uuid::from_u128(number);
    let lease = Lease { id: id(1), term: LeaseTerm::Fixed { seconds: 15, until: at(20) } };
    let outcome = |conditions: &BlobConditions, found: bool, now| {
        let lease = LeaseUse::WriteBlob.check(found.then_some(&lease), conditions.lease, now);
        let found = found.then_some((&etag, at(10)));
        conditions.check_create(found, &lease).and(lease).err().map(|error| error.code())
    };
    let (absent, owned) = (BlobConditions::absent, BlobConditions::absent().lease(id(1)));
    assert_eq!(outcome(&owned, true, at(19)), None);
    assert_eq!(outcome(&owned.clone().if_modified_since(at(30)), true, at(19)), None);
    assert_eq!(
        outcome(&owned.clone().if_unmodified_since(at(9)), true, at(19)),
        Some(ErrorCode::ConditionNotMet)
    );
    assert_eq!(outcome(&owned, true, at(20)), Some(ErrorCode::LeaseLost));
    assert_eq!(outcome(&owned, false, at(19)), Some(ErrorCode::LeaseNotPresentWithBlobOperation));
    let other = absent().lease(id(2));
    assert_eq!(outcome(&other, true, at(19)), Some(ErrorCode::LeaseIdMismatchWithBlobOperation));
    assert_eq!(outcome(&absent(), true, at(19)), Some(ErrorCode::LeaseIdMissing));
    assert_eq!(outcome(&absent(), true, at(20)), Some(ErrorCode::BlobAlreadyExists));
    assert_eq!(outcome(&absent(), false, at(19)), None);
    // The errors of all other conditions come before the lease.
    let version = BlobConditions::from(BlobETag::from(at(11)));
    assert_eq!(outcome(&version, true, at(19)), Some(ErrorCode::ConditionNotMet));
}
