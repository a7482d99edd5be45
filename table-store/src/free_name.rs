use table_model::{Result, StorageFault};

/// Returns the first name of a numbered sequence that no record has. The record of a deleted resource is moved to it, so
/// that the name of the resource is available.
///
/// The new name is an ordinary one, which is moved in the same way when a resource of this name is created. Earlier
/// versions therefore read such a file correctly, and complete the sweep.
pub(crate) fn free_name<N>(
    name: impl Fn(u32) -> Result<N>,
    has_record: impl Fn(&N) -> Result<bool, StorageFault>,
) -> Result<N, StorageFault> {
    for number in 0..=u32::MAX {
        let name = name(number).map_err(|error| StorageFault::Bug { what: error.to_string() })?;
        if !has_record(&name)? {
            return Ok(name);
        }
    }
    Err(StorageFault::Bug { what: "no names for deleted resources are left".to_owned() })
}
