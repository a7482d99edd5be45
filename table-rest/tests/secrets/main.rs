//! No error, log entry, span or `Debug` output of the client and the server contains a credential, whatever fails.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on says why")]

mod echo;
mod witness;

use std::{collections::BTreeMap, fmt::Debug, sync::Arc};

use azure_core::http::{ClientOptions, Transport};
use http::{HeaderMap, HeaderValue, Method};
use table_model::{
    BlobService, Entity, Metadata, Operation, Query, QueueService, Result, TableName, TableService,
    blob::{BlobAddress, BlobConditions, ListBlobs, PutBlob, ReadBlob},
    queue::{GetMessages, PutMessage},
};
use table_rest::{
    AccountName, ServiceKind,
    auth::{AccountKey, Authorization, Scheme, SignedRequest},
    client::{Account, Backend, Retry, Settings, SharedKeyPolicy},
    connection::ConnectionString,
    server::{ServedAccount, Server},
    wire::query_string::QueryString,
};
use table_store::Store;

use self::{
    echo::{Echo, Form, Shout, Token},
    witness::{Witness, logged},
};

/// The bytes of an account key.
const KEY: &[u8] = b"canary key of an account, 64 bytes of no use to anyone else.....";
/// A signature before percent-encoding.
const SIGNATURE: &str = "c4n4ry+signature/of+a/shared+access+token=0=";
const BEARER: &str = "c4n4ryBearerTokenThatOpensEverything.AndMore.AndMore";

fn key() -> AccountKey {
    AccountKey::new(KEY).unwrap()
}

fn encoded(text: &str) -> String {
    text.replace('+', "%2B").replace('/', "%2F").replace('=', "%3D")
}

fn sas() -> String {
    format!("sv=2019-02-02&ss=bqt&srt=sco&sp=rwdlacu&se=2099-01-01&sig={}", encoded(SIGNATURE))
}

fn witness() -> Witness {
    let key = key().expose().to_string();
    let once = encoded(SIGNATURE);
    let forms = [SIGNATURE, &once, &encoded(&once.replace('%', "%25")), &once.to_lowercase(), BEARER, &key];
    let mut forms: Vec<String> = forms.iter().map(|form| (*form).to_owned()).collect();
    forms.push(encoded(&key));
    forms.push(String::from_utf8(KEY.to_vec()).unwrap());
    // The header of requests signed by a key.
    forms.push("SharedKey acme:".to_owned());
    Witness::new(forms)
}

/// Returns accounts of each form at an address.
fn accounts(root: &str, transport: Option<Transport>) -> BTreeMap<&'static str, Account> {
    let options = ClientOptions { transport, ..ClientOptions::default() };
    let retry = Retry { tries: 2, first_wait: std::time::Duration::ZERO, ..Retry::default() };
    let settings = Settings::new().backend(Backend::Server).retry(retry).pipeline(options);
    let name: AccountName = "acme".parse().unwrap();
    let everywhere = |account: Account, url: &str| {
        ServiceKind::ALL
            .into_iter()
            .fold(account, |account, kind| account.with_endpoint(kind, url).unwrap())
            .with_settings(settings.clone())
    };
    let signed = format!("{root}?{}", sas());
    BTreeMap::from([
        ("key", everywhere(Account::with_shared_key(root, name, key()).unwrap(), root)),
        ("signature", everywhere(Account::from_signed_url(&signed).unwrap(), &signed)),
        ("token", everywhere(Account::with_credential(root, Arc::new(Token(BEARER))).unwrap(), root)),
    ])
}

/// Sends requests of each kind and passes the results to the witness.
async fn requests(witness: &mut Witness, what: &str, account: &Account) {
    let (tables, queues, blobs) =
        (account.tables().unwrap(), account.queues().unwrap(), account.blobs().unwrap());
    witness.see(what, &format!("{account:?} {tables:?} {queues:?} {blobs:?}"));
    let table: TableName = "People".parse().unwrap();
    let insert = Operation::Insert(Entity::new("p", "r"));
    witness.result(what, tables.find(&table, "p", "r", None).await);
    witness.result(what, tables.query(&table, Query::new()).await);
    witness.result(what, tables.execute(&table, &insert).await);
    witness.result(what, tables.transact(&table, &[insert]).await);
    witness.result(what, tables.create_table(&table).await);
    witness.result(what, tables.delete_table(&table).await);
    witness.result(what, tables.list_tables(table_model::service::ListTables::default()).await);
    let queue = "people".parse().unwrap();
    witness.result(what, queues.create_queue(&queue, Metadata::new()).await);
    witness.result(what, queues.put_message(&queue, PutMessage::new("x")).await);
    witness.result(what, queues.get_messages(&queue, GetMessages::new()).await);
    witness.result(what, queues.queue_properties(&queue).await);
    let blob = BlobAddress::new("people", "a").unwrap();
    witness.result(what, blobs.create_container(&blob.container, Metadata::new()).await);
    witness.result(what, blobs.put_blob(&blob, "x".into(), PutBlob::new()).await);
    witness.result(what, blobs.blob_properties(&blob, &BlobConditions::none()).await);
    witness.result(what, blobs.list_blobs(&blob.container, ListBlobs::new()).await);
    witness.result(what, blobs.delete_blob(&blob, &BlobConditions::none()).await);
    match blobs.read_blob(&blob, ReadBlob::new()).await {
        Ok(reader) => witness.result(what, reader.read_to_end().await),
        refused => witness.result(what, refused),
    }
}

#[tokio::test]
async fn errors_of_servers_contain_no_credential() {
    logged();
    let mut witness = witness();
    for form in Form::ALL {
        let echo = Echo::new(form).await;
        for (access, account) in accounts(&format!("http://{}/acme", echo.address()), None) {
            requests(&mut witness, &format!("{form:?}, {access}"), &account).await;
        }
    }
    assert!(witness.errors() > 300, "{} errors", witness.errors());
    witness.end();
}

#[tokio::test]
async fn errors_of_connections_contain_no_credential() {
    logged();
    let mut witness = witness();
    let closed = Echo::new(Form::Closed).await;
    for root in [
        // No listener, an unknown host name, no TLS.
        "http://127.0.0.1:1/acme".to_owned(),
        "http://acme.table.invalid/acme".to_owned(),
        format!("https://{}/acme", closed.address()),
    ] {
        for (access, account) in accounts(&root, None) {
            let what = format!("{root}, {access}");
            let table: TableName = "People".parse().unwrap();
            let insert = Operation::Insert(Entity::new("p", "r"));
            witness.result(&what, account.tables().unwrap().find(&table, "p", "r", None).await);
            witness.result(&what, account.tables().unwrap().execute(&table, &insert).await);
        }
    }
    assert!(witness.errors() >= 18, "{} errors", witness.errors());
    witness.end();
}

#[tokio::test]
async fn errors_of_transports_contain_no_credential() {
    logged();
    let mut witness = witness();
    for (access, account) in accounts("https://127.0.0.1:1/acme", Some(Transport::new(Arc::new(Shout)))) {
        requests(&mut witness, access, &account).await;
    }
    witness.end();
}

#[tokio::test]
async fn invalid_addresses_are_not_repeated() {
    let mut witness = witness();
    let (key, sas) = (key().expose(), sas());
    for text in [
        format!("AccountName=acme;AccountKey={}!", &*key),
        format!("AccountName={};AccountKey=acme", &*key),
        format!("AccountName=acme;AccountKey={};AccountKey={}", &*key, &*key),
        format!("AccountNam=acme;AccountKe={}", &*key),
        format!("AccountName=acme;{}", &*key),
        format!("AccountName=acme;AccountKey={};SharedAccessSignature={sas}", &*key),
        format!("TableEndpoint=http://acme/?{sas}"),
        format!("TableEndpoint=acme {sas};SharedAccessSignature={sas}"),
        format!("DefaultEndpointsProtocol={};AccountName=acme;AccountKey={}", &*key, &*key),
        format!("UseDevelopmentStorage={}", &*key),
        sas.clone(),
    ] {
        witness.result("connection string", Account::from_connection_string(&text));
        witness.see("connection string", &format!("{:?}", text.parse::<ConnectionString>()));
    }
    for url in [
        format!("ftp://acme/?{sas}"),
        format!("https://user:{}@acme/", encoded(SIGNATURE)),
        format!("https://acme/#{sas}"),
        format!("acme?{sas}"),
        format!("https://?{sas}"),
    ] {
        witness.result("address", Account::from_signed_url(&url));
        witness.result("address", Account::development().with_endpoint(ServiceKind::Blob, &url));
    }
    witness.end();
}

#[tokio::test]
async fn debug_of_public_types_contains_no_credential() {
    let mut witness = witness();
    let mut see = |shown: &dyn Debug| {
        witness.see("Debug", &format!("{shown:?}"));
        witness.see("Debug", &format!("{shown:#?}"));
    };
    let name: AccountName = "acme".parse().unwrap();
    let connection = ConnectionString::new(name.clone(), key());
    let signed: ConnectionString =
        format!("TableEndpoint=http://127.0.0.1:1/acme;SharedAccessSignature={}", sas()).parse().unwrap();
    let query = QueryString::parse(&sas()).unwrap();
    let authorization = format!("SharedKey acme:{SIGNATURE}");
    let mut headers = HeaderMap::new();
    headers.insert("authorization", HeaderValue::from_str(&authorization).unwrap());
    let request = SignedRequest {
        kind: ServiceKind::Table,
        account: "acme",
        method: &Method::GET,
        path: "/acme/People",
        query: &query,
        headers: &headers,
    };
    let served = ServedAccount::new(name.clone(), vec![key()], Store::in_memory().unwrap());
    see(&key());
    see(&connection);
    see(connection.credential());
    see(&signed);
    see(signed.credential());
    see(&Account::from_parsed(
        &connection.clone().with_endpoint(ServiceKind::Table, "http://127.0.0.1:1/acme").unwrap(),
    ));
    see(&Account::from_parsed(&signed));
    see(&SharedKeyPolicy::new(ServiceKind::Table, name, key()));
    see(&Settings::new());
    see(&query);
    see(&table_rest::auth::sas::SasToken::read(&query));
    see(&Authorization::read(&authorization));
    see(&Scheme::SharedKey);
    see(&request);
    see(&served);
    see(&Server::builder().account(served));
    for (_, account) in accounts(&format!("https://127.0.0.1:1/acme?{}", sas()), None) {
        see(&account);
    }
    witness.end();
}

#[tokio::test]
async fn logs_of_the_server_contain_no_credential() {
    logged();
    let mut witness = witness();
    let name: AccountName = "acme".parse().unwrap();
    let account = ServedAccount::new(name, vec![key()], Store::in_memory().unwrap());
    let server = Server::builder().account(account).bind().await.unwrap();
    for kind in ServiceKind::ALL {
        let root = format!("http://{}/acme", server.address(kind));
        for (access, account) in accounts(&root, None) {
            let refused = || async {
                let tables: Result<Account> = Ok(account.clone());
                tables
            };
            witness.result(access, refused().await);
            requests(&mut witness, access, &account).await;
        }
    }
    server.shutdown().await;
    assert!(Witness::log().contains("request{"), "requests are logged");
    witness.end();
}
