//! Files with passwords, in the format of `~/.pgpass`.

use std::{fs, io, path::Path};

use table_model::Result;
use tokio_postgres::{Config, config::Host};

use crate::options::invalid;

/// Port of a host without one.
const PORT: u16 = 5432;

/// Reads the password for an address. Only the owner of the file may have access to it.
pub(crate) fn read(file: &Path, config: &Config) -> Result<Option<String>> {
    let unreadable = |error: io::Error| {
        invalid(format!("The file of passwords {} cannot be read: {error}.", file.display()))
    };
    if is_open_to_others(file).map_err(unreadable)? {
        return Err(invalid(format!(
            "Other users have access to the file of passwords {}. Run `chmod 600` on it.",
            file.display()
        )));
    }
    Ok(find(&fs::read_to_string(file).map_err(unreadable)?, config))
}

#[cfg(unix)]
fn is_open_to_others(file: &Path) -> io::Result<bool> {
    use std::os::unix::fs::PermissionsExt;
    Ok(fs::metadata(file)?.permissions().mode() & 0o077 != 0)
}

#[cfg(not(unix))]
fn is_open_to_others(_file: &Path) -> io::Result<bool> {
    Ok(false)
}

/// Returns the password of the first line for one of the hosts, the database and the user.
fn find(text: &str, config: &Config) -> Option<String> {
    let user = config.get_user().unwrap_or_default();
    let database = config.get_dbname().unwrap_or(user);
    let ports = config.get_ports();
    let hosts = config.get_hosts().iter().enumerate().map(|(index, host)| {
        let host = match host {
            Host::Tcp(name) => name.clone(),
            #[cfg(unix)]
            Host::Unix(path) => path.display().to_string(),
        };
        (host, ports.get(index).or_else(|| ports.first()).unwrap_or(&PORT).to_string())
    });
    let hosts: Vec<_> = hosts.collect();
    let fits = |field: &str, value: &str| field == "*" || unescaped(field) == value;
    text.lines().filter(|line| !line.starts_with('#')).find_map(|line| {
        let [host, port, of, by, password] = fields(line)?;
        let is_there = hosts.iter().any(|(name, number)| fits(host, name) && fits(port, number));
        (is_there && fits(of, database) && fits(by, user)).then(|| unescaped(password))
    })
}

/// Splits a line at colons, except those behind a backslash.
fn fields(line: &str) -> Option<[&str; 5]> {
    let mut is_escaped = false;
    let parts = line.splitn(5, |next: char| {
        let splits = next == ':' && !is_escaped;
        is_escaped = next == '\\' && !is_escaped;
        splits
    });
    parts.collect::<Vec<_>>().try_into().ok()
}

fn unescaped(field: &str) -> String {
    let mut characters = field.chars();
    let mut text = String::with_capacity(field.len());
    while let Some(next) = characters.next() {
        let escaped = if next == '\\' { characters.next() } else { None };
        text.push(escaped.unwrap_or(next));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_line_that_fits_has_the_password() {
        let text = "# of all\n\ndb1:5432:shop:jo:first\ndb1:*:shop:*:second\nshort:line\n\
                    db2:6000:*:a\\:b:c\\:d\\\\e\n*:*:*:other:last:part\n";
        for (url, password) in [
            ("postgres://jo@db1/shop", Some("first")),
            ("postgres://jo@db1:5433/shop", Some("second")),
            ("postgres://jo@db9,db1/shop", Some("first")),
            ("postgres://a%3Ab@db2:6000/shop", Some("c:d\\e")),
            ("postgres://other@db7", Some("last:part")),
            ("postgres://jo@db1/other", None),
            ("postgres://jo@db2:6000/shop", None),
        ] {
            assert_eq!(find(text, &url.parse().unwrap()).as_deref(), password, "{url}");
        }
    }

    #[cfg(unix)]
    #[test]
    fn a_file_that_others_can_read_is_refused() {
        use std::os::unix::fs::PermissionsExt;
        let folder = std::env::temp_dir().join(format!("pgpass-{}", std::process::id()));
        let config = "postgres://jo@db1/shop".parse().unwrap();
        fs::write(&folder, "*:*:*:*:s3cr3t\n").unwrap();
        for (mode, is_read) in [(0o600, true), (0o640, false), (0o604, false)] {
            fs::set_permissions(&folder, fs::Permissions::from_mode(mode)).unwrap();
            let found = read(&folder, &config);
            assert_eq!(found.is_ok(), is_read, "{mode:o}");
            assert!(found.err().is_none_or(|error| error.message().contains("chmod 600")));
        }
        fs::remove_file(&folder).unwrap();
        assert!(read(&folder, &config).unwrap_err().message().contains("cannot be read"));
    }
}
