//! What the registry promises about the rows of an index that is added or removed.

use crate::{
    Error, Tables,
    apply::verdict::Finding,
    core::{difference::DifferenceKind, entity_types::EntityInfo, index_state::Promise, rule::Rule},
    handle::registry::known::States,
};

/// States of the indexes before a page was read. `None` without a registry, where all rows are promised.
#[derive(Debug)]
pub(super) struct Promises(Option<States>);

impl Promises {
    pub(super) async fn of(tables: &Tables, kind: EntityInfo) -> Result<Self, Error> {
        let has_indexes = kind.versions().any(|design| !design.indexes.is_empty());
        match tables.registry().filter(|_| has_indexes) {
            Some(registry) => {
                let states = registry.read(tables, kind.newest()).await?;
                // An unreadable row does not determine which rows the index has.
                for index in kind.newest().indexes {
                    states.check_readable(kind.newest(), index)?;
                }
                Ok(Self(Some(states)))
            }
            None => Ok(Self(None)),
        }
    }

    /// Removes the findings that are no differences in the state of their index. The state may have changed since the
    /// page was read, so a finding must be a difference in both states.
    pub(super) async fn judge(
        &self,
        tables: &Tables,
        kind: EntityInfo,
        findings: Vec<Finding>,
    ) -> Result<Vec<Finding>, Error> {
        let Some(before) = self.0.as_ref().filter(|_| !findings.is_empty()) else { return Ok(findings) };
        let Self(now) = Self::of(tables, kind).await?;
        let states = [Some(before), now.as_ref()];
        let is_promised = |finding: &Finding| {
            let Some(Rule::Index(design, index)) = finding.rule else { return true };
            let promise = |states: &States| states.promise(design, index);
            match states.into_iter().flatten().map(promise).min() {
                None | Some(Promise::All) => true,
                Some(Promise::Present) => {
                    !matches!(finding.what, DifferenceKind::Missing | DifferenceKind::Taken)
                }
                Some(Promise::Nothing) => false,
            }
        };
        Ok(findings.into_iter().filter(is_promised).collect())
    }
}
