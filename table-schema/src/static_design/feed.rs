use super::{Design, Property};

/// What an entity keeps in a row of another type, its sink: values that are made of all entities that have the sink's key.
#[derive(Debug)]
pub struct Feed {
    /// The sink's type, as it is named. No other rule of the entity has this name.
    pub name: &'static str,
    /// The sink's design. A function, as two entities may feed each other.
    pub sink: fn() -> &'static Design,
    /// The sink's fields, and what is kept in them.
    pub totals: &'static [Total],
}

/// A value over many entities.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Total {
    /// The sink's field.
    pub field: &'static str,
    /// How it is made.
    pub by: Aggregate,
    /// The property that it is made of; none of a count, and of a copy, whose type says it.
    pub of: Option<&'static str>,
}

/// How one value is made of many.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Aggregate {
    /// How many there are.
    Count,
    /// Their sum.
    Sum,
    /// The largest.
    Max,
    /// The smallest.
    Min,
    /// Fields of one of them: of the one whose key comes first.
    Copy,
}

impl Aggregate {
    /// What it is called.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Count => "count",
            Self::Sum => "sum",
            Self::Max => "largest",
            Self::Min => "smallest",
            Self::Copy => "copy",
        }
    }

    /// Whether it is the value of one entity, which has to be looked for when that goes.
    pub const fn is_extreme(self) -> bool {
        matches!(self, Self::Max | Self::Min)
    }
}

/// A field and its type, as it was written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TypedField {
    /// The field.
    pub field: &'static str,
    /// Its type.
    pub rust_type: &'static str,
}

impl Feed {
    /// Whether the sink's row is in the partition of the entities, and so written in their own transactions.
    pub fn is_near(&self, source: &Design) -> bool {
        let sink = (self.sink)();
        source.is_in_one_place()
            && sink.is_in_one_place()
            && source.table.eq_ignore_ascii_case(sink.table)
            && source.partition.text == sink.partition.text
    }
}

impl Total {
    /// The sink's property; of a copy what its properties' names begin with.
    pub fn property(&self, sink: &'static Design) -> Option<&'static str> {
        sink.property_of(self.field).map(|property| property.name)
    }

    /// All properties of the sink that it is kept in.
    pub fn properties(&self, sink: &'static Design) -> &'static [&'static str] {
        sink.property_of(self.field).map_or(&[], Property::names)
    }

    /// Of a copy: the sink's property that holds this one of the source.
    pub fn copy_of(&self, sink: &'static Design, property: &str) -> Option<&'static str> {
        if self.by != Aggregate::Copy {
            return None;
        }
        let copied = sink.property_of(self.field)?;
        let rest = |name: &'static str| name.strip_prefix(copied.name)?.strip_prefix('_');
        copied.slots.iter().copied().find(|name| rest(name) == Some(property))
    }
}

/// What the compiler asks of two designs where one feeds the other: a macro sees only one of them.
impl Design {
    /// Whether a field is kept by other entities, and of one of these types. Of an entity that keeps nothing for others that
    /// is not asked: the compiler says so by itself.
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

    /// Whether others keep the property of this name; of several that are one field, the name that they begin with.
    pub const fn is_fed(&self, property: &str) -> bool {
        holds(self.fed, property)
    }

    /// Whether two of its properties have one name, as where one repeats what a copy of another entity's is stored as.
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

    /// Whether the fields of a sink's key are all here, of the same types or optional.
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

/// Whether a type is the `Option` of another.
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
