//! The entries of the catalog.

use super::{Entry, Severity};

macro_rules! catalogue {
    ($($code:ident $severity:ident $title:literal)*) => {
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

            /// Returns the catalog entry.
            pub const fn entry(self) -> Entry {
                match self {
                    $(Self::$code => Entry {
                        code: self,
                        title: $title,
                        severity: Severity::$severity,
                    },)*
                }
            }
        }
    };
}

catalogue! {
    D001 Error "no format version"
    D002 Error "newer format"
    D003 Error "not TOML"
    D004 Error "unknown attribute"
    D005 Error "wrong kind of value"
    D006 Error "missing attribute"
    D007 Error "type that cannot be stored"
    D008 Error "unknown field in a template"
    D009 Error "unclosed brace"
    D010 Error "format not for this type"
    D011 Error "forbidden character in a key"
    D012 Error "invalid table name"
    D013 Error "invalid table template"
    D014 Error "unknown entity"
    D015 Error "unknown field in a condition"
    D016 Error "invalid condition"
    D017 Error "invalid rate"
    D018 Error "invalid time span"
    D019 Error "part or shard without its template field"
    D020 Error "option not for this type"
    D021 Error "unknown field in a list"
    D022 Error "reserved name"
    D023 Error "load of an unknown name"
    D024 Error "number out of range"
    D025 Error "length over the type's limit"
    D026 Error "needs a newer program"
    D027 Error "invalid property name"
    D028 Error "two fields in one property"
    D029 Error "duplicate name of an index or lookup"
    D030 Error "version without the older one"
    D031 Error "index whose rows overwrite each other"
    D032 Error "index that does not identify its entity"
    D033 Error "optional field in a key"
    D034 Error "not an entity"
    D035 Error "serde attribute without a storage attribute"
    D036 Error "attribute without effect"
    D037 Error "unsupported combination"
    D038 Error "lookup keys that differ from the lookup fields"
    D039 Error "index copy of a value that is not in the row"
    D040 Error "field that a condition cannot test"
    D041 Error "invalid contribution"
    D042 Error "invalid maintained field"
    D043 Error "aggregate or copy that cannot be matched"
    D044 Error "archive in the table of the entity"
    D045 Error "feature that is not supported yet"
    D046 Error "shard without an effect"
    K01 Warning "hot partition"
    K02 Warning "heavy head"
    K03 Warning "inserts at the end"
    K04 Warning "inserts at the start"
    K05 Warning "one partition for all"
    K06 Warning "lonely entities"
    K07 Warning "endless partition"
    K08 Warning "big partition"
    K09 Warning "few partitions"
    K10 Error "unpadded number"
    K11 Error "ambiguous key"
    K12 Error "long key"
    K13 Warning "unbounded key"
    K14 Warning "narrow width"
    K15 Error "mixed rows"
    K16 Note "free text in a key"
    Q01 Warning "table scan"
    Q02 Warning "partition scan"
    Q03 Warning "range of partitions"
    Q04 Warning "wide fan-out"
    Q05 Note "or over keys"
    Q06 Warning "low yield"
    Q07 Note "no projection"
    Q08 Warning "tail in the wrong order"
    Q09 Warning "many pages"
    Q10 Note "refetch"
    Q11 Warning "unused index"
    Q12 Warning "index twice"
    Q13 Note "entity never read"
    Q14 Warning "many points"
    Q15 Note "guessed share"
    Q16 Error "stale path"
    Q17 Warning "query that cannot finish"
    Q18 Error "path that cannot serve the query"
    S01 Warning "entity size"
    S02 Warning "value size"
    S03 Error "too many properties"
    S04 Note "nearly too many properties"
    S05 Note "list beyond a row"
    S06 Warning "list beyond a property"
    S07 Note "unbounded text"
    S08 Note "small blob"
    S09 Note "names dearer than values"
    T01 Warning "deleting row by row"
    T02 Warning "log in a table"
    T03 Note "small tables"
    T04 Warning "spikes"
    T05 Warning "kinds that cannot be told"
    T06 Warning "rate of the account"
    T07 Warning "cold tables"
    T08 Note "dear operation"
    T09 Note "heavy copies"
    T10 Note "assumed count"
    T11 Warning "limits of Cosmos DB"
    T12 Note "kept for ever"
    W01 Warning "transaction of too many operations"
    W02 Warning "transaction too large"
    W03 Warning "amplification"
    W04 Warning "hot copy"
    W05 Note "follows later"
    W06 Error "atomic over partitions"
    W07 Warning "unique elsewhere"
    W08 Warning "moving key"
    W09 Error "update of a key"
    W10 Note "merge of an encrypted field"
    W11 Error "encrypted field in a key"
    W12 Warning "hot total"
    W13 Warning "hot list"
}
