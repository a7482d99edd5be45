//! The entries.

use super::{Entry, Severity};

macro_rules! catalogue {
    ($($code:ident $severity:ident $title:literal $explanation:literal)*) => {
        /// The code of a kind of mistake. The letters: D what a design cannot say, K keys, S sizes, W writes.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[non_exhaustive]
        pub enum Code {
            $(#[doc = $title] $code,)*
        }

        /// All entries, by code.
        pub const ALL: &[Entry] = &[$(Code::$code.entry(),)*];

        impl Code {
            /// The code as text.
            pub const fn as_str(self) -> &'static str {
                match self {
                    $(Self::$code => stringify!($code),)*
                }
            }

            /// The entry of this code.
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
        "Some options need a type of a certain kind: a series is an array, a blob has type `Blob`, sealed fields are \
         text, JSON or bytes. Change the type or drop the option."
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
    K15 Error "mixed rows"
        "Two kinds of rows share a partition, and one's keys can begin as the other's do. A range over the first then \
         returns rows of the second, and one row may take the place of another. Begin each row key with a word of its \
         own."
    S03 Error "too many properties"
        "An entity holds 252 properties, the library's own among them; a series counts each slot. Keep a large value \
         in a blob, or let the entity be split over several rows by `wide`."
    W11 Error "encrypted field in a key"
        "Keys travel and sort in clear, so a sealed field in a key would not be sealed. Key by another field, for \
         example by a keyed hash of it."
}
