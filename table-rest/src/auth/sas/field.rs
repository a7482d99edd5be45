macro_rules! fields {
    ($($(#[$doc:meta])* $name:ident $text:literal)*) => {
        /// A parameter of a signature.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Field {
            $($(#[$doc])* $name,)*
        }

        impl Field {
            /// All of them.
            pub const ALL: &'static [Self] = &[$(Self::$name),*];

            /// Its name in a query.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self { $(Self::$name => $text),* }
            }
        }
    };
}

fields! {
    /// The version by whose rules it is signed.
    Version "sv"
    /// The services that a signature for the account is for.
    Services "ss"
    /// The levels of resources that a signature for the account is for.
    ResourceTypes "srt"
    /// What it allows.
    Permissions "sp"
    /// From when on it holds.
    Start "st"
    /// Until when it holds.
    Expiry "se"
    /// The stored policy that says what it does not say itself.
    Policy "si"
    /// The addresses that may use it.
    Addresses "sip"
    /// The protocols over which it may be used.
    Protocol "spr"
    /// The table that it is for.
    Table "tn"
    /// The PartitionKey from which on.
    StartPartition "spk"
    /// The RowKey from which on.
    StartRow "srk"
    /// The PartitionKey up to which.
    EndPartition "epk"
    /// The RowKey up to which.
    EndRow "erk"
    /// Whether it is for a blob or a container.
    Resource "sr"
    /// The encryption scope of blobs that it writes.
    EncryptionScope "ses"
    /// `Cache-Control` of the answer.
    CacheControl "rscc"
    /// `Content-Disposition` of the answer.
    ContentDisposition "rscd"
    /// `Content-Encoding` of the answer.
    ContentEncoding "rsce"
    /// `Content-Language` of the answer.
    ContentLanguage "rscl"
    /// `Content-Type` of the answer.
    ContentType "rsct"
    /// Of signatures by a user's key: whose it is. These are known so that they can be refused.
    UserObject "skoid"
    /// Of signatures by a user's key.
    UserTenant "sktid"
    /// Of signatures by a user's key.
    UserKeyStart "skt"
    /// Of signatures by a user's key.
    UserKeyExpiry "ske"
    /// Of signatures by a user's key.
    UserKeyService "sks"
    /// Of signatures by a user's key.
    UserKeyVersion "skv"
    /// Of signatures by a user's key.
    AuthorizedObject "saoid"
    /// Of signatures by a user's key.
    UnauthorizedObject "suoid"
    /// Of signatures by a user's key.
    Correlation "scid"
    /// The depth of a directory.
    DirectoryDepth "sdd"
    /// The signature.
    Signature "sig"
}

impl Field {
    /// What every signature can have.
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

    /// Whether it can stand in a signature for the account.
    pub(super) const fn is_of_account(self) -> bool {
        matches!(self, Self::Services | Self::ResourceTypes | Self::EncryptionScope)
    }

    pub(super) const fn is_of_table(self) -> bool {
        matches!(
            self,
            Self::Policy
                | Self::Table
                | Self::StartPartition
                | Self::StartRow
                | Self::EndPartition
                | Self::EndRow
        )
    }

    pub(super) const fn is_of_queue(self) -> bool {
        matches!(self, Self::Policy)
    }

    pub(super) const fn is_of_blob(self) -> bool {
        matches!(self, Self::Policy | Self::Resource | Self::EncryptionScope) || self.is_header()
    }

    /// Whether it sets a header of the answer.
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
