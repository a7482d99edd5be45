//! The pool of connections.

use std::{
    fmt::Write as _,
    fs,
    ops::Deref,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering::Relaxed},
    },
    time::Duration,
};

use deadpool_postgres::{Manager, ManagerConfig, Pool, PoolError, QueueMode, RecyclingMethod, Runtime};
use rustls::{
    ClientConfig, RootCertStore,
    crypto::ring,
    pki_types::{CertificateDer, pem::PemObject},
};
use table_model::{Result, TableError};
use tokio::runtime::Handle;
use tokio_postgres::Config;
use tokio_postgres_rustls::MakeRustlsConnect;

use crate::{
    client::Client,
    failure::{Failure, busy},
    options::{CONNECTIONS, PostgresOptions, invalid},
};

/// Name of the connections in `pg_stat_activity`, if the address gives none.
const APPLICATION: &str = "table-patterns";
/// Time for the response of the database after it has canceled a statement.
const GRACE: Duration = Duration::from_secs(5);

/// The connections, and the number of requests that have waited for one.
#[derive(Debug)]
pub(crate) struct Connections {
    pool: Pool,
    /// Time after which a statement without a response ends.
    limit: Duration,
    runtime: Handle,
    /// The hosts, if there are several.
    hosts: Option<String>,
    pub(crate) waits: AtomicU64,
}

impl Deref for Connections {
    type Target = Pool;

    fn deref(&self) -> &Pool {
        &self.pool
    }
}

pub(crate) fn pool(options: &PostgresOptions, runtime: Handle) -> Result<Connections> {
    let mut config = options.config.clone();
    if config.get_application_name().is_none() {
        config.application_name(APPLICATION);
    }
    if config.get_connect_timeout().is_none() {
        config.connect_timeout(options.connect_timeout);
    }
    notice_vanished_hosts(&mut config);
    let timeout = options.statement_timeout.as_millis();
    // A transaction whose client is gone must not keep its locks. Every statement has an index; without statistics, the
    // planner could prefer a scan, and keep the plan while the table grows. The few rows of `writers` are scanned in spite
    // of these settings, at a cost for which statements would be compiled, so `jit` is off. Stricter isolation fails writes that
    // wait for others.
    let settings = format!(
        "-c statement_timeout={timeout} -c idle_in_transaction_session_timeout={timeout} -c timezone=UTC -c enable_seqscan=off \
         -c enable_bitmapscan=off -c jit=off {} -c default_transaction_isolation=read\\ committed",
        config.get_options().unwrap_or_default()
    );
    config.options(settings);
    let manager = ManagerConfig { recycling_method: RecyclingMethod::Fast };
    let manager = Manager::from_config(config, MakeRustlsConnect::new(tls(options)?), manager);
    let pool = Pool::builder(manager)
        .max_size(options.connections.clamp(1, CONNECTIONS))
        // The most recently used process of the database has its memory in the caches of the processor.
        .queue_mode(QueueMode::Lifo)
        .runtime(Runtime::Tokio1)
        .wait_timeout(Some(options.connect_timeout))
        .create_timeout(Some(options.connect_timeout + Duration::from_secs(1)))
        .build()
        .map_err(|error| invalid(format!("The connections cannot be created: {error}.")))?;
    let timeout = options.statement_timeout;
    let limit = timeout.saturating_add(timeout.min(GRACE));
    let hosts = (options.config.get_hosts().len() > 1).then(|| options.address());
    Ok(Connections { pool, limit, runtime, hosts, waits: AtomicU64::new(0) })
}

/// Ends a connection whose host has been silent for half a minute. Without it, requests to a host that vanished wait for
/// retransmissions for a quarter of an hour, or for hours if they were received. Parameters of the address take precedence.
fn notice_vanished_hosts(config: &mut Config) {
    if config.get_keepalives_idle() == Config::new().get_keepalives_idle() {
        config.keepalives_idle(Duration::from_secs(15));
    }
    if config.get_keepalives_interval().is_none() {
        config.keepalives_interval(Duration::from_secs(5));
    }
    if config.get_tcp_user_timeout().is_none() {
        config.tcp_user_timeout(Duration::from_secs(30));
    }
}

/// Takes a connection. A failure means that no request was sent.
pub(crate) async fn take(pool: &Connections) -> Result<Client, Failure> {
    let status = pool.status();
    if status.available == 0 && status.size >= status.max_size {
        pool.waits.fetch_add(1, Relaxed);
    }
    let object = pool.get().await.map_err(|error| match error {
        PoolError::Timeout(_) => busy(
            "No connection to the database became free in time. Increase the number of connections, or send fewer requests \
             at once.",
        )
        .into(),
        PoolError::Backend(error) => match Failure::from(error) {
            Failure::Refused(error) => Failure::Refused(error),
            Failure::Unknown(mut reason) => {
                if let Some(hosts) = &pool.hosts {
                    let _ = write!(reason, " This is the failure of the last host of {hosts}; the others failed, too.");
                }
                Failure::Refused(TableError::not_connected(reason))
            }
            other => other,
        },
        other => Failure::Refused(TableError::not_connected(format!("No connection to the database: {other}."))),
    })?;
    Ok(Client::new(object, pool.limit, pool.runtime.clone()))
}

fn tls(options: &PostgresOptions) -> Result<ClientConfig> {
    let mut roots = RootCertStore::empty();
    if let Some(file) = &options.root_certificates {
        let unreadable = |error: &dyn std::fmt::Display| {
            invalid(format!("cannot read certificates of {}: {error}", file.display()))
        };
        let pem = fs::read(file).map_err(|error| unreadable(&error))?;
        for certificate in CertificateDer::pem_slice_iter(&pem) {
            let certificate = certificate.map_err(|error| unreadable(&error))?;
            roots.add(certificate).map_err(|error| unreadable(&error))?;
        }
    } else {
        roots.add_parsable_certificates(rustls_native_certs::load_native_certs().certs);
    }
    let config = ClientConfig::builder_with_provider(Arc::new(ring::default_provider()))
        .with_safe_default_protocol_versions()
        .map_err(|error| invalid(format!("TLS is not available: {error}")))?;
    Ok(config.with_root_certificates(roots).with_no_client_auth())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_vanished_host_is_noticed_unless_the_address_says_otherwise() {
        let times = |url: &str| {
            let mut config: Config = url.parse().unwrap();
            notice_vanished_hosts(&mut config);
            let [idle, interval, timeout] = [
                Some(config.get_keepalives_idle()),
                config.get_keepalives_interval(),
                config.get_tcp_user_timeout().copied(),
            ]
            .map(|time| time.map_or(0, |time| time.as_secs()));
            (idle, interval, timeout)
        };
        assert_eq!(times("postgres://db/d"), (15, 5, 30));
        assert_eq!(times("postgres://db/d?keepalives_idle=9&keepalives_interval=2"), (9, 2, 30));
        assert_eq!(times("postgres://db/d?tcp_user_timeout=60"), (15, 5, 60));
    }
}
