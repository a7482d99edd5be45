//! An archive with the command, its manual pages and its completions.

use std::path::PathBuf;

use super::{Build, copy, put, started, text};
use crate::step::{Failed, Step, root};

/// Files of the repository that each package contains.
pub(super) const LICENSES: [&str; 2] = ["LICENSE-APACHE", "LICENSE-MIT"];

/// Shells, and where an archive contains their completions.
const SHELLS: [(&str, &str); 3] = [("bash", "tables.bash"), ("zsh", "_tables"), ("fish", "tables.fish")];

pub(super) fn write(build: &Build, packages: &mut Vec<PathBuf>) -> Result<(), Failed> {
    let name = format!("tables-{}-{}", build.about.version, build.platform.triple);
    let contents = build.directory("archive")?;
    let folder = contents.join(&name);
    copy(&build.program, &folder.join(build.platform.program()))?;
    put(&folder.join("README.md"), &build.about.readme)?;
    for license in LICENSES {
        copy(&root().join(license), &folder.join(license))?;
    }
    build.tables(&["man", "-o", text(&folder.join("man"))])?;
    for (shell, file) in SHELLS {
        put(&folder.join("completions").join(file), build.tables(&["completions", shell])?)?;
    }
    let archive = build.package(&format!("{name}.tar.xz"));
    let pack = ["-cJf", text(&archive), "-C", text(&contents), &name];
    Step::new("archive").variable("XZ_OPT", "-9").run("tar", &pack)?;

    let installed = build.directory("archive-installed")?;
    Step::new("archive, unpacked").run("tar", &["-xJf", text(&archive), "-C", text(&installed)])?;
    let program = installed.join(&name).join(build.platform.program());
    started("the command of the archive", &program, &build.about.version)?;
    packages.push(archive);
    Ok(())
}
