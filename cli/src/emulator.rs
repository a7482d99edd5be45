//! `tables emulator`: serves stores for tests, with the options and the environment variable of Azurite.

mod accounts;
mod announce;
mod arguments;
mod error;
mod log;
mod notice;
mod request_lines;

use table_rest::{
    ServiceKind,
    server::{Emulation, Identity, Server},
};
use table_store::OpenOptions;

pub(crate) use self::{arguments::Arguments, error::EmulatorError};
use crate::{
    serve::{self, Account, Backend, ServeError, data},
    signals::Signals,
};

/// Serves until SIGTERM or SIGINT, or fails to start.
pub(crate) fn run(arguments: &Arguments) -> Result<(), EmulatorError> {
    let files = arguments.identity_files()?;
    let accounts = accounts::of_environment()?;
    log::start(arguments)?;
    for line in notice::lines(arguments, &accounts) {
        eprintln!("{}", crate::for_terminal(line));
    }
    let identity = serve::identity(files)?;
    let stores = open(arguments, accounts)?;
    let runtime =
        tokio::runtime::Builder::new_multi_thread().enable_all().build().map_err(ServeError::from)?;
    Ok(runtime.block_on(serve(arguments, identity, stores))?)
}

fn open(arguments: &Arguments, accounts: Vec<Account>) -> Result<Vec<(Account, Backend)>, ServeError> {
    if let Some(directory) = &arguments.location {
        // In a container, a mounted directory often is writable by everybody: a warning is enough for tests.
        data::prepare(directory, true)?;
    }
    let options = OpenOptions::new().strict_deletes(arguments.strict_deletes);
    let opened = accounts.into_iter().map(|account| {
        let store = match &arguments.location {
            Some(directory) => options.open(directory.join(format!("{}.tables", account.name)))?,
            None => options.in_memory()?,
        };
        Ok((account, Backend::Store(store)))
    });
    opened.collect()
}

async fn serve(
    arguments: &Arguments,
    identity: Option<Identity>,
    stores: Vec<(Account, Backend)>,
) -> Result<(), ServeError> {
    let mut signals = Signals::listen()?;
    let mut server =
        Server::builder().allow_private_names(true).path_style(arguments.disable_product_style_url);
    for kind in ServiceKind::ALL {
        server = server.service_host(kind, arguments.host(kind)).port(kind, arguments.port(kind));
    }
    let secure = identity.is_some();
    if let Some(identity) = identity {
        server = server.tls(identity);
    }
    for name in &arguments.allowed_hosts {
        server = server.allow_host(name);
    }
    let emulation =
        Emulation { loose: arguments.loose, unverified_tokens: arguments.oauth.is_some(), short_keys: true };
    for (account, store) in &stores {
        server = server.account(store.serve(account).emulating(emulation));
    }
    let server =
        server.bind().await.map_err(|error| ServeError::listen(error, |kind| format!("--{kind}Port")))?;
    announce::announce(&server, secure, stores.iter().map(|(account, _)| account));
    serve::until_stopped(server, &stores, &mut signals).await
}
