//! The steps of a deployment.

use std::fmt;

/// A step of a deployment. A job or a state of the registry comes before or after the deployment of programs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Step {
    /// `deploy`: programs of the new version, in any order.
    Deploy,
    /// `deploy-readers`: all programs read the new form, none writes it.
    DeployReaders,
    /// `deploy-writers`: the new form is written.
    DeployWriters,
    /// `add-index`: the registry receives the index.
    AddIndex,
    /// `drop-index`: the registry removes the index, and its rows are deleted.
    DropIndex,
    /// `add-total`: the registry receives the aggregate.
    AddTotal,
    /// `drop-total`: the registry removes the aggregate, and its rows are deleted.
    DropTotal,
    /// `registry:dual-copy`: writers write the copied fields of both versions.
    RegistryDualCopy,
    /// `registry:follow`: programs follow markers of moved entities.
    RegistryFollow,
    /// `registry:both`: writers move an entity before they change it.
    RegistryBoth,
    /// `registry:new`: programs use the new keys only.
    RegistryNew,
    /// `registry:gone`: the old rows and markers are deleted.
    RegistryGone,
    /// `backfill`: a job writes the missing rows, or moves the rest.
    Backfill,
    /// `reindex`: a job rewrites the rows of an index.
    Reindex,
    /// `rewrite`: a job rewrites each entity in one transaction.
    Rewrite,
    /// `upgrade:dry-run`: a job lists the rows that cannot be converted.
    UpgradeDryRun,
    /// `upgrade`: a job rewrites the rows of older versions.
    Upgrade,
    /// `seal`: a job encrypts the stored values.
    Seal,
    /// `duplicates:dry-run`: a job lists the entities with equal values.
    DuplicatesDryRun,
    /// `verify`: a job compares the rows with their entities.
    Verify,
    /// `verify-limits`: a job lists the values that exceed the new limit.
    VerifyLimits,
    /// `retire`: the older version is no longer read, after a proof that no row has it.
    Retire,
    /// `stop-reading`: programs stop using the field.
    StopReading,
    /// `purge`: soft-deleted entities are deleted or restored.
    Purge,
    /// `gone`: the property is removed from stored rows.
    Gone,
    /// `border-date`: a date from which the new tables are used.
    BorderDate,
    /// `delete-type`: a job deletes the rows of the entity.
    DeleteType,
}

/// The steps of a form that old programs reject.
pub(super) const READERS_FIRST: &[Step] = &[Step::DeployReaders, Step::DeployWriters];
/// The steps of a new version of an entity.
pub(super) const UPGRADE: &[Step] = &[Step::DeployReaders, Step::DeployWriters, Step::Upgrade, Step::Retire];
/// The steps of moving entities to other keys.
pub(super) const MOVE: &[Step] = &[
    Step::Deploy,
    Step::RegistryFollow,
    Step::RegistryBoth,
    Step::Backfill,
    Step::Verify,
    Step::RegistryNew,
    Step::RegistryGone,
];

impl Step {
    /// Returns the step as a word.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Deploy => "deploy",
            Self::DeployReaders => "deploy-readers",
            Self::DeployWriters => "deploy-writers",
            Self::AddIndex => "add-index",
            Self::DropIndex => "drop-index",
            Self::AddTotal => "add-total",
            Self::DropTotal => "drop-total",
            Self::RegistryDualCopy => "registry:dual-copy",
            Self::RegistryFollow => "registry:follow",
            Self::RegistryBoth => "registry:both",
            Self::RegistryNew => "registry:new",
            Self::RegistryGone => "registry:gone",
            Self::Backfill => "backfill",
            Self::Reindex => "reindex",
            Self::Rewrite => "rewrite",
            Self::UpgradeDryRun => "upgrade:dry-run",
            Self::Upgrade => "upgrade",
            Self::Seal => "seal",
            Self::DuplicatesDryRun => "duplicates:dry-run",
            Self::Verify => "verify",
            Self::VerifyLimits => "verify-limits",
            Self::Retire => "retire",
            Self::StopReading => "stop-reading",
            Self::Purge => "purge",
            Self::Gone => "gone",
            Self::BorderDate => "border-date",
            Self::DeleteType => "delete-type",
        }
    }
}

impl fmt::Display for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}
