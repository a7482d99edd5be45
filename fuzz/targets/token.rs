//! A modified continuation token is rejected; only the original token returns rows, which are the remaining ones.
//! Input: the token as a string, or, after a first byte 0, edits of a token from the store.

#![no_main]

use std::sync::LazyLock;

use libfuzzer_sys::fuzz_target;
use table_fuzz::stores;
use table_store::{BlockingStore, Continuation, ErrorCode, Query, Rows};

struct Known {
    store: BlockingStore,
    token: String,
    rest: Rows,
}

static KNOWN: LazyLock<Known> = LazyLock::new(|| {
    let store = stores::options().in_memory().expect("memory is there").blocking();
    stores::fill(&store, 12);
    let first = store.query(&stores::table(), Query::new().top(5)).expect("it reads");
    let token = first.continuation.expect("there are more");
    let next = Query::new().top(5).continuation(token.clone());
    let rest = store.query(&stores::table(), next).expect("its own token").rows;
    Known { store, token: token.to_string(), rest }
});

/// Returns the token of the store with bytes changed, inserted or removed.
fn edited(token: &str, edits: &[u8]) -> String {
    let mut bytes = token.as_bytes().to_vec();
    for edit in edits.chunks_exact(3) {
        let at = usize::from(edit[1]) % (bytes.len() + 1);
        match (edit[0] % 4, bytes.get_mut(at)) {
            (0, _) => bytes.insert(at, edit[2]),
            (1, Some(_)) => drop(bytes.remove(at)),
            (2, Some(byte)) => *byte = edit[2],
            (_, Some(byte)) => *byte ^= 1 << (edit[2] % 7),
            (_, None) => {}
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

fuzz_target!(|data: &[u8]| {
    let known = &*KNOWN;
    let text = match data.split_first() {
        Some((0, edits)) => edited(&known.token, edits),
        _ => String::from_utf8_lossy(data).into_owned(),
    };
    let Ok(token) = Continuation::new(text.as_str()) else { return };
    match known.store.query(&stores::table(), Query::new().top(5).continuation(token)) {
        Ok(segment) => {
            assert_eq!(text, known.token, "a token that the store never gave is taken");
            assert_eq!(segment.rows, known.rest);
        }
        Err(error) => {
            assert_ne!(text, known.token, "{error}");
            assert_eq!(error.code(), ErrorCode::InvalidInput, "{error}");
        }
    }
});
