use std::{
    io,
    path::Path,
    process::{Command, Output, Stdio},
    time::{Duration, Instant},
};

use crate::{EditError, Mutant, Tree};

/// Runs mutants in a copy of the sources, one after the other.
#[derive(Debug)]
pub struct Runner {
    tree: Tree,
}

/// The result of one mutant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// The test failed: the rule is guarded. Contains the first lines of the failure.
    Caught(String),
    /// The test passed: nothing notices that the rule is broken.
    Survived,
    /// The broken sources do not compile, so that the mutant shows nothing.
    Broken(String),
}

/// A run that could not take place.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// An edit does not apply.
    #[error(transparent)]
    Edit(#[from] EditError),
    /// A file or a process failed.
    #[error("cannot run the mutant: {0}")]
    Io(#[from] io::Error),
}

impl Runner {
    /// Prepares the copy of the workspace at `origin`.
    ///
    /// # Errors
    ///
    /// [`RunError::Io`] if the sources cannot be copied.
    pub fn new(origin: &Path) -> Result<Self, RunError> {
        Ok(Self { tree: Tree::copy(origin)? })
    }

    /// Applies a mutant, runs its test, and restores the sources.
    ///
    /// # Errors
    ///
    /// [`RunError`] if an edit does not apply, or a file or process fails.
    pub fn run(&self, mutant: &Mutant) -> Result<(Outcome, Duration), RunError> {
        let changed = mutant.changed(self.tree.root())?;
        let started = Instant::now();
        for (file, contents) in &changed {
            self.tree.write(file, contents)?;
        }
        let outcome = self.judge(&mutant.test);
        for (file, _) in &changed {
            self.tree.restore(file)?;
        }
        Ok((outcome?, started.elapsed()))
    }

    fn judge(&self, test: &str) -> Result<Outcome, RunError> {
        let words: Vec<&str> = test.split_whitespace().collect();
        let (build, _) = words.split_at(words.iter().position(|word| *word == "--").unwrap_or(words.len()));
        let compiled = self.cargo(build, &["--no-run"])?;
        if !compiled.status.success() {
            return Ok(Outcome::Broken(lines(&compiled.stderr, "error")));
        }
        let run = self.cargo(&words, &[])?;
        Ok(if run.status.success() {
            Outcome::Survived
        } else {
            Outcome::Caught(lines(&[run.stdout, run.stderr].concat(), "panicked"))
        })
    }

    fn cargo(&self, words: &[&str], more: &[&str]) -> io::Result<Output> {
        Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
            .arg("test")
            .args(more)
            .args(words)
            .current_dir(self.tree.root())
            // Crates from the registry are shared with the ordinary build.
            .env("CARGO_TARGET_DIR", self.tree.origin().join("target"))
            .stdin(Stdio::null())
            .output()
    }
}

/// Returns the first line that contains `word` and the line behind it.
fn lines(output: &[u8], word: &str) -> String {
    let text = String::from_utf8_lossy(output);
    let mut lines = text.lines().skip_while(|line| !line.contains(word));
    let first = lines.next().unwrap_or("no message");
    format!("{first} {}", lines.next().unwrap_or_default()).chars().take(300).collect()
}
