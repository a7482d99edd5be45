//! Debian's Chromium, without a window.

use std::{io::Write as _, process::Stdio};

use tokio::process::{Child, Command};

/// A browser that is installed.
pub(super) struct Chromium(&'static str);

impl Chromium {
    /// Returns the browser, or `None` with a message if it is not installed.
    pub(super) fn find() -> Option<Self> {
        let is_here = |name: &&str| {
            let mut command = std::process::Command::new(name);
            command
                .arg("--version")
                .stdout(Stdio::null())
                .stderr(Stdio::null())
                .status()
                .is_ok_and(|status| status.success())
        };
        let found = ["chromium", "chromium-browser", "google-chrome"].into_iter().find(is_here);
        if found.is_none() {
            // Visible although the harness captures the output of a test.
            _ = writeln!(
                std::io::stderr(),
                "passed over: the page in a browser, since Chromium is not installed"
            );
        }
        found.map(Self)
    }

    /// Opens a page. All names below `example` resolve to this machine, as those of a page that rebinds its name.
    pub(super) fn open(&self, url: &str, profile: &std::path::Path) -> Child {
        let mut command = Command::new(self.0);
        command
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
            .kill_on_drop(true);
        command.spawn().unwrap()
    }
}
