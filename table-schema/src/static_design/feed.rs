use super::{Design, Property};

/// A contribution of an entity to a row of another type, the target. The values of the target are computed from all
/// entities with the key of the target.
#[derive(Debug)]
pub struct Contribution {
    /// The type name of the target. It is unique among the rules of the entity.
    pub name: &'static str,
    /// The design of the target. This is a function because two entities may contribute to each other.
    pub sink: fn() -> &'static Design,
    /// The fields of the target and their aggregates.
    pub totals: &'static [Total],
}

/// An aggregate over many entities.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Total {
    /// The field of the target.
    pub field: &'static str,
    /// The aggregate function.
    pub by: Aggregate,
    /// The source property. `None` for a count, and for a copy, whose type determines the properties.
    pub of: Option<&'static str>,
}

/// An aggregate function.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Aggregate {
    /// The number of entities.
    Count,
    /// The sum.
    Sum,
    /// The maximum.
    Max,
    /// The minimum.
    Min,
    /// Fields copied from the entity with the first key.
    Copy,
}

impl Contribution {
    /// Returns the name of the target in stored rows.
    pub fn stored_name(&self) -> &'static str {
        (self.sink)().stored_name()
    }
}

impl Aggregate {
    /// Returns the name of the attribute of its source.
    pub const fn contribution(self) -> &'static str {
        match self {
            Self::Count => "counted_in",
            Self::Sum => "summed_in",
            Self::Max => "max_in",
            Self::Min => "min_in",
            Self::Copy => "copied_to",
        }
    }

    /// Returns the name of the function.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Count => "count",
            Self::Sum => "sum",
            Self::Max => "largest",
            Self::Min => "smallest",
            Self::Copy => "copy",
        }
    }

    /// Returns an example of its declaration on the source.
    pub const fn example(self) -> &'static str {
        match self {
            Self::Count => "counted_in(Department::employees)",
            Self::Sum => "summed_in(Department::ages, of = age)",
            Self::Max => "max_in(Department::oldest, of = age)",
            Self::Min => "min_in(Department::youngest, of = age)",
            Self::Copy => "copied_to(Department::manager, when = is_manager)",
        }
    }

    /// Returns whether the aggregate is the value of a single entity. It must be searched for again if that entity is
    /// deleted.
    pub const fn is_extreme(self) -> bool {
        matches!(self, Self::Max | Self::Min)
    }
}

/// A field and its type, as written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TypedField {
    /// The name of the field.
    pub field: &'static str,
    /// The type.
    pub rust_type: &'static str,
}

impl Contribution {
    /// Returns whether the target row is in the partition of the source entities and is written in their transactions.
    pub fn is_near(&self, source: &Design) -> bool {
        let sink = (self.sink)();
        source.is_in_one_place()
            && sink.is_in_one_place()
            && source.table.eq_ignore_ascii_case(sink.table)
            && source.partition.text == sink.partition.text
    }
}

impl Total {
    /// Returns the property of the target, or the common name prefix of its properties for a copy.
    pub fn property(&self, sink: &'static Design) -> Option<&'static str> {
        sink.property_of(self.field).map(|property| property.name)
    }

    /// Returns all properties of the target that store the value.
    pub fn properties(&self, sink: &'static Design) -> &'static [&'static str] {
        sink.property_of(self.field).map_or(&[], Property::names)
    }

    /// Returns the property of the target that contains a copy of this source property. Returns `None` for other
    /// aggregates.
    pub fn copy_of(&self, sink: &'static Design, property: &str) -> Option<&'static str> {
        if self.by != Aggregate::Copy {
            return None;
        }
        let copied = sink.property_of(self.field)?;
        let rest = |name: &'static str| name.strip_prefix(copied.name)?.strip_prefix('_');
        copied.slots.iter().copied().find(|name| rest(name) == Some(property))
    }
}

/// Const checks of two designs where one contributes to the other. A macro sees only one of the two.
impl Design {
    /// Returns whether a field is maintained by other entities and has one of these types. Returns `true` for an entity
    /// without maintained fields, because the compiler reports that error itself.
    pub const fn takes(&self, field: &str, types: &[&str]) -> bool {
        if self.fed.is_empty() {
            return true;
        }
        let mut rest = self.properties;
        while let [property, after @ ..] = rest {
            if is_same(property.field, field) {
                return holds(self.fed, property.name) && holds(types, property.rust_type);
            }
            rest = after;
        }
        false
    }

    /// Returns whether other entities maintain the property with this name. For copied fields, this is their common
    /// name prefix.
    pub const fn is_fed(&self, property: &str) -> bool {
        holds(self.fed, property)
    }

    /// Returns whether the library sets the property: from other entities, or to the time of a write.
    pub const fn is_set_by_library(&self, property: &str) -> bool {
        self.is_fed(property) || is_some(self.created, property) || is_some(self.updated, property)
    }

    /// Returns whether two properties have the same name, for example a field and a property copied from another
    /// entity.
    pub const fn has_a_name_twice(&self) -> bool {
        let mut rest = self.properties;
        while let [property, after @ ..] = rest {
            let mut names = property.names();
            while let [name, others @ ..] = names {
                if holds(others, name) || is_name_of(after, name) {
                    return true;
                }
                names = others;
            }
            rest = after;
        }
        false
    }

    /// Returns whether this design has all key fields of a target, with the same types or optional.
    pub const fn knows_key_of(&self, sink: &Self) -> bool {
        let mut rest = sink.key;
        while let [wanted, after @ ..] = rest {
            if !self.has(wanted) {
                return false;
            }
            rest = after;
        }
        true
    }

    const fn has(&self, wanted: &TypedField) -> bool {
        let mut keys = self.key;
        while let [known, after @ ..] = keys {
            if is_same(known.field, wanted.field) {
                return is_same(known.rust_type, wanted.rust_type);
            }
            keys = after;
        }
        let mut properties = self.properties;
        while let [known, after @ ..] = properties {
            if is_same(known.field, wanted.field) {
                return is_same(known.rust_type, wanted.rust_type)
                    || is_optional(known.rust_type, wanted.rust_type);
            }
            properties = after;
        }
        false
    }
}

const fn is_name_of(mut properties: &[Property], name: &str) -> bool {
    while let [property, after @ ..] = properties {
        if holds(property.names(), name) {
            return true;
        }
        properties = after;
    }
    false
}

const fn holds(texts: &[&str], text: &str) -> bool {
    let mut rest = texts;
    while let [known, after @ ..] = rest {
        if is_same(known, text) {
            return true;
        }
        rest = after;
    }
    false
}

const fn is_some(name: Option<&str>, text: &str) -> bool {
    match name {
        Some(name) => is_same(name, text),
        None => false,
    }
}

const fn is_same(left: &str, right: &str) -> bool {
    are_same(left.as_bytes(), right.as_bytes())
}

const fn are_same(mut left: &[u8], mut right: &[u8]) -> bool {
    while let ([first, left_after @ ..], [second, right_after @ ..]) = (left, right) {
        if *first != *second {
            return false;
        }
        (left, right) = (left_after, right_after);
    }
    left.is_empty() && right.is_empty()
}

/// Returns whether a type is the `Option` of another type.
const fn is_optional(option: &str, inner: &str) -> bool {
    let (Some((head, rest)), [ends @ .., b'>']) =
        (option.as_bytes().split_at_checked("Option<".len()), option.as_bytes())
    else {
        return false;
    };
    let Some((_, middle)) = ends.split_at_checked("Option<".len()) else { return false };
    are_same(head, b"Option<") && !rest.is_empty() && are_same(middle, inner.as_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_optional_type_is_told_by_its_text() {
        assert!(is_optional("Option<String>", "String"));
        assert!(!is_optional("Option<String>", "str"));
        assert!(!is_optional("String", "String"));
        assert!(!is_optional("Option<", ""));
        assert!(!is_optional("Vec<u8>", "u8"));
    }

    #[test]
    fn a_name_that_two_properties_have_is_found() {
        const fn of(name: &'static str, slots: &'static [&'static str]) -> Property {
            Property { field: name, name, slots, rust_type: "" }
        }
        assert!(is_name_of(&[of("a", &[]), of("b", &["b_0", "b_1"])], "b_1"));
        assert!(!is_name_of(&[of("a", &[]), of("b", &["b_0", "b_1"])], "b"));
    }

    #[test]
    fn texts_are_the_same_only_as_a_whole() {
        assert!(is_same("", "") && is_same("ab", "ab"));
        assert!(!is_same("a", "ab") && !is_same("ab", "a") && !is_same("ab", "ac"));
    }
}
