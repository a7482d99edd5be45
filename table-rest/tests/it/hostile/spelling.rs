//! The case of metadata names, which HTTP libraries drop.

use table_rest::{ServiceKind, server::Limits};

use super::site::Site;

const PREFIX: &str = "x-ms-meta-";

fn ask(kind: ServiceKind, method: &str, path: &str, lines: &str) -> String {
    Site::head(kind, method, path, lines) + "\r\n"
}

#[tokio::test(flavor = "multi_thread")]
async fn metadata_names_keep_their_case() {
    let site = Site::new(Limits::default()).await;
    let (blob, queue) = (ServiceKind::Blob, ServiceKind::Queue);
    let owner = "X-Ms-Meta-ownerName: Jo\r\nx-ms-meta-size: 1\r\nContent-Length: 0\r\n";
    let typed = format!("x-ms-blob-type: BlockBlob\r\n{owner}");
    let container = "/photos?restype=container";
    // The heads of all requests arrive at once, so that none can get the names of another one.
    let sent = [
        ask(blob, "PUT", container, owner),
        ask(
            blob,
            "PUT",
            "/photos/plain",
            "x-ms-blob-type: BlockBlob\r\nx-ms-meta-a: 1\r\nContent-Length: 0\r\n",
        ),
        ask(blob, "PUT", "/photos/a", &typed),
        ask(blob, "PUT", "/photos/b", &typed.replace("ownerName", "OWNER")),
        ask(blob, "GET", container, ""),
        ask(blob, "GET", "/photos/a", ""),
        ask(blob, "GET", "/photos/b?comp=metadata", ""),
        ask(blob, "GET", "/photos/plain", ""),
        ask(blob, "GET", "/photos?restype=container&comp=list&include=metadata", ""),
        ask(blob, "HEAD", "/photos/b", "Connection: close\r\n"),
    ];
    let answers = site.say(blob, &sent.concat()).await;
    let names: Vec<_> = answers.iter().map(|answer| (answer.status, answer.names(PREFIX))).collect();
    assert_eq!(
        names,
        [
            (201, vec![]),
            (201, vec![]),
            (201, vec![]),
            (201, vec![]),
            (200, vec!["x-ms-meta-ownerName", "x-ms-meta-size"]),
            (200, vec!["x-ms-meta-ownerName", "x-ms-meta-size"]),
            (200, vec!["x-ms-meta-OWNER", "x-ms-meta-size"]),
            (200, vec!["x-ms-meta-a"]),
            (200, vec![]),
            (200, vec!["x-ms-meta-OWNER", "x-ms-meta-size"]),
        ]
    );
    assert!(answers[8].body.contains("<ownerName>Jo</ownerName>"), "{}", answers[8].body);

    let sent = [
        ask(queue, "PUT", "/jobs", owner),
        ask(queue, "PUT", "/jobs", &owner.replace("ownerName", "OwnerNAME")),
        ask(queue, "GET", "/jobs?comp=metadata", "Connection: close\r\n"),
    ];
    let answers = site.say(queue, &sent.concat()).await;
    let statuses: Vec<_> = answers.iter().map(|answer| answer.status).collect();
    assert_eq!(statuses, [201, 204, 200]);
    assert_eq!(answers[2].names(PREFIX), ["x-ms-meta-ownerName", "x-ms-meta-size"]);
}

/// Names are compared without case, so these are one name twice. Values were joined with a comma.
#[tokio::test(flavor = "multi_thread")]
async fn a_metadata_name_that_is_repeated_in_another_case_is_refused() {
    let site = Site::new(Limits::default()).await;
    let (blob, queue) = (ServiceKind::Blob, ServiceKind::Queue);
    let container = "/photos?restype=container";
    let none = "Content-Length: 0\r\n";
    let twice = format!("x-ms-meta-A: 1\r\nx-ms-meta-a: 2\r\n{none}");
    let typed = format!("x-ms-blob-type: BlockBlob\r\n{twice}");
    let list = "<BlockList />";
    let listed = format!("x-ms-meta-a: 1\r\nX-MS-META-A: 1\r\nContent-Length: {}\r\n", list.len());
    let sent = [
        ask(blob, "PUT", container, none),
        ask(blob, "PUT", "/photos/a", &format!("x-ms-blob-type: BlockBlob\r\nx-ms-meta-a: 0\r\n{none}")),
        ask(blob, "PUT", "/films?restype=container", &twice),
        ask(blob, "PUT", "/photos?restype=container&comp=metadata", &twice),
        ask(blob, "PUT", "/photos/a", &typed),
        ask(blob, "PUT", "/photos/a?comp=metadata", &twice),
        ask(blob, "PUT", "/photos/a?comp=blocklist", &listed) + list,
        ask(blob, "HEAD", "/photos/a", "Connection: close\r\n"),
    ];
    let answers = site.say(blob, &sent.concat()).await;
    let statuses: Vec<_> = answers.iter().map(|answer| answer.status).collect();
    assert_eq!(statuses, [201, 201, 400, 400, 400, 400, 400, 200]);
    assert!(answers[2..7].iter().all(|answer| answer.header("x-ms-error-code") == Some("InvalidMetadata")));
    assert_eq!(answers[7].header("x-ms-meta-a"), Some("0"));

    let sent = [
        ask(queue, "PUT", "/jobs", &twice),
        ask(queue, "PUT", "/jobs", none),
        ask(queue, "PUT", "/jobs?comp=metadata", &format!("{twice}Connection: close\r\n")),
    ];
    let answers = site.say(queue, &sent.concat()).await;
    let statuses: Vec<_> = answers.iter().map(|answer| answer.status).collect();
    assert_eq!(statuses, [400, 201, 400]);
}
