//! A site with one page, whose script reports its results.

use std::time::Duration;

use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _, copy_bidirectional},
    net::{TcpListener, TcpStream},
    sync::mpsc,
    time::timeout,
};

use table_proofs::clients::Chromium;

/// Maximum time until a script has reported: the start of a browser can take long on a busy machine.
const LONGEST: Duration = Duration::from_secs(120);

/// A site that serves `/page`, and passes all other requests on, unchanged, as the name of a page that has been bound to the
/// address of a server does. Results are sent to another port, because a browser keeps a connection that is passed on.
pub(super) struct Page {
    listener: TcpListener,
    results: TcpListener,
    server: String,
}

impl Page {
    pub(super) async fn serve(server: &str) -> Self {
        let bind = || TcpListener::bind("127.0.0.1:0");
        Self { listener: bind().await.unwrap(), results: bind().await.unwrap(), server: server.to_owned() }
    }

    /// Opens the page in the browser, by this name of its host, and returns what its script reports.
    pub(super) async fn run(&self, browser: Chromium, host: &str, script: &str) -> String {
        let profile = tempfile::tempdir().unwrap();
        let port = self.listener.local_addr().unwrap().port();
        let mut browser = browser.open(&format!("http://{host}:{port}/page"), profile.path()).unwrap();
        let results = format!("http://{}/", self.results.local_addr().unwrap());
        let script = script.replace("{RESULTS}", &results);
        let page = format!("<!doctype html><body><script>{script}</script>");
        let serving = async {
            loop {
                let (stream, _) = self.listener.accept().await.unwrap();
                tokio::spawn(answer(stream, page.clone(), self.server.clone()));
            }
        };
        let text = tokio::select! {
            text = timeout(LONGEST, self.result()) => text.unwrap(),
            () = serving => unreachable!(),
        };
        browser.kill().await.unwrap();
        text
    }

    /// Receives the results of the script. A browser also opens connections without a request.
    async fn result(&self) -> String {
        let (sender, mut results) = mpsc::channel(1);
        loop {
            tokio::select! {
                text = results.recv() => return text.unwrap(),
                accepted = self.results.accept() => {
                    let (stream, sender) = (accepted.unwrap().0, sender.clone());
                    tokio::spawn(async move {
                        if let Some(text) = body(stream).await {
                            sender.send(text).await.unwrap();
                        }
                    });
                }
            }
        }
    }
}

/// Reads the head of a request, and what was received with it. Returns the length of the head.
async fn head(stream: &mut TcpStream) -> Option<(Vec<u8>, usize)> {
    let (mut request, mut some) = (Vec::new(), [0; 4096]);
    loop {
        let read = stream.read(&mut some).await.unwrap_or(0);
        request.extend(some.get(..read).filter(|read| !read.is_empty())?);
        if let Some(at) = request.windows(4).position(|bytes| bytes == b"\r\n\r\n") {
            return Some((request, at + 4));
        }
    }
}

async fn body(mut stream: TcpStream) -> Option<String> {
    let (mut request, head) = head(&mut stream).await?;
    let text = String::from_utf8_lossy(&request).to_ascii_lowercase();
    let (_, rest) = text.split_once("content-length: ")?;
    let length: usize = rest.split("\r\n").next()?.parse().ok()?;
    let mut some = [0; 4096];
    while request.len() < head + length {
        let read = stream.read(&mut some).await.ok().filter(|read| *read > 0)?;
        request.extend(some.get(..read)?);
    }
    String::from_utf8(request.split_off(head)).ok()
}

async fn answer(mut stream: TcpStream, page: String, server: String) {
    let Some((request, _)) = head(&mut stream).await else { return };
    if request.starts_with(b"GET /page ") {
        let length = page.len();
        let answer = format!(
            "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: {length}\r\nConnection: close\r\n\r\n{page}"
        );
        _ = stream.write_all(answer.as_bytes()).await;
        return;
    }
    let mut to = TcpStream::connect(server).await.unwrap();
    to.write_all(&request).await.unwrap();
    _ = copy_bidirectional(&mut stream, &mut to).await;
}

/// Sends one request over its own connection. Returns the status and the body.
pub(super) async fn send(address: &str, method: &str, target: &str, head: &str, body: &str) -> (u16, String) {
    let mut stream = TcpStream::connect(address).await.unwrap();
    let length = body.len();
    let request = format!(
        "{method} {target} HTTP/1.1\r\nHost: {address}\r\nx-ms-version: 2019-02-02\r\n{head}\r\n\
         Content-Length: {length}\r\nConnection: close\r\n\r\n{body}"
    );
    stream.write_all(request.as_bytes()).await.unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).await.unwrap();
    let (head, body) = answer.split_once("\r\n\r\n").unwrap();
    let status = head.split(' ').nth(1).unwrap().parse().unwrap();
    // The chunks of a body that is sent in parts are separated by their sizes; the JSON is one of the lines.
    let json = body.lines().find(|line| line.starts_with(['{', '<']));
    (status, json.unwrap_or(body).to_owned())
}
