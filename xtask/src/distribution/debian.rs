//! A Debian package with the command, its manual pages and its completions.

use std::{fs, path::PathBuf};

use super::{Build, archive::LICENSES, at, copy, metadata::NAME, put, size, started, text};
use crate::step::{Failed, Step, root};

pub(super) fn write(build: &Build, packages: &mut Vec<PathBuf>) -> Result<(), Failed> {
    let Some(architecture) = build.platform.debian else { return Ok(()) };
    let about = &build.about;
    let contents = build.directory("debian")?;
    copy(&build.program, &contents.join("usr/bin/tables"))?;
    let pages = contents.join("usr/share/man/man1");
    build.tables(&["man", "-o", text(&pages)])?;
    Step::new("manual pages").run("gzip", &["-9nr", text(&pages)])?;
    let completions = "usr/share/bash-completion/completions/tables";
    put(&contents.join(completions), build.tables(&["completions", "bash"])?)?;
    let documents = contents.join("usr/share/doc").join(NAME);
    let mut copyright = format!("License: {}\n", about.license);
    for license in LICENSES {
        let path = root().join(license);
        copyright += "\n";
        copyright += &fs::read_to_string(&path).map_err(|error| at(&path, error))?;
    }
    put(&documents.join("copyright"), copyright)?;
    // A paragraph after the summary is required by most tools.
    let (author, version, description) = (&about.author, &about.version, &about.description);
    let kib = size(&build.program)? >> 10;
    let control = format!(
        "Package: {NAME}\nVersion: {version}\nArchitecture: {architecture}\nMaintainer: {author}\n\
         Installed-Size: {kib}\nSection: database\nPriority: optional\n\
         Description: the command `tables`\n {description}\n"
    );
    put(&contents.join("DEBIAN/control"), control)?;
    let package = build.package(&format!("{NAME}_{version}_{architecture}.deb"));
    let pack = ["--build", "--root-owner-group", "-Zxz", text(&contents), text(&package)];
    Step::new("Debian package").run("dpkg-deb", &pack)?;

    let installed = build.directory("debian-installed")?;
    let extract = ["--extract", text(&package), text(&installed)];
    Step::new("Debian package, unpacked").run("dpkg-deb", &extract)?;
    started("the command of the Debian package", &installed.join("usr/bin/tables"), version)?;
    packages.push(package);
    Ok(())
}
