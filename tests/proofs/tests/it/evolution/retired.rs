//! A type whose older versions are no longer stored, and a row of such a version that is nevertheless found.

use table_patterns::{Error, RowError, prelude::*};

use super::backends;

#[derive(TableEntity, Clone, Debug, PartialEq)]
#[table(name = "Users", partition = "{tenant}", row = "u_{id:06}", entity_type = "User")]
struct UserV1 {
    tenant: String,
    id: u32,
    name: String,
}

#[derive(TableEntity, Clone, Debug, PartialEq)]
#[table(name = "Users", partition = "{tenant}", row = "u_{id:06}", version = 3, oldest = 3)]
struct User {
    tenant: String,
    id: u32,
    last: String,
}

fn is_retired<T: std::fmt::Debug>(outcome: Result<T, Error>) -> bool {
    let Err(Error::Decode(error)) = outcome else { return false };
    matches!(*error.problem, RowError::RetiredVersion { found: 1, oldest: 3 })
}

#[test]
fn row_of_a_retired_version_is_an_error_and_is_not_overwritten() {
    for backend in backends() {
        let (tables, user) = (&backend.tables, User { tenant: "a".into(), id: 1, last: "Lee".into() });
        let b = tables.blocking();
        let older = UserV1 { tenant: "a".into(), id: 1, name: "Ann Lee".into() };
        b.insert(&older).unwrap();
        assert!(is_retired(b.get(&User::point("a", 1))));
        assert!(is_retired(b.all(&User::rows("a"))));
        assert!(is_retired(b.all(&User::scan_partition("a"))));
        assert!(is_retired(b.all(&User::scan_table().filter(|user| user.last.eq("Lee")))));
        assert!(is_retired(b.delete_at(User::point("a", 1))));
        assert!(is_retired(b.upsert(&user)));
        assert!(is_retired(b.replace_any(&user)));
        let error = b.get(&User::point("a", 1)).unwrap_err().to_string();
        assert!(error.ends_with("run `tables.upgrade` with a program that knows version 1"), "{error}");
        assert_eq!(*b.get(&UserV1::point("a", 1)).unwrap().unwrap(), older);
    }
}
