//! All operations and the permissions that they require: an independent copy of the tables in the service
//! documentation.

use table_rest::ServiceKind::{self, Blob, Queue, Table};

use crate::auth::site::Request;

/// An operation.
pub(crate) struct Operation {
    pub(crate) name: &'static str,
    pub(crate) request: Request,
    /// Accepted resource levels of an account signature; one is sufficient.
    pub(crate) levels: &'static str,
    /// Sets of permissions of an account signature, each sufficient.
    pub(crate) account: &'static [&'static str],
    /// Sets of permissions of a signature for the table, queue, container or blob.
    pub(crate) service: &'static [&'static str],
}

type Row = (
    &'static str,
    &'static str,
    &'static str,
    &'static str,
    &'static [&'static str],
    &'static [&'static str],
);

const PERSON: &str = "/people(PartitionKey='p',RowKey='r')";
const NEVER: &[&str] = &[];

const TABLES: [Row; 15] = [
    ("QueryTables", "GET", "/Tables", "c", &["l"], NEVER),
    ("QueryTable", "GET", "/Tables('people')", "c", &["l"], NEVER),
    ("CreateTable", "POST", "/Tables", "c", &["c", "w"], NEVER),
    ("DeleteTable", "DELETE", "/Tables('others')", "c", &["d"], NEVER),
    ("QueryEntities", "GET", "/people()", "o", &["r"], &["r"]),
    ("QueryEntity", "GET", PERSON, "o", &["r"], &["r"]),
    ("InsertEntity", "POST", "/people", "o", &["a"], &["a"]),
    ("UpdateEntity", "PUT if", PERSON, "o", &["u"], &["u"]),
    ("MergeEntity", "MERGE if", PERSON, "o", &["u"], &["u"]),
    ("PatchEntity", "PATCH if", PERSON, "o", &["u"], &["u"]),
    ("InsertOrReplaceEntity", "PUT", PERSON, "o", &["au"], &["au"]),
    ("InsertOrMergeEntity", "MERGE", PERSON, "o", &["au"], &["au"]),
    ("DeleteEntity", "DELETE if", PERSON, "o", &["d"], &["d"]),
    ("GetTableAcl", "GET", "/people?comp=acl", "", NEVER, NEVER),
    ("SetTableAcl", "PUT", "/people?comp=acl", "", NEVER, NEVER),
];

const MESSAGE: &str = "/photos/messages/00000000-0000-0000-0000-000000000000?popreceipt=AAAA";
const UPDATED: &str =
    "/photos/messages/00000000-0000-0000-0000-000000000000?popreceipt=AAAA&visibilitytimeout=1";

const QUEUES: [Row; 13] = [
    ("ListQueues", "GET", "/?comp=list", "s", &["l"], NEVER),
    ("CreateQueue", "PUT", "/photos", "c", &["c", "w"], NEVER),
    ("DeleteQueue", "DELETE", "/others", "c", &["d"], NEVER),
    ("GetQueueMetadata", "GET", "/photos?comp=metadata", "c", &["r"], &["r"]),
    ("SetQueueMetadata", "PUT", "/photos?comp=metadata", "c", &["w"], NEVER),
    ("PutMessage", "POST", "/photos/messages", "o", &["a"], &["a"]),
    ("GetMessages", "GET", "/photos/messages", "o", &["p"], &["p"]),
    ("PeekMessages", "GET", "/photos/messages?peekonly=true", "o", &["r"], &["r"]),
    ("ClearMessages", "DELETE", "/photos/messages", "o", &["d"], &["p"]),
    ("UpdateMessage", "PUT", UPDATED, "o", &["u"], &["u"]),
    ("DeleteMessage", "DELETE", MESSAGE, "o", &["p"], &["p"]),
    ("GetQueueAcl", "GET", "/photos?comp=acl", "", NEVER, NEVER),
    ("SetQueueAcl", "PUT", "/photos?comp=acl", "", NEVER, NEVER),
];

const BLOBS: [Row; 33] = [
    ("ListContainers", "GET", "/?comp=list", "s", &["l"], NEVER),
    ("CreateContainer", "PUT", "/films?restype=container", "c", &["c", "w"], NEVER),
    ("DeleteContainer", "DELETE", "/others?restype=container", "c", &["d"], NEVER),
    ("GetContainerProperties", "GET", "/films?restype=container", "c", &["r"], NEVER),
    ("SetContainerMetadata", "PUT", "/films?restype=container&comp=metadata", "c", &["w"], NEVER),
    ("LeaseContainer", "PUT acquire", "/films?restype=container&comp=lease", "c", &["w"], NEVER),
    ("BreakContainerLease", "PUT break", "/films?restype=container&comp=lease", "c", &["w", "d"], &["d"]),
    ("ListBlobs", "GET", "/films?restype=container&comp=list", "c", &["l"], &["l"]),
    ("ListBlobsWithTags", "GET", "/films?restype=container&comp=list&include=tags", "c", &["lt"], &["lt"]),
    ("FindBlobs", "GET", "/?comp=blobs&where=a%3D%271%27", "o", &["f"], NEVER),
    (
        "FindBlobsInContainer",
        "GET",
        "/films?restype=container&comp=blobs&where=a%3D%271%27",
        "c",
        &["f"],
        &["f"],
    ),
    ("GetContainerAcl", "GET", "/films?restype=container&comp=acl", "", NEVER, NEVER),
    ("SetContainerAcl", "PUT", "/films?restype=container&comp=acl", "", NEVER, NEVER),
    ("GetBlob", "GET", "/films/jo", "o", &["r"], &["r"]),
    ("GetBlobProperties", "HEAD", "/films/jo", "o", &["r"], &["r"]),
    ("GetBlobMetadata", "GET", "/films/jo?comp=metadata", "o", &["r"], &["r"]),
    ("GetBlockList", "GET", "/films/jo?comp=blocklist", "o", &["r"], &["r"]),
    ("SetBlobMetadata", "PUT", "/films/jo?comp=metadata", "o", &["w"], &["w"]),
    ("SetBlobProperties", "PUT", "/films/jo?comp=properties", "o", &["w"], &["w"]),
    ("PutBlock", "PUT", "/films/jo?comp=block&blockid=AAAA", "o", &["w"], &["w"]),
    ("PutBlockList", "PUT", "/films/jo?comp=blocklist", "o", &["w"], &["w"]),
    ("AppendBlock", "PUT", "/films/jo?comp=appendblock", "o", &["a", "w"], &["a", "w"]),
    ("SetBlobTier", "PUT", "/films/jo?comp=tier", "o", &["w"], &["w"]),
    ("LeaseBlob", "PUT acquire", "/films/jo?comp=lease", "o", &["w"], &["w"]),
    ("BreakBlobLease", "PUT break", "/films/jo?comp=lease", "o", &["w", "d"], &["w", "d"]),
    ("GetBlobTags", "GET", "/films/jo?comp=tags", "o", &["t"], &["t"]),
    ("SetBlobTags", "PUT", "/films/jo?comp=tags", "o", &["t"], &["t"]),
    ("DeleteBlob", "DELETE", "/films/others", "o", &["d"], &["d"]),
    ("SnapshotBlob", "PUT", "/films/jo?comp=snapshot", "o", &["c", "w"], &["c", "w"]),
    ("CopyBlob", "PUT source", "/films/new", "o", &["c", "w"], &["c", "w"]),
    ("AbortCopyBlob", "PUT", "/films/jo?comp=copy&copyid=AAAA", "o", &["w"], &["w"]),
    ("PutBlockFromURL", "PUT source", "/films/jo?comp=block&blockid=AAAA", "o", &["w"], &["w"]),
    ("AppendBlockFromURL", "PUT source", "/films/jo?comp=appendblock", "o", &["a", "w"], &["a", "w"]),
];

const ALL: [Row; 3] = [
    ("GetServiceProperties", "GET", "/?restype=service&comp=properties", "s", &["r"], NEVER),
    ("SetServiceProperties", "PUT", "/?restype=service&comp=properties", "s", &["w"], NEVER),
    ("GetServiceStats", "GET secondary", "/?restype=service&comp=stats", "s", &["r"], NEVER),
];

/// Iterates over all operations of all services.
pub(crate) fn operations() -> impl Iterator<Item = Operation> {
    let of = |kind: ServiceKind, rows: &'static [Row]| {
        rows.iter().chain(&ALL).map(move |row| operation(kind, row))
    };
    let blob = |name, account, service, target| Operation {
        name,
        request: Request::new(Blob, "PUT", target).header("x-ms-blob-type", "BlockBlob"),
        levels: "o",
        account,
        service,
    };
    let mut tagged = blob("PutBlobWithTags", &["ct", "wt"], &["ct", "wt"], "/films/new");
    tagged.request = tagged.request.header("x-ms-tags", "a=1");
    let puts = [
        blob("PutBlob", &["c", "w"], &["c", "w"], "/films/new"),
        blob("OverwriteBlob", &["w"], &["w"], "/films/jo"),
        tagged,
    ];
    of(Table, &TABLES).chain(of(Queue, &QUEUES)).chain(of(Blob, &BLOBS)).chain(puts)
}

fn operation(kind: ServiceKind, &(name, method, target, levels, account, service): &Row) -> Operation {
    let (method, how) = method.split_once(' ').unwrap_or((method, ""));
    let mut request = Request::new(kind, method, target);
    match how {
        "if" => request = request.header("if-match", "*"),
        "secondary" => request = request.secondary(),
        // Another server: rejected after the permissions are checked.
        "source" => request = request.header("x-ms-copy-source", "http://example.com/films/jo"),
        "acquire" | "break" => request = request.header("x-ms-lease-action", how),
        _ => {}
    }
    Operation { name, request, levels, account, service }
}
