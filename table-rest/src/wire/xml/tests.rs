use proptest::prelude::*;
use table_model::ErrorCode;

use super::*;

fn read(document: &str) -> Element {
    parse(document.as_bytes(), Limits::REQUEST).unwrap()
}

fn refused(document: &[u8]) -> ErrorCode {
    parse(document, Limits::REQUEST).unwrap_err().code()
}

#[test]
fn a_mark_a_declaration_comments_and_blanks_say_nothing() {
    let expected = read("<a><b>1</b></a>");
    for document in [
        "\u{feff}<?xml version=\"1.0\" encoding=\"utf-8\"?><a><b>1</b></a>",
        "<?xml version='1.0' encoding='UTF-8' standalone='yes'?>\r\n<a>\r\n  <b>1</b>\r\n</a>\r\n",
        "<!-- x --><a><!-- y --><b>1<!-- z --></b></a><!-- w -->",
        "<x:a xmlns:x='urn:x'><x:b>1</x:b></x:a>",
    ] {
        let mut found = read(document);
        found.attributes.clear();
        assert_eq!(found, expected, "{document}");
    }
}

#[test]
fn text_of_a_leaf_is_kept_to_the_blank() {
    assert_eq!(read("<a>  x\t\n </a>").text, "  x\t\n ");
    assert_eq!(read("<a>1 &lt; 2 &amp;&#38;&#x41;<![CDATA[<b>&amp;]]>\r\n</a>").text, "1 < 2 &&A<b>&amp;\n");
    assert_eq!(read("<a/>").text, "");
    assert_eq!(read("<a b=\"1 &quot;2&quot;\" c='3'/>").attribute("b"), Some("1 \"2\""));
}

#[test]
fn what_is_no_document_is_refused() {
    for document in [
        "",
        "text",
        "<a>",
        "</a>",
        "<a></b>",
        "<a/><b/>",
        "<a/>text",
        "text<a/>",
        "<a>text<b/></a>",
        "<a><b/>text</a>",
        "<a>&unknown;</a>",
        "<a b=\"&unknown;\"/>",
        "<a>&</a>",
        "<a>&#0;</a>",
        "<a>&#x1;</a>",
        "<a>&#xFFFE;</a>",
        "<a>&#xD800;</a>",
        "<a>\u{1}</a>",
        "<a b=1/>",
        "<a b='1' b='2'/>",
        "<a b='&#1;'/>",
        "< a/>",
        "<<a/>",
        "<a/b/>",
        "<a#/>",
        "<1a/>",
        "<a:/>",
        "<a:b:c/>",
        "<a 1b=''/>",
        "<a <b=''/>",
        "<a><![CDATA[x</a>",
        "<![CDATA[x]]><a/>",
        "<a/>&lt;",
        "<a/><?xml version='1.0'?>",
        "<?php echo 1 ?><a/>",
        "<a><!-- -- --></a>",
        "<?xml version='1.0' encoding='utf-16'?><a/>",
    ] {
        assert_eq!(refused(document.as_bytes()), ErrorCode::InvalidXmlDocument, "{document}");
    }
    assert_eq!(refused(b"<a>\xff</a>"), ErrorCode::InvalidXmlDocument);
    assert_eq!(refused(b"\xff\xfe<\0a\0/\0>\0"), ErrorCode::InvalidXmlDocument);
}

#[test]
fn entities_of_ones_own_are_refused_with_their_declaration() {
    let laughs = |level: u32| format!("<!ENTITY l{level} \"{}\">", format!("&l{};", level - 1).repeat(10));
    let laughs = (1..10).map(laughs).collect::<Vec<_>>().concat();
    let quadratic =
        format!("<!DOCTYPE a [<!ENTITY x \"{}\">]><a>{}</a>", "x".repeat(50_000), "&x;".repeat(50_000));
    for document in [
        format!("<!DOCTYPE a [<!ENTITY l0 \"lol\">{laughs}]><a>&l9;</a>"),
        quadratic,
        "<!DOCTYPE a [<!ENTITY x SYSTEM \"file:///etc/passwd\">]><a>&x;</a>".to_owned(),
        "<!DOCTYPE a SYSTEM \"http://127.0.0.1/a.dtd\"><a/>".to_owned(),
        "<?xml version=\"1.0\"?><!DOCTYPE a><a/>".to_owned(),
    ] {
        assert_eq!(refused(document.as_bytes()), ErrorCode::InvalidXmlDocument);
    }
}

#[test]
fn depth_elements_attributes_names_and_bytes_have_limits() {
    let deep = |depth: usize| format!("{}{}", "<a>".repeat(depth), "</a>".repeat(depth));
    assert_eq!(read(&deep(32)).children.len(), 1);
    assert_eq!(refused(deep(33).as_bytes()), ErrorCode::InvalidXmlDocument);
    assert_eq!(refused("<a>".repeat(1_000_000).as_bytes()), ErrorCode::InvalidXmlDocument);

    let attributes = |count: usize| {
        let all = (0..count).map(|number| format!("a{number}=''")).collect::<Vec<_>>().join(" ");
        format!("<a {all}/>")
    };
    assert_eq!(read(&attributes(16)).attributes.len(), 16);
    assert_eq!(refused(attributes(17).as_bytes()), ErrorCode::InvalidXmlDocument);

    assert_eq!(read(&format!("<{}/>", "a".repeat(256))).name.len(), 256);
    assert_eq!(refused(format!("<{}/>", "a".repeat(257)).as_bytes()), ErrorCode::InvalidXmlDocument);

    let limits = Limits { bytes: 40, elements: 3 };
    assert!(parse(b"<a><b/><b/></a>", limits).is_ok());
    assert_eq!(parse(b"<a><b/><b/><b/></a>", limits).unwrap_err().code(), ErrorCode::InvalidXmlDocument);
    assert_eq!(parse(&[b' '; 41], limits).unwrap_err().code(), ErrorCode::RequestBodyTooLarge);
}

proptest! {
    #[test]
    fn what_is_written_reads_back(text in "[^\\p{Cc}\u{fffe}\u{ffff}]|[\r\n\t<>&\"'\\]a]{0,20}", value in "[ -~\t\r\n]{0,20}") {
        let mut xml = Writer::new();
        xml.element_with("a", &[("v", &value)], |xml| xml.text("b", &text));
        let read = parse(&xml.finish(), Limits::REQUEST).unwrap();
        prop_assert_eq!(read.text_of("b"), Some(text.as_str()));
        prop_assert_eq!(read.attribute("v"), Some(value.as_str()));
    }

    #[test]
    fn any_text_can_be_written_and_any_bytes_be_read(text in any::<String>(), bytes in any::<Vec<u8>>()) {
        let mut xml = Writer::unmarked();
        xml.text("a", &text);
        prop_assert!(parse(&xml.finish(), Limits::REQUEST).is_ok());
        let _ = parse(&bytes, Limits::REQUEST);
    }
}
