//! Charts as SVG: a card with its background color, in a light and a dark theme, so that it is readable on any page.

pub mod bars;
pub mod lines;

use std::fmt::{self, Display, Write as _};

/// CSS rules without variables, since some viewers do not support them.
const STYLE: &str = "\
text{font:13px system-ui,sans-serif;fill:#1d2329}
.title{font-weight:600}.soft{fill:#626b75}.end{text-anchor:end}.middle{text-anchor:middle}
.card{fill:#ffffff;stroke:#d5d9de}.ours{fill:#0b7a75}.other{fill:#a9b4bf}
polyline{fill:none}.axis{stroke:#d5d9de}.line{stroke:#0b7a75;stroke-width:2}.dashed{stroke:#a9b4bf;stroke-dasharray:5 4}
@media(prefers-color-scheme:dark){text{fill:#e6e9ec}.soft{fill:#98a2ad}.card{fill:#171b20;stroke:#343b43}
.ours{fill:#35b8ae}.other{fill:#55606c}.axis{stroke:#343b43}.line{stroke:#35b8ae}.dashed{stroke:#55606c}}";

/// An unfinished drawing.
pub struct Canvas {
    width: f64,
    height: f64,
    title: String,
    body: String,
}

impl Canvas {
    /// Creates a drawing; `title` is also the label for screen readers.
    pub fn new(title: &str, width: f64, height: f64) -> Self {
        Self { width, height, title: title.to_owned(), body: String::new() }
    }

    pub fn text(&mut self, x: f64, y: f64, class: &str, text: &str) {
        let _ =
            writeln!(self.body, r#"<text x="{x:.1}" y="{y:.1}" class="{class}">{}</text>"#, escaped(text));
    }

    pub fn bar(&mut self, x: f64, y: f64, width: f64, height: f64, class: &str) {
        let _ = writeln!(
            self.body,
            r#"<rect x="{x:.1}" y="{y:.1}" width="{width:.1}" height="{height:.1}" rx="2" class="{class}"/>"#
        );
    }

    pub fn line(&mut self, class: &str, points: &[(f64, f64)]) {
        let points: Vec<String> = points.iter().map(|(x, y)| format!("{x:.1},{y:.1}")).collect();
        let _ = writeln!(self.body, r#"<polyline class="{class}" points="{}"/>"#, points.join(" "));
    }

    pub fn dot(&mut self, x: f64, y: f64, class: &str) {
        let _ = writeln!(self.body, r#"<circle cx="{x:.1}" cy="{y:.1}" r="3" class="{class}"/>"#);
    }
}

impl Display for Canvas {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { width, height, title, body } = self;
        let title = escaped(title);
        writeln!(
            f,
            r#"<svg xmlns="http://www.w3.org/2000/svg" width="{width:.0}" height="{height:.0}" viewBox="0 0 {width:.0} {height:.0}" role="img" aria-label="{title}">"#
        )?;
        writeln!(f, "<title>{title}</title>\n<style>{STYLE}</style>")?;
        let (width, height) = (width - 1.0, height - 1.0);
        writeln!(f, r#"<rect x="0.5" y="0.5" width="{width}" height="{height}" rx="8" class="card"/>"#)?;
        writeln!(f, "{body}</svg>")
    }
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
