//! Random designs of one entity type as text, and rows of their entities. Tests of the command use them as well.

use std::fmt::Write;

use table_store::{Entity, Value};

use crate::seed::Seed;

/// Forms of row keys. Each is that of an entity in one design, and that of an index in another one.
const FORMS: [&str; 6] =
    ["e_{id:04}", "e_{id:06}", "m_{mail}", "c_{city}_{id:04}", "{id:04}", "x_{mail}_{id:04}"];
const FIELDS: &str =
    "club = \"string\"\nid = \"u16\"\nmail = \"string\"\ncity = \"string\"\nage = \"i32?\"\n";

/// Where the rows of an index are: a line of the design, the table, and the partition.
const PLACES: [(&str, &str, &str); 3] = [
    ("", "Items", "{club}"),
    ("partition = \"f_{city}\"\n", "Items", "f_{city}"),
    ("table = \"Others\"\n", "Others", "{club}"),
];

/// A random design. The rules can reject it.
#[derive(Debug)]
pub struct RandomDesign {
    /// The row key of the entity.
    pub row: &'static str,
    /// `true` if rows contain their type.
    pub is_typed: bool,
    /// The design file.
    pub text: String,
    /// The table, the partition key and the row key of each index.
    pub indexes: Vec<[&'static str; 3]>,
}

/// The values of the fields that are in keys.
#[derive(Clone, Debug)]
pub struct KeyValues {
    id: usize,
    mail: String,
    city: &'static str,
}

/// Returns one of the texts.
fn one_of(texts: &[&'static str], dice: &mut Seed) -> &'static str {
    dice.pick(texts).copied().unwrap_or_default()
}

impl KeyValues {
    /// Returns random values with an identifier.
    pub fn new(id: usize, dice: &mut Seed) -> Self {
        Self { id, mail: dice.below(9999).to_string(), city: one_of(&["0001", "Oslo"], dice) }
    }

    /// Returns the key of a form.
    pub fn key(&self, form: &str) -> String {
        let Self { id, mail, city } = self;
        let key = form.replace("{id:04}", &format!("{id:04}")).replace("{id:06}", &format!("{id:06}"));
        key.replace("{mail}", mail).replace("{city}", city).replace("{club}", "a")
    }
}

impl RandomDesign {
    /// Returns a random design.
    pub fn new(dice: &mut Seed) -> Self {
        let row = one_of(&FORMS, dice);
        let is_typed = dice.chance(1, 2);
        Self::with_keys(row, is_typed, dice)
    }

    /// Returns a random design of the same entities: with other indexes and lookups.
    #[must_use]
    pub fn other(&self, dice: &mut Seed) -> Self {
        Self::with_keys(self.row, self.is_typed, dice)
    }

    fn with_keys(row: &'static str, is_typed: bool, dice: &mut Seed) -> Self {
        let entity_type = if is_typed { "always" } else { "none" };
        let mut text = format!(
            "tables = 1\n[entity.Item]\ntable = \"Items\"\npartition = \"{{club}}\"\nrow = \"{row}\"\nentity_type = \
             \"{entity_type}\"\n[entity.Item.fields]\n{FIELDS}"
        );
        let mut indexes = Vec::new();
        for _ in 0..dice.below(3) {
            let number = dice.below(FORMS.len());
            let form = FORMS.get(number).copied().unwrap_or_default();
            let copy = one_of(&["", "copy = []\n", "copy = [\"age\"]\n"], dice);
            let unique = if form.contains("{id") { "" } else { "unique = true\n" };
            // Most indexes are in the partition of the entity.
            let place = dice.below(5).saturating_sub(2);
            let (line, table, partition) = PLACES.get(place).copied().unwrap_or_default();
            _ = write!(
                text,
                "[entity.Item.index.by_{number}_{place}]\nrow = \"{form}\"\n{copy}{unique}{line}"
            );
            indexes.push([table, partition, form]);
        }
        if dice.chance(1, 3) {
            let place = one_of(&["partition", "table", "blob"], dice);
            let word = one_of(&["e", "m", "c"], dice);
            let (row, ids) = match place {
                "partition" => (format!("row = \"{word}_{{city}}\"\n"), dice.chance(1, 2)),
                _ => (String::new(), place == "table" && dice.chance(1, 2)),
            };
            let ids = if ids { "ids = \"mail\"\n" } else { "" };
            _ = write!(
                text,
                "[entity.Item.lookup.of_city]\non = [\"city\"]\nplace = \"{place}\"\n{row}{ids}"
            );
        }
        Self { row, is_typed, text, indexes }
    }

    /// Returns a stored entity, as a program writes it.
    pub fn entity(&self, values: &KeyValues, dice: &mut Seed) -> Entity {
        let KeyValues { id, mail, city } = values;
        let mut entity = Entity::new("a", &*values.key(self.row));
        let number = i32::try_from(*id).unwrap_or(i32::MAX);
        let fields: [(&'static str, Value); 3] =
            [("id", Value::Int32(number)), ("mail", mail.clone().into()), ("city", (*city).into())];
        for (name, value) in fields {
            if !self.row.contains(&format!("{{{name}")) {
                entity = entity.with(name, value);
            }
        }
        if dice.chance(1, 2) {
            entity = entity.with("age", number);
        }
        // An entity with derived rows has the token of the transaction that wrote it.
        if dice.chance(1, 2) {
            entity = entity.with("_tx", format!("0{id:025}"));
        }
        if self.is_typed { entity.with("EntityType", "Item") } else { entity }
    }
}
