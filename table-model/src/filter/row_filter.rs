use super::{Comparison, Filter, PropertySource};
use crate::{
    PropertiesRef, Value,
    key::compare_bytes,
    name::SYSTEM,
    packed::{Near, kind},
    value::ValueRef,
};

/// A filter prepared for the evaluation on many rows: a list of tests, of which each determines the next one.
///
/// The position of each property is remembered from row to row. In rows of one type, a test therefore compares one name
/// and decodes one value. The result is that of [`Filter::matches`].
///
/// ```
/// use table_model::{Filter, Rows, Timestamp, ValueRef, filter::RowFilter, rows::RowHead};
///
/// let mut rows = Rows::new();
/// for age in [34, 29] {
///     let head = RowHead::whole("Sales", "1", Timestamp::UNIX_EPOCH);
///     rows.push(head, [("Name", ValueRef::String("Jo")), ("Age", ValueRef::Int32(age))])?;
/// }
/// let filter = Filter::parse("PartitionKey eq 'Sales' and Age ge 30")?;
/// let mut filter = RowFilter::new(&filter);
/// let matching = rows.iter().map(|row| filter.matches(&row, row.properties));
/// assert!(matching.eq([true, false]));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct RowFilter<'f> {
    tests: Vec<Test<'f>>,
    first: Next,
}

/// A comparison of one property, and where to continue.
#[derive(Clone, Debug)]
struct Test<'f> {
    name: &'f str,
    /// Position among the properties of the row; `None` for a key and the timestamp.
    near: Option<Near>,
    condition: Condition<'f>,
    if_met: Next,
    if_unmet: Next,
}

#[derive(Clone, Copy, Debug)]
enum Condition<'f> {
    Compare(Comparison, &'f Value),
    Flag,
}

#[derive(Clone, Copy, Debug)]
enum Next {
    Test(usize),
    Result(bool),
}

impl<'f> RowFilter<'f> {
    /// Prepares a filter. Recursive: [`Filter::check`] limits the depth.
    #[must_use]
    pub fn new(filter: &'f Filter) -> Self {
        let mut prepared = Self { tests: Vec::new(), first: Next::Result(true) };
        prepared.first = prepared.add(filter, Next::Result(true), Next::Result(false));
        prepared
    }

    /// Adds the tests of a filter, and returns where its evaluation starts. The tests that follow it are added before.
    fn add(&mut self, filter: &'f Filter, if_met: Next, if_unmet: Next) -> Next {
        let (name, condition) = match filter {
            Filter::Constant(true) => return if_met,
            Filter::Constant(false) => return if_unmet,
            Filter::Not(inner) => return self.add(inner, if_unmet, if_met),
            Filter::And(parts) => {
                return parts.iter().rev().fold(if_met, |next, part| self.add(part, next, if_unmet));
            }
            Filter::Or(parts) => {
                return parts.iter().rev().fold(if_unmet, |next, part| self.add(part, if_met, next));
            }
            Filter::Compare { property, operator, value } => (property, Condition::Compare(*operator, value)),
            Filter::Flag(property) => (property, Condition::Flag),
        };
        let near = (!SYSTEM.contains(&name.as_ref())).then(Near::default);
        self.tests.push(Test { name, near, condition, if_met, if_unmet });
        Next::Test(self.tests.len() - 1)
    }

    /// Returns whether a row with these properties satisfies the filter. `system` provides the keys and the timestamp.
    /// Only reads the properties that are needed for the result.
    #[must_use]
    pub fn matches(&mut self, system: &impl PropertySource, properties: PropertiesRef<'_>) -> bool {
        let mut next = self.first;
        loop {
            let test = match next {
                Next::Result(matches) => return matches,
                Next::Test(index) => self.tests.get_mut(index),
            };
            // Each index is that of a test.
            let Some(test) = test else { return false };
            let condition = test.condition;
            let is_met = match &mut test.near {
                Some(near) => properties
                    .get_near(near, test.name)
                    .is_some_and(|(kind, value)| condition.is_met_by_encoded(kind, value)),
                None => system.property(test.name).is_some_and(|value| condition.is_met_by(value)),
            };
            next = if is_met { test.if_met } else { test.if_unmet };
        }
    }
}

impl Condition<'_> {
    #[inline]
    fn is_met_by_encoded(self, kind: u8, value: &[u8]) -> bool {
        match (self, kind) {
            // Only a string that meets the condition must be valid. Others are not decoded.
            (Self::Compare(operator, Value::String(literal)), kind::STRING) => {
                if operator == Comparison::Eq {
                    return value == literal.as_bytes();
                }
                operator.holds(Some(compare_bytes(value, literal.as_bytes())))
                    && std::str::from_utf8(value).is_ok()
            }
            _ => kind::read(kind, value).is_some_and(|value| self.is_met_by(value)),
        }
    }

    fn is_met_by(self, value: ValueRef<'_>) -> bool {
        match self {
            Self::Compare(operator, literal) => operator.holds(value.compare_to(literal)),
            Self::Flag => value == ValueRef::Boolean(true),
        }
    }
}
