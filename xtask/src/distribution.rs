//! The command as packages for people who do not build it: an archive, packages for npm and `PyPI`, a Debian package.
//! Each is built, installed into an empty directory and started. Nothing is published.

mod archive;
mod debian;
mod metadata;
mod npm;
mod platform;
mod started;
mod sums;
mod wheel;
mod zip;

use std::{
    fs,
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

use self::{metadata::Metadata, platform::Platform, started::started};
use crate::step::{Failed, Step, root};

/// What the packages are built from.
struct Build {
    about: Metadata,
    platform: &'static Platform,
    /// The command, stripped.
    program: PathBuf,
    /// Where the packages are written.
    output: PathBuf,
}

/// Builds all packages for a target, by default for the static one of this system.
pub(crate) fn run(target: Option<&str>) -> Result<(), Failed> {
    let platform = Platform::of(target)?;
    let triple = platform.triple;
    let build = ["build", "--profile", "dist", "--locked", "-p", "table-cli", "--target", triple];
    Step::new(format!("the command for {triple}")).cargo(&build)?;
    let target = root().join("target");
    let build = Build {
        about: Metadata::read()?,
        platform,
        program: target.join(triple).join("dist").join(platform.program()),
        output: target.join("distribution"),
    };
    emptied(&build.output)?;
    let measured = started("the command", &build.program, &build.about.version)?;
    let (mut packages, mut skipped) = (Vec::new(), Vec::new());
    archive::write(&build, &mut packages)?;
    // Their tools are not required for anything else.
    for (tool, write) in [
        ("npm", npm::write as fn(&Build, &mut Vec<PathBuf>) -> Result<(), Failed>),
        ("python3", wheel::write),
        ("dpkg-deb", debian::write),
    ] {
        let is_possible = tool != "dpkg-deb" || platform.debian.is_some();
        if is_possible && is_installed(tool) {
            write(&build, &mut packages)?;
        } else if is_possible && std::env::var_os("CI").is_some() {
            return Err(Failed(format!("{tool} is not installed")));
        } else {
            skipped.push(tool);
        }
    }
    sums::write(&build.output, &packages)?;
    println!("\n== packages in {}", build.output.display());
    for path in [&build.program].into_iter().chain(&packages) {
        println!("{:>8} KiB  {}", size(path)? >> 10, name(path));
    }
    if let Some((idle, peak)) = measured {
        println!("{idle:>8} KiB  resident memory of an idle server, {peak} KiB at most");
    }
    for tool in skipped {
        println!("skipped the package that needs {tool}");
    }
    Ok(())
}

impl Build {
    /// Returns the path of a package.
    fn package(&self, name: &str) -> PathBuf {
        self.output.join(name)
    }

    /// Creates an empty directory for the contents of a package, or for its installation.
    fn directory(&self, name: &str) -> Result<PathBuf, Failed> {
        let path = self.output.join("work").join(name);
        emptied(&path)?;
        Ok(path)
    }

    /// Runs the command, which creates its own manual pages and completions.
    fn tables(&self, arguments: &[&str]) -> Result<Vec<u8>, Failed> {
        let output = Command::new(&self.program).args(arguments).output();
        let output = output.map_err(|error| Failed::because("tables", error))?;
        if output.status.success() {
            Ok(output.stdout)
        } else {
            Err(Failed::because("tables", output.status))
        }
    }
}

fn is_installed(tool: &str) -> bool {
    let version = Command::new(tool).arg("--version").stdout(Stdio::null()).stderr(Stdio::null()).status();
    version.is_ok_and(|status| status.success())
}

fn emptied(path: &Path) -> Result<(), Failed> {
    if path.exists() {
        fs::remove_dir_all(path).map_err(|error| at(path, error))?;
    }
    fs::create_dir_all(path).map_err(|error| at(path, error))
}

fn at(path: &Path, error: impl std::fmt::Display) -> Failed {
    Failed::because(&path.display().to_string(), error)
}

/// Writes a file, and its directories.
fn put(path: &Path, bytes: impl AsRef<[u8]>) -> Result<(), Failed> {
    let written = path.parent().map_or(Ok(()), fs::create_dir_all).and_then(|()| fs::write(path, bytes));
    written.map_err(|error| at(path, error))
}

/// Copies a file with its permissions, and creates its directories.
fn copy(from: &Path, to: &Path) -> Result<(), Failed> {
    let copied = to.parent().map_or(Ok(()), fs::create_dir_all).and_then(|()| fs::copy(from, to).map(drop));
    copied.map_err(|error| at(from, error))
}

fn size(path: &Path) -> Result<u64, Failed> {
    fs::metadata(path).map(|data| data.len()).map_err(|error| at(path, error))
}

fn name(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

fn text(path: &Path) -> &str {
    // The paths are below the repository, whose own tasks need UTF-8 already.
    path.to_str().unwrap_or_default()
}
