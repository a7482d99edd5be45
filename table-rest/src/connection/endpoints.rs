use http::Uri;

use super::{
    ConnectionStringError as Error,
    setting::{Setting, Settings},
};
use crate::{AccountName, ServiceKind};

/// Service endpoints, in the order of [`ServiceKind::ALL`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Endpoints {
    blob: Places,
    queue: Places,
    table: Places,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Places {
    primary: Option<String>,
    secondary: Option<String>,
}

impl Endpoints {
    pub(super) fn primary(&self, kind: ServiceKind) -> Option<&str> {
        self.of(kind).primary.as_deref()
    }

    pub(super) fn secondary(&self, kind: ServiceKind) -> Option<&str> {
        self.of(kind).secondary.as_deref()
    }

    pub(super) fn set_primary(&mut self, kind: ServiceKind, url: &str) -> Result<(), Error> {
        let [setting, _] = Setting::endpoints(kind);
        self.of_mut(kind).primary = Some(endpoint(setting, url)?);
        Ok(())
    }

    /// Returns the emulator endpoints if the settings request them.
    pub(super) fn of_emulator(settings: &Settings<'_>) -> Result<Option<Self>, Error> {
        let [wanted, proxy] = [Setting::UseDevelopmentStorage, Setting::DevelopmentStorageProxyUri];
        let Some(value) = settings.get(wanted) else { return Ok(None) };
        if !value.eq_ignore_ascii_case("true") {
            return Err(wanted.wrong("expected true"));
        }
        if !settings.only(&[wanted, proxy]) {
            return Err(Error::MoreThanEmulator);
        }
        let host = settings
            .get(proxy)
            .map_or_else(|| Ok(String::from("http://127.0.0.1")), |url| endpoint(proxy, url))?;
        let mut endpoints = Self::default();
        for kind in ServiceKind::ALL {
            let root = format!("{host}:{}/{}", kind.port(), AccountName::emulator());
            let secondary = format!("{root}-secondary");
            *endpoints.of_mut(kind) = Places { primary: Some(root), secondary: Some(secondary) };
        }
        Ok(Some(endpoints))
    }

    /// Reads the explicit endpoints and derives the others from the account name.
    pub(super) fn read(settings: &Settings<'_>, account: Option<&AccountName>) -> Result<Self, Error> {
        let protocol =
            settings.get(Setting::DefaultEndpointsProtocol).unwrap_or("https").to_ascii_lowercase();
        if !matches!(protocol.as_str(), "http" | "https") {
            return Err(Setting::DefaultEndpointsProtocol.wrong("expected http or https"));
        }
        let suffix = settings.get(Setting::EndpointSuffix).unwrap_or("core.windows.net");
        let explicit = |setting: Setting| settings.get(setting).map(|url| endpoint(setting, url)).transpose();
        let mut endpoints = Self::default();
        for kind in ServiceKind::ALL {
            let [primary, secondary] = Setting::endpoints(kind);
            let mut places = Places { primary: explicit(primary)?, secondary: explicit(secondary)? };
            match account {
                // A secondary endpoint without a primary would be read as the copy of another account.
                _ if places.primary.is_none() && places.secondary.is_some() => {
                    return Err(Error::Missing(primary.name()));
                }
                Some(account) if places.primary.is_none() => {
                    let at = |account: &str| {
                        let url = format!("{protocol}://{account}.{kind}.{suffix}");
                        endpoint(Setting::EndpointSuffix, &url)
                    };
                    let second = format!("{account}-secondary");
                    places = Places { primary: Some(at(account)?), secondary: Some(at(&second)?) };
                }
                _ => {}
            }
            *endpoints.of_mut(kind) = places;
        }
        if ServiceKind::ALL.iter().all(|kind| endpoints.primary(*kind).is_none()) {
            return Err(Error::Missing("AccountName"));
        }
        Ok(endpoints)
    }

    const fn of(&self, kind: ServiceKind) -> &Places {
        match kind {
            ServiceKind::Blob => &self.blob,
            ServiceKind::Queue => &self.queue,
            ServiceKind::Table => &self.table,
        }
    }

    const fn of_mut(&mut self, kind: ServiceKind) -> &mut Places {
        match kind {
            ServiceKind::Blob => &mut self.blob,
            ServiceKind::Queue => &mut self.queue,
            ServiceKind::Table => &mut self.table,
        }
    }
}

/// Normalizes an endpoint to a URL without a trailing `/`.
fn endpoint(setting: Setting, url: &str) -> Result<String, Error> {
    let wrong = || setting.wrong("expected an endpoint like http://127.0.0.1:10002/devstoreaccount1");
    let parsed: Uri = url.parse().map_err(|_| wrong())?;
    let plain = matches!(parsed.scheme_str(), Some("http" | "https"))
        && parsed.authority().is_some_and(|authority| !authority.as_str().contains('@'))
        && !url.contains(['?', '#']);
    if plain { Ok(String::from(url.trim_end_matches('/'))) } else { Err(wrong()) }
}
