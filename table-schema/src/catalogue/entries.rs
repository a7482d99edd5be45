//! The entries of the catalog.

use super::{Entry, RuleExplanation, Severity, explanations};

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
            pub const fn rule_explanation(self) -> RuleExplanation {
                match self {
                    $(Self::$code => explanations::$code,)*
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
        "A design file is used for years, also by later programs. So its first line specifies the format: \
         `tables = 1`. Add this line."
    D002 Error "newer format"
        "The file has a format that this program does not support. It could be misread, so it is not read. Use a newer \
         program."
    D003 Error "not TOML"
        "The file is not valid TOML 1.0. A duplicate key is invalid too, because one of the two values would be \
         lost."
    D004 Error "unknown attribute"
        "An unknown attribute would be ignored silently. So every unknown attribute is an error, with the most similar \
         supported one as a suggestion. Names that start with `x-` are reserved for other programs."
    D005 Error "wrong kind of value"
        "Each key of a design file requires one kind of value: text, a number, true or false, a list, a table. Other \
         kinds are not converted."
    D006 Error "missing attribute"
        "An entity needs a table, a partition key and a row key; an index needs a name and a row key; a lookup needs \
         its fields. These have no defaults. Add the missing attribute."
    D007 Error "type that cannot be stored"
        "The service stores booleans, integers of 32 and 64 bits, doubles, text, bytes, times and ids. Types that \
         differ between machines, lose their zone or have no fixed form are rejected. Use a supported \
         type, or `json`."
    D008 Error "unknown field in a template"
        "Each template field is a field of the entity. A misspelled name is reported before a row is written under a \
         wrong key."
    D009 Error "unclosed brace"
        "A brace starts or ends a template field. A literal brace is doubled: `{{` and `}}`."
    D010 Error "format not for this type"
        "The format determines the encoding of a value and must support the type of the field. Numbers use `0N` or \
         `ord`, times use `ticks`, `inverted_ticks` or a date, text uses none or `esc`. Change the format or the type."
    D011 Error "forbidden character in a key"
        "The service rejects keys with a slash, a backslash, a number sign, a question mark or a control character. No \
         row with such a key can be written. Use another separator; for values that may contain them use `esc`."
    D012 Error "invalid table name"
        "A table name has 3 to 63 letters and digits and starts with a letter. The name `tables` is reserved for the \
         service."
    D013 Error "invalid table template"
        "Every value must produce a valid table name, so only formats of letters and digits with a fixed width are \
         allowed: `0N`, dates without separators and `guidn`. A key must determine its table, so the keys contain the \
         fields of the table name."
    D014 Error "unknown entity"
        "Queries, relations, aggregates and copied fields refer to entities of the same file. Correct the misspelled \
         name."
    D015 Error "unknown field in a condition"
        "A condition tests fields of its entity. A field that does not exist cannot be tested."
    D016 Error "invalid condition"
        "A condition consists of tests joined by `and` and `or`. A test is a field, a comparison and an argument: \
         `?` for one value, a number after `in`, a share in percent after a range, a span of time after `within`."
    D017 Error "invalid rate"
        "A rate is a number, a slash and a unit: `10/s`, `500/day`. The units are s, min, h, day, month and year; a \
         bare number is per second."
    D018 Error "invalid time span"
        "A span of time is a whole number and a unit: `90d`. The units are min, h, d, w and y."
    D019 Error "part or shard without its template field"
        "`wide` and `{part:02}` require each other, and so do `shard` and `{shard:02}`. The attribute splits or \
         distributes the entity; the template field is the number in the key. Use both, or neither."
    D020 Error "option not for this type"
        "Some options need a type of a certain kind: a series is an array, and the content of a blob is text, \
         JSON or bytes. Change the type or remove the option."
    D021 Error "unknown field in a list"
        "Lists of fields, such as `copy` and `on`, name fields of the entity. A misspelled name would \
         silently omit a property from every copy."
    D022 Error "reserved name"
        "PartitionKey, RowKey, Timestamp and names that start with `odata` are reserved for the service. EntityType, \
         properties that start with `_` and row keys that start with `!` are reserved for the library. Rename \
         the field, or only its property."
    D023 Error "load of an unknown name"
        "The load specifies the write rates of an entity and the values of its fields. With a misspelled name, the \
         defaults would apply and the numbers would be wrong."
    D024 Error "number out of range"
        "Numbers in a design have ranges. A width has 1 to 39 digits; a part of a wide entity has at most 252 \
         properties, the library's among them; shards are at least two."
    D025 Error "length over the type's limit"
        "A text of the service holds 32,768 characters, binary 65,536 bytes. Store longer values in a blob \
         alongside the row: `blob = true`."
    D026 Error "needs a newer program"
        "The file specifies the required program version in `needs`, and this program is older. It may not support \
         parts of the file. Use a newer program."
    D027 Error "invalid property name"
        "Property names have at most 255 letters, digits and `_`, and do not start with a digit. Rename the field, or \
         its property with `rename`."
    D028 Error "two fields in one property"
        "Two fields of an entity are stored under one name, so one would overwrite the other. Rename one of them."
    D029 Error "duplicate name of an index or lookup"
        "Each index and lookup generates functions with its name, so the names must be unique. Rename one of them."
    D030 Error "version without the older one"
        "Rows of the older version are still in the table and need a type to be read as. Keep the old struct, name it \
         in `from`, and implement the conversion."
    D031 Error "index whose rows overwrite each other"
        "Two entities with the same values would have one key in this index: the second would overwrite the \
         first. If the values are unique, use `unique`, which is enforced. Otherwise end the index key with the key of \
         the entity."
    D032 Error "index that does not identify its entity"
        "A row of this index contains neither the fields of the entity nor its key, so the entity could not be loaded. Copy \
         some fields (the key comes with them), or put the key's fields into the index's templates."
    D033 Error "optional field in a key"
        "A key contains all its parts; no part can be omitted. Make the field required. In an index, \
         `sparse` leaves out the entities that do not have it."
    D034 Error "not an entity"
        "An entity is a struct with named fields and no type parameters. Its properties have names, and different \
         types must not share rows. Several types in one table are a union; an enum can be a property."
    D035 Error "serde attribute without a storage attribute"
        "An attribute that hides a field from a response must not silently remove it from storage. If serde skips, \
         flattens or converts a field, specify how it is stored: `keep`, `skip` or `json`."
    D036 Error "attribute without effect"
        "Some attributes apply to the struct, others to a field or to one location of lists. Elsewhere, or together \
         with a contradictory attribute, they have no effect. Move or remove the attribute."
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
        "A default of a field is 0, false, the empty string, a word of its enum or a function. A row key has at most six \
         fields. An insert writes the rows of its partition, one for each index and lookup there, in one transaction of \
         at most 100. Other defaults, longer keys and more rows are not supported yet."
    D046 Error "shard without an effect"
        "The shard is a hash of one field. If this field, or a field that determines it, precedes the shard in the \
         partition, all rows with its value have the same shard, and the load is not distributed. Use a field of the row \
         key."
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
        "Where the partition key begins with a time or number in a descending format, every insert goes to the same \
         end of the table: one server takes all of it, and splitting does not help. Put the field into the row key, \
         spread it by another field, or use a table for each period."
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
    Q17 Warning "query that cannot finish"
        "A query reads page after page, each a round trip. Above a minute per call it belongs into the background; an \
         error if the next call starts before the last one ends. Use an index, an aggregate, or call it less often."
    Q18 Error "path that cannot serve the query"
        "`using` names an index or lookup whose key is not in the condition, so another path is read and priced. \
         Name another path, add the missing tests, or remove `using`."
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
        "The longest list of a lookup has more than 1 MiB. The row of the list holds 16,384 characters, each further \
         member has a row, and reading them takes more requests. An index reads the same entities as one range."
    S06 Warning "list beyond a property"
        "The longest list of a lookup has more than 16,384 characters, which is what its row holds. Each further member \
         has a row. Look up by more fields, or use an index."
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
