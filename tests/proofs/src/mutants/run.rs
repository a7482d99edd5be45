use std::{
    fs::{self, File},
    io,
    os::unix::process::CommandExt as _,
    path::Path,
    process::{Child, Command, ExitStatus, Stdio},
    thread,
    time::{Duration, Instant},
};

use crate::mutants::{EditError, Mutant, Tree};

/// Time limit of a test. A test that exceeds it waits for an event that the broken rule prevents.
const LIMIT: Duration = Duration::from_secs(600);

/// Runs mutants in a copy of the sources, one after the other.
#[derive(Debug)]
pub struct Runner {
    tree: Tree,
}

/// The result of one mutant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// The test failed or did not complete: it guards the rule. Contains the first lines of the failure.
    Caught(String),
    /// The test passed: it does not detect the broken rule.
    Survived,
    /// The changed sources do not compile, so the result is inconclusive.
    Broken(String),
}

/// An error that prevents a run.
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
    /// Copies the workspace at `origin`.
    ///
    /// # Errors
    ///
    /// Returns [`RunError::Io`] if the sources cannot be copied.
    pub fn new(origin: &Path) -> Result<Self, RunError> {
        Ok(Self { tree: Tree::copy(origin)? })
    }

    /// Applies a mutant, runs its test, and restores the sources.
    ///
    /// # Errors
    ///
    /// Returns [`RunError`] if an edit does not apply, or if a file or process fails.
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
        let (compiled, output) = self.cargo(build, &["--no-run"], Duration::MAX)?;
        if !compiled.is_some_and(|status| status.success()) {
            return Ok(Outcome::Broken(lines(&output, "error")));
        }
        let (ended, output) = self.cargo(&words, &[], LIMIT)?;
        Ok(match ended {
            Some(status) if status.success() => Outcome::Survived,
            Some(_) => Outcome::Caught(lines(&output, "panicked")),
            None => Outcome::Caught(format!("did not end within {} s", LIMIT.as_secs())),
        })
    }

    /// Returns the status and the output of cargo. The status is `None` if the process was killed after the limit.
    fn cargo(
        &self,
        words: &[&str],
        more: &[&str],
        limit: Duration,
    ) -> io::Result<(Option<ExitStatus>, String)> {
        let output = self.tree.root().with_file_name("output.txt");
        let file = File::create(&output)?;
        let mut child = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
            .arg("test")
            .args(more)
            .args(words)
            .current_dir(self.tree.root())
            // Not the target directory of the ordinary build: cargo names both builds alike, and would later take a crate
            // with a mutant for the original.
            .env("CARGO_TARGET_DIR", self.tree.root().with_file_name("target"))
            .stdin(Stdio::null())
            .stdout(file.try_clone()?)
            .stderr(file)
            .process_group(0)
            .spawn()?;
        let status = wait(&mut child, limit)?;
        Ok((status, String::from_utf8_lossy(&fs::read(&output)?).into_owned()))
    }
}

/// Waits for a process, and kills its process group after the limit.
fn wait(child: &mut Child, limit: Duration) -> io::Result<Option<ExitStatus>> {
    let started = Instant::now();
    while started.elapsed() < limit {
        if let Some(status) = child.try_wait()? {
            return Ok(Some(status));
        }
        thread::sleep(Duration::from_millis(100));
    }
    Command::new("kill").args(["-KILL", "--", &format!("-{}", child.id())]).status()?;
    child.wait()?;
    Ok(None)
}

/// Returns the first line that contains `word` and the following line.
fn lines(output: &str, word: &str) -> String {
    let mut lines = output.lines().skip_while(|line| !line.contains(word));
    let first = lines.next().unwrap_or("no message");
    format!("{first} {}", lines.next().unwrap_or_default()).chars().take(300).collect()
}
