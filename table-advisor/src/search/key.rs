//! Keys as lists of fields, and their templates.

use super::super::{
    facts::Facts,
    suggest::template::{hole, period, shard_hole},
};
use table_schema::{
    design::{FieldKind, Shard},
    language::Test,
    template::{DateUnit, Template, TemplateField},
};

/// The encoding of a field in a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Form {
    /// In the order of the values.
    Ascending,
    /// In the reverse order.
    Descending,
    /// The day of a time.
    Day,
    /// The month of a time.
    Month,
    /// One of some shards, by a hash of the value.
    Shard(u32),
}

/// A field of a key.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Part {
    pub field: String,
    pub form: Form,
}

impl Part {
    pub(super) fn new(field: &str) -> Self {
        Self { field: field.to_owned(), form: Form::Ascending }
    }

    /// Returns whether the value can be decoded from the key.
    pub(super) const fn is_exact(&self) -> bool {
        matches!(self.form, Form::Ascending | Form::Descending)
    }

    /// Returns the template field, or `None` if the field is not allowed in keys in this form.
    fn text(&self, facts: &Facts<'_>) -> Option<String> {
        match self.form {
            Form::Ascending => hole(facts, &self.field),
            Form::Descending => {
                let ascending = Template::parse(&hole(facts, &self.field)?).ok()?;
                let hole = ascending.holes().next()?;
                Some(TemplateField { shape: hole.shape.descending()?, ..hole.clone() }.to_string())
            }
            Form::Day => Some(period(&self.field, DateUnit::Day)),
            Form::Month => Some(period(&self.field, DateUnit::Month)),
            Form::Shard(count) => Some(shard_hole(count)),
        }
    }
}

/// The fields of a `PartitionKey` and of a `RowKey`.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Key {
    pub partition: Vec<Part>,
    pub row: Vec<Part>,
    /// `true` for the key of an index that ensures that its values are unique.
    pub is_unique: bool,
    /// The equalities of entities that a sparse index contains, in the order of their texts.
    pub when: Vec<String>,
}

impl Key {
    pub(super) fn parts(&self) -> impl Iterator<Item = &Part> {
        self.partition.iter().chain(&self.row)
    }

    pub(super) fn has(&self, field: &str) -> bool {
        self.parts().any(|part| part.field == field && part.is_exact())
    }

    /// Returns the shards at the end of the partition.
    pub(super) fn shard(&self) -> Option<Shard> {
        let Part { field, form: Form::Shard(count) } = self.partition.last()? else { return None };
        Some(Shard { of: field.clone(), count: *count })
    }

    /// Returns the partition without its shard, if it has one.
    pub(super) fn unsharded(&self) -> Option<&[Part]> {
        let (_, rest) = self.partition.split_last()?;
        self.shard().map(|_| rest)
    }

    /// Returns whether all rows of an index with this key pass a test.
    pub(super) fn implies(&self, test: &Test) -> bool {
        equality(test).is_some_and(|text| self.when.contains(&text))
    }

    /// Returns the key with more fields at the end of the row, as far as they are missing.
    pub(super) fn ending_in<'p>(&self, parts: impl IntoIterator<Item = &'p Part>) -> Self {
        let mut key = self.clone();
        for part in parts {
            if !key.has(&part.field) && !matches!(part.form, Form::Shard(_)) {
                key.row.push(part.clone());
            }
        }
        key
    }
}

/// Returns the template of some fields after a word, or `None` if a field is not allowed in keys. Without a field, the
/// template is the word.
pub(super) fn template(facts: &Facts<'_>, word: Option<&str>, parts: &[Part]) -> Option<String> {
    let holes: Vec<String> = parts.iter().map(|part| part.text(facts)).collect::<Option<_>>()?;
    let words = word.into_iter().map(str::to_owned);
    Some(words.chain(holes).collect::<Vec<_>>().join("_"))
}

/// Returns the text of a test that compares a field with a value.
pub(super) fn equality(test: &Test) -> Option<String> {
    test.value.as_ref().map(|value| format!("{} = {value}", test.field))
}

/// Joins the names of fields to a word.
pub(super) fn word(parts: &[Part]) -> String {
    parts.iter().map(|part| part.field.as_str()).collect::<Vec<_>>().join("_")
}

/// Returns the name of an entity as a word of a key: `BuyNow` becomes `buy_now`.
pub(super) fn entity_word(name: &str) -> String {
    let mut word = String::new();
    for character in name.chars() {
        if character.is_uppercase() && !word.is_empty() {
            word.push('_');
        }
        word.extend(character.to_lowercase());
    }
    word
}

/// Returns the encoding in which greater values of a field are first, if one exists.
pub(super) fn descending(kind: &FieldKind) -> Option<Form> {
    matches!(kind, FieldKind::Time | FieldKind::Int { .. } | FieldKind::Float { .. })
        .then_some(Form::Descending)
}
