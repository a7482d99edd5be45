//! The commands with a design, one after the other, while programs write the same entities of a database.

use std::{
    collections::BTreeSet,
    fmt::Write as _,
    fs,
    io::{BufRead as _, BufReader, Read as _, Write as _},
    net::TcpStream,
    path::Path,
    process::{Command, Stdio},
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicU32, Ordering::Relaxed},
    },
};

use table_patterns::prelude::*;
use table_proofs::command;

use super::{
    Error, Outcome,
    commands::{Server, run},
    database,
};

#[derive(TableEntity, Clone, Debug)]
#[table(name = "Orders", partition = "{customer:04}", row = "order_{number:06}")]
#[table(index(by_reference, partition = "ref_{reference}", row = "order", unique))]
#[table(index(by_status, row = "status_{status}_{number:06}"))]
struct Order {
    customer: u32,
    number: u32,
    reference: String,
    status: String,
    ends: Option<Timestamp>,
}

const OLDER: &str = r#"
tables = 1
design = "orders"

[entity.Order]
table = "Orders"
partition = "{customer:04}"
row = "order_{number:06}"
entity_type = "always"
expires = "ends"
index.by_reference = { partition = "ref_{reference}", row = "order", unique = true }
[entity.Order.fields]
customer = "u32"
number = "u32"
reference = "string"
status = "string"
ends = "datetime?"

[query.order]
find = "Order"
where = "customer = ? and number = ?"
rate = "5/s"

[load.Order]
count = 1000
insert = "1/s"
"#;

/// The orders of the file belong to customers that no program writes.
const IMPORTED: u32 = 300;

/// Inserts, replaces and deletes the same orders until the end: the table must not grow faster than a command reads it.
/// Returns the number of orders that remain.
async fn write(url: String, customer: u32, written: Arc<AtomicU32>, ended: Arc<AtomicBool>) -> Result<usize> {
    let tables = Tables::postgres(&url).await?;
    let tables = if customer % 2 == 1 { tables.with_deferred_updates() } else { tables };
    let mut stored = BTreeSet::new();
    for number in (0..60).cycle() {
        if ended.load(Relaxed) {
            break;
        }
        let point = Order::point(customer, number);
        if stored.remove(&number) {
            tables.delete_at(point.clone()).await?;
        }
        let reference = format!("{customer}-{number}");
        tables
            .insert(&Order {
                customer,
                number,
                reference: reference.clone(),
                status: "open".into(),
                ends: None,
            })
            .await?;
        let mut order = point.get(&tables).await?.expect("the order");
        (order.status, order.reference) = ("paid".into(), format!("{reference}-paid"));
        tables.replace(&order).await?;
        if number % 3 == 0 {
            tables.delete_at(point).await?;
        } else {
            stored.insert(number);
        }
        written.fetch_add(1, Relaxed);
    }
    Ok(stored.len())
}

/// Calls tools of `tables mcp`. Returns its last response.
fn mcp(program: &Path, store: &str, calls: &[&str]) -> Result<String, Error> {
    let mut command = Command::new(program);
    let mut child = command
        .args(["mcp", "--write", "--store", store])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()?;
    let mut input = child.stdin.take().expect("an input");
    let mut output = BufReader::new(child.stdout.take().expect("an output"));
    let start = r#""method":"initialize","params":{"protocolVersion":"2024-11-05","capabilities":{},"clientInfo":{"name":"t","version":"1"}}"#;
    let mut answer = String::new();
    let mut ask = |request: &str| -> Result<(), Error> {
        writeln!(input, r#"{{"jsonrpc":"2.0","id":1,{request}}}"#)?;
        answer.clear();
        output.read_line(&mut answer)?;
        Ok(())
    };
    ask(start)?;
    for call in calls {
        ask(&format!(r#""method":"tools/call","params":{call}"#))?;
    }
    drop(input);
    assert!(child.wait()?.success());
    Ok(answer)
}

/// Sends a request to the explorer as a browser does. Returns the response.
fn request(host: &str, cookie: &str, line: &str, body: &str) -> Result<String, Error> {
    let mut socket = TcpStream::connect(host)?;
    write!(
        socket,
        "{line} HTTP/1.1\r\nHost: {host}\r\nOrigin: http://{host}\r\nCookie: {cookie}\r\nConnection: close\r\n\
         Content-Length: {}\r\n\r\n{body}",
        body.len()
    )?;
    let mut response = String::new();
    socket.read_to_string(&mut response)?;
    Ok(response)
}

/// Inserts an entity by the form of the explorer.
fn explore(program: &Path, store: &str) -> Outcome {
    let mut command = Command::new(program);
    let mut child = command
        .args(["explore", "--write", "--port", "0", "--store", store])
        .stdout(Stdio::piped())
        .spawn()?;
    let mut line = String::new();
    BufReader::new(child.stdout.take().expect("an output")).read_line(&mut line)?;
    let (_, address) = line.trim().split_once("http://").expect("an address");
    let (host, start) = address.split_once('/').expect("a path");
    let between = |text: &str, before: &str, after: &str| {
        let (_, rest) = text.split_once(before).unwrap_or_else(|| panic!("no {before} in {text}"));
        rest.split_once(after).expect("an end").0.to_owned()
    };
    let cookie = between(&request(host, "", &format!("GET /{start}"), "")?, "set-cookie: ", ";");
    let form = request(host, &cookie, "GET /t/Notes/new", "")?;
    let token = between(&form, "name=\"form-token\" value=\"", "\"");
    // The data is not in a file of this machine, so the explorer asks for the name of the schema.
    let body = format!(
        "form-token={token}&entity=&pk=a&rk=b&name=Text&was=&kind=String&text=by+hand&do=insert&account-typed=table_patterns"
    );
    let inserted = request(host, &cookie, "POST /t/Notes/new", &body)?;
    assert!(inserted.starts_with("HTTP/1.1 303"), "{inserted}");
    Command::new("kill").arg(child.id().to_string()).status()?;
    assert!(child.wait()?.success());
    Ok(())
}

/// Writes the designs, and a file of orders without index rows, of which every tenth has expired.
fn write_files(folder: &Path) -> Result<[String; 3], Error> {
    let path = |name: &str| folder.join(name).to_str().expect("a path").to_owned();
    let [older, newer, rows] = ["older.toml", "newer.toml", "rows.csv"].map(path);
    fs::write(&older, OLDER)?;
    let index = "index.by_status = { row = \"status_{status}_{number:06}\" }\n[entity.Order.fields]";
    fs::write(&newer, OLDER.replacen("[entity.Order.fields]", index, 1))?;
    let mut lines = "PartitionKey,RowKey,EntityType,customer,customer@type,number,number@type,reference,status,ends,ends@type\n".to_owned();
    for number in 0..IMPORTED {
        let (customer, year) = (9000 + number % 3, if number % 10 == 0 { 2020 } else { 2099 });
        writeln!(
            lines,
            "{customer},order_{number:06},Order,{customer},Int64,{number},Int64,old-{number},open,{year}-01-01T00:00:00Z,DateTime"
        )?;
    }
    fs::write(&rows, lines)?;
    Ok([older, newer, rows])
}

#[tokio::test(flavor = "multi_thread")]
async fn commands_with_a_design_work_beside_writers() -> Outcome {
    let database = database!();
    let (program, folder) = (command::build()?, tempfile::tempdir()?);
    let [older, newer, rows] = write_files(folder.path())?;
    let (store, trace) = (database.url(), folder.path().join("trace.jsonl"));
    let (trace, out) = (trace.to_str().expect("a path"), folder.path().join("orders.jsonl"));
    let out = out.to_str().expect("a path");
    let (written, ended) = (Arc::new(AtomicU32::new(0)), Arc::new(AtomicBool::new(false)));
    let writers: Vec<_> = (1..=3)
        .map(|customer| tokio::spawn(write(store.clone(), customer, written.clone(), ended.clone())))
        .collect();
    let check = |words: &[&str], code: i32, part: &str| -> Result<String, Error> {
        let before = written.load(Relaxed);
        let (found, text) = run(&program, words)?;
        assert!(found == Some(code) && text.contains(part), "{words:?}: {found:?} {text}");
        println!("{}: {} orders meanwhile", words[0], written.load(Relaxed) - before);
        Ok(text)
    };
    let (at, of) = (["--store", store.as_str()], ["--design", newer.as_str()]);
    let on = |words: &[&str], code: i32, part: &str| check(&[words, &at].concat(), code, part);
    let designed = |words: &[&str], code: i32, part: &str| on(&[words, &of].concat(), code, part);

    on(&["import", &rows, "--table", "Orders"], 0, "imported 300 entities")?;
    on(&["versions"], 0, "Order")?;
    designed(&["verify"], 1, "missing     by_reference")?;
    designed(&["reindex", "Order", "by_reference"], 0, "rows written")?;
    designed(&["migrate", "--from", &older, "--dry-run"], 3, "0 of 4 steps done")?;
    designed(&["migrate", "--from", &older, "--done", "1"], 0, "the migration is complete")?;
    designed(&["expire", "Order", "--dry-run"], 0, "30 entities to delete")?;
    designed(&["expire", "Order"], 0, "30 entities deleted")?;
    designed(&["verify", "--repair"], 0, "no differences")?;
    on(&["stats", "Orders", "--scan"], 0, "Edm.DateTime")?;
    on(&["export", "Orders", "--output", out], 0, "exported")?;
    on(&["query", "Orders", "--partition", "9001", "--row", "order_000001"], 0, "old-1")?;
    check(&["advise", &newer, "--observe", &store], 0, "Order")?;
    check(&["copy", &store, &format!("{out}.tables"), "--table", "Notes"], 1, "TableNotFound")?;
    let upsert = r#"{"name":"upsert_entity","arguments":{"table":"Notes","partition":"a","row":"m","properties":{"N":7}}}"#;
    let get = r#"{"name":"get_entity","arguments":{"table":"Notes","partition":"a","row":"m"}}"#;
    on(&["import", &rows, "--table", "Notes"], 0, "imported")?;
    let answer = mcp(&program, &store, &[upsert, get])?;
    assert!(answer.contains("\"isError\":false") && answer.contains('7'), "{answer}");
    explore(&program, &store)?;
    on(&["query", "Notes", "--partition", "a", "--row", "b"], 0, "by hand")?;

    let server = Server::start_with(&program, &store, &["--record", trace, "--record-design", &newer])?;
    let point = ["query", "Orders", "--partition", "9001", "--row", "order_000001", "--store"];
    check(&[&point[..], &[&server.connection]].concat(), 0, "old-1")?;
    server.stop()?;
    check(&["advise", &newer, "--trace", trace], 0, "1 request")?;

    ended.store(true, Relaxed);
    let mut remaining = IMPORTED as usize - 30;
    for writer in writers {
        remaining += writer.await??;
    }
    assert!(written.load(Relaxed) > 100, "the writers were too slow");
    designed(&["verify", "--repair"], 0, "")?;
    designed(
        &["verify"],
        0,
        &format!("Order: {remaining} entities, {} index rows: no differences", 2 * remaining),
    )?;
    Ok(())
}
