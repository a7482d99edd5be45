//! Every string parses as a cursor or an error, and a cursor round-trips through `Display`.

#![no_main]

use libfuzzer_sys::fuzz_target;
use table_patterns::Cursor;

fuzz_target!(|text: &str| {
    match text.parse::<Cursor>() {
        Ok(cursor) => assert_eq!(cursor.to_string().parse(), Ok(cursor), "{text}"),
        Err(error) => drop(error.to_string()),
    }
});
