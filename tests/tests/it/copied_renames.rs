//! A field that an index copies gets another stored name in a new version, while programs use the registry.

#![allow(clippy::unwrap_used, clippy::panic, reason = "tests")]

use std::fmt::Debug;

use table_patterns::{Error, RegistryError, prelude::*};
use table_store::OpenOptions;

/// Declares a version of the entity in a module.
macro_rules! version {
    ($module:ident $name:ident($($attribute:tt)*) $field:ident $(was $was:literal)?) => {
        #[allow(dead_code, reason = "no test uses all of a type")]
        mod $module {
            use table_patterns::prelude::*;

            #[derive(TableEntity, Clone, Debug)]
            #[table(name = "Mails", partition = "{customer}", row = "m_{id:06}", $($attribute)*)]
            pub(super) struct $name {
                pub(super) customer: String,
                pub(super) id: u32,
                $(#[table(was = $was)])?
                pub(super) $field: String,
            }

            pub(super) fn mail(id: u32) -> $name {
                $name { customer: "contoso".into(), id, $field: format!("text {id}") }
            }
        }
    };
}

version!(first MailV1(
    entity_type = "Mail", index(by_text, row = "t_{id:06}", copy(subject))
) subject);
version!(prepared MailV1(
    entity_type = "Mail", index(by_text_2, row = "t2_{id:06}")
) subject);
version!(same_name Mail(
    version = 2, oldest = 2, index(by_text, row = "t_{id:06}", copy(title))
) title was "subject");
version!(other_name Mail(
    version = 2, oldest = 2, index(by_text_3, row = "t3_{id:06}", copy(title))
) title was "subject");
version!(after Mail(
    version = 2, from(super::prepared::MailV1), index(by_text_2, row = "t2_{id:06}")
) title was "subject");

impl From<prepared::MailV1> for after::Mail {
    fn from(prepared::MailV1 { customer, id, subject }: prepared::MailV1) -> Self {
        Self { customer, id, title: subject }
    }
}

fn refused<T: Debug>(written: Result<T>) -> RegistryError {
    let Error::Registry(error) = written.unwrap_err() else { panic!("another error") };
    *error
}

#[test]
fn no_index_has_the_fields_of_both_versions() {
    let store = OpenOptions::new().in_memory().unwrap();
    let tables = || Tables::new(store.clone()).with_registry();
    tables().blocking().insert(&first::mail(1)).unwrap();
    let differs = refused(tables().blocking().insert(&same_name::mail(2)));
    assert!(matches!(differs, RegistryError::Differs { index: "by_text", .. }), "{differs}");
    let missing = refused(tables().blocking().insert(&other_name::mail(2)));
    assert!(matches!(missing, RegistryError::SchemaTooOld { .. }), "{missing}");
}

/// The procedure of class C11: before the new version, the index is replaced by one that contains all fields.
#[test]
fn both_versions_use_an_index_with_all_fields() {
    let store = OpenOptions::new().in_memory().unwrap();
    let tables = || Tables::new(store.clone()).with_registry();
    tables().blocking().insert(&prepared::mail(1)).unwrap();
    tables().blocking().insert(&after::mail(2)).unwrap();
    tables().blocking().insert(&prepared::mail(3)).unwrap();
    let found = tables().blocking().all(&after::Mail::by_text_2_rows("contoso")).unwrap();
    assert_eq!(found.iter().map(|mail| &*mail.title).collect::<Vec<_>>(), ["text 1", "text 2", "text 3"]);
}
