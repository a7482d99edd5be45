//! The report as a page: one file, well nested, that loads nothing and runs nothing.

#![expect(clippy::expect_used, reason = "a helper of a test fails as a test does")]

use std::{path::Path, process::Command};

use quick_xml::{Reader, events::Event};

const DESIGNS: [&str; 4] = ["company", "iot", "logins", "orders"];

fn page_of(file: &Path) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_tables"))
        .args(["advise", "--format", "html", "--servers", "1,10"])
        .arg(file)
        .output()
        .expect("the command runs");
    assert!(output.stderr.is_empty(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("text")
}

fn page(design: &str) -> String {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../table-codegen/tests/schemas");
    page_of(&folder.join(design).with_extension("toml"))
}

/// The elements of a page, in order; each is closed where it must be, and nothing else is.
fn elements(page: &str) -> Vec<String> {
    let mut reader = Reader::from_str(page);
    reader.config_mut().check_end_names = true;
    let (mut names, mut depth) = (Vec::new(), 0_usize);
    loop {
        match reader.read_event().expect("well nested") {
            Event::Start(start) => {
                depth += 1;
                names.push(start.name().as_ref().to_owned());
            }
            Event::Empty(empty) => names.push(empty.name().as_ref().to_owned()),
            Event::End(_) => depth -= 1,
            Event::Eof => break,
            _ => {}
        }
    }
    assert_eq!(depth, 0);
    names
}

#[test]
fn a_page_is_well_nested_and_has_all_its_sections() {
    for design in DESIGNS {
        let page = page(design);
        let names = elements(&page);
        for (element, least) in [("h1", 1), ("section", 8), ("table", 6), ("svg", 4)] {
            assert!(names.iter().filter(|name| *name == element).count() >= least, "{design}: {element}");
        }
    }
}

#[test]
fn a_page_loads_nothing_and_runs_nothing() {
    for design in DESIGNS {
        let page = page(design);
        let names = elements(&page);
        for forbidden in ["script", "link", "img", "iframe", "object", "image", "use"] {
            assert!(!names.iter().any(|name| name == forbidden), "{design}: {forbidden}");
        }
        for forbidden in ["http:", "https:", "//", "url(", "@import", " src=", "javascript"] {
            assert!(!page.contains(forbidden), "{design}: {forbidden}");
        }
        assert!(page.contains("content=\"default-src 'none'; style-src 'unsafe-inline'\""));
    }
}

#[test]
fn a_page_is_small() {
    for design in DESIGNS {
        let size = page(design).len();
        assert!(size < 64 * 1024, "{design}: {size} bytes");
    }
}

#[test]
fn the_same_design_gives_the_same_page() {
    assert_eq!(page("company"), page("company"));
}

#[test]
fn what_a_file_says_is_shown_and_not_obeyed() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("sly.toml");
    let design = r#"
tables = 1
design = "sly"
about = "<script>alert(1)</script> & <b title='x'>\"more\"</b>"

[entity.Note]
table = "Notes"
partition = "<i>_{book}"
row = "{id:06}"

[entity.Note.fields]
book = "string(40)"
id = "u32"
"#;
    std::fs::write(&file, design).expect("written");
    let page = page_of(&file);
    assert!(!elements(&page).iter().any(|name| name == "script"));
    assert!(page.contains("&lt;script&gt;alert(1)&lt;"), "{page}");
    assert!(page.contains("&lt;i&gt;_"), "{page}");
}
