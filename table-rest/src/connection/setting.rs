use std::{fmt::Display, str::FromStr};

use super::ConnectionStringError as Error;
use crate::ServiceKind;

/// A setting of a connection string. Settings of other services are parsed and ignored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Setting {
    UseDevelopmentStorage,
    DevelopmentStorageProxyUri,
    DefaultEndpointsProtocol,
    AccountName,
    AccountKey,
    SharedAccessSignature,
    EndpointSuffix,
    BlobEndpoint,
    BlobSecondaryEndpoint,
    QueueEndpoint,
    QueueSecondaryEndpoint,
    TableEndpoint,
    TableSecondaryEndpoint,
    FileEndpoint,
    FileSecondaryEndpoint,
}

impl Setting {
    const ALL: [Self; 15] = [
        Self::UseDevelopmentStorage,
        Self::DevelopmentStorageProxyUri,
        Self::DefaultEndpointsProtocol,
        Self::AccountName,
        Self::AccountKey,
        Self::SharedAccessSignature,
        Self::EndpointSuffix,
        Self::BlobEndpoint,
        Self::BlobSecondaryEndpoint,
        Self::QueueEndpoint,
        Self::QueueSecondaryEndpoint,
        Self::TableEndpoint,
        Self::TableSecondaryEndpoint,
        Self::FileEndpoint,
        Self::FileSecondaryEndpoint,
    ];

    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::UseDevelopmentStorage => "UseDevelopmentStorage",
            Self::DevelopmentStorageProxyUri => "DevelopmentStorageProxyUri",
            Self::DefaultEndpointsProtocol => "DefaultEndpointsProtocol",
            Self::AccountName => "AccountName",
            Self::AccountKey => "AccountKey",
            Self::SharedAccessSignature => "SharedAccessSignature",
            Self::EndpointSuffix => "EndpointSuffix",
            Self::BlobEndpoint => "BlobEndpoint",
            Self::BlobSecondaryEndpoint => "BlobSecondaryEndpoint",
            Self::QueueEndpoint => "QueueEndpoint",
            Self::QueueSecondaryEndpoint => "QueueSecondaryEndpoint",
            Self::TableEndpoint => "TableEndpoint",
            Self::TableSecondaryEndpoint => "TableSecondaryEndpoint",
            Self::FileEndpoint => "FileEndpoint",
            Self::FileSecondaryEndpoint => "FileSecondaryEndpoint",
        }
    }

    /// Returns the settings for the primary and the secondary endpoint of a service.
    pub(super) const fn endpoints(kind: ServiceKind) -> [Self; 2] {
        match kind {
            ServiceKind::Blob => [Self::BlobEndpoint, Self::BlobSecondaryEndpoint],
            ServiceKind::Queue => [Self::QueueEndpoint, Self::QueueSecondaryEndpoint],
            ServiceKind::Table => [Self::TableEndpoint, Self::TableSecondaryEndpoint],
        }
    }

    /// Creates the error for an invalid value of this setting.
    pub(super) fn wrong(self, reason: impl Display) -> Error {
        Error::Value { name: self.name(), reason: reason.to_string() }
    }
}

/// The settings of a string, each at most once. Names are case-insensitive; empty values are ignored.
pub(super) struct Settings<'s>(Vec<(Setting, &'s str)>);

impl<'s> Settings<'s> {
    pub(super) fn read(text: &'s str) -> Result<Self, Error> {
        let mut settings = Vec::<(Setting, &str)>::new();
        let parts = text.split(';').map(str::trim).enumerate();
        for (index, part) in parts.filter(|(_, part)| !part.is_empty()) {
            let (name, value) = part.split_once('=').ok_or(Error::NoSetting(index + 1))?;
            let name = name.trim();
            let setting = Setting::ALL.into_iter().find(|known| known.name().eq_ignore_ascii_case(name));
            let setting = setting.ok_or(Error::Unknown(index + 1))?;
            if settings.iter().any(|(known, _)| *known == setting) {
                return Err(Error::Twice(setting.name()));
            }
            settings.push((setting, value.trim()));
        }
        Ok(Self(settings))
    }

    pub(super) fn get(&self, setting: Setting) -> Option<&'s str> {
        let found = self.0.iter().find(|(known, _)| *known == setting);
        found.map(|(_, value)| *value).filter(|value| !value.is_empty())
    }

    pub(super) fn parse<T: FromStr<Err: Display>>(&self, setting: Setting) -> Result<Option<T>, Error> {
        self.get(setting).map(str::parse).transpose().map_err(|reason: T::Err| setting.wrong(reason))
    }

    /// Returns `true` if no other settings are present.
    pub(super) fn only(&self, settings: &[Setting]) -> bool {
        self.0.iter().all(|(known, _)| settings.contains(known))
    }
}
