use table_advisor::plain;

/// Attributes of an element.
pub(crate) type Attributes<'a> = &'a [(&'static str, &'a str)];

/// A markup builder. Its elements are always well nested, and it is the only place that escapes text.
#[derive(Debug, Default)]
pub(crate) struct Markup {
    text: String,
}

impl Markup {
    /// Writes an element with its contents.
    pub(crate) fn element(&mut self, tag: &str, attributes: Attributes<'_>, inside: impl FnOnce(&mut Self)) {
        self.open(tag, attributes);
        self.text.push('>');
        inside(self);
        self.text.push_str("</");
        self.text.push_str(tag);
        self.text.push('>');
    }

    /// Writes an element with text.
    pub(crate) fn leaf(&mut self, tag: &str, class: &str, text: &str) {
        self.classed(tag, class, |markup| markup.text(text));
    }

    /// Writes an element with a class; without a class if it is empty.
    pub(crate) fn classed(&mut self, tag: &str, class: &str, inside: impl FnOnce(&mut Self)) {
        let attributes = [("class", class)];
        let attributes = if class.is_empty() { &[] } else { &attributes[..] };
        self.element(tag, attributes, inside);
    }

    /// Writes an element without contents: a void element of HTML, or any element of SVG.
    pub(crate) fn void(&mut self, tag: &str, attributes: Attributes<'_>) {
        self.open(tag, attributes);
        self.text.push_str("/>");
    }

    /// Writes text.
    pub(crate) fn text(&mut self, text: &str) {
        for character in text.chars() {
            match character {
                '&' => self.text.push_str("&amp;"),
                '<' => self.text.push_str("&lt;"),
                '>' => self.text.push_str("&gt;"),
                '"' => self.text.push_str("&quot;"),
                // A document must not contain any other control character.
                character if character.is_control() && !matches!(character, '\n' | '\t') => {
                    self.text.push(char::REPLACEMENT_CHARACTER);
                }
                character => self.text.push(character),
            }
        }
    }

    /// Writes text with code between grave accents.
    pub(crate) fn prose(&mut self, text: &str) {
        for (place, part) in text.split('`').enumerate() {
            if place.is_multiple_of(2) {
                self.text(part);
            } else {
                self.leaf("code", "", part);
            }
        }
    }

    /// Writes a cell with a number.
    pub(crate) fn number(&mut self, number: f64) {
        self.leaf("td", "n", &plain(number));
    }

    /// Writes the head of a table. A leading `#` marks columns of numbers.
    pub(crate) fn head(&mut self, columns: &[&str]) {
        self.element("thead", &[], |markup| {
            markup.element("tr", &[], |markup| {
                for column in columns {
                    let (class, column) = match column.strip_prefix('#') {
                        Some(column) => ("n", column),
                        None => ("", *column),
                    };
                    let attributes = [("scope", "col"), ("class", class)];
                    let attributes = if class.is_empty() { &attributes[..1] } else { &attributes[..] };
                    markup.element("th", attributes, |markup| markup.text(column));
                }
            });
        });
    }

    /// Writes a table in a separate box, which scrolls if it is too wide.
    pub(crate) fn table(&mut self, class: &str, columns: &[&str], rows: impl FnOnce(&mut Self)) {
        self.element("div", &[("class", "wide"), ("tabindex", "0")], |markup| {
            markup.classed("table", class, |markup| {
                markup.head(columns);
                markup.element("tbody", &[], rows);
            });
        });
    }

    /// Writes numbers with their meaning.
    pub(crate) fn tiles<'t>(&mut self, tiles: impl IntoIterator<Item = (String, &'t str)>) {
        self.classed("div", "tiles", |markup| {
            for (number, meaning) in tiles {
                markup.classed("div", "tile", |markup| {
                    markup.leaf("b", "", &number);
                    markup.leaf("span", "", meaning);
                });
            }
        });
    }

    /// Writes links to sections, by their anchors and headings.
    pub(crate) fn contents<'t>(&mut self, sections: impl IntoIterator<Item = (&'t str, &'t str)>) {
        self.element("nav", &[("aria-label", "Sections")], |markup| {
            for (name, heading) in sections {
                markup.element("a", &[("href", &format!("#{name}"))], |markup| markup.text(heading));
            }
        });
    }

    /// Writes a section with its anchor and heading.
    pub(crate) fn section(&mut self, name: &str, heading: &str, inside: impl FnOnce(&mut Self)) {
        self.element("section", &[("id", name)], |markup| {
            markup.leaf("h2", "", heading);
            inside(markup);
        });
    }

    /// Returns the markup.
    pub(crate) fn finish(self) -> String {
        self.text
    }

    fn open(&mut self, tag: &str, attributes: Attributes<'_>) {
        // Large elements start on a new line, so that reports can be compared.
        if matches!(tag, "section" | "tr" | "h2" | "h3" | "article" | "svg" | "p") {
            self.text.push('\n');
        }
        self.text.push('<');
        self.text.push_str(tag);
        for (name, value) in attributes {
            self.text.push(' ');
            self.text.push_str(name);
            self.text.push_str("=\"");
            self.text(value);
            self.text.push('"');
        }
    }
}
