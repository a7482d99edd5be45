use super::{Condition, Operation};
use crate::{ETag, Entity, ErrorCode, Properties, PropertiesRef, Result, Timestamp, limits::KeyLength};

/// State of an entity after an operation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Effect {
    /// The properties of the operation, with a new timestamp.
    AsSent,
    /// These properties, with a new timestamp.
    Merged(Properties),
    /// The entity does not exist.
    Removed,
}

impl Operation {
    /// Returns the effect of the operation on the stored entity, given as its version and properties, in this order:
    ///
    /// 1. An insert fails if the entity exists (`EntityAlreadyExists`). An update or delete fails if the entity does not
    ///    exist (`ResourceNotFound`) or has another version than required (`UpdateConditionNotSatisfied`).
    /// 2. The result of a merge must be within the limits.
    ///
    /// # Errors
    /// The errors above. The content of the operation is [checked](Self::check) before.
    ///
    /// ```
    /// use table_model::{Condition, Entity, ErrorCode, Operation};
    ///
    /// let update = Operation::Replace(Entity::new("Sales", "1"), Condition::Exists);
    /// let error = update.effect(None, Default::default()).unwrap_err();
    /// assert_eq!(error.code(), ErrorCode::ResourceNotFound);
    /// ```
    pub fn effect(
        &self,
        stored: Option<(Timestamp, PropertiesRef<'_>)>,
        length: KeyLength,
    ) -> Result<Effect> {
        let required = match self {
            Self::Insert(_) if stored.is_some() => return Err(ErrorCode::EntityAlreadyExists.into()),
            Self::Insert(_) | Self::InsertOrReplace(_) | Self::InsertOrMerge(_) => None,
            Self::Replace(_, condition) | Self::Merge(_, condition) | Self::Delete { condition, .. } => {
                Some(condition)
            }
        };
        if let Some(condition) = required {
            condition.check(stored.map(|(version, _)| version).ok_or(ErrorCode::ResourceNotFound)?)?;
        }
        match (self, stored) {
            (Self::Delete { .. }, _) => Ok(Effect::Removed),
            (Self::Merge(entity, _) | Self::InsertOrMerge(entity), Some((_, properties))) => {
                entity.merged_into(properties.to_properties(), length).map(Effect::Merged)
            }
            _ => Ok(Effect::AsSent),
        }
    }
}

impl Condition {
    /// Checks the version of an existing entity.
    ///
    /// # Errors
    /// `UpdateConditionNotSatisfied` if another version is required.
    pub fn check(&self, version: Timestamp) -> Result<()> {
        match self {
            Self::Matches(etag) if ETag::from(version) != *etag => {
                Err(ErrorCode::UpdateConditionNotSatisfied.into())
            }
            _ => Ok(()),
        }
    }
}

impl Entity {
    /// Merges the properties of this entity into the stored ones. Existing properties keep their position, new ones are
    /// appended.
    ///
    /// # Errors
    /// As [`Entity::check`] for the merged entity.
    pub fn merged_into(&self, mut stored: Properties, length: KeyLength) -> Result<Properties> {
        for (name, value) in &self.properties {
            stored.set(name.clone(), value.clone());
        }
        let merged = Self {
            partition_key: self.partition_key.clone(),
            row_key: self.row_key.clone(),
            properties: stored,
        };
        merged.check(length)?;
        Ok(merged.properties)
    }
}
