//! The acceptance of the entities in code as the new lock.

use super::{FrontEnd, Lock, LockFinding, LockedVersion};
use table_schema::design::FieldDesign;

impl Lock {
    /// Returns the lock of the entities in code. Versions that left the code and removed fields are kept, because rows
    /// may still have them. Accepting the same code again returns the same lock.
    ///
    /// # Errors
    ///
    /// Returns the findings that cannot be accepted.
    pub fn accept(&self, code: &Self, front_end: FrontEnd) -> Result<Self, Vec<LockFinding>> {
        let mut refused = self.check(code, front_end);
        refused.retain(|finding| !finding.is_acceptable);
        if !refused.is_empty() {
            return Err(refused);
        }
        let mut accepted = code.clone();
        for (key, old) in self.renamed(code).versions {
            match accepted.versions.get_mut(&key) {
                Some(new) => new.removed = removed(&old, new),
                None => {
                    accepted.versions.insert(key, old);
                }
            }
        }
        Ok(accepted)
    }
}

/// Returns the fields whose properties rows may have, although the code does not declare them.
fn removed(old: &LockedVersion, new: &LockedVersion) -> Vec<FieldDesign> {
    let is_declared = |field: &FieldDesign| {
        let is_total = |name: &String| *name == field.property;
        new.design.fields.iter().any(|known| known.property == field.property)
            || new.design.totals.iter().any(|total| is_total(&total.name))
    };
    // A row without the property is valid, and every value of it is optional.
    let optional = |field: &FieldDesign| FieldDesign { optional: true, default: None, ..field.clone() };
    let gone = old.design.stored_fields().chain(&old.removed).filter(|field| !is_declared(field));
    gone.map(optional).collect()
}
