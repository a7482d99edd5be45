//! Versions of an entity type, as its `EntityType` values name them.

use super::Design;

impl Design {
    /// Returns the version in an `EntityType` value of this type, and the version of this design, if the former is
    /// newer: `User.v3` for a design of `User` or `User.v2`.
    ///
    /// ```
    /// # use table_schema::static_design::Design;
    /// # fn of(design: &Design) {
    /// // A design of `User.v2`:
    /// assert_eq!(design.newer_version("User.v3"), Some((3, 2)));
    /// assert_eq!(design.newer_version("User"), None);
    /// # }
    /// ```
    pub fn newer_version(&self, entity_type: &str) -> Option<(u32, u32)> {
        let ((stem, known), (other, found)) = (version_in(self.entity_type?), version_in(entity_type));
        (stem == other && found > known).then_some((found, known))
    }

    /// Returns the version in an `EntityType` value of this type, and the oldest version that the type reads, if the
    /// former is older.
    pub fn retired_version(&self, entity_type: &str) -> Option<(u32, u32)> {
        let oldest = std::iter::successors(Some(self), |design| design.older).last()?;
        let ((stem, _), (other, found)) = (version_in(self.entity_type?), version_in(entity_type));
        let (_, oldest) = version_in(oldest.entity_type?);
        (stem == other && found < oldest).then_some((found, oldest))
    }

    /// Returns whether writes by key read the row first, because a program of another version may have written it.
    pub const fn checks_version(&self) -> bool {
        self.versioned || self.older.is_some()
    }

    /// Returns the `EntityType` value of version 1, and the range of the values of all later versions: the first value,
    /// and the one after the last.
    pub fn version_range(&self) -> Option<[String; 3]> {
        let (stem, _) = version_in(self.entity_type?);
        Some([stem.to_owned(), format!("{stem}.v"), format!("{stem}.w")])
    }

    /// Returns the version in its `EntityType`. A design without one has version 1.
    pub fn version(&self) -> u32 {
        let Some(entity_type) = self.entity_type else { return 1 };
        // The name itself may end like a version.
        match entity_type.strip_prefix(self.stored_name()) {
            Some("") => 1,
            _ => version_in(entity_type).1,
        }
    }
}

/// Splits an `EntityType` value into the name of the type and the version. A name without a version is version 1.
///
/// ```
/// # use table_schema::static_design::version_in;
/// assert_eq!(version_in("User.v3"), ("User", 3));
/// assert_eq!(version_in("User"), ("User", 1));
/// ```
pub fn version_in(entity_type: &str) -> (&str, u32) {
    let split = entity_type.rsplit_once(".v").and_then(|(stem, version)| {
        let version =
            version.parse().ok().filter(|_| version.starts_with(|first| matches!(first, '1'..='9')));
        Some((stem, version?))
    });
    split.unwrap_or((entity_type, 1))
}

#[cfg(test)]
mod tests {
    use super::{Design, version_in};

    #[test]
    fn versions_are_the_numbers_after_the_name() {
        assert_eq!(version_in("User"), ("User", 1));
        assert_eq!(version_in("User.v2"), ("User", 2));
        assert_eq!(version_in("a.v1.v13"), ("a.v1", 13));
        for name in ["User.v", "User.v02", "User.v+2", "User.vx", "User.v99999999999"] {
            assert_eq!(version_in(name), (name, 1));
        }
    }

    #[test]
    fn the_range_contains_all_later_versions() {
        let design = Design { entity_type: Some("User.v3"), ..Design::EMPTY };
        let [first, from, to] = design.version_range().unwrap();
        let contains = |name: &str| *name >= *from && *name < *to;
        assert_eq!(first, "User");
        assert!(["User.v1", "User.v2", "User.v10", "User.v9", "User.v2!"].into_iter().all(contains));
        assert!(!["User", "User!", "Users", "User.w", "UserX.v2", "User2", "Use"].into_iter().any(contains));
    }
}
