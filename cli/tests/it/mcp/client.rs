//! A client of the protocol that sends what a test writes.

use std::{
    io::{BufRead, BufReader, Read, Write},
    path::Path,
    process::{Child, ChildStdin, Command, Stdio},
    sync::mpsc::{Receiver, channel},
    thread::{self, JoinHandle},
    time::Duration,
};

use serde_json::{Value, json};

/// Only ends a test that would otherwise wait forever.
const PATIENCE: Duration = Duration::from_secs(120);

pub(crate) struct Client {
    child: Child,
    input: Option<ChildStdin>,
    messages: Receiver<Value>,
    log: Option<JoinHandle<String>>,
    next: u64,
}

/// The end of a server.
pub(crate) struct Ended {
    pub(crate) code: Option<i32>,
    /// Messages that were not received before.
    pub(crate) rest: Vec<Value>,
    pub(crate) log: String,
}

impl Client {
    /// Starts a server, without a message.
    pub(crate) fn start(arguments: &[&str]) -> Self {
        let mut child = Command::new(env!("CARGO_BIN_EXE_tables"))
            .arg("mcp")
            .args(arguments)
            .env_remove("TABLES_STORE")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let (sender, messages) = channel();
        let output = BufReader::new(child.stdout.take().unwrap());
        thread::spawn(move || {
            for line in output.lines() {
                let line = line.unwrap();
                let message: Value =
                    serde_json::from_str(&line).unwrap_or_else(|_| panic!("not a message: {line}"));
                assert_eq!(message["jsonrpc"], "2.0", "{line}");
                if sender.send(message).is_err() {
                    break;
                }
            }
        });
        let mut errors = child.stderr.take().unwrap();
        let log = thread::spawn(move || {
            let mut text = String::new();
            errors.read_to_string(&mut text).unwrap();
            text
        });
        Self { input: child.stdin.take(), child, messages, log: Some(log), next: 1 }
    }

    /// Starts a server and a session.
    pub(crate) fn session(arguments: &[&str]) -> Self {
        let mut client = Self::start(arguments);
        let hello = json!({
            "protocolVersion": "2025-06-18",
            "capabilities": {},
            "clientInfo": { "name": "test", "version": "1" },
        });
        client.request("initialize", hello);
        client.send(&json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }));
        client
    }

    /// Starts a session on a store file.
    pub(crate) fn on(store: &Path, arguments: &[&str]) -> Self {
        Self::session(&[&["--store", store.to_str().unwrap()], arguments].concat())
    }

    pub(crate) fn send(&mut self, message: &Value) {
        self.line(message.to_string().as_bytes());
    }

    pub(crate) fn line(&mut self, line: &[u8]) {
        let input = self.input.as_mut().unwrap();
        input.write_all(line).unwrap();
        input.write_all(b"\n").unwrap();
        input.flush().unwrap();
    }

    pub(crate) fn receive(&mut self) -> Value {
        self.messages.recv_timeout(PATIENCE).expect("no message")
    }

    /// Sends a request, and returns its ID.
    pub(crate) fn ask(&mut self, method: &str, parameters: Value) -> u64 {
        let id = self.next;
        self.next += 1;
        self.send(&json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": parameters }));
        id
    }

    /// Sends a request, and returns its response, which must be the next message.
    pub(crate) fn response(&mut self, method: &str, parameters: Value) -> Value {
        let id = self.ask(method, parameters);
        let response = self.receive();
        assert_eq!(response["id"], id, "{response}");
        response
    }

    /// Sends a request that succeeds.
    pub(crate) fn request(&mut self, method: &str, parameters: Value) -> Value {
        let mut response = self.response(method, parameters);
        assert!(response.get("error").is_none(), "{response}");
        response["result"].take()
    }

    /// Calls a tool, and returns the text of the result, or of the error.
    pub(crate) fn call(&mut self, tool: &str, arguments: Value) -> Result<String, String> {
        let result = self.request("tools/call", json!({ "name": tool, "arguments": arguments }));
        let text = result["content"][0]["text"].as_str().unwrap().to_owned();
        if result["isError"] == true { Err(text) } else { Ok(text) }
    }

    /// Calls a tool whose result is JSON.
    pub(crate) fn object(&mut self, tool: &str, arguments: Value) -> Value {
        let text = self.call(tool, arguments).unwrap();
        serde_json::from_str(&text).unwrap_or_else(|_| panic!("{text}"))
    }

    pub(crate) fn tools(&mut self) -> Vec<String> {
        let listed = self.request("tools/list", json!({}));
        let tools = listed["tools"].as_array().unwrap();
        tools.iter().map(|tool| tool["name"].as_str().unwrap().to_owned()).collect()
    }

    /// Returns the largest resident memory so far.
    #[cfg(target_os = "linux")]
    pub(crate) fn peak_kib(&self) -> u64 {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.child.id())).unwrap();
        let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap();
        peak.trim().trim_end_matches(" kB").parse().unwrap()
    }

    /// Ends the input, and waits for the end of the server.
    pub(crate) fn end(mut self) -> Ended {
        drop(self.input.take());
        self.wait()
    }

    pub(crate) fn signal(mut self, signal: &str) -> Ended {
        let sent = Command::new("kill").args([signal, &self.child.id().to_string()]).status().unwrap();
        assert!(sent.success());
        self.wait()
    }

    fn wait(&mut self) -> Ended {
        let code = self.child.wait().unwrap().code();
        Ended { code, rest: self.messages.iter().collect(), log: self.log.take().unwrap().join().unwrap() }
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
