//! No decrypted value is part of an error, of a report, or of a reason that is stored.

#![allow(dead_code, reason = "most of the types only decode rows")]

use std::fmt::{Debug, Display};

use table_model::TableService;
use table_patterns::{EdmType, Error, RowError, Timestamp, ValueError, prelude::*};
use table_store::{OpenOptions, Store};

use crate::encryption::staff::ring;

/// Part of every secret value.
const CANARY: &str = "471108";

/// The type as the writing program defines it.
mod written {
    use table_patterns::{Timestamp, prelude::*};

    #[derive(TableEntity, Clone, Debug)]
    #[table(name = "People", partition = "{team}", row = "p_{id:04}")]
    #[table(index(by_badge, partition = "b_{badge:04}", row = "{team}_{id:04}"))]
    pub(super) struct Person {
        pub(super) team: String,
        pub(super) id: u32,
        pub(super) badge: u32,
        #[table(encrypt)]
        pub(super) word: String,
        #[table(encrypt)]
        pub(super) number: i64,
        #[table(encrypt, json)]
        pub(super) json: String,
        #[table(encrypt)]
        pub(super) time: Timestamp,
        #[table(encrypt)]
        pub(super) float: f64,
    }
}

/// An enum that has no variant with the stored name.
#[derive(TableValue, Clone, Copy, Debug, PartialEq)]
enum Level {
    Junior,
    Senior,
}

#[derive(serde::Serialize, serde::Deserialize, Clone, Debug)]
enum Kind {
    Known,
}

/// A type whose errors contain the value in every text.
#[derive(Clone, Debug)]
struct Talkative(String);

impl TableValue for Talkative {
    const TYPE: EdmType = EdmType::String;

    fn to_value(&self) -> std::result::Result<table_patterns::Value, ValueError> {
        Err(ValueError::out_of_range(&self.0, format!("{} is too much", self.0)))
    }

    fn from_value(value: table_patterns::Value) -> std::result::Result<Self, ValueError> {
        let text = String::from_value(value)?;
        Err(ValueError::unreadable(&text, format!("anything but {text}")))
    }
}

/// Defines the type as another program reads it: one field has another type.
macro_rules! read_as {
    ($($module:ident: $field:ident $(($json:ident))? as $type:ty;)*) => {
        $(
            mod $module {
                #[allow(unused_imports, reason = "not every field type is a type of this file")]
                use super::{Kind, Level, Talkative};
                use table_patterns::prelude::*;

                #[derive(TableEntity, Clone, Debug)]
                #[table(name = "People", partition = "{team}", row = "p_{id:04}")]
                #[table(index(by_badge, partition = "b_{badge:04}", row = "{team}_{id:04}"))]
                pub(super) struct Person {
                    pub(super) team: String,
                    pub(super) id: u32,
                    pub(super) badge: u32,
                    #[table(encrypt $(, $json)?)]
                    pub(super) $field: $type,
                }
            }
        )*
    };
}

read_as! {
    word_as_enum: word as Level;
    word_as_char: word as char;
    word_as_optional: word as Option<Level>;
    word_as_json: word (json) as Vec<u8>;
    word_as_talkative: word as Talkative;
    number_as_u32: number as u32;
    json_as_enum: json (json) as Kind;
    time_as_date: time as Date;
    float_as_f32: float as f32;
}

fn secret(text: impl Display) {
    let text = text.to_string();
    assert!(!text.contains(CANARY), "{text}");
}

fn secret_error(error: &Error, property: &str) {
    secret(error);
    secret(format!("{error:?}"));
    let text = error.to_string();
    assert!(text.contains(property) && text.contains("encrypted"), "{text}");
}

/// Writes an entity. Its index row in another partition is not written yet.
fn written() -> (Tables, Store) {
    let store = OpenOptions::new().in_memory().unwrap();
    let tables = Tables::from(store.clone()).with_keys(ring(1));
    let day = Timestamp::from_date(2014, 7, 31).unwrap();
    let person = written::Person {
        team: "x".into(),
        id: 1,
        badge: 7,
        word: format!("word-{CANARY}"),
        number: 471_108_000_000,
        json: format!("json-{CANARY}"),
        time: day.saturating_add(std::time::Duration::from_micros(471_108)),
        float: 471_108.1,
    };
    tables.with_deferred_updates().blocking().insert(&person).unwrap();
    (tables, store)
}

/// Reads the entity as another type, until its commit record is dead-lettered.
fn no_value_leaks<E>(property: &str, point: &table_patterns::PointQuery<E>)
where
    E: TableEntity + Debug,
{
    let (_, store) = written();
    let tables = Tables::from(store.clone()).with_keys(ring(1));
    tables.register_entity::<E>();
    let error = tables.blocking().get(point).unwrap_err();
    secret_error(&error, property);
    let Error::Decode(decode) = error else { panic!("{error:?}") };
    let RowError::Property(problem) = *decode.problem else { panic!("{:?}", decode.problem) };
    assert_eq!(problem.property, property);
    assert!(matches!(problem.reason, ValueError::Hidden { found: Some(_), .. }), "{:?}", problem.reason);

    let report = tables.blocking().sweep(tables.verify::<E>().repair()).unwrap();
    secret(&report);
    secret(format!("{report:?}"));
    let mut dead_lettered = 0;
    for _ in 0..6 {
        let pass = pollster::block_on(tables.catch_up()).unwrap();
        secret(format!("{pass:?}"));
        dead_lettered += pass.dead_lettered;
    }
    assert_eq!(dead_lettered, 1);
    let rows =
        pollster::block_on(store.query(&"People".parse().unwrap(), table_model::Query::new())).unwrap();
    let mut reasons = 0;
    for row in &rows.rows {
        secret(format!("{:?}", row.properties.to_properties()));
        reasons += usize::from(row.properties.get("_err").is_some());
    }
    assert_eq!(reasons, 1);
}

#[test]
fn an_error_of_an_encrypted_property_does_not_contain_its_value() {
    no_value_leaks("word", &word_as_enum::Person::point("x", 1));
    no_value_leaks("word", &word_as_char::Person::point("x", 1));
    no_value_leaks("word", &word_as_optional::Person::point("x", 1));
    no_value_leaks("word", &word_as_json::Person::point("x", 1));
    no_value_leaks("word", &word_as_talkative::Person::point("x", 1));
    no_value_leaks("number", &number_as_u32::Person::point("x", 1));
    no_value_leaks("json", &json_as_enum::Person::point("x", 1));
    no_value_leaks("time", &time_as_date::Person::point("x", 1));
    no_value_leaks("float", &float_as_f32::Person::point("x", 1));
}

#[test]
fn an_error_names_the_property_the_expected_type_and_the_stored_type() {
    let (tables, _) = written();
    let error = tables.blocking().get(&word_as_enum::Person::point("x", 1)).unwrap_err();
    let text = error.to_string();
    let told = "property `word`: its value, stored as Edm.String, is not a valid `Level`, or exceeds";
    assert!(text.contains(told), "{text}");
}

#[test]
fn an_error_of_a_write_does_not_contain_the_value() {
    let (tables, _) = written();
    let word = Talkative(CANARY.to_owned());
    let person = word_as_talkative::Person { team: "x".into(), id: 2, badge: 8, word };
    secret_error(&tables.blocking().insert(&person).unwrap_err(), "word");
}

#[test]
fn an_untyped_entity_does_not_show_a_decrypted_value() {
    let (tables, _) = written();
    let tables = tables.encrypting(|_, _, property| ["word", "number"].contains(&property));
    let bag = tables.blocking().get(&DynamicEntity::point("People", "x", "p_0001")).unwrap().unwrap();
    assert_eq!(bag.get::<String>("word").unwrap(), Some(format!("word-{CANARY}")));
    secret(format!("{bag:?}"));
    secret_error(&bag.get::<Level>("word").unwrap_err(), "word");
    secret_error(&bag.get::<u32>("number").unwrap_err(), "number");
}

#[test]
fn value_that_is_too_long_is_told_with_its_limit() {
    let tables = Tables::in_memory().unwrap().with_keys(ring(1));
    let person = |word: String| written::Person {
        team: "x".into(),
        id: 1,
        badge: 7,
        word,
        number: 1,
        json: String::new(),
        time: Timestamp::from_date(2014, 7, 31).unwrap(),
        float: 1.0,
    };
    let told = |word: String| {
        let error = tables.blocking().insert(&person(word)).unwrap_err();
        secret(format!("{error} {error:?}"));
        error.to_string()
    };
    let text = told(CANARY.repeat(5_462));
    let limit = "a string of 32772 UTF-16 units is out of range: a String has at most 32768; store longer text elsewhere";
    assert!(text.contains("Person.word") && text.contains(limit), "{text}");
    // The text fits into a property in clear, and its ciphertext does not.
    let text = told("\u{e9}".repeat(32_768));
    let limit = "bytes is out of range: a Binary has at most 65536; store longer values elsewhere";
    assert!(
        text.contains("Person.word") && text.contains("an encrypted value of 655") && text.contains(limit),
        "{text}"
    );
    tables.blocking().insert(&person("\u{e9}".repeat(32_700))).unwrap();
}
