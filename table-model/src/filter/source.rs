use super::Filter;
use crate::{Entity, Properties, Row, RowRef, value::ValueRef};

/// Source of property values for the evaluation of a filter: a stored record, an entity or a row.
///
/// ```
/// use table_model::{Filter, filter::PropertySource, value::ValueRef};
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
    /// Returns the value of a property; `None` if it does not exist. `PartitionKey`, `RowKey` and `Timestamp` are also
    /// properties.
    fn property(&self, name: &str) -> Option<ValueRef<'_>>;
}

impl Filter {
    /// Returns whether the source satisfies the filter. Only reads the properties that are needed for the result.
    ///
    /// ```
    /// use table_model::{Entity, Filter};
    ///
    /// let entity = Entity::new("p", "r").with("Age", 34);
    /// assert!(Filter::parse("Age gt 30")?.matches(&entity));
    /// assert!(!Filter::parse("Salary ne 0")?.matches(&entity));
    /// assert!(Filter::parse("not (Salary eq 0)")?.matches(&entity));
    /// # Ok::<(), table_model::TableError>(())
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

/// Provides user properties, but neither keys nor timestamp.
impl PropertySource for Properties {
    fn property(&self, name: &str) -> Option<ValueRef<'_>> {
        self.get(name).map(ValueRef::from)
    }
}

/// Provides keys and properties. An entity that was not written yet has no timestamp.
impl PropertySource for Entity {
    fn property(&self, name: &str) -> Option<ValueRef<'_>> {
        match name {
            "PartitionKey" => Some(ValueRef::String(&self.partition_key)),
            "RowKey" => Some(ValueRef::String(&self.row_key)),
            _ => self.properties.property(name),
        }
    }
}

/// Provides the properties that were read. Properties excluded by a selection count as absent.
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

/// Provides the properties that were read, like the implementation for [`Row`].
impl PropertySource for RowRef<'_> {
    fn property(&self, name: &str) -> Option<ValueRef<'_>> {
        self.get(name)
    }
}
