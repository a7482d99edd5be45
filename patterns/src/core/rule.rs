//! Rules that derive rows.

use table_model::TableName;

use crate::{
    Error,
    core::{table::table_named, versions::is_same_version},
    design::{Contribution, Design, Index},
};

/// A rule of one version of an entity type that derives rows: an index or a contribution, with a name that is unique in
/// the version.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Rule {
    Index(&'static Design, &'static Index),
    Contribution(&'static Design, &'static Contribution),
}

/// Storage of the rows of a rule. Two rules with the same form store a row with one address in the same place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Form {
    Row {
        is_near: bool,
    },
    /// Rows of lists, with the property that contains the members.
    List {
        is_near: bool,
        ids: &'static str,
    },
    /// Blobs, whose names begin with that of the lookup.
    Blobs(&'static str),
    /// A part of an aggregate, which all contributions to a target share.
    Total {
        is_near: bool,
        target: &'static str,
    },
}

impl Rule {
    /// Returns all rules of a version: its indexes, then its contributions.
    pub(crate) fn all(design: &'static Design) -> impl Iterator<Item = Self> {
        let indexes = design.indexes.iter().map(move |index| Self::Index(design, index));
        indexes.chain(design.feeds.iter().map(move |feed| Self::Contribution(design, feed)))
    }

    /// Returns the version that declares the rule.
    pub(crate) const fn design(self) -> &'static Design {
        match self {
            Self::Index(design, _) | Self::Contribution(design, _) => design,
        }
    }

    /// Returns the index, if the rule is one.
    pub(crate) const fn index(self) -> Option<&'static Index> {
        match self {
            Self::Index(_, index) => Some(index),
            Self::Contribution(..) => None,
        }
    }

    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Index(_, index) => index.name,
            Self::Contribution(_, feed) => feed.stored_name(),
        }
    }

    /// Returns the table of its rows, or of the targets.
    pub(crate) fn table(self) -> Result<TableName, Error> {
        table_named(match self {
            Self::Index(_, index) => index.table,
            Self::Contribution(_, feed) => (feed.sink)().table,
        })
    }

    /// Returns whether the rule's rows are in other partitions than the entity.
    pub(crate) fn is_far(self) -> bool {
        match self {
            Self::Index(_, index) => !index.near,
            Self::Contribution(design, feed) => !feed.is_near(design),
        }
    }

    /// Returns whether both are the same rule of the same version.
    pub(crate) fn is(self, other: Self) -> bool {
        match (self, other) {
            // The compiler may create several copies of one design.
            (Self::Index(_, one), Self::Index(_, other)) if std::ptr::eq(one, other) => true,
            (Self::Contribution(_, one), Self::Contribution(_, other)) if std::ptr::eq(one, other) => true,
            _ => {
                let is_same_sort = self.index().is_some() == other.index().is_some();
                is_same_sort && self.name() == other.name() && is_same_version(self.design(), other.design())
            }
        }
    }

    /// Returns whether a row of both rules with one address is one row, or one member of a list. Two versions can declare
    /// it under different names.
    pub(crate) fn stores_like(self, other: Self) -> bool {
        self.is(other) || self.form() == other.form()
    }

    /// Returns whether both are the same rule in two versions of the type, which store their rows alike.
    pub(crate) fn is_version_of(self, other: Self) -> bool {
        self.is(other) || self.name() == other.name() && self.form() == other.form()
    }

    fn form(self) -> Form {
        match self {
            Self::Index(_, index) => match (index.in_blobs(), index.ids()) {
                (true, _) => Form::Blobs(index.name),
                (false, Some(ids)) => Form::List { is_near: index.near, ids },
                (false, None) => Form::Row { is_near: index.near },
            },
            Self::Contribution(_, feed) => {
                Form::Total { is_near: !self.is_far(), target: feed.stored_name() }
            }
        }
    }
}
