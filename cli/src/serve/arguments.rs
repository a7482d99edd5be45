use std::{
    net::{AddrParseError, IpAddr, Ipv4Addr},
    path::PathBuf,
};

use clap::{Args, ValueEnum};

use super::account::AccountText;

/// Serves tables, queues and blobs to any Azure SDK.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Arguments {
    /// Directory of the stores, one file for each account; made if it is not there
    #[arg(long, value_name = "DIR", required_unless_present = "in_memory")]
    pub(crate) data: Option<PathBuf>,

    /// Keeps everything in memory, until the end
    #[arg(long, conflicts_with = "data")]
    pub(crate) in_memory: bool,

    /// Address to listen on; other machines are served over TLS only, and only accounts with keys of their own
    #[arg(long, default_value = "127.0.0.1", value_parser = host)]
    pub(crate) host: IpAddr,

    /// Serve requests whose Host header is this name, or ACCOUNT.SERVICE in front of it; repeatable. Loopback hosts and the
    /// address of --host are always served
    #[arg(long = "allow-host", value_name = "NAME", value_parser = host_name)]
    pub(crate) allowed_hosts: Vec<String>,

    /// Port of the blob service; 0 picks a free one, here and below
    #[arg(long, default_value_t = 10000, value_name = "PORT")]
    pub(crate) blob_port: u16,

    /// Port of the queue service
    #[arg(long, default_value_t = 10001, value_name = "PORT")]
    pub(crate) queue_port: u16,

    /// Port of the table service
    #[arg(long, default_value_t = 10002, value_name = "PORT")]
    pub(crate) table_port: u16,

    /// An account: its name and its key in Base64, or both of its keys with a colon between; again for each further one.
    /// Without any: devstoreaccount1, with the key that everybody knows
    #[arg(
        long = "account",
        value_name = "NAME:KEY",
        env = "TABLES_ACCOUNTS",
        hide_env_values = true,
        value_delimiter = ';'
    )]
    pub(crate) accounts: Vec<AccountText>,

    /// Certificates for TLS, the server's first, in PEM form
    #[arg(long, value_name = "FILE", requires = "key")]
    pub(crate) cert: Option<PathBuf>,

    /// Private key of the certificate, in PEM form
    #[arg(long, value_name = "FILE", requires = "cert")]
    pub(crate) key: Option<PathBuf>,

    /// Shows keys of accounts in the connection strings that are printed
    #[arg(long)]
    pub(crate) show_keys: bool,

    /// Serves figures for Prometheus, on this port of the loopback address
    #[arg(long, value_name = "PORT")]
    pub(crate) metrics_port: Option<u16>,

    #[command(flatten)]
    pub(crate) log: Log,
}

/// What is written to standard error.
#[derive(Debug, Args)]
pub(crate) struct Log {
    /// What is logged: error, warn, info (a line for each request), debug; or a filter such as `table_rest=debug`
    #[arg(long = "log", value_name = "LEVEL", default_value = "warn", env = "TABLES_LOG")]
    pub(crate) filter: String,

    /// How it is written
    #[arg(long = "log-format", value_name = "FORMAT", default_value = "text")]
    pub(crate) format: LogFormat,
}

/// The forms of a line of the log.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum LogFormat {
    /// For people
    Text,
    /// An object for each line
    Json,
}

const EXAMPLES: &str = "\
Examples:
  tables serve --data ./data
  tables serve --in-memory --table-port 0 --queue-port 0 --blob-port 0
  TABLES_ACCOUNTS=company:KEY tables serve --data /srv/tables --host 0.0.0.0 --cert cert.pem --key key.pem

A key is any bytes in Base64, 64 of them by custom: `openssl rand -base64 64 | tr -d '\\n'`.
SIGTERM and SIGINT end the server after the requests that have come. It exits with 0 then, with 1 if it could not
begin or end well, with 2 if it was called wrongly.";

fn host(text: &str) -> Result<IpAddr, AddrParseError> {
    if text == "localhost" { Ok(Ipv4Addr::LOCALHOST.into()) } else { text.parse() }
}

fn host_name(text: &str) -> Result<String, &'static str> {
    let is_name = text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b".-_".contains(&byte));
    if (is_name && !text.is_empty()) || text.parse::<IpAddr>().is_ok() {
        Ok(text.to_owned())
    } else {
        Err("not a host name; give a name or an address without scheme and port, international names as xn--")
    }
}
