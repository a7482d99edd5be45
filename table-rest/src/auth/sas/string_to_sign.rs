use super::{Field, SasToken, Scope, Version};

/// Returns the string to sign of a token. Values are used unchanged; missing values are empty.
pub(super) fn string_to_sign(token: &SasToken, account: &str, scope: Scope<'_>) -> String {
    let version = token.version();
    let mut lines = Lines { token, text: String::with_capacity(128) };
    if scope == Scope::Account {
        lines.text.push_str(account);
        lines.fields(&[
            Field::Permissions,
            Field::Services,
            Field::ResourceTypes,
            Field::Start,
            Field::Expiry,
            Field::Addresses,
            Field::Protocol,
            Field::Version,
        ]);
        if version >= Version::LATEST {
            lines.field(Field::EncryptionScope);
        }
        lines.text.push('\n');
        return lines.text;
    }
    lines.text.push_str(token.get(Field::Permissions).unwrap_or_default());
    lines.fields(&[Field::Start, Field::Expiry]);
    lines.line("");
    for part in ["/", scope.service(), "/", account, "/", &scope.path()] {
        lines.text.push_str(part);
    }
    lines.field(Field::Policy);
    if version >= Version::ACCOUNT {
        lines.fields(&[Field::Addresses, Field::Protocol]);
    }
    lines.field(Field::Version);
    match scope {
        Scope::Account | Scope::Queue(_) => {}
        Scope::Table(_) => {
            lines.fields(&[Field::StartPartition, Field::StartRow, Field::EndPartition, Field::EndRow]);
        }
        Scope::Container(_) | Scope::Blob(..) => {
            if version >= Version::RESOURCE {
                lines.field(Field::Resource);
                // The snapshot time, which is not supported.
                lines.line("");
            }
            if version >= Version::LATEST {
                lines.field(Field::EncryptionScope);
            }
            lines.fields(&[
                Field::CacheControl,
                Field::ContentDisposition,
                Field::ContentEncoding,
                Field::ContentLanguage,
                Field::ContentType,
            ]);
        }
    }
    lines.text
}

struct Lines<'t> {
    token: &'t SasToken,
    text: String,
}

impl Lines<'_> {
    fn line(&mut self, line: &str) {
        self.text.push('\n');
        self.text.push_str(line);
    }

    fn field(&mut self, field: Field) {
        self.line(self.token.get(field).unwrap_or_default());
    }

    fn fields(&mut self, fields: &[Field]) {
        for field in fields {
            self.field(*field);
        }
    }
}
