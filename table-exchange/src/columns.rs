use std::collections::HashSet;

use table_model::{Name, RowRef};

/// The property columns of a CSV file, in file order. The header precedes the first row, so the columns must be known
/// in advance or collected in a first pass over the rows.
///
/// ```
/// use table_exchange::Columns;
///
/// let columns: Columns = ["Name", "Age"].into_iter().collect();
/// assert_eq!(columns.names(), ["Name", "Age"]);
/// ```
#[derive(Clone, Debug, Default)]
pub struct Columns {
    names: Vec<Name>,
    known: HashSet<Name>,
}

impl Columns {
    /// Creates an empty list of columns.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds the properties of a row that have no column yet.
    pub fn note(&mut self, row: &RowRef<'_>) {
        for (name, _) in row.properties {
            if !self.known.contains(name) {
                self.push(name.to_owned().into());
            }
        }
    }

    fn push(&mut self, name: Name) {
        if self.known.insert(name.clone()) {
            self.names.push(name);
        }
    }

    /// Returns the property names in the order in which they were added.
    #[must_use]
    pub fn names(&self) -> &[Name] {
        &self.names
    }

    pub(crate) fn into_names(self) -> Vec<Name> {
        self.names
    }
}

/// The keys and the timestamp are ignored: every file has these columns.
impl<N: Into<Name>> FromIterator<N> for Columns {
    fn from_iter<I: IntoIterator<Item = N>>(names: I) -> Self {
        let mut columns = Self::new();
        let names = names.into_iter().map(Into::into);
        names
            .filter(|name: &Name| !table_model::name::SYSTEM.contains(&&**name))
            .for_each(|name| columns.push(name));
        columns
    }
}
