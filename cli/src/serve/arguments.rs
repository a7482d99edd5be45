use std::{
    net::{AddrParseError, IpAddr, Ipv4Addr},
    path::PathBuf,
};

use clap::{Args, ValueEnum};
use table_rest::server::Limits;

use crate::location::Where;

use super::{account::AccountText, metrics::HotKeys, record::Recording};

/// Serve tables, queues and blobs over the Azure Storage protocol
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
#[expect(clippy::struct_excessive_bools, reason = "options of the command line")]
pub(crate) struct Arguments {
    /// Data directory, with one file per account; created if missing
    #[arg(long, value_name = "DIR", required_unless_present_any = ["in_memory", "store"])]
    pub(crate) data: Option<PathBuf>,

    /// Database, `postgres://USER@HOST/DATABASE?schema=SCHEMA`, which several servers can use; created if missing. With several
    /// accounts, {account} in the address is the name of each. The password is read from PGPASSWORD or ~/.pgpass
    #[arg(
        long,
        value_name = "URL",
        conflicts_with_all = ["data", "in_memory", "keep_log", "end_kept_log", "strict_deletes"]
    )]
    pub(crate) store: Option<Where>,

    /// Store all data in memory only; it is lost when the server stops
    #[arg(long, conflicts_with = "data")]
    pub(crate) in_memory: bool,

    /// Keep all commits in DIR/ACCOUNT, so that a backup can be restored to any later time; created if missing. A store
    /// with a kept log is only served with it
    #[arg(long, value_name = "DIR", conflicts_with = "in_memory")]
    pub(crate) keep_log: Option<PathBuf>,

    /// Maximum size of the kept log of each account in bytes; the oldest commits are deleted [default: 16 GiB]
    #[arg(long, value_name = "BYTES", requires = "keep_log")]
    pub(crate) keep_log_limit: Option<u64>,

    /// End the kept logs of the stores: backups cannot be restored to a later time than this
    #[arg(long, conflicts_with_all = ["keep_log", "in_memory"])]
    pub(crate) end_kept_log: bool,

    /// Start new kept logs in empty folders although the stores have others, for example lost ones; earlier backups
    /// cannot be restored with the new logs
    #[arg(long, requires = "keep_log")]
    pub(crate) start_new_log: bool,

    /// Reserve the names of deleted tables and queues for 40 s and those of containers for 30 s, as Azure does
    #[arg(long)]
    pub(crate) strict_deletes: bool,

    /// Verify all pages of the data directory in the background once a week, reading at most BYTES per second; 0 turns
    /// it off
    #[arg(long, value_name = "BYTES", default_value_t = 1 << 20)]
    pub(crate) scrub_rate: u64,

    /// Address to listen on; serving other machines requires TLS and accounts with private keys
    #[arg(long, default_value = "127.0.0.1", value_parser = host)]
    pub(crate) host: IpAddr,

    /// Accept requests whose Host header is NAME or ACCOUNT.SERVICE.NAME; repeatable. Loopback hosts and the address of
    /// --host are always accepted
    #[arg(long = "allow-host", value_name = "NAME", value_parser = host_name)]
    pub(crate) allowed_hosts: Vec<String>,

    /// Maximum number of connections of one client address, or of one /64 of IPv6; behind a proxy, all clients have its
    /// address
    #[arg(long, default_value_t = Limits::default().connections_per_address, value_name = "NUMBER")]
    pub(crate) connections_per_address: usize,

    /// Memory for request bodies and responses, in bytes; one account uses at most half of it. Requests that exceed it
    /// fail with 503
    #[arg(long, default_value_t = Limits::default().memory, value_name = "BYTES")]
    pub(crate) memory_limit: usize,

    /// Port of the blob service; 0 selects a free port
    #[arg(long, default_value_t = 10000, value_name = "PORT")]
    pub(crate) blob_port: u16,

    /// Port of the queue service; 0 selects a free port
    #[arg(long, default_value_t = 10001, value_name = "PORT")]
    pub(crate) queue_port: u16,

    /// Port of the table service; 0 selects a free port
    #[arg(long, default_value_t = 10002, value_name = "PORT")]
    pub(crate) table_port: u16,

    /// Account name and key in Base64, or two keys separated by a colon; repeatable, or separated by
    /// `;` in the environment variable [default: devstoreaccount1 with the public key of the emulators]
    #[arg(
        long = "account",
        value_name = "NAME:KEY",
        env = "TABLES_ACCOUNTS",
        hide_env_values = true,
        value_delimiter = ';'
    )]
    pub(crate) accounts: Vec<AccountText>,

    /// TLS certificate chain in PEM format, starting with the server's certificate
    #[arg(long, value_name = "FILE", requires = "key")]
    pub(crate) cert: Option<PathBuf>,

    /// Private key of the certificate, in PEM format
    #[arg(long, value_name = "FILE", requires = "cert")]
    pub(crate) key: Option<PathBuf>,

    /// Print account keys in connection strings
    #[arg(long)]
    pub(crate) show_keys: bool,

    /// Serve Prometheus metrics, slow requests, hot partitions and readiness (/ready) on this port of the loopback address
    #[arg(long, value_name = "PORT")]
    pub(crate) metrics_port: Option<u16>,

    /// Keys in the list of hot partitions of --metrics-port
    #[arg(long, value_name = "KEYS", default_value = "hashed", requires = "metrics_port")]
    pub(crate) hot_keys: HotKeys,

    /// Show the accounts in the browser, with hot partitions and slow requests, on this port of the loopback address; 0
    /// selects a free port
    #[arg(long, value_name = "PORT")]
    pub(crate) explorer_port: Option<u16>,

    /// Allow changes in the explorer
    #[arg(long, requires = "explorer_port")]
    pub(crate) explorer_write: bool,

    /// Design of the stored entities for the explorer: a design file, or Rust source files, each with this option
    #[arg(long, value_name = "FILE", requires = "explorer_port")]
    pub(crate) design: Vec<PathBuf>,

    /// Log each request that takes more than this time, in milliseconds, at the level warn; 0 turns it off
    #[arg(long, value_name = "MILLISECONDS", default_value_t = 20)]
    pub(crate) slow_ms: u64,

    /// Log each request that reads more than this number of entities at the level warn; 0 turns it off
    #[arg(long, value_name = "ENTITIES", default_value_t = 5000)]
    pub(crate) slow_read: u64,

    #[command(flatten)]
    pub(crate) recording: Recording,

    #[command(flatten)]
    pub(crate) log: Log,
}

/// Log options; the log is written to standard error.
#[derive(Debug, Args)]
pub(crate) struct Log {
    /// Log level: error, warn, info (one line per request), debug; or a filter such as `table_rest=debug`
    #[arg(long = "log", value_name = "LEVEL", default_value = "warn", env = "TABLES_LOG")]
    pub(crate) filter: String,

    /// Log format
    #[arg(long = "log-format", value_name = "FORMAT", default_value = "text")]
    pub(crate) format: LogFormat,
}

/// Log formats.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum LogFormat {
    /// Plain text
    Text,
    /// One JSON object per line
    Json,
}

const EXAMPLES: &str = "\
Examples:
  tables serve --data ./data
  tables serve --data ./data --keep-log /mnt/kept --keep-log-limit 68719476736
  tables serve \\
      --store 'postgres://tables@db1,db2/tables?target_session_attrs=read-write'
  tables serve --in-memory --table-port 0 --queue-port 0 --blob-port 0
  tables serve --data ./data --record log.jsonl --record-design company.toml
  TABLES_ACCOUNTS=company:KEY tables serve --data /srv/tables --host 0.0.0.0 \\
      --cert cert.pem --key key.pem

A key is Base64, by convention of 64 bytes:
  openssl rand -base64 64 | tr -d '\\n'

SIGTERM and SIGINT stop the server after it has completed pending requests. The exit code is 0 then, \
1 if the server cannot start or stop cleanly, and 2 for invalid arguments.";

pub(crate) fn host(text: &str) -> Result<IpAddr, AddrParseError> {
    if text == "localhost" { Ok(Ipv4Addr::LOCALHOST.into()) } else { text.parse() }
}

pub(crate) fn host_name(text: &str) -> Result<String, &'static str> {
    let is_name = text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b".-_".contains(&byte));
    let has_labels = text.strip_suffix('.').unwrap_or(text).split('.').all(|label| !label.is_empty());
    if (is_name && has_labels) || text.parse::<IpAddr>().is_ok() {
        Ok(text.to_owned())
    } else {
        Err(
            "not a host name; use a name or an address without scheme and port, and xn-- for international names",
        )
    }
}
