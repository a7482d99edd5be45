//! A Python wheel with the command as a script, for `pipx` and `uvx`.

use std::{fs, path::PathBuf};

use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use sha2::{Digest, Sha256};

use super::{Build, archive::LICENSES, at, metadata::NAME, put, started, text, zip::Zip};
use crate::step::{Failed, Step, root};

pub(super) fn write(build: &Build, packages: &mut Vec<PathBuf>) -> Result<(), Failed> {
    let about = &build.about;
    let stem = format!("{}-{}", NAME.replace('-', "_"), about.version);
    let information = format!("{stem}.dist-info");
    let tag = build.platform.wheel;
    let mut wheel = Wheel::default();
    let program = fs::read(&build.program).map_err(|error| at(&build.program, error))?;
    wheel.add(&format!("{stem}.data/scripts/{}", build.platform.program()), &program, true);
    let keywords = about.keywords.join(",");
    let files = LICENSES.map(|license| format!("License-File: {license}\n")).concat();
    let (version, description, license, author) =
        (&about.version, &about.description, &about.license, &about.author);
    wheel.add(
        &format!("{information}/METADATA"),
        format!(
            "Metadata-Version: 2.4\nName: {NAME}\nVersion: {version}\nSummary: {description}\nAuthor: {author}\n\
             License-Expression: {license}\n{files}Keywords: {keywords}\nRequires-Python: >=3.8\n\
             Description-Content-Type: text/markdown\n\n{}",
            about.readme
        )
        .as_bytes(),
        false,
    );
    let tags: Vec<String> = tag.split('.').map(|tag| format!("Tag: py3-none-{tag}\n")).collect();
    let tags = tags.concat();
    let wheel_file =
        format!("Wheel-Version: 1.0\nGenerator: xtask ({version})\nRoot-Is-Purelib: false\n{tags}");
    wheel.add(&format!("{information}/WHEEL"), wheel_file.as_bytes(), false);
    for license in LICENSES {
        let path = root().join(license);
        let text = fs::read(&path).map_err(|error| at(&path, error))?;
        wheel.add(&format!("{information}/licenses/{license}"), &text, false);
    }
    let package = build.package(&format!("{stem}-py3-none-{tag}.whl"));
    put(&package, wheel.finished(&format!("{information}/RECORD")))?;

    let installed = build.directory("wheel-installed")?;
    Step::new("virtual environment").run("python3", &["-m", "venv", text(&installed)])?;
    let scripts = installed.join(if cfg!(windows) { "Scripts" } else { "bin" });
    let pip = scripts.join("pip");
    let install =
        ["install", "--no-index", "--no-deps", "--disable-pip-version-check", "--quiet", text(&package)];
    Step::new("wheel, installed").run(text(&pip), &install)?;
    started("the command of the wheel", &scripts.join(build.platform.program()), &about.version)?;
    packages.push(package);
    Ok(())
}

/// A wheel, and the list of its files with their hashes.
#[derive(Default)]
struct Wheel {
    zip: Zip,
    record: String,
}

impl Wheel {
    fn add(&mut self, name: &str, bytes: &[u8], is_program: bool) {
        let hash = URL_SAFE_NO_PAD.encode(Sha256::digest(bytes));
        let length = bytes.len().to_string();
        self.record.extend([name, ",sha256=", &hash, ",", &length, "\n"]);
        self.zip.add(name, bytes, is_program);
    }

    fn finished(mut self, record: &str) -> Vec<u8> {
        self.record.extend([record, ",,\n"]);
        self.zip.add(record, self.record.as_bytes(), false);
        self.zip.finished()
    }
}
