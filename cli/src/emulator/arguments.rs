use std::{
    convert::Infallible,
    net::IpAddr,
    path::{Path, PathBuf},
};

use clap::{ArgAction, Args, ValueEnum};
use table_rest::ServiceKind;

use super::EmulatorError;
use crate::serve::{host, host_name};

/// Serve tables, queues and blobs for tests, with the options of Azurite
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES, version, disable_version_flag = true)]
#[expect(clippy::struct_excessive_bools, reason = "options of the command line")]
pub(crate) struct Arguments {
    /// Address of the blob service; 0.0.0.0 serves other machines
    #[arg(long = "blobHost", value_name = "HOST", default_value = "127.0.0.1", value_parser = host)]
    blob_host: IpAddr,

    /// Port of the blob service; 0 selects a free port
    #[arg(long = "blobPort", value_name = "PORT", default_value_t = 10000)]
    blob_port: u16,

    /// Address of the queue service
    #[arg(long = "queueHost", value_name = "HOST", default_value = "127.0.0.1", value_parser = host)]
    queue_host: IpAddr,

    /// Port of the queue service
    #[arg(long = "queuePort", value_name = "PORT", default_value_t = 10001)]
    queue_port: u16,

    /// Address of the table service
    #[arg(long = "tableHost", value_name = "HOST", default_value = "127.0.0.1", value_parser = host)]
    table_host: IpAddr,

    /// Port of the table service
    #[arg(long = "tablePort", value_name = "PORT", default_value_t = 10002)]
    table_port: u16,

    /// Directory with one file per account, created if missing [default: all data is in memory]
    #[arg(long, short = 'l', value_name = "DIR")]
    pub(super) location: Option<PathBuf>,

    /// Keep all data in memory only, which is the default
    #[arg(long = "inMemoryPersistence", conflicts_with = "location")]
    in_memory: bool,

    /// Do not log requests
    #[arg(long, short = 's')]
    pub(super) silent: bool,

    /// Write a detailed log to FILE
    #[arg(long, short = 'd', value_name = "FILE")]
    pub(super) debug: Option<PathBuf>,

    /// Ignore headers of unsupported blob features that do not change the content of a blob
    #[arg(long, short = 'L')]
    pub(super) loose: bool,

    /// Accepted without effect: all versions of the API are served
    #[arg(long = "skipApiVersionCheck")]
    skip_api_version_check: bool,

    /// The account is always the first segment of the path
    #[arg(long = "disableProductStyleUrl")]
    pub(super) disable_product_style_url: bool,

    /// TLS certificate chain in PEM format
    #[arg(long, value_name = "FILE")]
    cert: Option<PathBuf>,

    /// Private key of the certificate, in PEM format
    #[arg(long, value_name = "FILE")]
    key: Option<PathBuf>,

    /// Rejected: a certificate must be in PEM format, not in PFX format
    #[arg(long, value_name = "PASSWORD", hide = true, value_parser = discarded)]
    pwd: Option<()>,

    /// Accept bearer tokens over TLS without verifying their signature
    #[arg(long, value_name = "LEVEL")]
    pub(super) oauth: Option<OAuth>,

    /// Accept requests whose Host header is NAME or ACCOUNT.SERVICE.NAME; repeatable. Loopback hosts, addresses, and
    /// beyond loopback names without dots and below .internal are always accepted
    #[arg(long = "allow-host", value_name = "NAME", value_parser = host_name)]
    pub(super) allowed_hosts: Vec<String>,

    /// Reserve the names of deleted tables and queues for 40 s and those of containers for 30 s, as Azure does
    #[arg(long = "strict-deletes")]
    pub(super) strict_deletes: bool,

    /// Accepted without effect: nothing is collected
    #[arg(long = "disableTelemetry", hide = true)]
    disable_telemetry: bool,

    /// Accepted without effect
    #[arg(long = "extentMemoryLimit", value_name = "MIB", hide = true)]
    extent_memory_limit: Option<f64>,

    /// Accepted without effect
    #[arg(long = "blobKeepAliveTimeout", value_name = "SECONDS", hide = true)]
    blob_keep_alive: Option<u32>,

    /// Accepted without effect
    #[arg(long = "queueKeepAliveTimeout", value_name = "SECONDS", hide = true)]
    queue_keep_alive: Option<u32>,

    /// Accepted without effect
    #[arg(long = "tableKeepAliveTimeout", value_name = "SECONDS", hide = true)]
    table_keep_alive: Option<u32>,

    /// Print the version
    #[arg(long, short = 'v', action = ArgAction::Version)]
    version: Option<bool>,
}

/// Checks of bearer tokens.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum OAuth {
    /// Form, issuer, audience and times, but not the signature
    Basic,
}

const EXAMPLES: &str = "\
Examples:
  tables emulator
  tables emulator --location ./data --silent
  tables emulator --blobHost 0.0.0.0 --queueHost 0.0.0.0 --tableHost 0.0.0.0
  AZURITE_ACCOUNTS='one:KEY;two:KEY:KEY' tables emulator
  tables emulator --cert cert.pem --key key.pem --oauth basic

Without AZURITE_ACCOUNTS, the account is devstoreaccount1 with the public key of
all emulators: `UseDevelopmentStorage=true` in a connection string.";

/// Reads a secret that is not used.
#[expect(clippy::unnecessary_wraps, reason = "the form of a parser")]
fn discarded(_: &str) -> Result<(), Infallible> {
    Ok(())
}

impl Arguments {
    pub(super) const fn host(&self, kind: ServiceKind) -> IpAddr {
        match kind {
            ServiceKind::Blob => self.blob_host,
            ServiceKind::Queue => self.queue_host,
            ServiceKind::Table => self.table_host,
        }
    }

    pub(super) const fn port(&self, kind: ServiceKind) -> u16 {
        match kind {
            ServiceKind::Blob => self.blob_port,
            ServiceKind::Queue => self.queue_port,
            ServiceKind::Table => self.table_port,
        }
    }

    /// Returns the files of the certificate and of its key.
    pub(super) fn identity_files(&self) -> Result<Option<(&Path, &Path)>, EmulatorError> {
        match (&self.cert, &self.key) {
            _ if self.pwd.is_some() => Err(EmulatorError::Pfx),
            (Some(cert), Some(key)) => Ok(Some((cert, key))),
            (None, None) if self.oauth.is_some() => Err(EmulatorError::TokensInTheClear),
            (None, None) => Ok(None),
            _ => Err(EmulatorError::HalfAnIdentity),
        }
    }

    pub(super) const fn is_secure(&self) -> bool {
        self.cert.is_some()
    }
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;

    #[derive(Parser)]
    struct Words {
        #[command(flatten)]
        arguments: Arguments,
    }

    #[test]
    fn a_password_is_rejected_and_not_kept() {
        let Words { arguments } = Words::parse_from(["emulator", "--pwd", "c2VjcmV0"]);
        assert!(matches!(arguments.identity_files(), Err(EmulatorError::Pfx)));
        assert!(!format!("{arguments:?}").contains("c2VjcmV0"));
    }
}
