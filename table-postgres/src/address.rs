//! The address of a database: the parameters that the driver does not know, and its form without the password.

use std::path::PathBuf;

use percent_encoding::percent_decode_str;
use tokio_postgres::{Config, config::Host};

/// Parameters of an address that are not those of the driver.
#[derive(Debug, Default)]
pub(crate) struct Parameters {
    pub(crate) schema: Option<String>,
    pub(crate) connections: Option<String>,
    pub(crate) root_certificates: Option<PathBuf>,
}

/// Returns the address for the driver, and the other parameters.
pub(crate) fn split(url: &str) -> (String, Parameters) {
    let mut parameters = Parameters::default();
    let Some((base, query)) = url.split_once('?').filter(|_| url.contains("://")) else {
        return (url.to_owned(), parameters);
    };
    let mut kept = Vec::new();
    for parameter in query.split('&') {
        let (name, value) = parameter.split_once('=').unwrap_or((parameter, ""));
        let value = || percent_decode_str(value).decode_utf8_lossy().into_owned();
        match name {
            "schema" => parameters.schema = Some(value()),
            "connections" => parameters.connections = Some(value()),
            "sslrootcert" => parameters.root_certificates = Some(value().into()),
            // Certificates and host names are always verified.
            "sslmode" if matches!(&*value(), "verify-ca" | "verify-full") => kept.push("sslmode=require"),
            _ => kept.push(parameter),
        }
    }
    let query = if kept.is_empty() { String::new() } else { format!("?{}", kept.join("&")) };
    (format!("{base}{query}"), parameters)
}

/// Returns `true` if a name of a host contains a character that no name has, but a password may.
pub(crate) fn has_unescaped_password(config: &Config) -> bool {
    config
        .get_hosts()
        .iter()
        .any(|host| matches!(host, Host::Tcp(name) if name.contains(['@', '#', '?', '/'])))
}

/// Formats an address without its password and parameters, except for the schema.
pub(crate) fn shown(config: &Config, schema: &str) -> String {
    let ports = config.get_ports();
    let hosts: Vec<String> = (config.get_hosts().iter().enumerate())
        .map(|(index, host)| {
            let host = match host {
                Host::Tcp(name) => name.clone(),
                #[cfg(unix)]
                Host::Unix(path) => path.display().to_string(),
            };
            match ports.get(index).or_else(|| ports.first()) {
                Some(port) => format!("{host}:{port}"),
                None => host,
            }
        })
        .collect();
    let user = config.get_user().map(|user| format!("{user}@")).unwrap_or_default();
    let database = config.get_dbname().unwrap_or_default();
    format!("postgres://{user}{}/{database}?schema={schema}", hosts.join(","))
}
