//! Debian's Chromium, without a window.

use std::{path::Path, process::Stdio};

use tokio::process::{Child, Command};

use super::install::{is_here, say};

/// A browser that is installed.
#[derive(Clone, Copy, Debug)]
pub struct Chromium(&'static str);

impl Chromium {
    /// Returns the browser, or `None` with a message if it is not installed.
    pub fn find() -> Option<Self> {
        let found = ["chromium", "chromium-browser", "google-chrome"].into_iter().find(|name| is_here(name));
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
