//! Debian's Chromium, without a window.

use std::{
    env,
    path::{Path, PathBuf},
    process::Stdio,
};

use tokio::process::{Child, Command};

use super::{
    Lacking,
    install::{is_here, say},
};

const NAMES: [&str; 3] = ["chromium", "chromium-browser", "google-chrome"];

/// A browser that is installed.
#[derive(Clone, Copy, Debug)]
pub struct Chromium(&'static str);

impl Chromium {
    /// Returns the path of the program: `TABLES_CHROMIUM`, or that of the browser that is installed.
    ///
    /// # Errors
    ///
    /// Returns what is missing.
    pub fn program() -> Result<PathBuf, Lacking> {
        if let Some(named) = env::var_os("TABLES_CHROMIUM") {
            return Ok(named.into());
        }
        let path = env::var_os("PATH").unwrap_or_default();
        let folders: Vec<PathBuf> = env::split_paths(&path).collect();
        let files = NAMES.iter().flat_map(|name| folders.iter().map(move |folder| folder.join(name)));
        files.into_iter().find(|file| file.is_file()).ok_or(Lacking::Program("Chromium"))
    }

    /// Returns the browser, or `None` with a message if it is not installed.
    pub fn find() -> Option<Self> {
        let found = NAMES.into_iter().find(|name| is_here(name));
        if found.is_none() {
            say("passed over: the page in a browser, since Chromium is not installed");
        }
        found.map(Self)
    }

    /// Opens a page. All names below `example` resolve to this machine, as those of a page that rebinds its name.
    ///
    /// # Errors
    ///
    /// Returns an error if the browser cannot be started.
    pub fn open(self, url: &str, profile: &Path) -> std::io::Result<Child> {
        Command::new(self.0)
            .args([
                "--headless=new",
                "--no-sandbox",
                "--disable-gpu",
                "--no-first-run",
                "--disable-dev-shm-usage",
            ])
            .args(["--disable-background-networking", "--host-resolver-rules=MAP *.example 127.0.0.1"])
            .arg(format!("--user-data-dir={}", profile.display()))
            .arg(url)
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .kill_on_drop(true)
            .spawn()
    }
}
