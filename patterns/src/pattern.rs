//! Patterns, one module for each. The pipeline of writes asks them through [`Pattern`] and
//! [`Change`](crate::write::Change), that of queries through [`Clause`].

pub(crate) mod aggregate;
pub(crate) mod archive;
pub(crate) mod changes;
pub(crate) mod copied;
pub(crate) mod encrypt;
pub(crate) mod expiry;
pub(crate) mod flatten;
pub(crate) mod index;
pub(crate) mod large;
pub(crate) mod log;
pub(crate) mod lookup;
pub(crate) mod moving;
pub(crate) mod period;
pub(crate) mod series;
pub(crate) mod soft_delete;
pub(crate) mod stamps;
pub(crate) mod task;
pub(crate) mod unique;
pub(crate) mod wide;

/// The public types of the patterns, which the crate root and generated code use.
pub(crate) mod public {
    pub use super::{
        archive::{Archive, Archived},
        changes::{ChangeBatch, ChangeEvent, ChangeFeed, ChangeKind, ChangePosition, HasChanges},
        copied::{FullIndexRow, IndexRow, IndexRowType, fields::CopiedFields},
        expiry::Expires,
        flatten::{FieldsPatch, Flattened, TableFields},
        large::{BlobStream, CollectBlobs, CollectedBlobs},
        log::{Log, LogLine, LogRange, LogStream},
        moving::{Moved, MovedFrom, Moving},
        period::PerPeriod,
        series::{Series, Slots},
        soft_delete::SoftDelete,
        task::{Outcome, Run, RunWith, Sent, Task},
        wide::WidePoint,
    };
}

use table_model::Name;

use crate::{
    Tables,
    core::{entity_types::is_followed, spec::Spec, versions::Versions},
    design::{Design, Index},
    pattern::{
        changes::Changes,
        encrypt::Encryption,
        index::{IndexRead, Validation},
        large::Large,
        soft_delete::VisibleRows,
        wide::Wide,
    },
    query::{clause::RunClauses, consistency::Freshness, scanned::Scanned},
    write::{self, Pattern, Patterns},
};

/// A pattern, and the property of a design that uses it.
struct Entry {
    pattern: &'static dyn Pattern,
    is_used: fn(&'static Design) -> bool,
}

/// All patterns, in the order of their operations in a transaction.
static ALL: [Entry; 10] = [
    Entry { pattern: &index::Indexes, is_used: |design| design.indexes.iter().any(index::has_near_rows) },
    Entry { pattern: &lookup::Lookups, is_used: |design| design.indexes.iter().any(lookup::has_list) },
    Entry { pattern: &unique::Uniques, is_used: |design| design.indexes.iter().any(Index::is_reserved) },
    Entry { pattern: &write::Following, is_used: is_followed },
    Entry { pattern: &Large, is_used: Design::has_blobs },
    Entry { pattern: &Wide, is_used: |design| design.wide.is_some() },
    Entry {
        pattern: &aggregate::Aggregates,
        is_used: |design| !design.feeds.is_empty() || !design.fed.is_empty(),
    },
    Entry {
        pattern: &stamps::Stamping,
        is_used: |design| design.created.is_some() || design.updated.is_some(),
    },
    Entry { pattern: &ENCRYPTION, is_used: |design| !design.encrypted.is_empty() },
    // The last one: a record contains what the others have made of the entity.
    Entry { pattern: &Changes, is_used: |design| design.changes.is_some() },
];

static ENCRYPTION: Encryption = Encryption;

impl Patterns {
    /// Returns the patterns of an entity. A handle may encrypt the properties of untyped entities, which have no
    /// design.
    pub(crate) fn of(design: Option<&'static Design>) -> impl Iterator<Item = &'static dyn Pattern> {
        let untyped = design.is_none().then_some(&ENCRYPTION as &dyn Pattern);
        // The row that is written over can be of an older version, which uses other patterns.
        let used = design.into_iter().flat_map(|design| {
            let versions = Versions::new(design);
            ALL.iter().filter(move |entry| versions.any(entry.is_used))
        });
        used.map(|entry| entry.pattern).chain(untyped)
    }

    /// Returns the clauses of a query that selects properties, in the order in which the query asks them: a scan must know
    /// whether the condition on visible rows is sent. `tables` is absent if the query does not run.
    pub(crate) fn clauses(spec: &Spec, select: Option<&[Name]>, tables: Option<&Tables>) -> RunClauses {
        if spec.clauses.is_empty() {
            return Vec::new();
        }
        let all = [
            IndexRead::of(spec, select, tables),
            Freshness::of(spec),
            Validation::of(spec),
            VisibleRows::of(spec),
            Scanned::of(spec),
        ];
        all.into_iter().flatten().collect()
    }

    /// Returns all patterns.
    pub(crate) fn all() -> impl Iterator<Item = &'static dyn Pattern> {
        ALL.iter().map(|entry| entry.pattern)
    }
}

#[cfg(test)]
mod tests {
    use table_model::{QueryClass, TableName};

    use super::*;
    use crate::core::spec::{Target, visible::Visible};

    static ALONE: Design = Design { name: "Plain", ..Design::EMPTY };
    static ENCRYPTED: Design = Design { name: "Plain", encrypted: &["secret"], ..Design::EMPTY };

    #[test]
    fn a_write_asks_only_the_patterns_of_its_design() {
        assert_eq!(Patterns::of(Some(&ALONE)).count(), 0);
        assert_eq!(Patterns::of(Some(&ENCRYPTED)).count(), 1);
        assert_eq!(Patterns::of(None).count(), 1);
    }

    #[test]
    fn a_query_asks_only_its_clauses() {
        let mut spec = Spec::new("Plain", ("", ""), QueryClass::MultiPoint, Ok(Target::Points(Vec::new())));
        assert!(Patterns::clauses(&spec, None, None).is_empty());
        spec.clauses.visible = Some(Visible::Live);
        assert_eq!(Patterns::clauses(&spec, None, None).len(), 1);
        let table = TableName::new("Plain").unwrap();
        spec.clauses.fresh.settled.push(Ok((table, String::new())));
        assert_eq!(Patterns::clauses(&spec, None, None).len(), 2);
    }
}
