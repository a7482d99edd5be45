//! Entities that are not visible from outside.

use storage::prelude::*;

#[derive(TableEntity, Clone, Debug)]
#[table(crate = storage, name = "Hidden", partition = "{a}", row = "{b:02}")]
pub(crate) struct Hidden {
    pub(crate) a: String,
    pub(crate) b: u8,
    n: i32,
}

/// Returns the key of a private entity as a string.
#[must_use]
pub fn hidden() -> String {
    let hidden = Hidden { a: "a".to_owned(), b: 2, n: 3 };
    format!("{:?} {}", hidden.key(), hidden.n)
}

/// Returns an entity declared inside a function.
#[must_use]
pub fn in_a_function() -> bool {
    #[derive(TableEntity, Clone, Debug)]
    #[table(crate = storage, name = "Local", partition = "{a}", row = "{b:02}")]
    struct Local {
        a: String,
        b: u8,
        n: i32,
    }
    let local = Local { a: "a".to_owned(), b: 2, n: 3 };
    Local::point(&local.a, local.b).explain().is_ok() && local.n == 3
}
