//! The commands on a database, and two servers on one schema.

use std::{
    io::{BufRead as _, BufReader, Read as _, Write as _},
    net::TcpStream,
    path::Path,
    process::{Child, Command, Stdio},
    time::{Duration, Instant},
};

use futures_util::future::try_join_all;
use table_model::{
    BlobService, Condition, Entity, ErrorCode, Metadata, Operation, Query, TableName, TableService, Value,
    blob::{BlobAddress, ContainerName, PutBlob, ReadBlob},
};
use table_proofs::command;
use table_rest::client::Account;
use table_store::Store;

use super::{Error, Outcome, database};

/// Runs the command. Returns its exit code and its complete output.
pub(super) fn run(program: &Path, words: &[&str]) -> Result<(Option<i32>, String), Error> {
    let output = Command::new(program).args(words).env_remove("TABLES_STORE").output()?;
    let text = [output.stdout, output.stderr].concat();
    Ok((output.status.code(), String::from_utf8(text)?))
}

/// A server on free ports. It is killed when it is dropped.
pub(super) struct Server {
    child: Child,
    pub(super) connection: String,
    metrics: String,
}

impl Server {
    pub(super) fn start(program: &Path, store: &str) -> Result<Self, Error> {
        Self::start_with(program, store, &[])
    }

    /// Starts a server with more arguments.
    pub(super) fn start_with(program: &Path, store: &str, more: &[&str]) -> Result<Self, Error> {
        let mut command = Command::new(program);
        command.args([
            "serve",
            "--store",
            store,
            "--blob-port",
            "0",
            "--queue-port",
            "0",
            "--table-port",
            "0",
        ]);
        command.args(["--metrics-port", "0"]).args(more);
        let mut child = command.stdout(Stdio::piped()).spawn()?;
        let (mut connection, mut metrics) = (String::new(), String::new());
        for line in BufReader::new(child.stdout.take().expect("an output")).lines() {
            let line = line?;
            match line.split_once(' ') {
                Some(("connect", value)) => value.trim().clone_into(&mut connection),
                Some(("metrics", value)) => value.trim().clone_into(&mut metrics),
                Some(("ready", _)) => return Ok(Self { child, connection, metrics }),
                _ => {}
            }
        }
        panic!("the server ended with {:?}", child.wait()?)
    }

    /// Ends the server as its users do.
    pub(super) fn stop(mut self) -> Result<(), Error> {
        Command::new("kill").arg(self.child.id().to_string()).status()?;
        assert!(self.child.wait()?.success());
        Ok(())
    }

    fn account(&self) -> Account {
        Account::from_connection_string(&self.connection).expect("a connection string")
    }

    /// Requests a document of the metrics port. Returns the response with its status.
    fn get(&self, path: &str) -> String {
        let address = self.metrics.strip_prefix("http://").and_then(|rest| rest.split('/').next());
        let mut socket = TcpStream::connect(address.expect("an address")).expect("a connection");
        write!(socket, "GET {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n").expect("sent");
        let mut response = String::new();
        socket.read_to_string(&mut response).expect("a response");
        response
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = (self.child.kill(), self.child.wait());
    }
}

/// Commands with their exit codes and a part of their outputs, in this order.
#[test]
fn commands_work_on_a_database_or_name_a_remedy() -> Outcome {
    let database = database!();
    let (program, folder) = (command::build()?, tempfile::tempdir()?);
    let rows = folder.path().join("rows.csv");
    std::fs::write(&rows, "PartitionKey,RowKey,Age\nSales,1,30\nSales,2,31\n")?;
    let (rows, new) = (rows.to_str().expect("a path"), folder.path().join("new"));
    let new = new.to_str().expect("a path");
    let store = database.url().replace("tables@", "tables:s3cr3t@") + "&schema=orders";
    let cases: [(&[&str], i32, &str); 14] = [
        (&["query", "Rows", "--top", "1"], 1, "no such schema with tables"),
        (&["import", rows, "--table", "Rows"], 0, "2"),
        (&["query", "Rows", "--partition", "Sales", "--row", "2"], 0, "31"),
        (&["query", "Rows", "--filter", "Age eq '31'", "--scan"], 0, "Sales"),
        (&["export", "Rows", "--format", "jsonl"], 0, "\"RowKey\":\"2\""),
        (&["stats", "--scan"], 0, "Rows"),
        (&["versions"], 0, "Rows"),
        (&["query", "Missing", "--top", "1"], 1, "TableNotFound"),
        (&["backup", new], 1, "pg_dump"),
        (&["compact"], 1, "VACUUM FULL"),
        (&["scrub"], 1, "pg_amcheck"),
        (&["salvage", new], 1, "promote a standby"),
        (&["stats", "--account", "acme"], 1, "{account}"),
        (&["import", rows, "--table", "Rows", "--end-kept-log"], 1, "WAL"),
    ];
    for (words, code, part) in cases {
        let (found, text) = run(&program, &[words, &["--store", &store]].concat())?;
        assert_eq!(found, Some(code), "{words:?}: {text}");
        assert!(text.contains(part) && !text.contains("s3cr3t"), "{words:?}: {text}");
    }
    let (code, text) = run(&program, &["query", &store])?;
    assert!(code == Some(2) && !text.contains("s3cr3t"), "{text}");
    let (code, text) = run(&program, &["restore", &store, new, "--log", new])?;
    assert!(code == Some(1) && text.contains("pg_restore") && !text.contains("s3cr3t"), "{text}");
    let away = "postgres://tables:s3cr3t@127.0.0.1:1/postgres";
    let (code, text) = run(&program, &["stats", "--store", away])?;
    assert!(code == Some(1) && text.contains("postgres://tables@127.0.0.1:1/postgres"), "{text}");
    assert!(!text.contains("s3cr3t"), "{text}");
    Ok(())
}

/// A store's file moves to a database, and back.
#[tokio::test(flavor = "multi_thread")]
async fn a_copy_to_a_database_and_back_is_equal() -> Outcome {
    let database = database!();
    let (program, folder) = (command::build()?, tempfile::tempdir()?);
    let path = |name: &str| folder.path().join(name).to_str().expect("a path").to_owned();
    let (file, back, store) = (path("company.tables"), path("back.tables"), database.url());
    let source = Store::open(&file)?;
    let (table, photos) = ("Rows".parse::<TableName>()?, "photos".parse::<ContainerName>()?);
    source.create_table(&table).await?;
    for n in 0..300_i64 {
        let entity =
            Entity::new(format!("p{}", n % 3), format!("{n:03}")).with("N", n).with("Text", "é\u{1F600}");
        source.execute(&table, &Operation::Insert(entity)).await?;
    }
    source.create_container(&photos, Metadata::new()).await?;
    let photo = BlobAddress::new("photos", "one")?;
    let content: Vec<u8> = (0..600_000_u32).map(|n| (n % 251) as u8).collect();
    source.put_blob(&photo, content.clone().into(), PutBlob::new()).await?;
    source.close().await?;
    let copies = [[&file, &store], [&store, &back]];
    for [from, to] in copies {
        for words in [&["copy", from, to][..], &["copy", from, to, "--compare"]] {
            let (code, text) = run(&program, words)?;
            assert_eq!(code, Some(0), "{words:?}: {text}");
        }
    }
    let back = Store::open(&back)?;
    assert_eq!(back.get_blob(&photo, ReadBlob::new()).await?, content);
    back.close().await?;
    let (code, text) = run(&program, &["copy", &store, &store])?;
    assert!(code != Some(0) && text.contains("the same"), "{text}");
    Ok(())
}

/// Clients of two servers increment one number. Then one server is killed, and the other one continues.
#[tokio::test(flavor = "multi_thread")]
async fn two_servers_share_a_database() -> Outcome {
    let mut database = database!();
    let program = command::build()?;
    let one = Server::start(&program, &database.url())?;
    let other = Server::start(&program, &database.url())?;
    let services = [one.account().tables()?, other.account().tables()?];
    let table: TableName = "Counters".parse()?;
    services[0].create_table(&table).await?;
    let counter = |n: i64| Entity::new("p", "r").with("N", n);
    services[0].execute(&table, &Operation::Insert(counter(0))).await?;
    let increments = (0..4_usize).map(|task| {
        let (service, table) = (services[task % 2].clone(), table.clone());
        tokio::spawn(async move {
            for _ in 0..15 {
                loop {
                    let found = service.get(&table, "p", "r", None).await?.expect("the counter");
                    let Some(Value::Int64(n)) = found.properties.get("N") else { panic!("{found:?}") };
                    let replace = Operation::Replace(counter(n + 1), Condition::Matches(found.etag));
                    match service.execute(&table, &replace).await {
                        Ok(_) => break,
                        Err(error) if error.code() == ErrorCode::UpdateConditionNotSatisfied => {}
                        Err(error) => return Err(error),
                    }
                }
            }
            Ok(())
        })
    });
    for result in try_join_all(increments).await? {
        result?;
    }
    drop(one);
    let row = services[1].get(&table, "p", "r", None).await?.expect("the counter");
    assert_eq!(row.properties.get("N"), Some(&Value::Int64(60)));

    let metrics = other.get("/metrics");
    for part in ["tables_database_up{account=\"devstoreaccount1\"} 1", "outcome=\"succeeded\""] {
        assert!(metrics.contains(part), "{part}: {metrics}");
    }
    assert!(other.get("/ready").starts_with("HTTP/1.1 200"));
    database.kill()?;
    // Its processes end by themselves, and respond until then.
    let begun = Instant::now();
    while !other.get("/ready").starts_with("HTTP/1.1 503") {
        assert!(begun.elapsed() < Duration::from_secs(30), "ready without a database");
    }
    database.start_again()?;
    assert!(other.get("/ready").starts_with("HTTP/1.1 200"));
    assert_eq!(services[1].query(&table, Query::new()).await?.rows.len(), 1);
    Ok(())
}
