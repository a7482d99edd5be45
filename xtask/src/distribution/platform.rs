//! Systems for which packages are built.

use crate::step::Failed;

/// A target of the compiler, and its names in the package formats.
pub(super) struct Platform {
    pub(super) triple: &'static str,
    /// `os` and `cpu` of npm, which are those of Node.
    pub(super) npm: (&'static str, &'static str),
    /// The tag of a wheel. A static binary runs with each C library.
    pub(super) wheel: &'static str,
    pub(super) debian: Option<&'static str>,
}

pub(super) static ALL: [Platform; 5] = [
    Platform {
        triple: "x86_64-unknown-linux-musl",
        npm: ("linux", "x64"),
        wheel: "manylinux_2_17_x86_64.manylinux2014_x86_64.musllinux_1_1_x86_64",
        debian: Some("amd64"),
    },
    Platform {
        triple: "aarch64-unknown-linux-musl",
        npm: ("linux", "arm64"),
        wheel: "manylinux_2_17_aarch64.manylinux2014_aarch64.musllinux_1_1_aarch64",
        debian: Some("arm64"),
    },
    Platform {
        triple: "x86_64-apple-darwin",
        npm: ("darwin", "x64"),
        wheel: "macosx_10_12_x86_64",
        debian: None,
    },
    Platform {
        triple: "aarch64-apple-darwin",
        npm: ("darwin", "arm64"),
        wheel: "macosx_11_0_arm64",
        debian: None,
    },
    Platform { triple: "x86_64-pc-windows-msvc", npm: ("win32", "x64"), wheel: "win_amd64", debian: None },
];

impl Platform {
    /// Returns the platform of a target, by default that of this system.
    pub(super) fn of(target: Option<&str>) -> Result<&'static Self, Failed> {
        let os = if cfg!(windows) {
            "win32"
        } else if cfg!(target_os = "macos") {
            "darwin"
        } else {
            "linux"
        };
        let cpu = if cfg!(target_arch = "aarch64") { "arm64" } else { "x64" };
        let is_wanted = |platform: &&Self| match target {
            Some(target) => platform.triple == target,
            None => platform.npm == (os, cpu),
        };
        ALL.iter().find(is_wanted).ok_or_else(|| {
            let triples: Vec<&str> = ALL.iter().map(|platform| platform.triple).collect();
            Failed(format!("no packages for this target; the targets are {}", triples.join(", ")))
        })
    }

    /// Returns the file name of the command.
    pub(super) fn program(&self) -> &'static str {
        if self.npm.0 == "win32" { "tables.exe" } else { "tables" }
    }
}
