use std::collections::HashSet;

use table_store::{Name, RowRef};

/// The properties that a CSV file has columns for, in their order. A file names them before its first row, so whoever writes
/// one goes over the rows twice, or knows them.
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
    /// None yet.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Notes the properties of a row.
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

    /// In the order in which they came first.
    #[must_use]
    pub fn names(&self) -> &[Name] {
        &self.names
    }

    pub(crate) fn into_names(self) -> Vec<Name> {
        self.names
    }
}

/// The keys and the timestamp are columns anyway.
impl<N: Into<Name>> FromIterator<N> for Columns {
    fn from_iter<I: IntoIterator<Item = N>>(names: I) -> Self {
        let mut columns = Self::new();
        let names = names.into_iter().map(Into::into);
        names
            .filter(|name: &Name| !table_store::name::SYSTEM.contains(&&**name))
            .for_each(|name| columns.push(name));
        columns
    }
}
