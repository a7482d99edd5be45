macro_rules! fields {
    ($($(#[$doc:meta])* $name:ident $text:literal)*) => {
        /// A parameter of a shared access signature.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Field {
            $($(#[$doc])* $name,)*
        }

        impl Field {
            /// All parameters.
            pub const ALL: &'static [Self] = &[$(Self::$name),*];

            /// Returns the name of the parameter in a query.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self { $(Self::$name => $text),* }
            }
        }
    };
}

fields! {
    /// The version of the signing rules.
    Version "sv"
    /// The services of an account signature.
    Services "ss"
    /// The resource levels of an account signature.
    ResourceTypes "srt"
    /// The permissions.
    Permissions "sp"
    /// The start time.
    Start "st"
    /// The expiry time.
    Expiry "se"
    /// The stored policy that supplies the missing values.
    Policy "si"
    /// The allowed client addresses.
    Addresses "sip"
    /// The allowed protocols.
    Protocol "spr"
    /// The table.
    Table "tn"
    /// The PartitionKey at which the key range starts.
    StartPartition "spk"
    /// The RowKey at which the key range starts.
    StartRow "srk"
    /// The PartitionKey at which the key range ends.
    EndPartition "epk"
    /// The RowKey at which the key range ends.
    EndRow "erk"
    /// The kind of resource: a blob or a container.
    Resource "sr"
    /// The encryption scope for blobs written with the signature.
    EncryptionScope "ses"
    /// `Cache-Control` of the response.
    CacheControl "rscc"
    /// `Content-Disposition` of the response.
    ContentDisposition "rscd"
    /// `Content-Encoding` of the response.
    ContentEncoding "rsce"
    /// `Content-Language` of the response.
    ContentLanguage "rscl"
    /// `Content-Type` of the response.
    ContentType "rsct"
    /// Object ID of a user delegation signature. These parameters are parsed so that they can be rejected.
    UserObject "skoid"
    /// Tenant of a user delegation key.
    UserTenant "sktid"
    /// Start time of a user delegation key.
    UserKeyStart "skt"
    /// Expiry time of a user delegation key.
    UserKeyExpiry "ske"
    /// Service of a user delegation key.
    UserKeyService "sks"
    /// Version of a user delegation key.
    UserKeyVersion "skv"
    /// Authorized object ID of a user delegation signature.
    AuthorizedObject "saoid"
    /// Unauthorized object ID of a user delegation signature.
    UnauthorizedObject "suoid"
    /// Correlation ID of a user delegation signature.
    Correlation "scid"
    /// The depth of a directory.
    DirectoryDepth "sdd"
    /// The signature.
    Signature "sig"
}

impl Field {
    /// Parameters that every kind of signature supports.
    const COMMON: [Self; 7] = [
        Self::Version,
        Self::Permissions,
        Self::Start,
        Self::Expiry,
        Self::Addresses,
        Self::Protocol,
        Self::Signature,
    ];

    pub(super) fn is_common(self) -> bool {
        Self::COMMON.contains(&self)
    }

    /// Returns `true` if an account signature can contain the parameter.
    pub(super) const fn is_of_account(self) -> bool {
        matches!(self, Self::Services | Self::ResourceTypes | Self::EncryptionScope)
    }

    pub(super) const fn is_of_table(self) -> bool {
        matches!(self, Self::Policy | Self::Table) || self.is_key()
    }

    /// Returns `true` if the parameter is a key of a range.
    pub(super) const fn is_key(self) -> bool {
        matches!(self, Self::StartPartition | Self::StartRow | Self::EndPartition | Self::EndRow)
    }

    pub(super) const fn is_of_queue(self) -> bool {
        matches!(self, Self::Policy)
    }

    pub(super) const fn is_of_blob(self) -> bool {
        matches!(self, Self::Policy | Self::Resource | Self::EncryptionScope) || self.is_header()
    }

    /// Returns `true` if the parameter sets a response header.
    pub(super) const fn is_header(self) -> bool {
        matches!(
            self,
            Self::CacheControl
                | Self::ContentDisposition
                | Self::ContentEncoding
                | Self::ContentLanguage
                | Self::ContentType
        )
    }
}
