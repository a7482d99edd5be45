//! The style and the script, under names that change with their content.

use std::sync::LazyLock;

use hyper::{
    StatusCode,
    header::{self, HeaderValue},
};
use sha2::{Digest, Sha256};

use crate::reply::{Reply, reply};

static ASSETS: LazyLock<[Asset; 2]> = LazyLock::new(|| {
    [
        Asset::of_style("style", include_str!("asset/style.css")),
        Asset::new("explorer", "js", "text/javascript; charset=utf-8", include_str!("asset/explorer.js")),
    ]
});

/// A file under a name that changes with its content.
pub(crate) struct Asset {
    path: String,
    content_type: &'static str,
    text: &'static str,
}

impl Asset {
    /// Creates a stylesheet.
    pub(crate) fn of_style(name: &str, text: &'static str) -> Self {
        Self::new(name, "css", "text/css; charset=utf-8", text)
    }

    pub(crate) fn path(&self) -> &str {
        &self.path
    }

    /// Returns the file. Browsers keep it.
    pub(crate) fn reply(&self) -> Reply {
        let mut reply = reply(StatusCode::OK, self.content_type, self.text);
        let forever = HeaderValue::from_static("public, max-age=31536000, immutable");
        reply.headers_mut().insert(header::CACHE_CONTROL, forever);
        reply
    }

    fn new(name: &str, extension: &str, content_type: &'static str, text: &'static str) -> Self {
        let digest = Sha256::digest(text.as_bytes());
        let hash = crate::show::hex(digest.get(..6).unwrap_or_default());
        Self { path: format!("/assets/{name}.{hash}.{extension}"), content_type, text }
    }
}

/// Returns the path of the style.
pub(crate) fn style() -> &'static str {
    let [style, _] = &*ASSETS;
    &style.path
}

/// Returns the path of the script.
pub(crate) fn script() -> &'static str {
    let [_, script] = &*ASSETS;
    &script.path
}

/// Returns a file. It contains nothing secret, so it requires no session.
pub(crate) fn find(path: &str) -> Option<Reply> {
    if path == "/favicon.ico" {
        return Some(reply(StatusCode::NO_CONTENT, "image/x-icon", ""));
    }
    ASSETS.iter().find(|asset| asset.path == path).map(Asset::reply)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn assets_are_small() {
        let [style, script] = &*ASSETS;
        assert!(style.text.len() <= 25_000 && script.text.len() <= 15_000);
        // Values are exact: a number of the script would not be.
        for word in ["Number(", "parseInt", "parseFloat", "BigInt", "eval", "innerHTML", ".style"] {
            assert!(!script.text.contains(word), "{word}");
        }
        assert!(find(style.path.as_str()).is_some() && find("/assets/style.css").is_none());
    }
}
