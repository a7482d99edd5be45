//! A proxy that closes the connection at the bytes of a write and of its response.

use std::{
    io::{self, Read as _, Write as _},
    net::{Shutdown, SocketAddr, TcpListener, TcpStream},
    sync::{
        Arc,
        atomic::{AtomicI64, Ordering},
    },
    thread,
};

use table_model::{Condition, Entity, Operation, TableService};
use table_postgres::PostgresOptions;
use table_proofs::clients::Database;

use super::{Outcome, database, number, table, upsert};

/// Forwards connections. Each direction forwards a number of bytes, and then closes its connection.
#[derive(Clone)]
pub(super) struct Proxy {
    server: SocketAddr,
    /// Remaining bytes of the requests and of the responses; negative: no limit.
    pub(super) left: [Arc<AtomicI64>; 2],
}

impl Proxy {
    /// Starts it before a database. Returns the address of the database through it.
    pub(super) fn start(database: &Database) -> io::Result<(Self, String)> {
        let server = SocketAddr::from(([127, 0, 0, 1], database.port()));
        let listener = TcpListener::bind("127.0.0.1:0")?;
        let through = format!(":{}/", listener.local_addr()?.port());
        let url = database.url().replace(&format!(":{}/", database.port()), &through);
        let proxy = Self { server, left: [Arc::new(AtomicI64::new(-1)), Arc::new(AtomicI64::new(-1))] };
        let accepting = proxy.clone();
        thread::spawn(move || {
            for client in listener.incoming().flatten() {
                if let Ok(server) = TcpStream::connect(accepting.server) {
                    let [requests, responses] = accepting.left.clone();
                    pump(&client, &server, requests);
                    pump(&server, &client, responses);
                }
            }
        });
        Ok((proxy, url))
    }
}

fn pump(from: &TcpStream, to: &TcpStream, left: Arc<AtomicI64>) {
    let (mut from, mut to) = (from.try_clone().expect("a socket"), to.try_clone().expect("a socket"));
    let _ = (from.set_nodelay(true), to.set_nodelay(true));
    thread::spawn(move || {
        let mut buffer = [0; 8192];
        while let Ok(count @ 1..) = from.read(&mut buffer) {
            let limit = left.load(Ordering::SeqCst);
            let passes = usize::try_from(limit).map_or(count, |limit| limit.min(count));
            if to.write_all(&buffer[..passes]).is_err() || passes < count {
                // Later connections are not cut.
                left.store(-1, Ordering::SeqCst);
                break;
            }
            if limit >= 0 {
                left.fetch_sub(i64::try_from(passes).unwrap_or(0), Ordering::SeqCst);
            }
        }
        let _ = (from.shutdown(Shutdown::Both), to.shutdown(Shutdown::Both));
    });
}

#[tokio::test(flavor = "multi_thread")]
async fn a_write_that_is_cut_anywhere_is_whole_and_not_misreported() -> Outcome {
    let database = database!();
    let (proxy, url) = Proxy::start(&database)?;
    let service = PostgresOptions::new(&url)?.connections(1).connect().await?;
    let table = table(&service, "Cut").await?;
    let mut outcomes = [0; 3];
    let mut n = 0;
    for kind in 0..3 {
        for direction in 0..2 {
            // Until a write passes without a cut.
            // Each byte of a transaction, every fifth one of the others.
            for cut in (0..).step_by(if kind == 1 { 1 } else { 5 }) {
                let operations = |number: i64| match kind {
                    0 => vec![upsert("p", "a", number)],
                    1 => vec![upsert("p", "a", number), upsert("p", "b", number)],
                    _ => vec![
                        Operation::Merge(Entity::new("p", "a").with("N", number), Condition::Exists),
                        upsert("p", "b", number),
                    ],
                };
                let write = |number: i64| {
                    let (service, table, operations) = (service.clone(), table.clone(), operations(number));
                    async move {
                        match operations.as_slice() {
                            [one] => service.execute(&table, one).await.map(drop),
                            several => service.transact(&table, several).await.map(drop),
                        }
                    }
                };
                // Prepares the statements on the current connection. The last cut can close it later than its write ended.
                for tries in 0.. {
                    n += 1;
                    match write(n).await {
                        Ok(()) => break,
                        Err(error) if tries == 5 => return Err(error.into()),
                        Err(_) => {}
                    }
                }
                n += 1;
                proxy.left[direction].store(cut, Ordering::SeqCst);
                let result = write(n).await;
                let was_cut = proxy.left[direction].swap(-1, Ordering::SeqCst) < 0;
                let a = number(&service, &table, "p", "a").await?;
                match &result {
                    Ok(()) => {
                        outcomes[0] += 1;
                        assert_eq!(a, Some(n), "acknowledged, but lost: kind {kind}, cut {cut}");
                    }
                    Err(error) if error.is_outcome_unknown() => {
                        outcomes[1] += 1;
                        assert!(a == Some(n) || a == Some(n - 1), "kind {kind}, cut {cut}: {a:?} of {n}");
                    }
                    Err(error) => {
                        outcomes[2] += 1;
                        assert_eq!(a, Some(n - 1), "kind {kind}, cut {cut}: {error}");
                    }
                }
                if kind > 0 {
                    assert_eq!(
                        number(&service, &table, "p", "b").await?,
                        a,
                        "a part: kind {kind}, cut {cut}"
                    );
                }
                if !was_cut {
                    assert!(cut > 30, "nothing was cut");
                    break;
                }
            }
        }
    }
    println!("{} acknowledged, {} unknown, {} refused", outcomes[0], outcomes[1], outcomes[2]);
    assert!(outcomes[0] > 10 && outcomes[1] > 10, "{outcomes:?}");
    Ok(())
}
