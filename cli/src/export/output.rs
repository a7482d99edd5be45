use std::{
    fs,
    io::{self, BufWriter, IsTerminal, StdoutLock, Write},
    path::{Path, PathBuf},
};

use tempfile::NamedTempFile;

use super::terminal::Terminal;
use crate::error::CommandError;

/// The destination of an export: standard output, or a temporary file that replaces the destination when it is
/// complete.
pub(super) struct Output {
    to: To,
    bytes: u64,
}

enum To {
    Standard(BufWriter<StdoutLock<'static>>),
    Terminal(Terminal<StdoutLock<'static>>),
    File { beside: BufWriter<NamedTempFile>, path: PathBuf },
}

/// Size of the write buffer in bytes.
const BUFFER: usize = 128 << 10;

impl Output {
    pub(super) fn open(path: Option<&Path>) -> Result<Self, CommandError> {
        let to = match path {
            None if io::stdout().is_terminal() => To::Terminal(Terminal::new(io::stdout().lock())),
            None => To::Standard(BufWriter::with_capacity(BUFFER, io::stdout().lock())),
            Some(path) => {
                let beside =
                    beside(path).map_err(|error| CommandError::Write { path: path.into(), error })?;
                To::File { beside: BufWriter::with_capacity(BUFFER, beside), path: path.to_owned() }
            }
        };
        Ok(Self { to, bytes: 0 })
    }

    /// Moves the file to its destination, and returns the number of written bytes. Without this call the temporary file
    /// is deleted.
    pub(super) fn keep(self) -> Result<u64, CommandError> {
        let To::File { beside, path } = self.to else { return Ok(self.bytes) };
        let kept = beside.into_inner().map_err(io::IntoInnerError::into_error).and_then(|file| {
            file.as_file().sync_all()?;
            file.persist(&path).map_err(|error| error.error)
        });
        kept.map(|_| self.bytes).map_err(|error| CommandError::Write { path, error })
    }
}

/// Creates a file in the same directory. Its permissions are those of the existing file, otherwise determined by the
/// umask of the process.
fn beside(path: &Path) -> io::Result<NamedTempFile> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let mut builder = tempfile::Builder::new();
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    let file = builder.prefix(".export-").tempfile_in(folder)?;
    if let Ok(known) = fs::metadata(path) {
        file.as_file().set_permissions(known.permissions())?;
    }
    Ok(file)
}

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = match &mut self.to {
            To::Standard(out) => out.write(bytes),
            To::Terminal(out) => out.write(bytes),
            To::File { beside, .. } => beside.write(bytes),
        }?;
        self.bytes += u64::try_from(written).unwrap_or(0);
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        match &mut self.to {
            To::Standard(out) => out.flush(),
            To::Terminal(out) => out.flush(),
            To::File { beside, .. } => beside.flush(),
        }
    }
}
