use super::Field;

/// The resource that a signature covers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scope<'n> {
    /// Services of the account.
    Account,
    /// Entities of a table; the name may have any case.
    Table(&'n str),
    /// Messages of a queue.
    Queue(&'n str),
    /// Blobs of a container, and their list.
    Container(&'n str),
    /// A blob: its container and its unencoded name.
    Blob(&'n str, &'n str),
}

impl Scope<'_> {
    /// Returns `true` if a signature for this scope can contain a parameter.
    pub(super) fn has(self, field: Field) -> bool {
        field.is_common()
            || match self {
                Self::Account => field.is_of_account(),
                Self::Table(_) => field.is_of_table(),
                Self::Queue(_) => field.is_of_queue(),
                Self::Container(_) | Self::Blob(..) => field.is_of_blob(),
            }
    }

    /// Returns the permission letters of the scope.
    pub(super) const fn permissions(self) -> &'static str {
        match self {
            Self::Account => "rwdxylacuptfi",
            Self::Table(_) => "raud",
            Self::Queue(_) => "raup",
            Self::Container(_) => "racwdxyltfmeopi",
            Self::Blob(..) => "racwdxytmeopi",
        }
    }

    /// Returns the value of `sr`.
    pub(super) const fn resource(self) -> Option<&'static str> {
        match self {
            Self::Container(_) => Some("c"),
            Self::Blob(..) => Some("b"),
            Self::Account | Self::Table(_) | Self::Queue(_) => None,
        }
    }

    /// Returns the signed resource, without the account.
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
