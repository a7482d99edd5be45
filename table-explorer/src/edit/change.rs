//! Differences between a form and the stored entity.

use table_model::{Condition, Entity, Name, Operation, Properties, Value};

use super::{
    draft::Draft,
    field::{Field, Stored},
};

/// Changes of a form.
#[derive(Clone, Debug)]
pub(crate) struct Change {
    /// The properties that get another value.
    set: Properties,
    /// The names of the properties that are removed.
    removed: Vec<String>,
    /// All properties after the change.
    whole: Properties,
}

impl Change {
    /// Compares a form with the version of the entity that it was made from.
    ///
    /// # Errors
    ///
    /// Returns a description of the first invalid field.
    pub(crate) fn of(draft: &Draft, stored: &Properties) -> Result<Self, String> {
        let mut change = Self { set: Properties::new(), removed: Vec::new(), whole: stored.clone() };
        for field in &draft.fields {
            let value = field.value().map_err(|error| format!("{}: {error}", field.name))?;
            if field.was == Stored::Absent && stored.get(&field.name).is_some() {
                return Err(format!(
                    "The entity has a property `{}`; change it instead of adding it.",
                    field.name
                ));
            }
            match value {
                Stored::Value(value) if change.whole.get(&field.name) != Some(&value) => {
                    change.set.set(field.name.clone(), value.clone());
                    change.whole.set(field.name.clone(), value);
                }
                Stored::Absent if change.whole.remove(&field.name).is_some() => {
                    change.removed.push(field.name.clone());
                }
                _ => {}
            }
        }
        Ok(change)
    }

    /// Returns whether the form changes nothing.
    pub(crate) fn is_none(&self) -> bool {
        self.set.is_empty() && self.removed.is_empty()
    }

    /// Returns whether the write replaces the entity: a merge cannot remove a property.
    pub(crate) const fn is_replace(&self) -> bool {
        !self.removed.is_empty()
    }

    /// Returns all properties after the change.
    pub(crate) const fn whole(&self) -> &Properties {
        &self.whole
    }

    /// Returns the names of the changed properties.
    pub(crate) fn names(&self) -> String {
        let set = self.set.iter().map(|(name, _)| &**name);
        set.chain(self.removed.iter().map(String::as_str)).collect::<Vec<_>>().join(", ")
    }

    /// Returns the write: a merge of the changed properties if possible, otherwise or if requested a replace of all
    /// properties.
    pub(crate) fn operation(&self, draft: &Draft, condition: Condition, replaces: bool) -> Operation {
        let entity = |properties: &Properties| Entity {
            properties: properties.clone(),
            ..Entity::new(&*draft.partition, &*draft.row)
        };
        if replaces || self.is_replace() {
            Operation::Replace(entity(&self.whole), condition)
        } else {
            Operation::Merge(entity(&self.set), condition)
        }
    }
}

/// Returns the properties after a write of an entity with these properties; `None` after a delete.
pub(crate) fn applied(operation: &Operation, before: &Properties) -> Option<Properties> {
    let written = &operation.entity()?.properties;
    if !matches!(operation, Operation::Merge(..) | Operation::InsertOrMerge(_)) {
        return Some(written.clone());
    }
    let mut whole = before.clone();
    for (name, value) in written {
        whole.set(name.clone(), value.clone());
    }
    Some(whole)
}

/// Returns the properties that differ, with both values.
pub(crate) fn differences<'p>(
    before: &'p Properties,
    after: &'p Properties,
) -> Vec<(&'p Name, Option<&'p Value>, Option<&'p Value>)> {
    let added = after.iter().filter(|(name, _)| before.get(name).is_none());
    let names = before.iter().chain(added).map(|(name, _)| name);
    let pairs = names.map(|name| (name, before.get(name), after.get(name)));
    pairs.filter(|(_, before, after)| before != after).collect()
}

impl Draft {
    /// Creates a form that changes one version of an entity into another one.
    pub(crate) fn between(keys: Self, before: &Properties, after: &Properties) -> Self {
        let added = after.iter().filter(|(name, _)| before.get(name).is_none());
        let names = before.iter().chain(added).map(|(name, _)| name);
        let fields = names
            .map(|name| {
                Field::changed(name.clone(), Stored::of(before.get(name)), &Stored::of(after.get(name)))
            })
            .collect();
        Self { fields, ..keys }
    }
}

#[cfg(test)]
mod tests {
    use table_model::{ETag, Timestamp};

    use super::*;
    use crate::params::Params;

    #[test]
    fn a_save_merges_what_changed_and_replaces_to_remove() {
        let stored: Properties =
            [("A", Value::from(1)), ("B", Value::from("x")), ("C", Value::from(""))].into_iter().collect();
        let changed = |form: &str| {
            let draft = Draft::of_form(&Params::parse(&format!("pk=p&rk=r&{form}"))).unwrap();
            let change = Change::of(&draft, &stored).unwrap();
            let etag = ETag::from(Timestamp::UNIX_EPOCH);
            (change.is_none(), change.operation(&draft, Condition::Matches(etag), false))
        };
        let (none, _) = changed("name=A&kind=Int32&text=1&was=Int32:1&name=C&kind=String&text=&was=Escaped:");
        assert!(none);
        let (_, merge) =
            changed("name=A&kind=Int64&text=1&was=Int32:1&name=B&kind=String&text=x&was=Escaped:x");
        let Operation::Merge(entity, Condition::Matches(_)) = merge else { panic!("{merge:?}") };
        assert_eq!(entity, Entity::new("p", "r").with("A", 1_i64));
        let (_, replace) = changed("name=C&kind=&text=&was=Escaped:&name=D&kind=Double&text=-0&was=");
        let Operation::Replace(entity, Condition::Matches(_)) = replace else { panic!("{replace:?}") };
        assert_eq!(entity, Entity::new("p", "r").with("A", 1).with("B", "x").with("D", -0.0));
    }

    #[test]
    fn a_write_has_a_result() {
        let before: Properties = [("A", 1), ("B", 2)].into_iter().collect();
        let entity = Entity::new("p", "r").with("B", 3);
        let merged = applied(&Operation::Merge(entity.clone(), Condition::Exists), &before).unwrap();
        let replaced = applied(&Operation::Replace(entity, Condition::Exists), &before).unwrap();
        let of = |after: &Properties| {
            differences(&before, after).iter().map(|(name, ..)| name.to_string()).collect::<Vec<_>>()
        };
        assert_eq!(
            (of(&merged), of(&replaced)),
            (vec!["B".to_owned()], vec!["A".to_owned(), "B".to_owned()])
        );
    }
}
