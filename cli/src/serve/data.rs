//! The directory of the stores.

use std::{fs, io, path::Path};

use super::ServeError;

/// Makes the directory, for nobody else; or looks at who else can change it. That is borne where only this machine is
/// served.
pub(super) fn prepare(directory: &Path, loopback: bool) -> Result<(), ServeError> {
    let others = make(directory).and_then(|()| open_to_others(directory));
    let others = others.map_err(|error| ServeError::Data { directory: directory.into(), error })?;
    match (others, loopback) {
        (false, _) => Ok(()),
        (true, true) => {
            tracing::warn!(directory = %directory.display(), "other users can change what is stored here");
            Ok(())
        }
        (true, false) => Err(ServeError::OpenToOthers(directory.into())),
    }
}

fn make(directory: &Path) -> io::Result<()> {
    let mut builder = fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(directory)
}

#[cfg(unix)]
fn open_to_others(directory: &Path) -> io::Result<bool> {
    use std::os::unix::fs::PermissionsExt;
    Ok(fs::metadata(directory)?.permissions().mode() & 0o022 != 0)
}

#[cfg(not(unix))]
fn open_to_others(_directory: &Path) -> io::Result<bool> {
    Ok(false)
}
