//! Key ring stored in a file:
//!
//! ```toml
//! version = 1
//! wrap = "none"
//! current = 2
//!
//! [keys]
//! 1 = "base64"
//! 2 = "base64"
//! ```

use std::{
    collections::BTreeMap,
    fs::{self, File, OpenOptions},
    io::{self, Read, Write},
    ops::Range,
    path::{Path, PathBuf},
    sync::Arc,
};

use base64::{Engine, engine::general_purpose::STANDARD};
use serde::{Deserialize, Serialize};
use zeroize::{Zeroize, Zeroizing};

use super::{DataKey, KeyRing, KeyRingError, KeyWrap, wrap::Clear};

const VERSION: u32 = 1;
/// Maximum size of a key ring file.
const MOST_BYTES: u64 = 1 << 20;

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Form {
    version: u32,
    wrap: String,
    current: u32,
    keys: BTreeMap<String, String>,
}

impl Drop for Form {
    fn drop(&mut self) {
        self.keys.values_mut().for_each(Zeroize::zeroize);
    }
}

/// Describes the position of an error in a key ring file, without its text.
fn at_line(text: &str, span: Option<Range<usize>>) -> String {
    let start = span.map_or(text.len(), |span| span.start);
    let line = text.bytes().take(start).filter(|byte| *byte == b'\n').count() + 1;
    format!(
        "line {line} is invalid; expected `version`, `wrap`, `current` and a table [keys] of ids and base64"
    )
}

impl KeyRing {
    /// Creates a file with one new key. Only its owner can read the file. Any process that can read it can decrypt all
    /// values encrypted with the key.
    ///
    /// # Errors
    /// Returns [`KeyRingError::File`] if the file cannot be written or already exists; an existing file is never
    /// overwritten, because it may be the only copy of a key. Returns [`KeyRingError::NoRandom`] if the system provides
    /// no random bytes.
    pub fn create(path: impl AsRef<Path>) -> Result<Self, KeyRingError> {
        Self::create_with(path, &Clear)
    }

    /// Creates a file with one new key, which is wrapped by `wrap`.
    ///
    /// # Errors
    /// Returns the errors of [`create`](Self::create), and [`KeyRingError::Wrap`] if the key cannot be wrapped.
    pub fn create_with(path: impl AsRef<Path>, wrap: &dyn KeyWrap) -> Result<Self, KeyRingError> {
        let (path, ring) = (path.as_ref(), Self::generate()?);
        let text = ring.text(wrap)?;
        let _lock = lock(path)?;
        write_new(path, &text).map_err(|reason| failed(path, reason))?;
        Ok(ring)
    }

    /// Loads a ring from a file.
    ///
    /// # Errors
    /// Returns [`KeyRingError::OpenToOthers`] if other users can access the file, [`KeyRingError::File`] if it cannot
    /// be read, and [`KeyRingError::Form`] if it is invalid.
    pub fn from_file(path: impl AsRef<Path>) -> Result<Self, KeyRingError> {
        Self::from_file_with(path, &Clear)
    }

    /// Loads a ring whose keys were wrapped by `wrap`.
    ///
    /// # Errors
    /// Returns the errors of [`from_file`](Self::from_file), [`KeyRingError::OtherWrap`] if the keys were wrapped by
    /// another wrap, and [`KeyRingError::Wrap`] if a key cannot be unwrapped.
    pub fn from_file_with(path: impl AsRef<Path>, wrap: &dyn KeyWrap) -> Result<Self, KeyRingError> {
        let path = path.as_ref();
        let text = read_private(path)?;
        let form = |reason: String| KeyRingError::Form { path: path.to_owned(), reason };
        // The message of the parser contains values, and a value may be a key.
        let parsed: Form = toml::from_str(&text).map_err(|error| form(at_line(&text, error.span())))?;
        if parsed.version != VERSION {
            return Err(form(format!("version {} is not supported", parsed.version)));
        }
        if parsed.wrap != wrap.name() {
            let (found, given) = (parsed.wrap.clone(), wrap.name().to_owned());
            return Err(KeyRingError::OtherWrap { path: path.to_owned(), found, given });
        }
        let mut keys = BTreeMap::new();
        for (id, wrapped) in &parsed.keys {
            let id: u32 =
                id.parse().map_err(|_| form("a name in [keys] is not a valid key id".to_owned()))?;
            let wrapped =
                STANDARD.decode(wrapped).map_err(|_| form(format!("key {id} is not valid base64")))?;
            let (wrapped, mut key) = (Zeroizing::new(wrapped), Zeroizing::new([0; 32]));
            wrap.unwrap_into(id, &wrapped, &mut key)
                .map_err(|error| KeyRingError::Wrap { id, reason: error.to_string() })?;
            if keys.insert(id, Arc::new(DataKey::new(key))).is_some() {
                return Err(KeyRingError::Twice { id });
            }
        }
        Self::of(parsed.current, keys)
    }

    /// Writes the ring to a file, replacing an existing file atomically: after a crash it contains either the old ring
    /// or the new ring. No key of the file is lost: if another process has saved a key that this ring does not contain, the
    /// file remains unchanged. Processes that save at the same time take turns, by a lock on a file beside it, with the
    /// suffix `.lock`. A symbolic link is followed.
    ///
    /// # Errors
    /// Returns [`KeyRingError::OtherKeys`] if the file contains keys that the ring does not contain, and that were not
    /// removed from it by [`without`](Self::without). Returns [`KeyRingError::File`] if the file cannot be written, and the
    /// errors of [`from_file`](Self::from_file) if it exists and is not a valid ring.
    pub fn save(&self, path: impl AsRef<Path>) -> Result<(), KeyRingError> {
        self.save_with(path, &Clear)
    }

    /// Writes the ring to a file, with keys wrapped by `wrap`. The keys in an existing file must be wrapped by the same wrap,
    /// or not be wrapped yet. To change the wrap, save the ring to a new file.
    ///
    /// # Errors
    /// Returns the errors of [`save`](Self::save), [`KeyRingError::OtherWrap`] if the keys in the file were wrapped by
    /// another wrap, and [`KeyRingError::Wrap`] if a key cannot be wrapped.
    pub fn save_with(&self, path: impl AsRef<Path>, wrap: &dyn KeyWrap) -> Result<(), KeyRingError> {
        let text = self.text(wrap)?;
        let path = target(path.as_ref())?;
        let _lock = lock(&path)?;
        match Self::from_file_with(&path, wrap) {
            Ok(found) => self.check_contains(&path, &found)?,
            // Its keys become wrapped.
            Err(KeyRingError::OtherWrap { found, .. }) if found == Clear.name() => {
                self.check_contains(&path, &Self::from_file(&path)?)?;
            }
            Err(KeyRingError::File { reason, .. }) if reason.kind() == io::ErrorKind::NotFound => {}
            Err(error) => return Err(error),
        }
        replace(&path, &text).map_err(|reason| failed(&path, reason))
    }

    fn check_contains(&self, path: &Path, found: &Self) -> Result<(), KeyRingError> {
        let ids = self.lost(found);
        if ids.is_empty() { Ok(()) } else { Err(KeyRingError::OtherKeys { path: path.to_owned(), ids }) }
    }

    fn text(&self, wrap: &dyn KeyWrap) -> Result<Zeroizing<String>, KeyRingError> {
        let mut keys = BTreeMap::new();
        for (id, key) in &*self.keys {
            let wrapped = wrap.wrap(*id, &key.bytes);
            let wrapped =
                wrapped.map_err(|error| KeyRingError::Wrap { id: *id, reason: error.to_string() })?;
            keys.insert(id.to_string(), STANDARD.encode(&*Zeroizing::new(wrapped)));
        }
        let wrap = wrap.name().to_owned();
        let form = Form { version: VERSION, wrap, current: self.current(), keys };
        let text = toml::to_string(&form);
        text.map(Zeroizing::new)
            .map_err(|error| KeyRingError::Form { path: PathBuf::new(), reason: error.to_string() })
    }
}

fn failed(path: &Path, reason: io::Error) -> KeyRingError {
    KeyRingError::File { path: path.to_owned(), reason: Arc::new(reason) }
}

/// Returns the file that a path names, which a symbolic link can point to. A link to a file that does not exist is an
/// error: the new file would take the place of the link.
fn target(path: &Path) -> Result<PathBuf, KeyRingError> {
    let is_link = fs::symlink_metadata(path).is_ok_and(|metadata| metadata.is_symlink());
    if is_link { fs::canonicalize(path).map_err(|reason| failed(path, reason)) } else { Ok(path.to_owned()) }
}

/// Waits until no other process writes the file. The lock ends when the returned file is closed, also by a crash.
fn lock(path: &Path) -> Result<File, KeyRingError> {
    let failed = |reason| failed(path, reason);
    let mut options = private();
    let file = options.create(true).open(beside(path, ".lock").map_err(failed)?).map_err(failed)?;
    file.lock().map_err(failed)?;
    Ok(file)
}

/// Returns the path of a file beside another one.
fn beside(path: &Path, suffix: &str) -> io::Result<PathBuf> {
    let mut name = path.file_name().ok_or(io::ErrorKind::InvalidInput)?.to_owned();
    name.push(suffix);
    Ok(path.with_file_name(name))
}

/// Returns the options for writing a file that only its owner can open, with the permissions set at creation.
fn private() -> OpenOptions {
    let mut options = OpenOptions::new();
    options.write(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options
}

fn write_new(path: &Path, text: &str) -> io::Result<()> {
    let mut file = private().create_new(true).open(path)?;
    file.write_all(text.as_bytes())?;
    file.sync_all()?;
    sync_directory(path)
}

fn replace(path: &Path, text: &str) -> io::Result<()> {
    let new = beside(path, ".new")?;
    // Left behind by a crash.
    match fs::remove_file(&new) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
        _ => {}
    }
    write_new(&new, text)?;
    fs::rename(&new, path)?;
    sync_directory(path)
}

/// Syncs the directory, so that the file name is durable.
fn sync_directory(path: &Path) -> io::Result<()> {
    #[cfg(unix)]
    {
        let parent = path.parent().filter(|parent| !parent.as_os_str().is_empty());
        File::open(parent.unwrap_or_else(|| Path::new(".")))?.sync_all()?;
    }
    Ok(())
}

fn read_private(path: &Path) -> Result<Zeroizing<String>, KeyRingError> {
    let failed = |reason| failed(path, reason);
    let file = File::open(path).map_err(failed)?;
    #[cfg(unix)]
    {
        let metadata = file.metadata().map_err(failed)?;
        let mode = std::os::unix::fs::PermissionsExt::mode(&metadata.permissions()) & 0o777;
        if mode & 0o077 != 0 {
            return Err(KeyRingError::OpenToOthers { path: path.to_owned(), mode });
        }
    }
    let mut text = Zeroizing::new(String::new());
    file.take(MOST_BYTES).read_to_string(&mut text).map_err(failed)?;
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_of_key_files_contain_no_key() {
        let (folder, canary) = (tempfile::tempdir().unwrap(), "c4n4ryc4n4ry");
        let path = folder.path().join("keys.toml");
        for text in [
            canary.to_owned(),
            format!("version = \"{canary}\""),
            format!("version = 1\nwrap = \"none\"\ncurrent = \"{canary}\"\n[keys]\n"),
            format!("version = 1\nwrap = \"none\"\ncurrent = 1\nkeys = \"{canary}\"\n"),
            format!("version = 1\nwrap = \"none\"\ncurrent = 1\n[keys]\n{canary} = \"1\"\n"),
            format!("version = 1\nwrap = \"none\"\ncurrent = 1\n[keys]\n1 = \"{canary}!\"\n"),
            format!("version = 1\nwrap = \"none\"\ncurrent = 1\n{canary} = 1\n[keys]\n"),
        ] {
            replace(&path, &text).unwrap();
            let error = KeyRing::from_file(&path).unwrap_err();
            let shown = format!("{error} {error:?}");
            assert!(!shown.contains(canary), "{shown}");
        }
    }
}
