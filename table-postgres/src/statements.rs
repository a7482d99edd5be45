//! The statements of one table. A statement is one string, so the pool prepares it once for each connection.

use table_model::outbox::OutboxKind;

/// Texts of the statements of a table.
///
/// `ts` is the timestamp, and the ETag: no two states of an entity have the same. A write is refused by `ts < $…` if its
/// timestamp is not above the stored one (the writer's clock is behind), and is then repeated with a higher one.
#[derive(Debug)]
pub(crate) struct Statements {
    /// Creates the table.
    pub(crate) create: String,
    /// Lists commit records after a key.
    pub(crate) commits: String,
    /// Lists dead-lettered commit records after a key.
    pub(crate) dead_letters: String,
    /// Deletes the table.
    pub(crate) drop: String,
    /// Reads an entity.
    pub(crate) get: String,
    /// Reads the existing entities of a transaction, and locks them until its end.
    pub(crate) lock_rows: String,
    /// Inserts an entity, unless it exists. Returns a row if it was inserted.
    pub(crate) insert: String,
    /// Inserts or replaces an entity. Returns a row unless the timestamp was too low.
    pub(crate) upsert: String,
    /// Replaces an entity in the required version. Returns whether it was replaced, and the version before.
    pub(crate) replace: String,
    /// Writes an entity of this version again, unchanged. Returns a row if it exists.
    pub(crate) confirm: String,
    /// Deletes an entity in the required version. Returns whether it was deleted, and the version before.
    pub(crate) delete: String,
    /// Inserts the entities of a transaction.
    pub(crate) insert_all: String,
    /// Inserts or replaces the entities of a transaction. A timestamp that is too low is a division by zero.
    pub(crate) upsert_all: String,
    /// Replaces locked entities of a transaction.
    pub(crate) replace_all: String,
    /// Deletes locked entities of a transaction.
    pub(crate) delete_all: String,
    /// Reads single keys.
    pub(crate) points: String,
    /// Reads a range in ascending order, up to a number of rows and of bytes.
    pub(crate) ascending: String,
    /// Reads a range in descending order.
    pub(crate) descending: String,
    /// Reads a range like `ascending`, but returns the records that contain some bytes. Also returns the last row of each
    /// partition and of the statement, with `NULL` as its record, and the number of rows and of bytes up to each row.
    pub(crate) matching_ascending: String,
    /// Reads like `matching_ascending`, in descending order.
    pub(crate) matching_descending: String,
}

impl Statements {
    /// Creates the statements of the table with this id. The schema is a plain name.
    pub(crate) fn new(schema: &str, id: u32) -> Self {
        let t = format!("{schema}.e{id}");
        // The second query sees the state before the statement, also if the first one waited for another writer.
        let found = |write: &str| {
            format!(
                "WITH w AS ({write} RETURNING 1) SELECT EXISTS (SELECT FROM w), \
                 (SELECT ts FROM {t} WHERE p = $1 AND r = $2)"
            )
        };
        // For each key of `k`, its row, until the parenthesis is closed. Without the limit, the planner can read the whole
        // partition instead.
        let each = |columns: &str| {
            format!("CROSS JOIN LATERAL (SELECT {columns} FROM {t} WHERE p = $1 AND r = k.r LIMIT 1")
        };
        let prefix = |kind: OutboxKind| format!("'{}'::bytea", kind.prefix());
        let outbox = |kind| {
            format!(
                "SELECT p, r, data FROM {t} WHERE substring(r, 1, 3) = {} AND (p, r) > ($1, $2) ORDER BY p, r LIMIT $3",
                prefix(kind)
            )
        };
        let range = |order: &str| {
            // The size of a value is known without reading it.
            format!(
                "SELECT p, r, ts, data FROM (SELECT p, r, ts, data, sum(octet_length(data)) OVER (ORDER BY p{order}, \
                 r{order} ROWS UNBOUNDED PRECEDING) - octet_length(data) AS before FROM {t} WHERE (p, r) >= ($1, $2) \
                 AND (p, r) < ($3, $4) ORDER BY p{order}, r{order} LIMIT $5) AS s WHERE before < $6 \
                 ORDER BY p{order}, r{order}"
            )
        };
        let matching = |order: &str| {
            format!(
                "SELECT p, r, ts, CASE WHEN hit THEN data END, n, upto FROM (SELECT p, r, ts, data, position($7 IN data) > 0 \
                 AS hit, row_number() OVER w AS n, sum(octet_length(data)) OVER w AS upto, lead(p) OVER w IS DISTINCT FROM p \
                 AS ends FROM {t} WHERE (p, r) >= ($1, $2) AND (p, r) < ($3, $4) WINDOW w AS (ORDER BY p{order}, r{order} \
                 ROWS UNBOUNDED PRECEDING) ORDER BY p{order}, r{order} LIMIT $5) AS s WHERE upto - octet_length(data) < $6 \
                 AND (hit OR ends OR n = $5 OR upto >= $6) ORDER BY p{order}, r{order}"
            )
        };
        Self {
            create: format!(
                "CREATE TABLE {t} (p bytea NOT NULL, r bytea NOT NULL, ts int8 NOT NULL, data bytea NOT NULL, \
                 PRIMARY KEY (p, r)) WITH (fillfactor = 85); \
                 CREATE INDEX o{id} ON {t} (p, r) WHERE substring(r, 1, 3) IN ({})",
                OutboxKind::ALL.map(prefix).join(", ")
            ),
            commits: outbox(OutboxKind::Commits),
            dead_letters: outbox(OutboxKind::DeadLetters),
            drop: format!("DROP TABLE {t}"),
            get: format!("SELECT ts, data FROM {t} WHERE p = $1 AND r = $2"),
            lock_rows: format!(
                "SELECT e.r, e.ts, e.data FROM unnest($2::bytea[]) AS k (r) {} FOR UPDATE) AS e",
                each("r, ts, data")
            ),
            insert: format!(
                "INSERT INTO {t} (p, r, ts, data) VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING RETURNING 1"
            ),
            upsert: format!(
                "INSERT INTO {t} AS e (p, r, ts, data) VALUES ($1, $2, $3, $4) ON CONFLICT (p, r) DO UPDATE \
                 SET data = excluded.data, ts = excluded.ts WHERE e.ts < excluded.ts RETURNING 1"
            ),
            replace: found(&format!(
                "UPDATE {t} SET ts = $3, data = $4 WHERE p = $1 AND r = $2 AND ts < $3 AND ($5::int8 IS NULL OR ts = $5)"
            )),
            confirm: format!("UPDATE {t} SET ts = ts WHERE p = $1 AND r = $2 AND ts = $3 RETURNING 1"),
            delete: found(&format!(
                "DELETE FROM {t} WHERE p = $1 AND r = $2 AND ($3::int8 IS NULL OR ts = $3)"
            )),
            insert_all: format!(
                "INSERT INTO {t} (p, r, ts, data) SELECT $1, u.r, $2, u.data FROM unnest($3::bytea[], $4::bytea[]) \
                 AS u (r, data) ORDER BY u.r"
            ),
            upsert_all: format!(
                "INSERT INTO {t} AS e (p, r, ts, data) SELECT $1, u.r, $2, u.data FROM unnest($3::bytea[], $4::bytea[]) \
                 AS u (r, data) ORDER BY u.r ON CONFLICT (p, r) DO UPDATE SET data = excluded.data, \
                 ts = excluded.ts / (e.ts < excluded.ts)::int"
            ),
            replace_all: format!(
                "UPDATE {t} AS e SET ts = $2, data = k.data FROM unnest($3::bytea[], $4::bytea[]) AS k (r, data) {}) AS s \
                 WHERE e.ctid = s.ctid",
                each("ctid")
            ),
            delete_all: format!(
                "DELETE FROM {t} AS e USING unnest($2::bytea[]) AS k (r) {}) AS s WHERE e.ctid = s.ctid",
                each("ctid")
            ),
            // Without the limit, the planner can join by a scan of the table.
            points: format!(
                "SELECT e.p, e.r, e.ts, e.data FROM unnest($1::bytea[], $2::bytea[]) AS k (p, r) CROSS JOIN LATERAL \
                 (SELECT p, r, ts, data FROM {t} WHERE p = k.p AND r = k.r LIMIT 1) AS e ORDER BY e.p, e.r"
            ),
            ascending: range(""),
            descending: range(" DESC"),
            matching_ascending: matching(""),
            matching_descending: matching(" DESC"),
        }
    }
}

/// Serializes the transactions of a partition: two of them could otherwise wait for each other on entities that do not
/// exist, which cannot be locked.
pub(crate) const LOCK_PARTITION: &str = "SELECT pg_advisory_xact_lock($1, $2)";

/// Returns the statements of a table and of blobs, each with its name and values to explain it.
#[doc(hidden)]
#[must_use]
pub fn statements(schema: &str, id: u32) -> Vec<(&'static str, String, &'static str)> {
    let s = Statements::new(schema, id);
    let mut all = vec![
        ("get", s.get, r"'\x3035', '\x303035'"),
        ("lock_rows", s.lock_rows, r"'\x3035', ARRAY['\x303035'::bytea]"),
        ("commits", s.commits, r"'\x3035', '\x303035', 10"),
        ("dead_letters", s.dead_letters, r"'\x3035', '\x303035', 10"),
        ("insert", s.insert, r"'\x3035', '\x303035', 1, '\x00'"),
        ("upsert", s.upsert, r"'\x3035', '\x303035', 1, '\x00'"),
        ("replace", s.replace, r"'\x3035', '\x303035', 1, '\x00', NULL"),
        ("confirm", s.confirm, r"'\x3035', '\x303035', 1"),
        ("delete", s.delete, r"'\x3035', '\x303035', NULL"),
        ("insert_all", s.insert_all, r"'\x3035', 1, ARRAY['\x303035'::bytea], ARRAY['\x00'::bytea]"),
        ("upsert_all", s.upsert_all, r"'\x3035', 1, ARRAY['\x303035'::bytea], ARRAY['\x00'::bytea]"),
        ("replace_all", s.replace_all, r"'\x3035', 1, ARRAY['\x303035'::bytea], ARRAY['\x00'::bytea]"),
        ("delete_all", s.delete_all, r"'\x3035', ARRAY['\x303035'::bytea]"),
        ("points", s.points, r"ARRAY['\x3035'::bytea], ARRAY['\x303035'::bytea]"),
        ("ascending", s.ascending, r"'\x3035', '\x30', '\x3035', '\x31', 10, 1000"),
        ("descending", s.descending, r"'\x3035', '\x30', '\x3035', '\x31', 10, 1000"),
        ("matching_ascending", s.matching_ascending, r"'\x3035', '\x30', '\x3035', '\x31', 10, 1000, '\x00'"),
        (
            "matching_descending",
            s.matching_descending,
            r"'\x3035', '\x30', '\x3035', '\x31', 10, 1000, '\x00'",
        ),
    ];
    all.extend(crate::blobs::explained(schema));
    all
}
