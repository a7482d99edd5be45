//! The generated code in adverse environments can read the rows that it writes.

use std::fmt::Debug;

use table_patterns::{PointQuery, prelude::*};
use table_tests::hygiene::{
    self,
    indexed::{self, Indexed},
    names::{E, Names, Prelude, S, Slots},
    raw::Keywords,
    shadowed, values,
};

/// Writes the entity and reads it back by its key.
fn round_trip<E: TableEntity + Clone + PartialEq + Debug>(entity: &E) -> Result<()> {
    let tables = Tables::in_memory()?;
    let blocking = tables.blocking();
    blocking.insert(entity)?;
    let read = blocking.get(&PointQuery::<E>::of_key(&entity.key()))?;
    assert_eq!(read.map(Stored::into_inner).as_ref(), Some(entity));
    Ok(())
}

#[test]
fn a_series_may_be_as_long_as_any_constant_says() -> Result<()> {
    round_trip(&Slots { slots: "s".into(), slot: 7, value: [None, Some(4)], series: [true, false, true] })
}

#[test]
fn fields_may_have_the_names_of_helpers() -> Result<()> {
    round_trip(&Names {
        path: "p".into(),
        row: "r".into(),
        key: 7,
        self_: "s".into(),
        c: 1,
        into: 2,
        from: 3,
        keys: "k".into(),
        value: Some(4),
        fields: true,
        entity: 0.5,
        properties: vec![1, 2],
        table: 5,
    })
}

#[test]
fn fields_of_indexes_may_have_the_names_of_helpers() -> Result<()> {
    let tables = Tables::in_memory()?;
    let b = tables.blocking();
    let entity = Indexed {
        path: "p".into(),
        number: 7,
        rows: "r".into(),
        own: "o".into(),
        from: -1,
        key: true,
        read: true,
        value0: Some(3),
        value1: Some("v".into()),
        index: "i".into(),
        list: "l".into(),
        member: Some(-2),
        property: 1,
        row: 2,
        partition: 3,
    };
    b.insert(&entity)?;
    assert_eq!(b.get(&Indexed::by_rows("p", "r", "o"))?.map(Stored::into_inner), Some(entity.clone()));
    assert_eq!(b.get(&Indexed::by_value0("p", 3, "v"))?.map(|copy| (copy.from, copy.key)), Some((-1, true)));
    assert_eq!(b.get(&Indexed::when_index("p", 7))?.map(Stored::into_inner), Some(entity.clone()));
    assert_eq!(b.get(&Indexed::by_name("p", "i"))?.map(|copy| copy.number), Some(7));
    assert_eq!(b.all(&Indexed::by_list("p", "l", -2))?.len(), 1);
    assert_eq!(b.all(&Indexed::by_from("p", -1))?.len(), 1);
    let keywords =
        indexed::Keywords { r#type: "t".into(), r#fn: 1, r#match: "m".into(), r#async: Some(true) };
    b.insert(&keywords)?;
    assert_eq!(b.get(&indexed::Keywords::r#match("t", "m"))?.map(Stored::into_inner), Some(keywords));
    assert_eq!(b.all(&indexed::Keywords::r#move("t", true))?.len(), 1);
    Ok(())
}

#[test]
fn types_may_have_the_names_of_type_parameters() -> Result<()> {
    let tables = Tables::in_memory()?;
    let blocking = tables.blocking();
    blocking.insert(&E { key: "k".into(), s: S::Open })?;
    blocking.merge(E::patch("k").s(S::Closed))?;
    assert_eq!(blocking.get(&E::point("k"))?.map(|read| read.s), Some(S::Closed));
    Ok(())
}

#[test]
fn keywords_are_stored_without_their_mark() {
    let keywords = Keywords { r#type: "t".into(), r#fn: 1, r#match: 2, r#async: Some(true) };
    round_trip(&keywords).unwrap();
    let names: Vec<&str> = Keywords::DESIGN.properties.iter().map(|property| property.name).collect();
    assert_eq!(names, ["match", "Async"]);
}

#[test]
fn shadowed_names_do_not_matter() {
    round_trip(&shadowed::Entity {
        partition: "p".into(),
        id: 3,
        day: None,
        bytes: vec![0],
        cached: 0,
        later: 4,
        list: vec![5, 6],
    })
    .unwrap();
    assert_eq!(Prelude::None.to_value().unwrap(), table_patterns::Value::from("None"));
    assert_eq!(shadowed::Number::One.to_value().unwrap(), table_patterns::Value::from(1));
}

#[test]
fn enums_and_newtypes_stand_in_keys() -> Result<()> {
    round_trip(&values::Task {
        status: values::Status::OnHold,
        priority: values::Priority::High,
        email: values::Email("jo jones@contoso.com".into()),
        id: values::EmployeeId(9),
        before: None,
        urgency: values::Priority::Low,
        reporter: values::EmployeeId(1),
        contact: Some(values::Email(String::new())),
    })
}

#[test]
fn entities_may_be_private_and_local() {
    assert!(hygiene::inner::hidden().ends_with('3'));
    assert!(hygiene::inner::in_a_function());
}

macro_rules! task {
    ($(#[$of:meta])* $name:ident, $argument:ty) => {
        #[derive(serde::Serialize, serde::Deserialize, Debug)]
        $(#[$of])*
        struct $name {
            argument: $argument,
        }
    };
}

task!(
    #[derive(Task)]
    #[task(queue = "passed")]
    PassedTask,
    u32
);

/// Attributes, types and names of a caller of a `macro_rules!` have the same meaning as those of the macro.
#[test]
fn derives_in_macros_work_with_tokens_of_the_caller() -> Result<()> {
    use table_tests::hygiene::passed::{Attributes, PassedDerive, Total};

    assert_eq!((PassedTask { argument: 7 }.argument, <PassedTask as Task>::QUEUE), (7, "passed"));
    round_trip(&PassedDerive { p: "p".into(), id: 1, team: "t".into() })?;
    let tables = Tables::in_memory()?;
    let blocking = tables.blocking();
    blocking.insert(&Total { team: "t".into(), x: 0, n: 0, sum: 0, most: None, latest: None })?;
    let one = |amount| {
        let (p, team) = ("p".to_owned(), "t".to_owned());
        Attributes { p, id: 1, team, amount, made: None, until: None }
    };
    blocking.insert(&one(7))?;
    assert!(blocking.insert(&one(-1)).is_err(), "the function of the caller checks it");
    pollster::block_on(tables.catch_up())?;
    let total = blocking.get(&Total::point("t"))?.map(|total| (total.n, total.sum, total.most));
    assert_eq!(total, Some((1, 7, Some(7))));
    Ok(())
}
