//! The entries of the catalog.

use super::{Entry, Lesson, Severity, lesson};

macro_rules! catalogue {
    ($($code:ident $severity:ident $title:literal $explanation:literal)*) => {
        /// The code of a rule. The letters: D invalid designs, K keys, Q queries, S sizes, T tables, W writes.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[non_exhaustive]
        pub enum Code {
            $(#[doc = $title] $code,)*
        }

        /// All entries, ordered by code.
        pub const ALL: &[Entry] = &[$(Code::$code.entry(),)*];

        impl Code {
            /// Returns the code as a string.
            pub const fn as_str(self) -> &'static str {
                match self {
                    $(Self::$code => stringify!($code),)*
                }
            }

            /// Returns the explanation of the rule.
            pub const fn lesson(self) -> Lesson {
                match self {
                    $(Self::$code => lesson::$code,)*
                }
            }

            /// Returns the catalog entry.
            pub const fn entry(self) -> Entry {
                match self {
                    $(Self::$code => Entry {
                        code: self,
                        title: $title,
                        severity: Severity::$severity,
                        explanation: $explanation,
                    },)*
                }
            }
        }
    };
}

catalogue! {
    D001 Error "no format version"
        "A design file is kept for years, and read by programs that do not exist yet. So its first line says which \
         format it is written in: `tables = 1`."
    D002 Error "newer format"
        "The file is written in a format that this program does not know. It would read it wrongly, so it reads \
         nothing of it. Use a newer program."
    D003 Error "not TOML"
        "The file cannot be read as TOML 1.0. A key given twice belongs here as well: one of the two values would \
         be lost."
    D004 Error "unknown word"
        "A word that a design does not know would be ignored without a trace, and with it what you meant. So every \
         unknown word is an error, with the nearest known one beside it."
    D005 Error "wrong kind of value"
        "Each key of a design file takes one kind of value: text, a number, true or false, a list, a table. Another \
         kind is never converted, since that would be a guess."
    D006 Error "missing word"
        "An entity needs a table, a partition key and a row key; an index needs a name and a row key; a lookup needs \
         the fields that it is on. Nothing of this has a default that could be guessed. Write what is missing."
    D007 Error "type that cannot be stored"
        "The service stores truth values, integers of 32 and 64 bits, doubles, text, bytes, times and ids. Types that \
         differ between machines, lose their zone or have no fixed form are refused rather than bent. Use a type of \
         the list, or say how to write it: `as = text`, `json`."
    D008 Error "unknown field in a template"
        "Each hole of a template names a field of the entity. A misspelt name is found here, before a row is written \
         under a wrong key."
    D009 Error "unclosed brace"
        "A brace begins or ends a hole. A brace that belongs to the key itself is doubled: `{{` and `}}`."
    D010 Error "format not for this type"
        "The format in the template decides how a value is written, and the field's type must fit it. Numbers take \
         `0N` or `ord`, times take `ticks`, `inverted_ticks` or a date, text takes none or `esc`. Change the format, \
         or the field's type."
    D011 Error "forbidden character in a key"
        "The service refuses keys with a slash, a backslash, a number sign, a question mark or a control character. A \
         template with one could never be written. Use another separator; for values that may hold them use `esc`."
    D012 Error "bad table name"
        "A table's name has 3 to 63 letters and digits and begins with a letter. `tables` itself is taken by the \
         service."
    D013 Error "table template that makes bad names"
        "Every value of every hole must give a legal table name. So only formats of a fixed width with letters and \
         digits are allowed there: `0N`, dates without separators and `guidn`."
    D014 Error "unknown entity"
        "Queries, relations, totals and copied fields name entities of the same file. A misspelt name would leave \
         them about nothing."
    D015 Error "unknown field in a condition"
        "A condition tests fields of the entity that it is about. A field that is not there cannot be tested."
    D016 Error "unreadable condition"
        "A condition is made of tests joined by `and` and `or`. A test is a field, a comparison and an argument: \
         `?` for one value, a number after `in`, a share in percent after a range, a span of time after `within`."
    D017 Error "unreadable rate"
        "A rate is a number, a slash and a unit: `10/s`, `500/day`. The units are s, min, h, day, month and year; a \
         bare number is per second."
    D018 Error "unreadable span"
        "A span of time is a whole number and a unit: `90d`. The units are min, h, d, w and y."
    D019 Error "split without its hole, or a hole without its split"
        "`wide` and `{part:02}` belong together, and so do `shard` and `{shard:02}`. The first says that an entity is \
         split or spread; the second says where the number stands in the key. Write both, or neither."
    D020 Error "option not for this type"
        "Some options need a type of a certain kind: a series is an array, and the content of a blob is text, \
         JSON or bytes. Change the type or remove the option."
    D021 Error "unknown field in a list"
        "Lists of fields, such as `copy` and `on`, name fields of the entity. A misspelt name would leave a property \
         out of every copy without anybody noticing."
    D022 Error "reserved name"
        "PartitionKey, RowKey, Timestamp and names in `odata` are the service's. EntityType, properties that begin \
         with `_` and row keys that begin with `!` are the library's: it keeps its own rows and tokens there. Rename \
         the field, or only its property."
    D023 Error "load of what is not there"
        "The load says how often an entity is written, and which values its fields have. A misspelt name would leave \
         the real one with defaults, and the figures wrong."
    D024 Error "number out of range"
        "Numbers in a design have ranges. A width has 1 to 39 digits; a part of a wide entity has at most 252 \
         properties, the library's among them; shards are at least two."
    D025 Error "length over the type's limit"
        "A text of the service holds 32,768 characters, binary 65,536 bytes. What is longer is kept in a blob \
         beside the row: `blob = true`."
    D026 Error "needs a newer program"
        "The file says by `needs` which program understands it, and this one is older. Parts of the file would be \
         unknown to it. Use a newer program."
    D027 Error "bad property name"
        "The service takes property names of letters, digits and `_`, not beginning with a digit, of at most 255 \
         characters. Give the field such a name, or its property by `rename`."
    D028 Error "two fields in one property"
        "Two fields of an entity are stored under one name, so one would overwrite the other. Rename one of them."
    D029 Error "two paths of one name"
        "Each index and lookup gives the entity functions of its name. Two of one name cannot both have them. Rename \
         one."
    D030 Error "version without a way from the older one"
        "Rows of the older version are still in the table. Without a type to read them as they could not be read. \
         Keep the old struct, name it in `from`, and say how one becomes the other."
    D031 Error "index whose rows overwrite each other"
        "Two entities with the same values would have one key in this index: the second would take the place of the \
         first. If the values never repeat say `unique`, which is then enforced. Otherwise end the key with the \
         entity's own."
    D032 Error "index that cannot lead back"
        "A row of this index holds neither the entity's fields nor its key, so nothing could be loaded from it. Copy \
         some fields (the key comes with them), or put the key's fields into the index's templates."
    D033 Error "optional field in a key"
        "A key is made of all its parts; there is no key with one left out. Make the field required. In an index, \
         `sparse` leaves out the entities that do not have it."
    D034 Error "not an entity"
        "An entity is a struct with named fields and no type parameters. Its properties have names, and different \
         types must not share rows. Several types in one table are a union; an enum can be a property."
    D035 Error "serde's word without one of ours"
        "What hides a field from an answer must not silently drop it from storage. Where serde is told to skip, \
         flatten or write a field by other means, say what storage should do: `keep`, `skip`, `json` or `flatten`."
    D036 Error "word at the wrong place"
        "Some words are about the struct, others about a field. Written at the other place they would mean nothing. \
         Move the word."
    D037 Error "unsupported combination"
        "Some patterns cannot be combined on one entity or field yet, because the guarantees of one would not hold for \
         the other. The book lists every pair. Remove one of the two, or declare a second entity."
    D038 Error "lookup keys that differ from the lookup fields"
        "Queries of a lookup specify its fields, and these must determine the key of the list. So the keys of a list \
         outside the partition contain exactly the fields in `on`. Use the same fields in both."
    D039 Error "index copy of a value that is not in the row"
        "A blob belongs to a single row, and index rows are not updated when another entity maintains a field. So index \
         rows contain neither. List the copied fields with `copy`."
    D040 Error "field that a condition cannot test"
        "The existence of an index row reveals its condition, so a condition cannot test an encrypted field. A series \
         or a blob has no single value. A field that is the condition itself is a `bool`."
    D041 Error "invalid contribution"
        "A contribution aggregates entities in a field of another entity. A sum requires an integer field, a maximum or \
         minimum a field with an order, and both a property that every reader may see. A target field has one source."
    D042 Error "invalid maintained field"
        "Other entities write this field at any time. It cannot be part of a key, because rows do not move when it \
         changes, and its type must represent a missing value. Use `i64` or an `Option`."
    D043 Error "aggregate or copy that cannot be matched"
        "The source of an aggregate finds its target by the key fields of the target. Both entities need these fields \
         with one name and one type. Copied fields are single values that every reader may see."
    D044 Error "archive in the table of the entity"
        "An archive moves completed entities to another table under the same keys. In the table of the entity, they \
         would be stored over themselves. Use another table."
    D045 Error "feature that is not supported yet"
        "A default of a field is the default of its type: 0, false or the empty string. A row key has at most six \
         fields. Other defaults and longer keys are not supported yet."
    K01 Warning "hot partition"
        "One server holds a partition, with a published target of 2,000 entities a second for everything that is \
         asked of it. Above half of that there is no room for a bad day, above it requests are turned away. Spread \
         the key by a further field or by shards."
    K02 Warning "heavy head"
        "One partition holds a fifth of all rows or more, because one value is that frequent. It grows alone, is \
         read alone and cannot be split. Add a second field to the partition key."
    K03 Warning "inserts at the end"
        "Partitions lie in key order on few servers. Where the partition key begins with the time, every insert goes \
         to the same, newest end: one server takes all of it, and splitting does not help. Put the time into the row \
         key, spread it by another field, or use a table for each period."
    K04 Warning "inserts at the start"
        "Where the partition key begins with the inverted time, every insert goes to the same end of the table: one \
         server takes all of it, and splitting does not help. Put the time into the row key, spread it by another \
         field, or use a table for each period."
    K05 Warning "one partition for all"
        "A partition key without a field puts all rows into one partition. One server holds it, with a target of \
         2,000 entities a second for everything. Put a field into it, unless the rows are few."
    K06 Warning "lonely entities"
        "Each entity has a partition of its own, so no transaction can write two of them. Children that are \
         written together with their parent belong into its partition."
    K07 Warning "endless partition"
        "Rows are added to a partition for ever, in the order of time. It cannot be split, and nothing of it can \
         be dropped whole. Put a period into the partition or the table, or say how long rows live."
    K08 Warning "big partition"
        "A partition lies on one server whole. Beyond some GiB it is slow to move and cannot be balanced. Split \
         its key."
    K09 Warning "few partitions"
        "Writes are spread over as many servers as there are partitions at most. With fewer than ten of them a \
         peak has nowhere to go. Key by a field with more values."
    K10 Error "unpadded number"
        "Keys sort as text, and as text 10 comes before 9. Written without a format numbers and times would sort \
         wrongly, and ranges would return wrong rows. Give the width of a number, the form of a time, `ord` for \
         floats and negative numbers."
    K11 Error "ambiguous key"
        "A text of any length must end somewhere: at the end of the key, or at punctuation that the text itself does \
         not hold. Otherwise two different entities can have one key, or a range holds the rows of another value. Put \
         a separator after the text."
    K12 Error "long key"
        "A key holds 1 KiB, which is 512 characters as the service counts them. If the longest values make a longer \
         key, some writes would fail. Shorten the bounds of the fields, or hash one."
    K13 Warning "unbounded key"
        "A key holds 1 KiB. Where nothing bounds a text in it, some values make keys that are refused when they \
         are written. Say how long the text can be."
    K14 Warning "narrow width"
        "Numbers are padded to a width, and a number with more digits cannot be written. There are more values \
         than the width has room for. Make it wider now: it cannot be changed once rows are there."
    K15 Error "mixed rows"
        "Two kinds of rows share a partition, and one's keys can begin as the other's do. A range over the first then \
         returns rows of the second, and one row may take the place of another. Begin each row key with a word of its \
         own."
    K16 Note "free text in a key"
        "Keys must not hold a slash, a backslash, a number sign, a question mark or a control character, and free \
         text may. Such a value is an error when it is written. Escape it with `esc`, or key by a hash of it."
    Q01 Warning "table scan"
        "Nothing in the condition says which partition is meant, so every row of the table is read, page after \
         page. It gets slower with every row that is added. Use an index whose partition is in the condition, keep \
         a total, or say that it is an export."
    Q02 Warning "partition scan"
        "The partition is known and the row is not, so all of the partition is read and most of it thrown away. \
         Put the field that is asked for into the row key of an index."
    Q03 Warning "range of partitions"
        "The beginning of the partition key is known, not all of it. The rows of many partitions are read, and \
         every border of a server is one more request. Give the whole key, or use a table for each period."
    Q04 Warning "wide fan-out"
        "One call is more than ten queries, each to another partition or table. The slowest of them decides. Fewer \
         shards, coarser periods, or an index that has the rows together."
    Q05 Note "or over keys"
        "A condition with `or` over keys is answered here by a query for each alternative. The service alone would \
         read the whole table for it. Nothing has to be done with this library."
    Q06 Warning "low yield"
        "Ten rows or more are read for one that is returned. Rows that are read cost time, whether or not they are \
         returned. Put the field that is filtered into the row key."
    Q07 Note "no projection"
        "All fields are returned, and that is much. With `select` only what is needed travels. What is read stays \
         the same."
    Q08 Warning "tail in the wrong order"
        "Keys sort oldest first, so the newest rows are the last that are read. With inverted ticks they are the \
         first, and one page is enough (P7)."
    Q09 Warning "many pages"
        "Pages come one after another, each a round trip. More than ten of them are no answer to a person who \
         waits. Narrow the query, keep a total, or export in the background."
    Q10 Note "refetch"
        "The index does not hold a field that is wanted, so each row that is found is read again by its own key. \
         Copy the field into the index."
    Q11 Warning "unused index"
        "Every write pays for an index, and no query uses this one. Drop it, or declare the query that it is for. \
         If it is there to keep values unique it does its work without being read."
    Q12 Warning "index twice"
        "Two indexes sort by the same fields in the same order. Whatever one serves the other serves too. Drop \
         one."
    Q13 Note "entity never read"
        "No query finds this entity. Either the design does not say how it is read, and then nothing can be said \
         about the cost, or it need not be stored."
    Q14 Warning "many points"
        "One call is more than a hundred point queries. Each is quick, all together are not. Copy what is wanted \
         into one place, or the fields into the index."
    Q15 Note "guessed share"
        "How much of a range is asked for decides what a query costs, and the design does not say it. Say it as a \
         share or as a span of time, and the numbers mean something."
    Q16 Error "stale path"
        "The query must not be late, and what serves it follows the entity through a queue. Put the index into the \
         entity's own partition, or accept that it is late."
    S01 Warning "entity size"
        "A row holds 1 MiB. Near it a single long value is an error when it is written. Put large values into \
         blobs, or split the entity over several rows."
    S02 Warning "value size"
        "A property holds 64 KiB, which is 32,768 characters. Larger values are refused. Keep them in a blob \
         beside the row."
    S03 Error "too many properties"
        "An entity holds 252 properties, the library's own among them; a series counts each slot. Keep a large value \
         in a blob, or let the entity be split over several rows by `wide`."
    S04 Note "nearly too many properties"
        "A row holds 252 properties, and most of them are used. Rows that are there cannot be split later without \
         rewriting them. Let the entity be split before it must be."
    S05 Note "list beyond a row"
        "The longest list of a lookup does not fit into one row. It goes on in further rows, and reading it takes \
         more requests. An index reads the same entities as one range."
    S06 Warning "list beyond a property"
        "The longest list of a lookup does not fit into one property. It goes on in further rows. Look up by more \
         fields, or use an index."
    S07 Note "unbounded text"
        "Nothing bounds this text, and a property holds 32,768 characters. Say how long it can be, or keep it in a \
         blob."
    S08 Note "small blob"
        "A value of less than 4 KiB costs a request of its own and the price of a blob. In the row it would cost \
         nothing more."
    S09 Note "names dearer than values"
        "The names of properties are stored in every row. Here they are much of what is stored, and there is a lot \
         of it. Give properties shorter names; fields keep theirs."
    T01 Warning "deleting row by row"
        "Rows that are too old have to be found and deleted one by one, and each delete costs as much as the \
         insert did. With a table for each period a whole table is dropped at once (P8)."
    T02 Warning "log in a table"
        "What is only added, never changed and read by spans of time is a log. In blobs it costs a fraction, and \
         writing it needs no transactions (P13)."
    T03 Note "small tables"
        "There are very many tables, or each holds very little. Each table begins on one server and is one more \
         query for a longer span. Use a longer period."
    T04 Warning "spikes"
        "Ranges are split for the load that there was, within minutes. A peak that is ten times the average is \
         over before that. Take writes into a queue and smooth them."
    T05 Warning "kinds that cannot be told"
        "Several kinds of rows share a table, and these do not say what they are. A program that reads them all \
         cannot tell them apart. Let them carry `EntityType`."
    T06 Warning "rate of the account"
        "An account has a published target of 20,000 requests a second for all its tables together. Above it \
         requests are turned away, whatever the keys are like. Use several accounts, or a cache."
    T07 Warning "cold tables"
        "Each new table begins as one range on one server, and takes the full rate at once. Until it is split, \
         requests are turned away. Create tables ahead, write to them gently, and use keys that split early."
    T08 Note "dear operation"
        "One operation is more than half of the bill. It is the one to look at first: cache it, write in batches, \
         or ask for less."
    T09 Note "heavy copies"
        "Copies take more than twice the room of the entity itself. Copy only the fields that queries want."
    T10 Note "assumed count"
        "How many entities there are decides almost everything, and the design does not say it. Give `count`, and \
         the other numbers mean something."
    T11 Warning "limits of Cosmos DB"
        "Cosmos DB for Table refuses some names of properties, and RowKeys over 255 characters. Rename the \
         property, or shorten the key."
    T12 Note "kept for ever"
        "There is a table for each period, and none of them is ever dropped. Say how long rows live: `keep`."
    W01 Warning "transaction of too many operations"
        "A transaction holds 100 operations, and every copy in the partition is one. A write that needs more is \
         refused, never split. Fewer copies, children in other partitions, or a task in steps."
    W02 Warning "transaction too large"
        "A transaction holds 4 MiB, and every copy counts. A write above it is refused. Put large values into \
         blobs, copy fewer fields."
    W03 Warning "amplification"
        "Five rows or more are written for one, many times a second. Each is work for a server and a part of the \
         bill. Fewer or narrower copies."
    W04 Warning "hot copy"
        "Fields are copied elsewhere that change more often than they are read there. Do not copy what changes; \
         join when reading."
    W05 Note "follows later"
        "What lies in another partition cannot be in the same transaction; it follows, as a rule within a second. \
         A query that must not be late asks with `fresh`, or reads by the entity's own key."
    W06 Error "atomic over partitions"
        "A transaction never spans two partitions. Parent and children that are written together need the same \
         table and the same partition template."
    W07 Warning "unique elsewhere"
        "A value that is unique in the whole table needs a row that reserves it before the entity is written: more \
         requests, and an attempt that ends early leaves the reservation to a worker. Unique in the partition \
         costs nothing more."
    W08 Warning "moving key"
        "An update changes the key of an index, so the copy is deleted and inserted again. That is twice the work, \
         many times a second. Index something that changes less often."
    W09 Error "update of a key"
        "The keys of an entity never change. Delete it and insert it anew, in one transaction where the partition \
         stays, as a task where it does not."
    W10 Note "merge of an encrypted field"
        "Each property is sealed by itself here, so one of them can be merged. Programs that seal an entity as a \
         whole could not read it then. Where others write these rows, replace the whole entity."
    W11 Error "encrypted field in a key"
        "Keys travel and sort in clear, so a sealed field in a key would not be sealed. Key by another field, for \
         example by a keyed hash of it."
    W12 Warning "hot total"
        "Every write to a group changes its one total, and a row takes some writes a second only before they wait \
         for each other. Spread the total over shards, or count in batches."
    W13 Warning "hot list"
        "Every entity of a frequent value changes the same list, and a row takes some writes a second only before \
         they wait for each other. Look up by more fields, or use an index."
}
