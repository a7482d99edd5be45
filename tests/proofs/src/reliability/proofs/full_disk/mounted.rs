use std::{
    fs::File,
    io::{self, Write as _},
    path::{Path, PathBuf},
    process::Command,
};

use tempfile::TempDir;

/// Initial size in megabytes.
const MEGABYTES: u32 = 8;

/// A file system in memory, unmounted when it is dropped.
#[derive(Debug)]
pub(super) struct Mounted {
    directory: TempDir,
}

impl Mounted {
    pub(super) fn new() -> io::Result<Self> {
        let directory = tempfile::tempdir()?;
        let options = format!("size={MEGABYTES}m,mode=0700");
        let mount = ["-t", "tmpfs", "-o", &options, "tmpfs"];
        run(Command::new("mount").args(mount).arg(directory.path()))?;
        Ok(Self { directory })
    }

    pub(super) fn path(&self) -> &Path {
        self.directory.path()
    }

    /// Returns the path of a file that occupies space.
    pub(super) fn ballast(&self) -> PathBuf {
        self.path().join("ballast")
    }

    /// Occupies all space except this number of bytes.
    pub(super) fn leave(&self, bytes: u64) -> io::Result<()> {
        let mut file = File::create(self.ballast())?;
        let mut taken = 0;
        loop {
            match file.write(&[0; 8 * 1024]) {
                Ok(more) => taken += more as u64,
                Err(error) if error.kind() == io::ErrorKind::StorageFull => break,
                Err(error) => return Err(error),
            }
        }
        file.set_len(taken.saturating_sub(bytes))
    }

    pub(super) fn resize(&self, megabytes: u32) -> io::Result<()> {
        let options = format!("remount,size={megabytes}m");
        run(Command::new("mount").args(["-o", &options]).arg(self.path()))
    }
}

impl Drop for Mounted {
    fn drop(&mut self) {
        // Lazily: a store that a failed case left open still uses its file.
        let _ = run(Command::new("umount").arg("-l").arg(self.path()));
    }
}

fn run(command: &mut Command) -> io::Result<()> {
    let output = command.output()?;
    if output.status.success() {
        return Ok(());
    }
    let said = String::from_utf8_lossy(&output.stderr);
    Err(io::Error::other(said.lines().next().unwrap_or("no word of why").to_owned()))
}
