//! Every path parses as a resource of the table service or an error; a resource round-trips through `Display`, which
//! writes ASCII.

#![no_main]

use libfuzzer_sys::fuzz_target;
use table_rest::wire::path::TablePath;

fuzz_target!(|data: &[u8]| {
    let Ok(text) = std::str::from_utf8(data) else { return };
    let Ok(path) = TablePath::parse(text) else { return };
    let printed = path.to_string();
    assert!(printed.bytes().all(|byte| byte.is_ascii_graphic()), "{printed}");
    assert_eq!(TablePath::parse(&printed).ok(), Some(path), "{printed}");
});
