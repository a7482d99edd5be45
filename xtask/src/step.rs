//! One command of a task.

use std::{
    fmt,
    path::{Path, PathBuf},
    process::{Command, Stdio},
    time::Instant,
};

/// The reason why a task ended early.
pub(crate) struct Failed(pub(crate) String);

impl Failed {
    pub(crate) fn because(what: &str, reason: impl fmt::Display) -> Self {
        Self(format!("{what}: {reason}"))
    }
}

/// A named command that runs in a directory of the repository.
pub(crate) struct Step {
    name: String,
    directory: PathBuf,
    variables: Vec<(&'static str, String)>,
    is_silent: bool,
}

impl Step {
    pub(crate) fn new(name: impl Into<String>) -> Self {
        Self { name: name.into(), directory: root(), variables: Vec::new(), is_silent: false }
    }

    /// Sets the directory, relative to the repository.
    pub(crate) fn directory(mut self, directory: impl AsRef<Path>) -> Self {
        self.directory = root().join(directory);
        self
    }

    pub(crate) fn variable(mut self, name: &'static str, value: impl Into<String>) -> Self {
        self.variables.push((name, value.into()));
        self
    }

    /// Discards what the command prints, apart from its errors.
    pub(crate) fn silent(self) -> Self {
        Self { is_silent: true, ..self }
    }

    /// Runs the cargo that runs this program.
    pub(crate) fn cargo(self, arguments: &[&str]) -> Result<(), Failed> {
        let cargo = std::env::var("CARGO").unwrap_or_else(|_| "cargo".to_owned());
        self.run(&cargo, arguments)
    }

    /// Runs a program, or a script of the repository.
    pub(crate) fn run(self, program: &str, arguments: &[&str]) -> Result<(), Failed> {
        println!("\n== {}", self.name);
        let script = root().join(program);
        let program = if script.is_file() { script } else { PathBuf::from(program) };
        let start = Instant::now();
        let mut command = Command::new(program);
        // The variables of `cargo run` would be inputs of build scripts: these would run again, and all crates above them
        // would be compiled again, between steps and commands that are not run from here.
        for (name, _) in std::env::vars_os() {
            if name.to_str().is_some_and(is_of_package) {
                command.env_remove(name);
            }
        }
        command.args(arguments).current_dir(self.directory).envs(self.variables);
        if self.is_silent {
            command.stdout(Stdio::null());
        }
        let status = command.status().map_err(|error| Failed::because(&self.name, error))?;
        if !status.success() {
            return Err(Failed::because(&self.name, status));
        }
        println!("== {}: {} s", self.name, start.elapsed().as_secs());
        Ok(())
    }
}

/// Returns whether cargo sets a variable to describe the package that it runs.
fn is_of_package(variable: &str) -> bool {
    ["CARGO_PKG_", "CARGO_MANIFEST_"].iter().any(|prefix| variable.starts_with(prefix))
}

/// Returns the directory of the repository.
pub(crate) fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().map(Path::to_path_buf).unwrap_or_default()
}
