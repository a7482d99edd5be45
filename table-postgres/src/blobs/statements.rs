use crate::schema::NOW;

/// Creates the tables of blobs in the schema `SCHEMA`. `snapshot` is the time of a snapshot, and the highest number for the
/// blob itself. Positive ids of `content` are chunks, negative ones are parts.
pub(crate) const CREATE: &str = "
    CREATE TABLE SCHEMA.containers (id int8 GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        name text COLLATE \"C\" NOT NULL UNIQUE, stamp int8 NOT NULL, record bytea NOT NULL, policies bytea NOT NULL DEFAULT '');
    CREATE TABLE SCHEMA.blobs (container int8 NOT NULL, name bytea NOT NULL, snapshot int8 NOT NULL, stamp int8 NOT NULL,
        present bool NOT NULL, content int8, stage int8, staged int4 NOT NULL, staged_at int8 NOT NULL,
        record bytea NOT NULL, PRIMARY KEY (container, name, snapshot)) WITH (fillfactor = 85);
    CREATE INDEX blobs_content ON SCHEMA.blobs (content) WHERE content IS NOT NULL;
    CREATE INDEX blobs_stage ON SCHEMA.blobs (stage) WHERE stage IS NOT NULL;
    CREATE INDEX blobs_current ON SCHEMA.blobs (container, name) WHERE snapshot = 9223372036854775807;
    CREATE TABLE SCHEMA.parts (content int8 NOT NULL, upto int8 NOT NULL, length int8 NOT NULL, part int8 NOT NULL,
        sum int4 NOT NULL, id bytea, PRIMARY KEY (content, upto));
    CREATE INDEX parts_part ON SCHEMA.parts (part);
    CREATE TABLE SCHEMA.staged (stage int8 NOT NULL, id bytea NOT NULL, content int8 NOT NULL, length int8 NOT NULL,
        PRIMARY KEY (stage, id));
    CREATE INDEX staged_content ON SCHEMA.staged (content);
    CREATE TABLE SCHEMA.chunks (content int8 NOT NULL, upto int8 NOT NULL, sum int4 NOT NULL, data bytea NOT NULL,
        PRIMARY KEY (content, upto));
    ALTER TABLE SCHEMA.chunks ALTER COLUMN data SET STORAGE EXTERNAL;
    CREATE TABLE SCHEMA.garbage (kind int2 NOT NULL, id int8 NOT NULL, due int8 NOT NULL, PRIMARY KEY (kind, id));
    CREATE INDEX garbage_due ON SCHEMA.garbage (due);";

/// Statements on blobs, by name.
macro_rules! statements {
    ($($(#[$doc:meta])* $name:ident($values:literal) = $text:expr;)+) => {
        /// Texts of the statements on blobs.
        #[derive(Debug)]
        pub(crate) struct Statements {
            $($(#[$doc])* pub(super) $name: String,)+
        }

        impl Statements {
            /// Creates the statements. The schema is a plain name.
            pub(crate) fn new(schema: &str) -> Self {
                let text = |text: &str| text.replace("NOW", NOW).replace("SCHEMA", schema);
                Self { $($name: text($text),)+ }
            }
        }

        /// Returns the statements, each with its name and values to explain it.
        pub(crate) fn explained(schema: &str) -> Vec<(&'static str, String, &'static str)> {
            let all = Statements::new(schema);
            vec![$((stringify!($name), all.$name, $values),)+]
        }
    };
}

statements! {
    /// Locks the name of a blob until the end of the transaction: a blob that does not exist cannot be locked.
    lock("1") = "SELECT pg_advisory_xact_lock($1)";
    /// Finds a container and a blob or snapshot in it, the time, and whether garbage can be removed.
    find("'a', 'a', 1") = "SELECT NOW, coalesce((SELECT due FROM SCHEMA.garbage ORDER BY due LIMIT 1) <= NOW, false), c.id, b.stamp, b.content, \
        b.stage, b.staged, b.staged_at, b.record FROM SCHEMA.containers AS c LEFT JOIN LATERAL (SELECT * FROM SCHEMA.blobs WHERE container = c.id AND name = $2 AND \
        snapshot = $3 LIMIT 1) AS b ON true WHERE c.name = $1";
    /// Finds them, and keeps the container until the end of the transaction.
    find_to_write("'a', 'a', 1") = "SELECT NOW, coalesce((SELECT due FROM SCHEMA.garbage ORDER BY due LIMIT 1) <= NOW, false), c.id, b.stamp, \
        b.content, b.stage, b.staged, b.staged_at, b.record FROM SCHEMA.containers AS c LEFT JOIN LATERAL (SELECT * FROM SCHEMA.blobs WHERE container = c.id AND name = $2 AND \
        snapshot = $3 LIMIT 1) AS b ON true WHERE c.name = $1 FOR KEY SHARE OF c";
    /// Inserts or replaces the row of a blob.
    upsert("1, 'a', 1, 1, true, 1, 1, 1, 1, 'a'") = "INSERT INTO SCHEMA.blobs (container, name, snapshot, stamp, present, \
        content, stage, staged, staged_at, record) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) \
        ON CONFLICT (container, name, snapshot) DO UPDATE SET stamp = excluded.stamp, present = excluded.present, \
        content = excluded.content, stage = excluded.stage, staged = excluded.staged, staged_at = excluded.staged_at, \
        record = excluded.record";
    /// Deletes a blob, snapshots, or both, and makes their content garbage.
    delete("1, 'a', 1, 2, 1, 1") = "WITH d AS (DELETE FROM SCHEMA.blobs WHERE container = $1 AND name = $2 \
        AND snapshot >= $3 AND snapshot <= $4 RETURNING content, stage), \
        g AS (INSERT INTO SCHEMA.garbage (kind, id, due) SELECT DISTINCT 0, content, $5::int8 FROM d \
        WHERE content IS NOT NULL ON CONFLICT (kind, id) DO UPDATE SET due = excluded.due) \
        UPDATE SCHEMA.garbage SET due = $6 WHERE kind = 1 AND id IN (SELECT stage FROM d)";
    /// Returns the newest snapshot of a blob.
    newest("1, 'a'") = "SELECT snapshot FROM SCHEMA.blobs WHERE container = $1 AND name = $2 \
        AND snapshot < 9223372036854775807 ORDER BY snapshot DESC LIMIT 1";
    /// Stores chunks.
    insert_chunks("1, ARRAY[1], ARRAY[1], ARRAY['a'::bytea]") = "INSERT INTO SCHEMA.chunks (content, upto, sum, data) \
        SELECT $1, u.upto, u.sum, u.data FROM unnest($2::int8[], $3::int4[], $4::bytea[]) AS u (upto, sum, data)";
    /// Makes data garbage from a time on.
    discard("0, 1, 1") = "INSERT INTO SCHEMA.garbage (kind, id, due) VALUES ($1, $2, $3) \
        ON CONFLICT (kind, id) DO UPDATE SET due = excluded.due";
    /// Begins an upload, whose content is garbage after a time.
    begin("1, 1") = "INSERT INTO SCHEMA.garbage (kind, id, due) VALUES (0, $1, NOW + $2)";
    /// Prolongs an upload. A division by zero means that it took too long.
    prolong("1, 1") = "WITH g AS (UPDATE SCHEMA.garbage SET due = NOW + $2 WHERE kind = 0 AND id = $1 \
        AND due > (SELECT NOW) RETURNING 1) SELECT 1 / count(*) FROM g";
    /// Ends an upload: its content becomes part of a blob.
    keep("1, 1") = "WITH g AS (DELETE FROM SCHEMA.garbage WHERE kind = 0 AND id = $1 AND due > $2 RETURNING 1) \
        SELECT 1 / count(*) FROM g";
    /// Makes the uncommitted blocks of a blob garbage.
    discard_stage("1, 1") = "UPDATE SCHEMA.garbage SET due = $2 WHERE kind = 1 AND id = $1";
    /// Stores the parts of a block list.
    insert_parts("1, ARRAY[1], ARRAY[1], ARRAY[1], ARRAY[1], ARRAY['a'::bytea]") = "INSERT INTO SCHEMA.parts (content, upto, length, \
        part, sum, id) SELECT $1, u.upto, u.length, u.part, u.sum, u.id FROM unnest($2::int8[], $3::int8[], $4::int8[], \
        $5::int4[], $6::bytea[]) AS u (upto, length, part, sum, id)";
    /// Copies the parts of an append blob.
    copy_parts("1, 2, 1") = "INSERT INTO SCHEMA.parts (content, upto, length, part, sum) SELECT $1, upto, length, part, sum \
        FROM SCHEMA.parts WHERE content = $2 AND upto <= $3";
    /// Lists the parts of a block list.
    parts("1") = "SELECT length, part, id FROM SCHEMA.parts WHERE content = $1 ORDER BY upto";
    /// Finds uncommitted blocks.
    staged("1, ARRAY['a'::bytea]") = "SELECT id, content, length FROM SCHEMA.staged WHERE stage = $1 \
        AND id = ANY ($2::bytea[])";
    /// Lists all uncommitted blocks.
    all_staged("1") = "SELECT id, length FROM SCHEMA.staged WHERE stage = $1 ORDER BY id";
    /// Stores an uncommitted block.
    upsert_staged("1, 'a', 1, 1") = "INSERT INTO SCHEMA.staged (stage, id, content, length) VALUES ($1, $2, $3, $4) \
        ON CONFLICT (stage, id) DO UPDATE SET content = excluded.content, length = excluded.length";
    /// Reads chunks of content, from an offset to another. The last columns are the key of the chunk, and its part.
    read_chunks("1, 0, 10") = "SELECT upto - octet_length(data), upto, sum, data, content, upto FROM SCHEMA.chunks WHERE content = $1 \
        AND upto > $2 AND upto - octet_length(data) < $3 ORDER BY upto LIMIT 4";
    /// Reads chunks of parts, up to a mebibyte and the first one. The size of a value is known without reading it.
    read_parts("1, 0, 10") = "SELECT start + upto - octet_length(data), start + upto, sum, data, part, upto, start + length, length, \
        part_sum FROM (SELECT p.upto - p.length AS start, p.length, p.part, p.sum AS part_sum, c.upto, c.sum, c.data, sum(octet_length(c.data)) OVER (ORDER BY p.upto, c.upto ROWS \
        UNBOUNDED PRECEDING) - octet_length(c.data) AS before FROM (SELECT upto, length, part, sum FROM SCHEMA.parts WHERE \
        content = $1 AND upto > $2 AND upto - length < $3 ORDER BY upto LIMIT 256) AS p CROSS JOIN LATERAL (SELECT upto, \
        sum, data FROM SCHEMA.chunks WHERE content = p.part AND upto > $2 - (p.upto - p.length) ORDER BY upto LIMIT 4) \
        AS c) AS s WHERE before < 1048576 ORDER BY start, upto";
    /// Returns whether a row refers to content.
    is_used("1") = "SELECT EXISTS (SELECT FROM SCHEMA.blobs WHERE content = $1)";
    /// Lists the blobs of a container.
    list("1, 'a', 10") = "SELECT name, snapshot, staged_at, stage, record, content FROM SCHEMA.blobs WHERE container = $1 \
        AND name >= $2 AND snapshot = 9223372036854775807 ORDER BY name LIMIT $3";
    /// Lists the blobs of a container with their snapshots.
    list_all("1, 'a', 1, 10") = "SELECT name, snapshot, staged_at, stage, record, content FROM SCHEMA.blobs WHERE container = $1 \
        AND (name, snapshot) >= ($2, $3) ORDER BY name, snapshot LIMIT $4";
    /// Creates a container.
    create_container("'a', 1, 'a'") = "INSERT INTO SCHEMA.containers (name, stamp, record) VALUES ($1, $2, $3) \
        ON CONFLICT DO NOTHING RETURNING id";
    /// Finds a container.
    container("'a'") = "SELECT NOW, id, record FROM SCHEMA.containers WHERE name = $1";
    /// Finds a container, and locks it until the end of the transaction.
    container_to_write("'a'") = "SELECT NOW, id, record FROM SCHEMA.containers WHERE name = $1 FOR NO KEY UPDATE";
    /// Replaces the state of a container.
    update_container("1, 1, 'a'") = "UPDATE SCHEMA.containers SET stamp = $2, record = $3 WHERE id = $1";
    /// Replaces the stored access policies of a container.
    set_container_policies("1, 'a'") = "UPDATE SCHEMA.containers SET policies = $2 WHERE id = $1";
    /// Deletes a container.
    delete_container("1") = "DELETE FROM SCHEMA.containers WHERE id = $1";
    /// Lists containers.
    containers("'a', 10") = "SELECT name, id, record, NOW FROM SCHEMA.containers WHERE name >= $1 ORDER BY name LIMIT $2";
    /// Selects garbage to remove.
    pick("") = "SELECT kind, id, NOW FROM SCHEMA.garbage WHERE due <= (SELECT NOW) ORDER BY due LIMIT 1 \
        FOR UPDATE SKIP LOCKED";
    /// Removes chunks, unless a row refers to them.
    sweep_chunks("1") = "WITH used AS MATERIALIZED (SELECT EXISTS (SELECT FROM SCHEMA.blobs WHERE content = $1) OR EXISTS \
        (SELECT FROM SCHEMA.parts WHERE part = $1) OR EXISTS (SELECT FROM SCHEMA.staged WHERE content = $1) AS u), \
        d AS (DELETE FROM SCHEMA.chunks WHERE ctid = ANY (ARRAY (SELECT ctid FROM SCHEMA.chunks WHERE content = $1 \
        AND NOT (SELECT u FROM used) ORDER BY upto LIMIT 64)) RETURNING 1) \
        DELETE FROM SCHEMA.garbage WHERE kind = 0 AND id = $1 AND (SELECT count(*) FROM d) < 64";
    /// Removes parts, unless a row refers to them. Their content becomes garbage.
    sweep_parts("1, 1") = "WITH used AS MATERIALIZED (SELECT EXISTS (SELECT FROM SCHEMA.blobs WHERE content = $1) AS u), \
        d AS (DELETE FROM SCHEMA.parts WHERE ctid = ANY (ARRAY (SELECT ctid FROM SCHEMA.parts WHERE content = $1 \
        AND NOT (SELECT u FROM used) ORDER BY upto LIMIT 256)) RETURNING part), \
        g AS (INSERT INTO SCHEMA.garbage (kind, id, due) SELECT DISTINCT 0, part, $2::int8 FROM d ON CONFLICT DO NOTHING) \
        DELETE FROM SCHEMA.garbage WHERE kind = 0 AND id = $1 AND (SELECT count(*) FROM d) < 256";
    /// Removes uncommitted blocks, unless one was uploaded after `$3`. Their content becomes garbage.
    sweep_stage("1, 1, 1, 1") = "WITH kept AS MATERIALIZED (SELECT staged_at FROM SCHEMA.blobs WHERE stage = $1 \
        AND staged_at > $3), gone AS (DELETE FROM SCHEMA.blobs WHERE stage = $1 AND staged_at <= $3 AND NOT present), \
        cleared AS (UPDATE SCHEMA.blobs SET stage = NULL WHERE stage = $1 AND staged_at <= $3 AND present), \
        d AS (DELETE FROM SCHEMA.staged WHERE ctid = ANY (ARRAY (SELECT ctid FROM SCHEMA.staged WHERE stage = $1 \
        AND NOT EXISTS (SELECT FROM kept) LIMIT 256)) RETURNING content), \
        g AS (INSERT INTO SCHEMA.garbage (kind, id, due) SELECT DISTINCT 0, content, $2::int8 FROM d \
        ON CONFLICT DO NOTHING), \
        later AS (UPDATE SCHEMA.garbage SET due = (SELECT staged_at FROM kept) + $4 WHERE kind = 1 AND id = $1 \
        AND EXISTS (SELECT FROM kept)) \
        DELETE FROM SCHEMA.garbage WHERE kind = 1 AND id = $1 AND NOT EXISTS (SELECT FROM kept) \
        AND (SELECT count(*) FROM d) < 256";
    /// Removes the blobs of a deleted container. Their content becomes garbage.
    sweep_container("1, 1") = "WITH d AS (DELETE FROM SCHEMA.blobs WHERE ctid = ANY (ARRAY (SELECT ctid FROM SCHEMA.blobs \
        WHERE container = $1 ORDER BY name, snapshot LIMIT 256)) RETURNING content, stage), \
        g AS (INSERT INTO SCHEMA.garbage (kind, id, due) SELECT DISTINCT 0, content, $2::int8 FROM d \
        WHERE content IS NOT NULL ON CONFLICT DO NOTHING), \
        s AS (UPDATE SCHEMA.garbage SET due = $2 WHERE kind = 1 AND id IN (SELECT stage FROM d)) \
        DELETE FROM SCHEMA.garbage WHERE kind = 2 AND id = $1 AND (SELECT count(*) FROM d) < 256";
}
