//! Clients that use all connections, or all processing time, do not stop others.

use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicUsize, Ordering},
    },
    time::Duration,
};

use futures_util::future::join_all;
use table_model::{Entity, Operation, Pending, Query, Segment, TableName, TableService};
use table_rest::{
    AccountName, ServiceKind,
    auth::AccountKey,
    server::{Limits, ServedAccount},
};
use table_store::Store;
use table_tests::forward;
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::{TcpSocket, TcpStream},
    time::timeout,
};

use super::site::{Site, answers, read_to_end};

const BOUND: Duration = Duration::from_secs(60);

const JSON: &str = "Accept: application/json\r\n";

/// Limits under which no connection ends because of time.
fn patient(connections: usize, per_address: usize, reserved: usize) -> Limits {
    Limits {
        connections,
        connections_per_address: per_address,
        reserved_connections: reserved,
        head_time: 10 * BOUND,
        idle_time: 10 * BOUND,
        ..Limits::default()
    }
}

/// Sends a signed request and reads the response. The connection stays open.
async fn ask(socket: &mut TcpStream) -> u16 {
    let head = Site::head(ServiceKind::Table, "GET", "/Tables", JSON);
    socket.write_all(format!("{head}\r\n").as_bytes()).await.unwrap();
    let mut read = Vec::new();
    while !read.ends_with(b"]}") {
        assert!(timeout(BOUND, socket.read_buf(&mut read)).await.unwrap().unwrap() > 0, "closed");
    }
    answers(&read).first().unwrap().status
}

#[tokio::test(flavor = "multi_thread")]
async fn silent_connections_make_room_for_those_with_credentials() {
    let site = Site::new(patient(8, 100, 2)).await;
    let mut silent = Vec::new();
    for number in 0..6 {
        // On the port of the client, because each port accepts in order.
        let mut one = site.connect(ServiceKind::Table).await;
        // Also within a head.
        if number % 2 == 1 {
            one.write_all(b"GET /a HTTP/1.1\r\nHost: ").await.unwrap();
        }
        silent.push(one);
    }
    let mut client = site.connect(ServiceKind::Table).await;
    assert_eq!(timeout(BOUND, ask(&mut client)).await.unwrap(), 200);
    assert!(read_to_end(silent.remove(0)).await.is_empty(), "the longest silence does not end first");
    // It keeps its place, although it has waited longer than the others.
    for _ in 0..30 {
        silent.push(site.connect(ServiceKind::Table).await);
    }
    let mut last = site.connect(ServiceKind::Table).await;
    assert_eq!(timeout(BOUND, ask(&mut last)).await.unwrap(), 200);
    assert_eq!(ask(&mut client).await, 200);
}

/// Connects from another loopback address.
async fn connect_from(site: &Site, address: &str) -> TcpStream {
    let socket = TcpSocket::new_v4().unwrap();
    socket.bind(format!("{address}:0").parse().unwrap()).unwrap();
    socket.connect(site.address(ServiceKind::Table)).await.unwrap()
}

#[cfg(target_os = "linux")]
#[tokio::test(flavor = "multi_thread")]
async fn one_address_does_not_use_all_connections() {
    let site = Site::new(patient(100, 3, 2)).await;
    let lines =
        format!("{JSON}Content-Type: application/json\r\nContent-Length: 9\r\nExpect: 100-continue\r\n");
    let mut busy = Vec::new();
    for _ in 0..3 {
        let mut one = connect_from(&site, "127.0.0.2").await;
        let head = Site::head(ServiceKind::Table, "POST", "/Tables", &lines);
        one.write_all(format!("{head}\r\n").as_bytes()).await.unwrap();
        let mut told = [0; 12];
        timeout(BOUND, one.read_exact(&mut told)).await.unwrap().unwrap();
        assert_eq!(&told, b"HTTP/1.1 100");
        busy.push(one);
    }
    assert!(read_to_end(connect_from(&site, "127.0.0.2").await).await.is_empty());
    let mut other = connect_from(&site, "127.0.0.3").await;
    assert_eq!(ask(&mut other).await, 200);
}

/// A table service that reads one entity in each slice.
#[derive(Debug)]
struct Sliced {
    store: Store,
    slices: AtomicUsize,
    /// Until this is `true`, the slices start again at the end of the table.
    may_end: Arc<AtomicBool>,
}

impl TableService for Sliced {
    forward!(self, to self.store => capabilities create_table delete_table list_tables find execute transact);

    fn query<'a>(&'a self, table: &'a TableName, query: Query) -> Pending<'a, Segment> {
        Box::pin(async move {
            assert!(query.read_bytes.is_some(), "the size of a slice is not limited");
            self.slices.fetch_add(1, Ordering::SeqCst);
            let mut again = query.clone().read_bytes(1);
            let mut segment = self.store.query(table, query.read_bytes(1)).await?;
            if segment.continuation.is_none() && !self.may_end.load(Ordering::SeqCst) {
                again.continuation = None;
                segment = self.store.query(table, again).await?;
            }
            Ok(segment)
        })
    }
}

async fn account(name: &AccountName, may_end: &Arc<AtomicBool>) -> (ServedAccount, Arc<Sliced>) {
    let store = Store::in_memory().unwrap();
    let table = "people".parse().unwrap();
    store.create_table(&table).await.unwrap();
    for row in 0..5 {
        let entity = Entity::new(format!("p{row}"), "").with("Age", row);
        store.execute(&table, &Operation::Insert(entity)).await.unwrap();
    }
    let mut account = ServedAccount::new(name.clone(), vec![AccountKey::emulator()], store.clone());
    let (slices, may_end) = (AtomicUsize::new(0), Arc::clone(may_end));
    let service = Arc::new(Sliced { store, slices, may_end });
    account.tables = Arc::<Sliced>::clone(&service);
    (account, service)
}

#[tokio::test(flavor = "multi_thread")]
async fn scans_of_one_account_do_not_delay_those_of_another() {
    const SCANS: usize = 8;
    let (one, two): (AccountName, AccountName) = ("first".parse().unwrap(), "second".parse().unwrap());
    let (is_over, always) = (Arc::new(AtomicBool::new(false)), Arc::new(AtomicBool::new(true)));
    let (first, scanned) = account(&one, &is_over).await;
    let (second, slices) = account(&two, &always).await;
    let site = Site::of_accounts([first, second], Limits { scans: 1, ..Limits::default() }).await;
    let ended = AtomicUsize::new(0);
    let scan = |account: &AccountName| {
        let lines = format!("{JSON}Connection: close\r\n");
        let request = (ServiceKind::Table, "GET", "/people?$filter=Age%20gt%203");
        let head = Site::head_of(account, &AccountKey::emulator(), request, &lines);
        let site = &site;
        async move { site.say(ServiceKind::Table, &format!("{head}\r\n")).await }
    };
    let endless = join_all((0..SCANS).map(|_| async {
        let said = scan(&one).await;
        ended.fetch_add(1, Ordering::SeqCst);
        said
    }));
    let other = async {
        while scanned.slices.load(Ordering::SeqCst) < 3 * SCANS {
            tokio::task::yield_now().await;
        }
        let said = scan(&two).await;
        let ended = ended.load(Ordering::SeqCst);
        is_over.store(true, Ordering::SeqCst);
        (said, ended)
    };
    let (endless, (said, ended)) = tokio::join!(endless, other);
    assert!(matches!(&*said, [one] if one.status == 200 && one.body.contains("\"Age\":4")), "{said:?}");
    assert_eq!(ended, 0, "the scan waited for a page of the other account");
    assert_eq!(slices.slices.load(Ordering::SeqCst), 5);
    assert!(endless.iter().all(|said| matches!(&**said, [one] if one.status == 200)), "{endless:?}");
}
