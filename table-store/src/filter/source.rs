use super::Filter;
use crate::{Entity, Properties, Row, value::ValueRef};

/// Something whose properties a filter can ask for by name, one at a time: a stored record, an entity, a row.
///
/// ```
/// use table_store::{Filter, filter::PropertySource, value::ValueRef};
///
/// struct Person { age: i32 }
///
/// impl PropertySource for Person {
///     fn property(&self, name: &str) -> Option<ValueRef<'_>> {
///         (name == "Age").then_some(ValueRef::Int32(self.age))
///     }
/// }
///
/// assert!(Filter::ge("Age", 30).matches(&Person { age: 34 }));
/// ```
pub trait PropertySource {
    /// The property's value; `None` if there is none. `PartitionKey`, `RowKey` and `Timestamp` are properties too.
    fn property(&self, name: &str) -> Option<ValueRef<'_>>;
}

impl Filter {
    /// Whether the filter is satisfied. It asks the source only for the properties that it needs for the answer.
    ///
    /// ```
    /// use table_store::{Entity, Filter};
    ///
    /// let entity = Entity::new("p", "r").with("Age", 34);
    /// assert!(Filter::parse("Age gt 30")?.matches(&entity));
    /// assert!(!Filter::parse("Salary ne 0")?.matches(&entity));
    /// assert!(Filter::parse("not (Salary eq 0)")?.matches(&entity));
    /// # Ok::<(), table_store::TableError>(())
    /// ```
    pub fn matches(&self, source: &dyn PropertySource) -> bool {
        match self {
            Self::Compare { property, operator, value } => {
                source.property(property).is_some_and(|stored| operator.holds(stored.compare_to(value)))
            }
            Self::Flag(property) => matches!(source.property(property), Some(ValueRef::Boolean(true))),
            Self::Constant(holds) => *holds,
            Self::And(parts) => parts.iter().all(|part| part.matches(source)),
            Self::Or(parts) => parts.iter().any(|part| part.matches(source)),
            Self::Not(inner) => !inner.matches(source),
        }
    }
}

/// The user's properties; neither keys nor timestamp.
impl PropertySource for Properties {
    fn property(&self, name: &str) -> Option<ValueRef<'_>> {
        self.get(name).map(ValueRef::from)
    }
}

/// Keys and properties. An entity that was not written yet has no timestamp.
impl PropertySource for Entity {
    fn property(&self, name: &str) -> Option<ValueRef<'_>> {
        match name {
            "PartitionKey" => Some(ValueRef::String(&self.partition_key)),
            "RowKey" => Some(ValueRef::String(&self.row_key)),
            _ => self.properties.property(name),
        }
    }
}

/// What was read. What a selection left out counts as absent.
impl PropertySource for Row {
    fn property(&self, name: &str) -> Option<ValueRef<'_>> {
        match name {
            "PartitionKey" => self.partition_key.as_deref().map(ValueRef::String),
            "RowKey" => self.row_key.as_deref().map(ValueRef::String),
            "Timestamp" => self.timestamp.map(ValueRef::DateTime),
            _ => self.properties.property(name),
        }
    }
}
