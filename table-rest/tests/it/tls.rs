//! The server over TLS.

#![expect(clippy::unwrap_used, reason = "a helper of a test fails as a test does")]

use std::{sync::Arc, time::Duration};

use rcgen::{CertifiedKey, generate_simple_self_signed};
use rustls::{
    ClientConfig, RootCertStore, SupportedProtocolVersion,
    crypto::ring,
    pki_types::ServerName,
    version::{TLS12, TLS13},
};
use table_rest::{
    AccountName, ServiceKind,
    auth::AccountKey,
    server::{Identity, IdentityError, Limits, ServedAccount, Server},
};
use table_store::Store;
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
    time::timeout,
};
use tokio_rustls::{TlsConnector, client::TlsStream};

const BOUND: Duration = Duration::from_secs(30);

struct Files {
    folder: tempfile::TempDir,
    roots: RootCertStore,
}

impl Files {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let CertifiedKey { cert, signing_key } =
            generate_simple_self_signed([String::from("localhost")]).unwrap();
        std::fs::write(folder.path().join("cert.pem"), cert.pem()).unwrap();
        std::fs::write(folder.path().join("key.pem"), signing_key.serialize_pem()).unwrap();
        let mut roots = RootCertStore::empty();
        roots.add(cert.der().clone()).unwrap();
        Self { folder, roots }
    }

    fn identity(&self, cert: &str, key: &str) -> Result<Identity, IdentityError> {
        Identity::from_files(&self.folder.path().join(cert), &self.folder.path().join(key))
    }
}

async fn server(files: &Files) -> Server {
    let account = ServedAccount::new(
        AccountName::emulator(),
        vec![AccountKey::emulator()],
        Store::in_memory().unwrap(),
    );
    let limits = Limits { head_time: Duration::from_millis(200), ..Limits::default() };
    let identity = files.identity("cert.pem", "key.pem").unwrap();
    Server::builder().account(account).tls(identity).limits(limits).bind().await.unwrap()
}

async fn read_to_end(mut socket: impl AsyncReadExt + Unpin) -> String {
    let mut bytes = Vec::new();
    let _ = timeout(BOUND, socket.read_to_end(&mut bytes)).await.unwrap();
    String::from_utf8_lossy(&bytes).into_owned()
}

#[tokio::test]
async fn all_services_speak_it_in_both_versions() {
    let files = Files::new();
    let server = server(&files).await;
    for kind in ServiceKind::ALL {
        for version in [&TLS12, &TLS13] {
            let said = ask(&server, kind, version, &files).await;
            assert!(said.starts_with("HTTP/1.1 404 "), "{kind}: {said}");
        }
    }
}

/// Connects and completes the handshake.
async fn connect(
    server: &Server,
    kind: ServiceKind,
    version: &'static SupportedProtocolVersion,
    files: &Files,
) -> TlsStream<TcpStream> {
    let config = ClientConfig::builder_with_provider(Arc::new(ring::default_provider()))
        .with_protocol_versions(&[version])
        .unwrap()
        .with_root_certificates(files.roots.clone())
        .with_no_client_auth();
    let socket = TcpStream::connect(server.address(kind)).await.unwrap();
    let name = ServerName::try_from("localhost").unwrap();
    TlsConnector::from(Arc::new(config)).connect(name, socket).await.unwrap()
}

async fn ask(
    server: &Server,
    kind: ServiceKind,
    version: &'static SupportedProtocolVersion,
    files: &Files,
) -> String {
    let mut socket = connect(server, kind, version, files).await;
    let request = "GET /devstoreaccount1/a HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";
    socket.write_all(request.as_bytes()).await.unwrap();
    read_to_end(socket).await
}

/// Sends a byte every 5 ms until the server closes the connection, for up to a hundred times the head timeout.
async fn is_given_up(socket: impl AsyncReadExt + AsyncWriteExt + Unpin, bytes: &[u8]) {
    let (mut from, mut to) = tokio::io::split(socket);
    let drip = async {
        for byte in bytes.iter().cycle() {
            tokio::time::sleep(Duration::from_millis(5)).await;
            if to.write_all(&[*byte]).await.is_err() || to.flush().await.is_err() {
                break;
            }
        }
        std::future::pending::<()>().await;
    };
    let mut read = Vec::new();
    tokio::select! {
        () = drip => {}
        ended = timeout(BOUND, from.read_to_end(&mut read)) => assert!(ended.is_ok(), "never given up"),
    };
}

#[tokio::test]
async fn dripping_handshakes_and_heads_are_given_up() {
    let files = Files::new();
    let server = server(&files).await;
    // The start of a handshake of 16 KiB.
    let handshake = [&[0x16, 3, 1, 0x3f, 0xff, 1, 0, 0x3f, 0xfb, 3, 3][..], &[7; 16_000]].concat();
    is_given_up(TcpStream::connect(server.address(ServiceKind::Table)).await.unwrap(), &handshake).await;
    for version in [&TLS12, &TLS13] {
        // One record per byte.
        is_given_up(connect(&server, ServiceKind::Table, version, &files).await, b"G").await;
    }
}

#[tokio::test]
async fn who_does_not_speak_it_is_not_answered() {
    let files = Files::new();
    let server = server(&files).await;
    for said in ["GET /devstoreaccount1/a HTTP/1.1\r\nHost: localhost\r\n\r\n", ""] {
        let mut socket = TcpStream::connect(server.address(ServiceKind::Table)).await.unwrap();
        socket.write_all(said.as_bytes()).await.unwrap();
        assert!(!read_to_end(socket).await.contains("HTTP"));
    }
}

#[test]
fn files_that_are_no_identity_are_said_to_be_none() {
    let (files, other) = (Files::new(), Files::new());
    let error = |cert: &str, key: &str| files.identity(cert, key).unwrap_err();
    assert!(matches!(error("key.pem", "key.pem"), IdentityError::Certificate(_)));
    for (missing, what) in
        [(error("none.pem", "key.pem"), "certificate"), (error("cert.pem", "none.pem"), "key")]
    {
        let words = missing.to_string();
        assert!(words.starts_with(&format!("the {what} file ")), "{words}");
        assert!(words.ends_with("none.pem does not exist"), "{words}");
    }
    assert!(matches!(error("cert.pem", "cert.pem"), IdentityError::Key(_)));
    std::fs::copy(other.folder.path().join("key.pem"), files.folder.path().join("other.pem")).unwrap();
    assert!(matches!(error("cert.pem", "other.pem"), IdentityError::Unusable(_)));
}
