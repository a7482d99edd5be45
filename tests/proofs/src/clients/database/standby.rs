use std::{fs, io};

use super::{Database, create_data};
use crate::clients::Lacking;

impl Database {
    /// Starts a standby: a server in a folder of its own that replicates this one.
    ///
    /// # Errors
    /// Returns the missing requirement.
    pub fn standby(&self) -> Result<Self, Lacking> {
        Self::create(&[], COPY, &copy(&self.port.to_string()))
    }

    /// Replaces this server by a standby of another one, on the same port.
    ///
    /// # Errors
    /// Returns the missing requirement.
    pub fn follow(&mut self, primary: &Self) -> Result<(), Lacking> {
        self.kill()?;
        let data = self.folder.path().join("data");
        // The processes of a killed server end by themselves. Until then, they can create files.
        while let Err(error) = fs::remove_dir_all(&data) {
            if error.kind() != io::ErrorKind::DirectoryNotEmpty {
                return Err(error.into());
            }
        }
        create_data(&self.programs, self.folder.path(), COPY, &copy(&primary.port.to_string()))?;
        Ok(self.start_again()?)
    }
}

/// Copies the data of a running server.
const COPY: &str = "pg_basebackup";

/// Returns the arguments for the server with this port. `-R` makes the copy a standby.
fn copy(port: &str) -> [&str; 12] {
    ["-h", "127.0.0.1", "-p", port, "-U", "tables", "-X", "stream", "-c", "fast", "-R", "--no-sync"]
}
