//! The report as a page: one file, well nested, without scripts or external resources.

#![expect(clippy::expect_used, reason = "a helper of a test fails as a test does")]

use std::{
    path::{Path, PathBuf},
    process::Command,
    sync::LazyLock,
};

use quick_xml::{Reader, events::Event};

/// Designs and their pages.
static PAGES: LazyLock<[(&str, String); 4]> =
    LazyLock::new(|| ["company", "iot", "logins", "orders"].map(|design| (design, page_of(&file(design)))));

fn page_of(file: &Path) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_tables"))
        .args(["advise", "--format", "html", "--servers", "1,10"])
        .arg(file)
        .output()
        .expect("the command runs");
    assert!(output.stderr.is_empty(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("text")
}

fn file(design: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../table-codegen/tests/schemas");
    folder.join(design).with_extension("toml")
}

/// Returns the elements of a page, in order; checks that they are closed correctly.
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
    for (design, page) in &*PAGES {
        let names = elements(page);
        for (element, least) in [("h1", 1), ("section", 8), ("table", 6), ("svg", 4)] {
            assert!(names.iter().filter(|name| *name == element).count() >= least, "{design}: {element}");
        }
    }
}

#[test]
fn a_page_loads_nothing_and_runs_nothing() {
    for (design, page) in &*PAGES {
        let names = elements(page);
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
fn each_query_and_entity_of_a_design_is_on_its_page() {
    for (design, page) in &*PAGES {
        let text = std::fs::read_to_string(file(design)).expect("a design");
        let heads = text.lines().filter_map(|line| line.strip_prefix('[')?.split(']').next());
        for name in heads.filter_map(|head| head.strip_prefix("query.").or(head.strip_prefix("entity."))) {
            let name = name.split('.').next().unwrap_or(name);
            assert!(page.contains(&format!(">{name}<")), "{design}: {name}");
        }
    }
}

#[test]
fn a_page_is_small() {
    for (design, page) in &*PAGES {
        let size = page.len();
        assert!(size < 64 * 1024, "{design}: {size} bytes");
    }
}

#[test]
fn the_same_design_gives_the_same_page() {
    let (design, page) = &PAGES[0];
    assert_eq!(page_of(&file(design)), *page);
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

#[test]
fn lists_in_blobs_are_part_of_the_layout() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("people.toml");
    let design = r#"
tables = 1
design = "people"

[entity.Person]
table = "People"
partition = "{group}"
row = "{id:06}"

[entity.Person.fields]
group = "string(40)"
id = "u32"
city = "string(40)"

[entity.Person.lookup.by_city]
on = ["city"]
place = "blob"
"#;
    std::fs::write(&file, design).expect("written");
    let page = page_of(&file);
    assert!(page.contains("Lists in blobs") && page.contains(">Person.by_city<"), "{page}");
}

/// A workload with hostile words, and a front.
const WORKLOAD: &str = r#"
tables = 1
workload = "sly"
about = "<script>alert(1)</script> & \"more\""

[entity.Ticket]
id = ["tenant", "number"]

[entity.Ticket.fields]
tenant = "u32"
number = "u32"
status = "enum(open, waiting)"
subject = "string(100)"
opened = "datetime"

[query.ticket]
find = "Ticket"
where = "tenant = ? and number = ?"
rate = "120/s"

[query.work_list]
find = "Ticket"
where = "tenant = ? and status = ?"
order = "-opened"
limit = 50
select = ["number", "subject", "opened"]
rate = "40/s"

[load.Ticket]
count = 600_000
insert = "6/s"
update = { rate = "20/s", fields = ["status"] }
values.tenant = { distinct = 800, zipf = 0.6 }
values.number = { distinct = 600_000, rising = true, within = "tenant" }
"#;

#[test]
fn a_found_design_is_a_page_with_its_keys_and_alternatives() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("tickets.toml");
    std::fs::write(&file, WORKLOAD).expect("written");
    let page_of = || {
        let output = Command::new(env!("CARGO_BIN_EXE_tables"))
            .args(["design", "--format", "html"])
            .arg(&file)
            .output()
            .expect("the command runs");
        assert!(output.stderr.is_empty(), "{}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).expect("text")
    };
    let page = page_of();
    let names = elements(&page);
    for forbidden in ["script", "link", "img", "iframe"] {
        assert!(!names.iter().any(|name| name == forbidden), "{forbidden}");
    }
    for forbidden in ["http:", "https:", "//", "url(", "@import", " src="] {
        assert!(!page.contains(forbidden), "{forbidden}");
    }
    assert!(page.contains("content=\"default-src 'none'; style-src 'unsafe-inline'\""));
    assert!(page.contains("&lt;script&gt;alert(1)&lt;/script&gt; &amp; &quot;more&quot;"), "{page}");
    for (anchor, _) in page.match_indices("href=\"#") {
        let (_, link) = page.split_at(anchor + "href=\"#".len());
        let name = link.split('"').next().expect("a name");
        assert!(page.contains(&format!("<section id=\"{name}\">")), "{name}");
    }
    for part in [">work_list<", ">Chosen<", ">Another key<", "No index by_status", "[entity.Ticket.index."] {
        assert!(page.contains(part), "{part}");
    }
    let side = |section: &str| {
        let text = page.split(&format!("<section id=\"{section}\">")).nth(1).expect("a section");
        text.split("</section>").next().expect("text").matches("class=\"option").count()
    };
    assert!(side("alternatives") >= 3 && side("front") >= 2, "{page}");
    assert_eq!(page_of(), page);
}
