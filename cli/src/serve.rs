//! `tables serve`: serves stores or a database over the protocol, until a signal.

mod account;
pub(crate) mod announce;
mod arguments;
mod backend;
mod damage;
pub(crate) mod data;
mod error;
mod explorer;
pub(crate) mod log;
pub(crate) mod metrics;
#[cfg(feature = "otlp")]
mod otlp;
mod record;

use std::{path::Path, time::Duration};

use table_designs::schema::Schema;
use table_explorer::Explorer;
use table_rest::{
    ServiceKind,
    auth::AccountKey,
    server::{Identity, Limits, Recorder, Server, SlowLog},
};
use table_store::{BackgroundScrub, KeepLog, OpenOptions, StoreObserver};

use self::{account::AccountText, damage::DamageWatch, metrics::Metrics};
pub(crate) use self::{
    account::{Account, AccountError},
    arguments::{Arguments, host, host_name},
    backend::Backend,
    error::ServeError,
};
use crate::{
    advise,
    location::{StoreLocationError, Where, database},
    signals::Signals,
};

/// Serves until SIGTERM or SIGINT, or fails to start.
pub(crate) fn run(arguments: &Arguments) -> Result<(), ServeError> {
    // It sends the last spans when it is dropped.
    let _export = log::start(&arguments.log)?;
    let accounts = accounts(arguments)?;
    exposed_too_far(arguments, &accounts)?;
    let identity = identity(arguments.cert.as_deref().zip(arguments.key.as_deref()))?;
    let design =
        crate::design::of_files(&arguments.design).map_err(|error| ServeError::design("--design", error))?;
    let explores = arguments.explorer_port.is_some();
    let metrics = if explores || arguments.metrics_port.is_some() {
        Some(metrics::start(&accounts, arguments.hot_keys, explores)?)
    } else {
        None
    };
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    let stores = match &arguments.store {
        Some(store) => runtime.block_on(connect(store, accounts, metrics.as_ref()))?,
        None => open(arguments, accounts, metrics.as_ref())?,
    };
    let recorder = record::start(&arguments.recording)?;
    let served = runtime.block_on(serve(arguments, identity, stores, metrics, design, recorder.clone()));
    if let Some(recorder) = recorder {
        recorder.finish();
    }
    served
}

/// Reads a certificate and its key.
pub(crate) fn identity(files: Option<(&Path, &Path)>) -> Result<Option<Identity>, ServeError> {
    let read = |(cert, key): (&Path, &Path)| -> Result<Identity, ServeError> {
        data::warn_of_readers(key);
        Ok(Identity::from_files(cert, key)?)
    };
    files.map(read).transpose()
}

/// Returns the accounts of the command line; by default the account of emulators.
fn accounts(arguments: &Arguments) -> Result<Vec<Account>, ServeError> {
    if arguments.accounts.is_empty() {
        return Ok(vec![Account::emulator()]);
    }
    Ok(arguments.accounts.iter().map(AccountText::read).collect::<Result<_, _>>()?)
}

/// Rejects exposure to other machines with the well-known key or without TLS.
fn exposed_too_far(arguments: &Arguments, accounts: &[Account]) -> Result<(), ServeError> {
    if arguments.host.is_loopback() {
        return Ok(());
    }
    let known = AccountKey::emulator();
    if accounts.iter().any(|account| account.keys.contains(&known)) {
        return Err(ServeError::KnownKey);
    }
    if arguments.cert.is_none() {
        return Err(ServeError::InTheClear);
    }
    Ok(())
}

fn open(
    arguments: &Arguments,
    accounts: Vec<Account>,
    metrics: Option<&Metrics>,
) -> Result<Vec<(Account, Backend)>, ServeError> {
    for directory in [&arguments.data, &arguments.keep_log].into_iter().flatten() {
        data::prepare(directory, arguments.host.is_loopback())?;
    }
    let opened = accounts.into_iter().map(|account| {
        let mut options = options(arguments, &account)?;
        if let Some(commits) = metrics.and_then(|metrics| metrics.commits(&account)) {
            options = options.observer(commits);
        }
        let store = match &arguments.data {
            Some(directory) => {
                let path = directory.join(format!("{}.tables", account.name));
                data::warn_of_readers(&path);
                options.open(path)?
            }
            None => options.in_memory()?,
        };
        Ok((account, Backend::Store(store)))
    });
    opened.collect()
}

/// Connects to a database: to a schema for each account.
async fn connect(
    store: &Where,
    accounts: Vec<Account>,
    metrics: Option<&Metrics>,
) -> Result<Vec<(Account, Backend)>, ServeError> {
    let url = store.database().ok_or(ServeError::NoDatabase)?;
    if accounts.len() > 1 && !url.contains(database::ACCOUNT) {
        return Err(ServeError::OneSchema);
    }
    let mut connected = Vec::new();
    for account in accounts {
        let mut options = database::options(url, Some(&account.name)).map_err(ServeError::Open)?;
        let commits = metrics.and_then(|metrics| metrics.commits(&account));
        if let Some(commits) = commits.filter(|commits| commits.counts_partitions()) {
            options = options.access_observer(move |table, partition_key, entities| {
                commits.accessed(table, partition_key, entities);
            });
        }
        let address = options.address();
        let opened = options.connect().await;
        let opened =
            opened.map_err(|error| ServeError::Open(StoreLocationError::database(&address, error)))?;
        connected.push((account, Backend::Database(opened)));
    }
    Ok(connected)
}

/// Returns the options of the store of an account.
fn options(arguments: &Arguments, account: &Account) -> Result<OpenOptions, ServeError> {
    let mut options = OpenOptions::new().strict_deletes(arguments.strict_deletes);
    if arguments.scrub_rate > 0 && !arguments.in_memory {
        options = options.background_scrub(BackgroundScrub::new(arguments.scrub_rate));
    }
    if arguments.end_kept_log {
        options = options.end_kept_log();
    }
    if let Some(directory) = &arguments.keep_log {
        let folder = directory.join(account.name.as_str());
        data::prepare(&folder, arguments.host.is_loopback())?;
        let mut log = KeepLog::in_folder(folder);
        if let Some(limit) = arguments.keep_log_limit {
            log = log.most_bytes(limit);
        }
        options = options.keep_log(if arguments.start_new_log { log.start_new() } else { log });
    }
    Ok(options)
}

/// Returns the limits of the command line; otherwise the defaults.
fn limits(arguments: &Arguments) -> Limits {
    Limits {
        connections_per_address: arguments.connections_per_address,
        memory: arguments.memory_limit,
        account_bytes: arguments.memory_limit / 2,
        ..Limits::default()
    }
}

/// Returns the limits of the slow log. Zero sets none.
fn slow_log(arguments: &Arguments) -> SlowLog {
    SlowLog {
        time: Some(arguments.slow_ms).filter(|most| *most > 0).map(Duration::from_millis),
        read: Some(arguments.slow_read).filter(|most| *most > 0),
    }
}

async fn serve(
    arguments: &Arguments,
    identity: Option<Identity>,
    stores: Vec<(Account, Backend)>,
    metrics: Option<Metrics>,
    design: Option<Schema>,
    recorder: Option<Recorder>,
) -> Result<(), ServeError> {
    let mut signals = Signals::listen()?;
    let slow_requests = metrics.as_ref().map(Metrics::slow_requests);
    let mut server = Server::builder()
        .host(arguments.host)
        .port(ServiceKind::Blob, arguments.blob_port)
        .port(ServiceKind::Queue, arguments.queue_port)
        .port(ServiceKind::Table, arguments.table_port)
        .limits(limits(arguments))
        .slow_log(slow_log(arguments))
        .metrics(metrics.is_some());
    if let Some(requests) = slow_requests {
        server = server.slow_requests(requests);
    }
    if let Some(recorder) = recorder {
        server = server.recorder(recorder);
    }
    let secure = identity.is_some();
    if let Some(identity) = identity {
        server = server.tls(identity);
    }
    for name in &arguments.allowed_hosts {
        server = server.allow_host(name);
    }
    for (account, store) in &stores {
        server = server.account(store.serve(account));
    }
    let server =
        server.bind().await.map_err(|error| ServeError::listen(error, |kind| format!("--{kind}-port")))?;
    if let Some(metrics) = &metrics {
        metrics::keep_up(metrics.clone());
    }
    let explorer = match (arguments.explorer_port, &metrics) {
        (Some(port), Some(metrics)) => {
            let connect = |account: &Account| announce::connection(&server, secure, account);
            let places = explorer::places(&stores, metrics, connect);
            let explorer = Explorer::of_places(places).writable(arguments.explorer_write).design(design);
            let explorer = explorer.report(advise::HTML_STYLE, advise::in_html);
            Some(explorer::serve(explorer, port).await?)
        }
        _ => None,
    };
    let metrics = match arguments.metrics_port.zip(metrics) {
        Some((port, metrics)) => Some(metrics::serve(port, metrics, &stores).await?),
        None => None,
    };
    let accounts = stores.iter().map(|(account, _)| account);
    announce::announce(&server, secure, accounts, arguments.show_keys, metrics, explorer.as_deref());
    until_stopped(server, &stores, &mut signals).await
}

/// Serves until a signal, then completes pending requests and closes the stores.
pub(crate) async fn until_stopped(
    server: Server,
    stores: &[(Account, Backend)],
    signals: &mut Signals,
) -> Result<(), ServeError> {
    let mut watch = DamageWatch::new(stores);
    tokio::select! {
        () = signals.ended() => {}
        () = watch.run() => {}
    }
    tracing::info!("stopping");
    let end = async {
        server.shutdown().await;
        watch.look();
        for (_, store) in stores {
            store.close().await.map_err(ServeError::Close)?;
        }
        Ok(())
    };
    tokio::select! {
        ended = end => ended,
        () = signals.ended() => Err(ServeError::Hurried),
    }
}
