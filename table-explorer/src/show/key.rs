use std::ops::Range;

use maud::{Markup, html};

use super::text::visible;

/// Classes of the colors of fields.
const COLORS: [&str; 6] = ["c0", "c1", "c2", "c3", "c4", "c5"];

/// Returns the class of the color of a field.
pub(crate) fn color_class(color: usize) -> &'static str {
    COLORS.get(color % COLORS.len()).copied().unwrap_or_default()
}

/// Renders a key of at most `most` characters, which may be empty. Fields have the colors with these numbers.
pub(crate) fn key(key: &str, fields: &[(usize, Range<usize>)], most: usize) -> Markup {
    if key.is_empty() {
        return html! { span.none title="Empty key" { "\"\"" } };
    }
    let mut parts: Vec<(Option<usize>, &str)> = Vec::with_capacity(2 * fields.len() + 1);
    let mut end = 0;
    for (color, span) in fields {
        parts.push((None, key.get(end..span.start).unwrap_or_default()));
        parts.push((Some(*color), key.get(span.clone()).unwrap_or_default()));
        end = span.end;
    }
    parts.push((None, key.get(end..).unwrap_or_default()));
    let mut left = most;
    html! {
        @for (color, part) in parts.into_iter().filter(|(_, part)| !part.is_empty()) {
            @let shown = left;
            @let () = left = left.saturating_sub(part.chars().count());
            @match color {
                _ if shown == 0 => {}
                Some(color) => b class=(color_class(color)) { (visible(part, shown)) },
                None => (visible(part, shown)),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_have_colors_and_long_keys_end() {
        let text = key("id_07<x", &[(1, 3..5)], 6).into_string();
        assert_eq!(text, "<bdi>id_</bdi><b class=\"c1\"><bdi>07</bdi></b><bdi>&lt;…</bdi>");
        assert_eq!(key("ab", &[(9, 0..1)], 1).into_string(), "<b class=\"c3\"><bdi>a</bdi></b>");
        assert!(key("", &[], 6).into_string().contains("Empty key"));
    }
}
