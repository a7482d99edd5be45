//! The measured servers, each in a separate process.

use std::{
    convert::Infallible,
    env,
    io::Write as _,
    path::{Path, PathBuf},
    process::Stdio,
    time::{Duration, Instant},
};

use bytes::Bytes;
use http::{Request, Response};
use http_body_util::Full;
use hyper::{body::Incoming, server::conn::http1, service::service_fn};
use hyper_util::rt::TokioIo;
use table_rest::{
    AccountName, ServiceKind,
    auth::{AccountKey, Authorization, SignedRequest},
    server::{ServedAccount, Server},
    wire::query_string::QueryString,
};
use table_store::Store;
use tokio::{
    io::{AsyncBufReadExt as _, BufReader},
    net::TcpListener,
    process::{Child, Command},
};

use crate::Outcome;

/// A running server.
pub struct Running {
    pub port: u16,
    /// The port of the blob service, or 0.
    pub blob_port: u16,
    pub process: u32,
    /// Time from the start until the server reported its address.
    pub started: Duration,
    child: Child,
}

impl Running {
    /// Stops the server and waits for its exit.
    pub async fn end(mut self) -> Outcome {
        Ok(self.child.kill().await?)
    }
}

/// Starts the server of this project, with a store in a directory.
pub async fn start_ours(data: &Path) -> Outcome<Running> {
    let mut command = Command::new(env::current_exe()?);
    command.args(["child", "ours"]).arg(data);
    started(command, 0).await
}

/// Starts the server of this project with the accounts of the emulator and of the abuser.
pub async fn start_shared(data: &Path) -> Outcome<Running> {
    let mut command = Command::new(env::current_exe()?);
    command.args(["child", "shared"]).arg(data);
    started(command, 0).await
}

/// Starts a server that checks signatures and returns the same bytes for every request.
pub async fn start_bare() -> Outcome<Running> {
    let mut command = Command::new(env::current_exe()?);
    command.args(["child", "bare"]);
    started(command, 0).await
}

/// Starts the table service of Azurite, with its data in a directory.
pub async fn start_azurite(data: &Path) -> Outcome<Running> {
    let installed = azurite();
    if !installed.exists() {
        return Err(
            format!("no Azurite at {}: run the tests once, or set AZURITE", installed.display()).into()
        );
    }
    let port = TcpListener::bind("127.0.0.1:0").await?.local_addr()?.port();
    let mut command = Command::new("node");
    command.arg(installed).args(["--silent", "--skipApiVersionCheck", "--location"]).arg(data);
    command.arg("--tablePort").arg(port.to_string());
    started(command, port).await
}

/// Returns the path at which the tests install Azurite, or the value of AZURITE.
fn azurite() -> PathBuf {
    let usual = "../../target/clients/azurite/node_modules/azurite/dist/src/table/main.js";
    env::var_os("AZURITE").map_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join(usual), PathBuf::from)
}

/// Waits until the server reports its address. Servers of this program print their port; Azurite listens when it prints
/// its first line.
async fn started(mut command: Command, port: u16) -> Outcome<Running> {
    let begin = Instant::now();
    let mut child = command
        .stdout(Stdio::piped())
        .stderr(Stdio::inherit())
        .stdin(Stdio::null())
        .kill_on_drop(true)
        .spawn()?;
    let output = child.stdout.take().ok_or("no output")?;
    let line = BufReader::new(output).lines().next_line().await?.ok_or("the server has ended")?;
    let started = begin.elapsed();
    let mut printed = line.split_whitespace();
    let port = if port == 0 { printed.next().ok_or("no port")?.parse()? } else { port };
    let blob_port = printed.next().and_then(|port| port.parse().ok()).unwrap_or_default();
    let process = child.id().ok_or("the server has ended")?;
    while tokio::net::TcpStream::connect(("127.0.0.1", port)).await.is_err() {
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    Ok(Running { port, blob_port, process, started, child })
}

/// Serves a store until the process is killed.
pub async fn ours(data: &Path) -> Outcome {
    let store = Store::open(data.join("bench.tables"))?;
    let account = ServedAccount::new(AccountName::emulator(), vec![AccountKey::emulator()], store);
    let server = Server::builder().account(account).bind().await?;
    say(server.address(ServiceKind::Table).port())?;
    std::future::pending().await
}

/// Serves two accounts until the process is killed.
pub async fn shared(data: &Path) -> Outcome {
    let mut server = Server::builder();
    for name in [AccountName::emulator(), "abuser".parse()?] {
        let store = Store::open(data.join(format!("{name}.tables")))?;
        server = server.account(ServedAccount::new(name, vec![AccountKey::emulator()], store));
    }
    let server = server.bind().await?;
    let (table, blob) = (server.address(ServiceKind::Table), server.address(ServiceKind::Blob));
    say_line(&format!("{} {}", table.port(), blob.port()))?;
    std::future::pending().await
}

/// The response to a GET of one entity.
const ANSWER: &str = r#"{"odata.metadata":"http://127.0.0.1:10002/devstoreaccount1/$metadata#bench/@Element","odata.etag":"W/\"datetime'2024-03-01T00%3A00%3A00.1234567Z'\"","PartitionKey":"p000000","RowKey":"empid_0000000000","Timestamp":"2024-03-01T00:00:00.1234567Z","FirstName":"Name 0","LastName":"Jones","Email":"jones0@contoso.com","Age":18,"Hired@odata.type":"Edm.DateTime","Hired":"2014-08-22T00:50:32.1234567Z","Badge@odata.type":"Edm.Int64","Badge":"0"}"#;

/// Checks the signature of each request and responds: the minimal work of any server for this protocol on this HTTP
/// library.
pub async fn bare() -> Outcome {
    let listener = TcpListener::bind("127.0.0.1:0").await?;
    say(listener.local_addr()?.port())?;
    loop {
        let (stream, _) = listener.accept().await?;
        stream.set_nodelay(true)?;
        tokio::spawn(async move {
            let key = AccountKey::emulator();
            let service =
                service_fn(|request| std::future::ready(Ok::<_, Infallible>(checked(&request, &key))));
            http1::Builder::new().serve_connection(TokioIo::new(stream), service).await
        });
    }
}

fn checked(request: &Request<Incoming>, key: &AccountKey) -> Response<Full<Bytes>> {
    let is_signed = || {
        let value = request.headers().get("authorization")?.to_str().ok()?;
        let authorization = Authorization::read(value).ok()?;
        let query = QueryString::parse(request.uri().query().unwrap_or_default()).ok()?;
        let signed = SignedRequest {
            kind: ServiceKind::Table,
            account: authorization.account,
            method: request.method(),
            path: request.uri().path(),
            query: &query,
            headers: request.headers(),
        };
        Some(key.verify(&signed.string_to_sign(authorization.scheme), authorization.signature))
    };
    let mut response = Response::new(Full::new(Bytes::from_static(ANSWER.as_bytes())));
    if is_signed() != Some(true) {
        *response.status_mut() = http::StatusCode::FORBIDDEN;
    }
    response
}

fn say(port: u16) -> Outcome {
    say_line(&port.to_string())
}

fn say_line(line: &str) -> Outcome {
    let mut output = std::io::stdout();
    writeln!(output, "{line}")?;
    output.flush()?;
    Ok(())
}
