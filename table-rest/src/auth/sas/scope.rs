use super::Field;

/// What a signature is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scope<'n> {
    /// Services of the account.
    Account,
    /// Entities of a table, by its name in any case.
    Table(&'n str),
    /// Messages of a queue.
    Queue(&'n str),
    /// Blobs of a container, and their list.
    Container(&'n str),
    /// A blob, by its container and its name, which is not encoded.
    Blob(&'n str, &'n str),
}

impl Scope<'_> {
    /// Whether a signature for it can have a parameter.
    pub(super) fn has(self, field: Field) -> bool {
        field.is_common()
            || match self {
                Self::Account => field.is_of_account(),
                Self::Table(_) => field.is_of_table(),
                Self::Queue(_) => field.is_of_queue(),
                Self::Container(_) | Self::Blob(..) => field.is_of_blob(),
            }
    }

    /// The letters that permissions have.
    pub(super) const fn permissions(self) -> &'static str {
        match self {
            Self::Account => "rwdxylacuptfi",
            Self::Table(_) => "raud",
            Self::Queue(_) => "raup",
            Self::Container(_) => "racwdxyltfmeopi",
            Self::Blob(..) => "racwdxytmeopi",
        }
    }

    /// The value of `sr`.
    pub(super) const fn resource(self) -> Option<&'static str> {
        match self {
            Self::Container(_) => Some("c"),
            Self::Blob(..) => Some("b"),
            Self::Account | Self::Table(_) | Self::Queue(_) => None,
        }
    }

    /// The resource as it is signed, behind the account.
    pub(super) fn path(self) -> String {
        match self {
            Self::Account => String::new(),
            Self::Table(name) => name.to_ascii_lowercase(),
            Self::Queue(name) | Self::Container(name) => name.to_owned(),
            Self::Blob(container, name) => format!("{container}/{name}"),
        }
    }

    pub(super) const fn service(self) -> &'static str {
        match self {
            Self::Account => "",
            Self::Table(_) => "table",
            Self::Queue(_) => "queue",
            Self::Container(_) | Self::Blob(..) => "blob",
        }
    }
}
