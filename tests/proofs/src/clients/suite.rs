//! The tests of the Azure SDKs for Python, from the source packages of the SDKs.

use std::{
    ffi::OsString,
    fs, io,
    path::{Path, PathBuf},
    process::Stdio,
    time::Duration,
};

use tokio::{process::Command, time::timeout};

use crate::clients::{
    Emulator, Lacking, Outcome, Outcomes, Place,
    install::{install, step},
    listening::KEY,
    python::{environment, interpreter, python},
};

/// The directory of the suites in `tests/clients`.
const SCENARIO: &str = "suites";

/// Maximum duration of a suite. A single test ends after two minutes.
const LONGEST: Duration = Duration::from_secs(2 * 60 * 60);

/// The tests of one SDK.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Suite {
    /// Those of `azure-data-tables`.
    Tables,
    /// Those of `azure-storage-queue`.
    Queues,
    /// Those of `azure-storage-blob`.
    Blobs,
}

impl Suite {
    /// All suites.
    pub const ALL: [Self; 3] = [Self::Tables, Self::Queues, Self::Blobs];

    /// Returns its name in the list of accepted failures.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Tables => "tables",
            Self::Queues => "queues",
            Self::Blobs => "blobs",
        }
    }

    /// Returns the name of the source package, without its version.
    const fn package(self) -> &'static str {
        match self {
            Self::Tables => "azure_data_tables-",
            Self::Queues => "azure_storage_queue-",
            Self::Blobs => "azure_storage_blob-",
        }
    }

    /// Returns the name of its account. A suite deletes everything that it finds in its account.
    const fn account(self) -> &'static str {
        match self {
            Self::Tables => "tablesuite",
            Self::Queues => "queuesuite",
            Self::Blobs => "blobsuite",
        }
    }

    /// Returns the host names that the certificate of the emulator must contain: the suites use the names of Azure.
    #[must_use]
    pub fn hosts() -> Vec<String> {
        let services = ["blob", "queue", "table"].map(|service| format!("*.{service}.core.windows.net"));
        services.into_iter().chain(["127.0.0.1".to_owned()]).collect()
    }

    /// Returns the accounts of all suites, as `AZURITE_ACCOUNTS` contains them.
    #[must_use]
    pub fn accounts() -> String {
        Self::ALL.map(|suite| format!("{}:{KEY}", suite.account())).join(";")
    }

    /// Installs the SDKs and unpacks their sources.
    ///
    /// # Errors
    ///
    /// Returns the missing requirement.
    pub fn install(place: &Place) -> Result<(), Lacking> {
        let python = python()?;
        install(place, SCENARIO, &["requirements.txt", "sources.txt"], |target| {
            environment(python, target)?;
            let sources = target.join("sources");
            if sources.exists() {
                fs::remove_dir_all(&sources)?;
            }
            // The packages are not built, but pip reads their metadata with the installed setuptools.
            let download = ["-m", "pip", "download", "--quiet", "--no-deps", "--no-build-isolation"];
            let only = ["--no-binary", ":all:", "--require-hashes", "-r", "sources.txt", "-d", "sources"];
            step(target, interpreter(target), &[&download[..], &only].concat())?;
            for package in fs::read_dir(&sources)? {
                let unpack: [OsString; 5] = [
                    "-m".into(),
                    "tarfile".into(),
                    "-e".into(),
                    package?.path().into(),
                    sources.clone().into(),
                ];
                step(target, interpreter(target), &unpack)?;
            }
            Ok(())
        })
    }

    /// Runs its tests against the emulator, which must have the accounts and this certificate. `selection` contains further
    /// arguments of pytest.
    ///
    /// # Errors
    ///
    /// Returns an error if Python cannot be started, does not end, or ends without outcomes.
    pub async fn run(
        self,
        place: &Place,
        emulator: &Emulator,
        certificate: &Path,
        selection: &[String],
    ) -> io::Result<Outcomes> {
        let (target, shim) = (place.installed(SCENARIO), place.source(SCENARIO).join("shim").canonicalize()?);
        let tests = self.tests(&target)?;
        let results = tempfile::NamedTempFile::new()?;
        let mut command = Command::new(interpreter(&target));
        command.args([
            "-B",
            "-m",
            "pytest",
            "--quiet",
            "--no-header",
            "-p",
            "emulator",
            "-p",
            "no:cacheprovider",
        ]);
        command
            .args(["-o", "asyncio_mode=auto", "-o", "timeout=120", "--rootdir"])
            .arg(&tests)
            .args(selection);
        if selection.iter().all(|argument| argument.starts_with('-')) {
            command.arg(&tests);
        }
        command
            .env("PYTHONPATH", &shim)
            .env("PYTHONDONTWRITEBYTECODE", "1")
            .env("REQUESTS_CA_BUNDLE", certificate)
            .env("SSL_CERT_FILE", certificate)
            .env("SUITES_PORTS", ports(emulator.connection()))
            .env("SUITES_ACCOUNT", self.account())
            .env("SUITES_KEY", KEY)
            .env("SUITES_OUTCOMES", results.path());
        if self == Self::Tables {
            command.env("SUITES_NO_WAITING", "1");
        }
        let output = command
            .current_dir(&tests)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .kill_on_drop(true)
            .spawn()?
            .wait_with_output();
        let output = timeout(LONGEST, output).await??;
        let text = fs::read_to_string(results.path())?;
        let outcomes = text.lines().map(serde_json::from_str).collect::<Result<Vec<Outcome>, _>>()?;
        // pytest ends with 1 if a test failed, and with other codes if it could not execute them.
        if matches!(output.status.code(), Some(0 | 1)) && !outcomes.is_empty() {
            return Ok(Outcomes(outcomes));
        }
        let words = String::from_utf8_lossy(&output.stdout) + String::from_utf8_lossy(&output.stderr);
        Err(io::Error::other(format!("pytest: {} after {} tests\n{words}", output.status, outcomes.len())))
    }

    /// Returns the directory of its tests.
    fn tests(self, target: &Path) -> io::Result<PathBuf> {
        for entry in fs::read_dir(target.join("sources"))? {
            let path = entry?.path();
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            if path.is_dir() && name.starts_with(self.package()) {
                return path.join("tests").canonicalize();
            }
        }
        Err(io::Error::new(io::ErrorKind::NotFound, format!("no sources of {}", self.package())))
    }
}

/// Returns the ports of the services in a connection string, as the plugin of pytest reads them.
fn ports(connection: &str) -> String {
    let ports = connection.split(';').filter_map(|part| {
        let (service, url) = part.split_once("Endpoint=")?;
        let port = url.split('/').nth(2)?.rsplit(':').next()?;
        Some(format!("{}={port}", service.to_lowercase()))
    });
    ports.collect::<Vec<_>>().join(",")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ports_are_found_in_a_connection_string() {
        let text = "AccountName=a;BlobEndpoint=https://127.0.0.1:1/a;TableEndpoint=https://127.0.0.1:23/a;";
        assert_eq!(ports(text), "blob=1,table=23");
    }
}
