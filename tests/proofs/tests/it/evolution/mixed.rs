//! Rows of three versions of one type, written by three programs.

use table_patterns::prelude::*;
use table_tests::seed::Seed;

#[derive(TableEntity, Clone, Debug, PartialEq)]
#[table(name = "People", partition = "{tenant}", row = "p_{id:06}", entity_type = "Person")]
#[table(index(by_id, row = "x_{id:06}"))]
#[table(index(far, partition = "f_{tenant}", row = "f_{id:06}", copy(age, cents)))]
pub struct PersonV1 {
    pub tenant: String,
    pub id: u32,
    pub name: String,
    pub age: u32,
    pub cents: i64,
    pub score: u8,
    pub note: Option<String>,
    #[table(default)]
    pub tries: i32,
}

#[derive(TableEntity, Clone, Debug, PartialEq)]
#[table(name = "People", partition = "{tenant}", row = "p_{id:06}", version = 2, from(PersonV1))]
#[table(entity_type = "Person")]
#[table(index(by_id, row = "x_{id:06}"))]
#[table(index(far, partition = "f_{tenant}", row = "f_{id:06}", copy(age, amount)))]
pub struct PersonV2 {
    pub tenant: String,
    pub id: u32,
    pub first: String,
    pub last: String,
    pub age: u32,
    #[table(was = "cents")]
    pub amount: i64,
    pub score: i32,
    pub note: Option<String>,
    #[table(default)]
    pub tries: i32,
}

#[derive(TableEntity, Clone, Debug, PartialEq)]
#[table(name = "People", partition = "{tenant}", row = "p_{id:06}", version = 3, from(PersonV2))]
#[table(entity_type = "Person")]
#[table(index(by_id, row = "x_{id:06}"))]
#[table(index(far, partition = "f_{tenant}", row = "f_{id:06}", copy(age, amount)))]
pub struct Person {
    pub tenant: String,
    pub id: u32,
    #[table(was = "first")]
    pub given: String,
    pub last: String,
    pub age: u32,
    pub amount: i64,
    pub score: i32,
    pub note: Option<String>,
    pub tries: i32,
    pub level: i32,
}

impl From<PersonV1> for PersonV2 {
    fn from(old: PersonV1) -> Self {
        let (first, last) = old.name.split_once(' ').unwrap_or((&old.name, ""));
        Self {
            first: first.into(),
            last: last.into(),
            tenant: old.tenant,
            id: old.id,
            age: old.age,
            amount: old.cents,
            score: i32::from(old.score) * 10,
            note: old.note,
            tries: old.tries,
        }
    }
}

impl From<PersonV2> for Person {
    fn from(old: PersonV2) -> Self {
        Self {
            level: i32::try_from(old.last.len()).unwrap(),
            tenant: old.tenant,
            id: old.id,
            given: old.first,
            last: old.last,
            age: old.age,
            amount: old.amount,
            score: old.score,
            note: old.note,
            tries: old.tries,
        }
    }
}

/// Some of the fields: the same in all versions, renamed, and computed.
#[derive(Projection, Clone, Debug, PartialEq)]
#[table(of = Person)]
pub struct Badge {
    pub id: u32,
    pub given: String,
    pub age: u32,
    pub note: Option<String>,
    pub level: i32,
}

/// Fields that all versions store.
#[derive(Projection, Clone, Debug, PartialEq)]
#[table(of = Person)]
pub struct Balance {
    pub id: u32,
    pub amount: i64,
}

impl From<&Person> for Badge {
    fn from(person: &Person) -> Self {
        let Person { id, given, age, note, level, .. } = person.clone();
        Self { id, given, age, note, level }
    }
}

pub const TENANT: &str = "a";

/// Inserts persons of the three versions, and returns them as the newest version reads them, in key order.
pub fn insert_all(tables: &Tables, count: u32, seed: &mut Seed) -> Vec<Person> {
    let b = tables.blocking();
    let word = |seed: &mut Seed| (*seed.pick(&["Ann", "Bo", "Cy", "Di"]).unwrap()).to_owned();
    let mut people = Vec::new();
    for id in 1..=count {
        let (tenant, note) = (TENANT.to_owned(), seed.chance(1, 2).then(|| word(seed)));
        let (age, tries) = (u32::try_from(seed.below(4)).unwrap(), i32::try_from(seed.below(3)).unwrap());
        let (amount, score) = (i64::try_from(seed.below(4)).unwrap(), u8::try_from(seed.below(4)).unwrap());
        let (first, last) = (word(seed), word(seed));
        people.push(match seed.below(3) {
            0 => {
                let name = format!("{first} {last}");
                let person = PersonV1 { tenant, id, name, age, cents: amount, score, note, tries };
                b.insert(&person).unwrap();
                if tries == 0 {
                    // A program that did not know the field wrote the row.
                    let mut row = b
                        .get(&DynamicEntity::point("People", TENANT, format!("p_{id:06}")))
                        .unwrap()
                        .unwrap();
                    row.remove("tries");
                    replace_as_stored(tables, &row);
                }
                PersonV2::from(person).into()
            }
            1 => {
                let score = i32::from(score) * 10;
                let person = PersonV2 { tenant, id, first, last, age, amount, score, note, tries };
                b.insert(&person).unwrap();
                person.into()
            }
            _ => {
                let level = i32::try_from(seed.below(4)).unwrap();
                let score = i32::from(score) * 10;
                let person =
                    Person { tenant, id, given: first, last, age, amount, score, note, tries, level };
                b.insert(&person).unwrap();
                person
            }
        });
    }
    pollster::block_on(tables.catch_up()).unwrap();
    people
}

/// Replaces a row without regard to its index rows.
fn replace_as_stored(tables: &Tables, row: &Stored<DynamicEntity>) {
    use table_store::{Condition, Entity, Operation, TableName};

    let entity = Entity {
        partition_key: row.partition_key().to_owned(),
        row_key: row.row_key().to_owned(),
        properties: row.iter().map(|(name, value)| (name.to_owned(), value.clone())).collect(),
    };
    let replace = Operation::Replace(entity, Condition::Exists);
    let table = TableName::new("People").unwrap();
    pollster::block_on(tables.service().execute(&table, &replace)).unwrap();
}
