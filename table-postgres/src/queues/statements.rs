/// Texts of the statements of a queue.
#[derive(Debug)]
pub(crate) struct Statements {
    /// Creates the table.
    pub(super) create: String,
    /// Deletes the table.
    pub(super) drop: String,
    /// Removes all messages.
    pub(super) clear: String,
    /// Puts a message, and removes two expired ones.
    pub(super) put: String,
    /// Receives messages.
    pub(super) get: String,
    /// Reads messages at the head.
    pub(super) peek: String,
    /// Updates a received message. Returns when it becomes visible, and the receipt of the
    /// message with this id before.
    pub(super) update: String,
    /// Deletes a received message.
    pub(super) delete: String,
    /// Counts messages, up to a limit.
    pub(super) count: String,
}

/// The time of the database in ticks.
const NOW: &str = "now AS MATERIALIZED (SELECT (extract(epoch FROM clock_timestamp()) * 10000000)::int8 + 621355968000000000 AS t)";

impl Statements {
    /// Creates the statements of the queue with this id. The schema is a plain name.
    pub(super) fn new(schema: &str, id: i32) -> Self {
        let q = format!("{schema}.q{id}");
        let head = |lock: &str| {
            format!(
                "SELECT m.* FROM {q} AS m WHERE m.visible <= (SELECT t FROM now) AND m.expires > (SELECT t FROM now) \
                 ORDER BY m.visible, m.receipt LIMIT $1 {lock}"
            )
        };
        let settle = |write: &str| {
            format!(
                "WITH {NOW}, w AS ({write} RETURNING m.visible) SELECT (SELECT visible FROM w), (SELECT receipt FROM {q} \
                 WHERE id = $1 AND expires > (SELECT t FROM now))"
            )
        };
        Self {
            create: format!(
                "CREATE TABLE {q} (id uuid PRIMARY KEY, visible int8 NOT NULL, receipt int8 NOT NULL, inserted int8 NOT NULL, \
                 expires int8 NOT NULL, dequeued int4 NOT NULL, body text NOT NULL) WITH (fillfactor = 70); \
                 CREATE INDEX v{id} ON {q} (visible, receipt); CREATE INDEX x{id} ON {q} (expires)"
            ),
            drop: format!("DROP TABLE {q}"),
            clear: format!("TRUNCATE {q}"),
            put: format!(
                "WITH {NOW}, removed AS (DELETE FROM {q} WHERE id IN (SELECT id FROM {q} WHERE expires <= (SELECT t FROM now) \
                 ORDER BY expires LIMIT 2 FOR UPDATE SKIP LOCKED)) INSERT INTO {q} (id, visible, receipt, inserted, expires, \
                 dequeued, body) SELECT $1, t + $2, $3, t, CASE WHEN $4 > 3155378975999999999 - t THEN 9223372036854775807 \
                 ELSE t + $4 END, 0, $5 FROM now RETURNING inserted, expires, visible"
            ),
            get: format!(
                "WITH {NOW}, head AS ({}) UPDATE {q} AS m SET visible = now.t + $2, receipt = $3, dequeued = m.dequeued + 1 \
                 FROM head, now WHERE m.id = head.id RETURNING m.id, m.inserted, m.expires, m.dequeued, m.body, m.visible, \
                 head.visible, head.receipt",
                head("FOR UPDATE SKIP LOCKED")
            ),
            peek: format!(
                "WITH {NOW} SELECT id, inserted, expires, dequeued, body FROM ({}) AS head",
                head("")
            ),
            update: settle(&format!(
                "UPDATE {q} AS m SET visible = now.t + $3, receipt = $4, body = coalesce($5, m.body) FROM now \
                 WHERE m.id = $1 AND m.receipt = $2 AND m.expires > now.t AND now.t + $3 <= m.expires"
            )),
            delete: settle(&format!(
                "DELETE FROM {q} AS m USING now WHERE m.id = $1 AND m.receipt = $2 AND m.expires > now.t"
            )),
            count: format!(
                "SELECT (SELECT count(*) FROM (SELECT FROM {q} LIMIT 10001) AS first), \
                 (SELECT reltuples::int8 FROM pg_class WHERE oid = '{q}'::regclass)"
            ),
        }
    }
}
