mod record;

use crate::{ErrorCode, Result, TableError, Timestamp, settings::PolicyHolder};

/// A stored access policy. Each field is either specified here or in the signatures that refer to the policy.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct StoredPolicy {
    /// Identifier used by signatures: 1 to 64 characters.
    pub id: String,
    /// Start of validity.
    pub start: Option<Timestamp>,
    /// End of validity.
    pub expiry: Option<Timestamp>,
    /// Allowed permissions.
    pub permission: Option<String>,
}

impl StoredPolicy {
    /// Creates a policy without start, expiry and permission.
    #[must_use]
    pub fn new(id: impl Into<String>) -> Self {
        Self { id: id.into(), ..Self::default() }
    }

    /// Sets the start of validity.
    #[must_use]
    pub fn start(mut self, start: Timestamp) -> Self {
        self.start = Some(start);
        self
    }

    /// Sets the end of validity.
    #[must_use]
    pub fn expiry(mut self, expiry: Timestamp) -> Self {
        self.expiry = Some(expiry);
        self
    }

    /// Sets the allowed permissions, such as `raud`.
    #[must_use]
    pub fn permission(mut self, permission: impl Into<String>) -> Self {
        self.permission = Some(permission.into());
        self
    }
}

/// Policies of a table, queue or container: at most five, with unique identifiers.
///
/// ```
/// use table_model::settings::{StoredPolicies, StoredPolicy};
///
/// let readers = StoredPolicy::new("readers").permission("r");
/// let policies = StoredPolicies::new(vec![readers])?;
/// assert_eq!(policies.find("readers").and_then(|policy| policy.permission.as_deref()), Some("r"));
/// # Ok::<(), table_model::TableError>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct StoredPolicies(Vec<StoredPolicy>);

impl StoredPolicies {
    /// Maximum number of policies per resource.
    pub const MOST: usize = 5;
    /// Maximum number of characters of an identifier.
    pub const MOST_ID: usize = 64;

    /// Creates a list of policies.
    ///
    /// # Errors
    /// `InvalidXmlDocument` for more than five policies; `InvalidXmlNodeValue` for identifiers that are empty, too long
    /// or duplicate.
    pub fn new(policies: Vec<StoredPolicy>) -> Result<Self> {
        let reason = |code: ErrorCode, reason| {
            Err(TableError::with_message(code, format!("{} {reason}", code.message())))
        };
        if policies.len() > Self::MOST {
            return reason(ErrorCode::InvalidXmlDocument, "At most five policies can be stored.");
        }
        for (index, policy) in policies.iter().enumerate() {
            if policy.id.is_empty() || policy.id.chars().count() > Self::MOST_ID {
                return reason(ErrorCode::InvalidXmlNodeValue, "A policy Id must have 1 to 64 characters.");
            }
            if policies.iter().take(index).any(|earlier| earlier.id == policy.id) {
                return reason(ErrorCode::InvalidXmlNodeValue, "Two policies have the same Id.");
            }
        }
        Ok(Self(policies))
    }

    /// Checks the permissions, which depend on the kind of resource.
    ///
    /// # Errors
    /// `InvalidXmlNodeValue` for a permission that the resource does not support.
    pub fn check_for(&self, holder: &PolicyHolder) -> Result<()> {
        let letters = self.0.iter().filter_map(|policy| policy.permission.as_deref()).flat_map(str::chars);
        let mut foreign = letters.filter(|letter| !holder.permissions().contains(*letter));
        foreign.next().map_or(Ok(()), |_| Err(ErrorCode::InvalidXmlNodeValue.into()))
    }

    /// Returns the policy with an identifier.
    #[must_use]
    pub fn find(&self, id: &str) -> Option<&StoredPolicy> {
        self.0.iter().find(|policy| policy.id == id)
    }

    /// Returns all policies in the order in which they were set.
    #[must_use]
    pub fn as_slice(&self) -> &[StoredPolicy] {
        &self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(ids: &[&str]) -> Option<ErrorCode> {
        let policies = ids.iter().map(|id| StoredPolicy::new(*id)).collect();
        StoredPolicies::new(policies).err().map(|error| error.code())
    }

    #[test]
    fn five_policies_of_different_names_are_the_most() {
        assert_eq!(refused(&[]), None);
        assert_eq!(refused(&["1", "2", "3", "4", "5"]), None);
        assert_eq!(refused(&["1", "2", "3", "4", "5", "6"]), Some(ErrorCode::InvalidXmlDocument));
        assert_eq!(refused(&["a", "A"]), None);
        assert_eq!(refused(&["a", "a"]), Some(ErrorCode::InvalidXmlNodeValue));
        assert_eq!(refused(&[""]), Some(ErrorCode::InvalidXmlNodeValue));
        assert_eq!(refused(&["é".repeat(64).as_str()]), None);
        assert_eq!(refused(&["x".repeat(65).as_str()]), Some(ErrorCode::InvalidXmlNodeValue));
    }

    #[test]
    fn permissions_are_those_of_the_holder() {
        let policies = StoredPolicies::new(vec![StoredPolicy::new("p").permission("raup")]).unwrap();
        let queue = PolicyHolder::Queue(crate::queue::QueueName::new("photos").unwrap());
        let table = PolicyHolder::Table("photos".parse().unwrap());
        assert!(policies.check_for(&queue).is_ok());
        assert_eq!(policies.check_for(&table).unwrap_err().code(), ErrorCode::InvalidXmlNodeValue);
    }
}
