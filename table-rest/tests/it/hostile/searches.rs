//! Searches of blobs by tags: no blob of another account, and pages of a bounded size.

use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};
use table_rest::{
    AccountName, ServiceKind,
    auth::AccountKey,
    server::{Limits, ServedAccount},
    wire::blobs::read_found,
};
use table_store::{
    Metadata, Store,
    blob::{BlobAddress, BlobTags, PutBlob},
};

use super::site::{Answer, Site};

const BLOBS: usize = 7;

/// Creates the account `number` with blobs of the same tags and other names.
fn account(number: usize) -> (AccountName, AccountKey, ServedAccount) {
    let name: AccountName = format!("account{number}").parse().unwrap();
    let key = AccountKey::new([u8::try_from(number).unwrap(); 32]).unwrap();
    let store = Store::in_memory().unwrap().blocking();
    let tags = BlobTags::new().with("Status", "Done").unwrap();
    for blob in 0..BLOBS {
        let at = BlobAddress::new("photos", format!("{name}-{blob}")).unwrap();
        if blob == 0 {
            store.create_container(&at.container, Metadata::new()).unwrap();
        }
        store.put_blob(&at, "x".into(), PutBlob::new().tags(tags.clone())).unwrap();
    }
    let served = ServedAccount::new(name.clone(), vec![key.clone()], store.store().clone());
    (name, key, served)
}

#[tokio::test(flavor = "multi_thread")]
async fn a_search_finds_the_blobs_of_its_account_in_small_pages() {
    let (first, second) = (account(1), account(2));
    let page_bytes = 600;
    let site = Site::of_accounts([first.2, second.2], Limits { page_bytes, ..Limits::default() }).await;
    for (name, key) in [(first.0, first.1), (second.0, second.1)] {
        let (mut found, mut marker, mut pages) = (Vec::new(), String::new(), 0);
        loop {
            let place = utf8_percent_encode(&marker, NON_ALPHANUMERIC);
            let target = format!("/?comp=blobs&where=Status%3D%27Done%27&marker={place}");
            let head =
                Site::head_of(&name, &key, (ServiceKind::Blob, "GET", &target), "Connection: close\r\n");
            let answers: Vec<Answer> = site.say(ServiceKind::Blob, &(head + "\r\n")).await;
            let [answer] = &answers[..] else { panic!("{answers:?}") };
            assert_eq!(answer.status, 200, "{answer:?}");
            assert!(answer.body.len() <= page_bytes, "{}", answer.body.len());
            let segment = read_found(answer.body.as_bytes()).unwrap();
            found.extend(segment.blobs.iter().map(|found| found.blob.name.to_string()));
            pages += 1;
            let Some(next) = segment.next_marker else { break };
            marker = next;
        }
        let expected: Vec<_> = (0..BLOBS).map(|blob| format!("{name}-{blob}")).collect();
        assert_eq!(found, expected);
        assert!(pages > 1, "{pages}");
    }
    site.shutdown().await;
}
