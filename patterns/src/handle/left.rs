//! Commits that were not applied, with the reason.

use std::{
    collections::BTreeMap,
    fmt,
    sync::{Mutex, PoisonError},
    time::Duration,
};

use table_model::Timestamp;

use crate::{Error, RegistryError, Tables};

/// Minimum time between two warnings for the same reason.
const WARNS_EVERY: Duration = Duration::from_secs(60);

/// Commits of one entity type that were not applied for one reason.
///
/// Its `Display` contains the number, the type, the cause and the remedy.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct LeftCommits {
    /// Reason for not applying the commits.
    pub reason: LeftReason,
    /// Name of the entity type; empty if it is unknown.
    pub entity: String,
    /// Name of the index that the reason refers to, if any.
    pub index: Option<String>,
    /// Number of commits.
    pub commits: usize,
    /// Cause and remedy for the first of these commits, without values of properties.
    pub message: String,
}

/// Reason for not applying a commit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum LeftReason {
    /// The entity type is not registered with this handle. Register it with [`Tables::register_entity`].
    UnregisteredEntity,
    /// The registered entity type has no index with this name. Another version of the program declares it.
    UnknownIndex,
    /// The registry of indexes rejects the commit, or does not contain the entity yet. See [`Tables::register`].
    Registry,
    /// A newer program wrote the entity. Programs that know its version apply the commit.
    NewerVersion,
    /// The entity has a version that this program no longer reads. Programs that know it upgrade the entity.
    RetiredVersion,
    /// The attempt failed and is retried.
    Failed,
}

impl fmt::Display for LeftReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::UnregisteredEntity => "unregistered entity type",
            Self::UnknownIndex => "unknown index",
            Self::Registry => "not in the registry",
            Self::NewerVersion => "newer version",
            Self::RetiredVersion => "retired version",
            Self::Failed => "failed",
        })
    }
}

impl fmt::Display for LeftCommits {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { reason, entity, index, commits, message } = self;
        write!(f, "{commits} commits of `{entity}`")?;
        if let Some(index) = index {
            write!(f, ", index `{index}`")?;
        }
        write!(f, " are not applied ({reason}): {message}")
    }
}

impl LeftCommits {
    /// Creates an entry for one commit whose first row belongs to this entity type.
    pub(crate) fn of(entity: &str, error: &Error) -> Self {
        let (reason, entity, index) = match error {
            Error::UnregisteredEntity { name } => (LeftReason::UnregisteredEntity, name.as_str(), None),
            Error::NoSuchIndex { entity, index, .. } => {
                (LeftReason::UnknownIndex, *entity, Some(index.clone()))
            }
            Error::Decode(error) if error.is_newer() => (LeftReason::NewerVersion, entity, None),
            Error::Decode(error) if error.is_of_other_version() => (LeftReason::RetiredVersion, entity, None),
            Error::Registry(error) => {
                (LeftReason::Registry, registered(error).unwrap_or(entity), index_of(error))
            }
            _ => (LeftReason::Failed, entity, None),
        };
        let message = match reason {
            LeftReason::UnknownIndex => {
                format!("{error}; run a worker of a program version that defines this index")
            }
            // Logged, and stored with a dead-lettered record.
            _ => error.reason(),
        };
        Self { reason, entity: entity.to_owned(), index, commits: 1, message }
    }

    fn is_like(&self, other: &Self) -> bool {
        (self.reason, &self.entity, &self.index) == (other.reason, &other.entity, &other.index)
    }

    /// Adds the commits to a list with one entry per type, index and reason.
    pub(crate) fn add_to(self, all: &mut Vec<Self>) {
        match all.iter_mut().find(|known| known.is_like(&self)) {
            Some(known) => known.commits += self.commits,
            None => all.push(self),
        }
    }
}

/// Returns the entity that a registry error refers to.
fn registered(error: &RegistryError) -> Option<&str> {
    match error {
        RegistryError::NotRegistered { entity, .. }
        | RegistryError::SchemaTooOld { entity, .. }
        | RegistryError::ChangesNotRecorded { entity }
        | RegistryError::Differs { entity, .. }
        | RegistryError::NotReadable { entity, .. }
        | RegistryError::NotMaintained { entity, .. }
        | RegistryError::Goes { entity, .. }
        | RegistryError::Stuck { entity, .. }
        | RegistryError::Moving { entity, .. }
        | RegistryError::UnknownMove { entity }
        | RegistryError::MoveState { entity, .. }
        | RegistryError::MoveStuck { entity, .. } => Some(entity),
        RegistryError::VersionTooOld { entity, .. }
        | RegistryError::VersionsLeft { entity, .. }
        | RegistryError::Retired { entity, .. }
        | RegistryError::NoVersions { entity }
        | RegistryError::Unregistered { entity } => Some(entity),
        RegistryError::NotReversible { .. }
        | RegistryError::ValueChanged { .. }
        | RegistryError::KeyTaken { .. }
        | RegistryError::SameKey { .. }
        | RegistryError::Unreadable { .. }
        | RegistryError::None => None,
    }
}

fn index_of(error: &RegistryError) -> Option<String> {
    match error {
        RegistryError::SchemaTooOld { index, .. } => Some(index.clone()),
        RegistryError::Differs { index, .. } => Some((*index).to_owned()),
        _ => None,
    }
}

/// Reason, entity type and index of a warning.
type Warning = (LeftReason, String, Option<String>);

/// Time of the last warning of each kind, shared by all clones of a handle.
#[derive(Debug, Default)]
pub(crate) struct Warned(Mutex<BTreeMap<Warning, Timestamp>>);

impl Warned {
    /// Records a warning at this time. Returns whether it is due.
    fn is_due(&self, left: &LeftCommits, now: Timestamp) -> bool {
        let key = (left.reason, left.entity.clone(), left.index.clone());
        let mut warned = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let is_due = warned.get(&key).is_none_or(|last| last.saturating_add(WARNS_EVERY) <= now);
        if is_due {
            warned.insert(key, now);
        }
        is_due
    }
}

impl Tables {
    /// Logs a warning for each reason, at most once per minute.
    pub(crate) fn warn_of(&self, left: &[LeftCommits]) {
        for left in left.iter().filter(|left| self.warned().is_due(left, self.now())) {
            let LeftCommits { reason, entity, index, commits, message } = left;
            tracing::warn!(
                entity,
                index = index.as_deref(),
                commits,
                %reason,
                "commit records for rows in other partitions are not applied: {message}"
            );
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn warning_of_one_reason_is_due_once_a_minute() {
        let (warned, at) =
            (Warned::default(), |seconds| Timestamp::UNIX_EPOCH.saturating_add(Duration::from_secs(seconds)));
        let left = |name: &str| LeftCommits::of("", &Error::UnregisteredEntity { name: name.into() });
        assert!(warned.is_due(&left("Player"), at(0)));
        assert!(!warned.is_due(&left("Player"), at(59)));
        assert!(warned.is_due(&left("Coach"), at(59)));
        assert!(warned.is_due(&left("Player"), at(60)));
    }

    /// Subscriber that counts warnings.
    #[derive(Default)]
    struct Warnings(std::sync::Arc<std::sync::atomic::AtomicUsize>);

    impl tracing::Subscriber for Warnings {
        fn enabled(&self, _: &tracing::Metadata<'_>) -> bool {
            true
        }

        fn new_span(&self, _: &tracing::span::Attributes<'_>) -> tracing::span::Id {
            tracing::span::Id::from_u64(1)
        }

        fn record(&self, _: &tracing::span::Id, _: &tracing::span::Record<'_>) {}

        fn record_follows_from(&self, _: &tracing::span::Id, _: &tracing::span::Id) {}

        fn event(&self, event: &tracing::Event<'_>) {
            if *event.metadata().level() == tracing::Level::WARN {
                self.0.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
            }
        }

        fn enter(&self, _: &tracing::span::Id) {}

        fn exit(&self, _: &tracing::span::Id) {}
    }

    #[test]
    fn left_commits_are_warned_of_with_a_limit() {
        let tables = Tables::in_memory().unwrap();
        let left = |name: &str| LeftCommits::of("", &Error::UnregisteredEntity { name: name.into() });
        let warnings = Warnings::default();
        let count = std::sync::Arc::clone(&warnings.0);
        tracing::subscriber::with_default(warnings, || {
            for _ in 0..3 {
                tables.clone().warn_of(&[left("Player"), left("Coach")]);
            }
        });
        assert_eq!(count.load(std::sync::atomic::Ordering::Relaxed), 2);
    }

    #[test]
    fn left_commits_name_type_cause_and_remedy() {
        let mut all = Vec::new();
        for name in ["Player", "Coach", "Player"] {
            LeftCommits::of("", &Error::UnregisteredEntity { name: name.into() }).add_to(&mut all);
        }
        assert_eq!(all.len(), 2);
        let text = all[0].to_string();
        assert!(
            text.starts_with("2 commits of `Player` are not applied (unregistered entity type): "),
            "{text}"
        );
        assert!(text.contains("tables.register_entity::<Player>()"), "{text}");
    }
}
