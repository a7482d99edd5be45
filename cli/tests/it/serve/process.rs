//! A running server, stopped at the end of the test at the latest.

use std::{
    io::{BufRead, BufReader, Read},
    process::{Child, Command, Stdio},
    thread::{self, JoinHandle},
};

pub(crate) const BINARY: &str = env!("CARGO_BIN_EXE_tables");

pub(crate) struct Running {
    child: Child,
    words: Vec<(String, String)>,
    log: Option<JoinHandle<String>>,
}

impl Running {
    /// Starts it on free ports, and returns when it reports that it is ready.
    pub(crate) fn start(arguments: &[&str]) -> Self {
        Self::spawn(Command::new(BINARY).arg("serve").args(super::FREE).args(arguments))
    }

    /// Starts a command that serves, and returns when it reports that it is ready.
    pub(crate) fn spawn(command: &mut Command) -> Self {
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let mut log = child.stderr.take().unwrap();
        let log = thread::spawn(move || {
            let mut bytes = Vec::new();
            log.read_to_end(&mut bytes).unwrap();
            String::from_utf8(bytes).unwrap()
        });
        let mut words = Vec::new();
        for line in BufReader::new(child.stdout.take().unwrap()).lines() {
            let line = line.unwrap();
            let (word, value) = line.split_once(' ').unwrap();
            words.push((word.to_owned(), value.trim_start().to_owned()));
            if word == "ready" {
                break;
            }
        }
        let running = Self { child, words, log: Some(log) };
        running.word("ready");
        running
    }

    /// Returns the printed value after a keyword.
    pub(crate) fn word(&self, word: &str) -> &str {
        let found = self.words.iter().find(|(known, _)| known == word);
        found.map(|(_, value)| value.as_str()).expect("the word is not printed")
    }

    /// Returns all printed values after a keyword.
    pub(crate) fn words(&self, word: &str) -> Vec<&str> {
        let found = self.words.iter().filter(|(known, _)| known == word);
        found.map(|(_, value)| value.as_str()).collect()
    }

    /// Sends a signal, and returns the exit code.
    pub(crate) fn signal(mut self, signal: &str) -> Option<i32> {
        self.send(signal)
    }

    fn send(&mut self, signal: &str) -> Option<i32> {
        let sent = Command::new("kill").args([signal, &self.child.id().to_string()]).status().unwrap();
        assert!(sent.success());
        self.child.wait().unwrap().code()
    }

    /// Kills it.
    pub(crate) fn kill(mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }

    /// Stops it, and returns its log.
    pub(crate) fn log(self) -> String {
        self.stopped_with(0)
    }

    /// Stops it, expects an exit code, and returns its log.
    pub(crate) fn stopped_with(mut self, code: i32) -> String {
        assert_eq!(self.send("-TERM"), Some(code));
        self.log.take().unwrap().join().unwrap()
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
