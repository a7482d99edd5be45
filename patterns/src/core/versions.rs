//! The versions of an entity type: the designs that its rows can have.

use table_model::RowRef;

use crate::{core::reserved::entity_type, design::Design};

/// All designs of an entity type, from the newest to the oldest.
///
/// A row has the design of the version that wrote it: which indexes it has rows in, which properties are encrypted or
/// refer to blobs, what it contributes to. Code that has a row asks [`of`](Self::of). [`newest`](Self::newest) is the
/// design of what a program writes and of the names that it is given.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Versions(&'static Design);

/// Returns whether two designs of a type are the same version. The compiler may create several copies of one design.
pub(crate) fn is_same_version(one: &Design, other: &Design) -> bool {
    std::ptr::eq(one, other)
        || (one.entity_type, one.stored_name()) == (other.entity_type, other.stored_name())
}

impl Versions {
    /// Creates the versions that end with the newest one.
    pub(crate) const fn new(newest: &'static Design) -> Self {
        Self(newest)
    }

    /// Returns the design of the version that wrote a row. A row without a known `EntityType` has the newest one.
    pub(crate) fn of(self, row: RowRef<'_>) -> &'static Design {
        match self.0.older {
            None => self.0,
            Some(_) => self.0.written_by(entity_type(row)),
        }
    }

    /// Returns the design that a program writes.
    pub(crate) const fn newest(self) -> &'static Design {
        self.0
    }

    /// Returns all designs, the newest first.
    pub(crate) fn all(self) -> impl Iterator<Item = &'static Design> {
        std::iter::successors(Some(self.0), |version| version.older)
    }

    /// Returns the designs of the older versions, the newest of them first.
    pub(crate) fn older(self) -> impl Iterator<Item = &'static Design> {
        std::iter::successors(self.0.older, |version| version.older)
    }

    /// Returns the names of the tables to which programs of any version archive entities.
    pub(crate) fn archives(self) -> impl Iterator<Item = &'static str> {
        self.all().filter_map(|version| version.archive)
    }

    /// Returns the names of the properties that other entities maintain, in rows of all versions.
    pub(crate) fn fed_names(self) -> impl Iterator<Item = &'static str> {
        let is_newer = move |version: &'static Design, name: &str| {
            let mut newer = self.all().take_while(|design| !std::ptr::eq(*design, version));
            newer.any(|design| design.fed_names().any(|fed| fed == name))
        };
        let of =
            move |version: &'static Design| version.fed_names().filter(move |name| !is_newer(version, name));
        self.all().flat_map(of)
    }

    /// Returns whether a design of the type has this property: it is `true` of rows of some version.
    pub(crate) fn any(self, is_such: impl Fn(&'static Design) -> bool) -> bool {
        self.all().any(is_such)
    }
}
