//! Strings from headers and bodies: every parsed value round-trips through its printed form.

#![no_main]

use libfuzzer_sys::fuzz_target;
use table_store::{ETag, TableName, Timestamp};

fn time(time: Timestamp) {
    for printed in [time.to_string(), time.to_full_string()] {
        assert_eq!(printed.parse::<Timestamp>().ok(), Some(time), "{printed}");
    }
    let etag = ETag::from(time);
    assert_eq!(etag.timestamp(), Some(time));
    assert_eq!(etag.to_string().parse::<ETag>().ok(), Some(etag));
    assert_eq!(Timestamp::from(std::time::SystemTime::from(time)), time);
    let (year, month, day) = time.date();
    let midnight = Timestamp::from_date(year, month, day).expect("a date of a time is one");
    let (hour, minute, second, ticks) = time.time();
    let seconds = (i64::from(hour) * 60 + i64::from(minute)) * 60 + i64::from(second);
    assert_eq!(midnight.ticks() + seconds * 10_000_000 + i64::from(ticks), time.ticks());
}

fuzz_target!(|data: &[u8]| {
    if let Some(ticks) = data.first_chunk() {
        let ticks = i64::from_le_bytes(*ticks);
        assert_eq!(Timestamp::from_ticks(ticks).is_some(), (0..=Timestamp::MAX.ticks()).contains(&ticks));
        Timestamp::from_ticks(ticks).into_iter().for_each(time);
    }
    let Ok(text) = std::str::from_utf8(data) else { return };
    if let Ok(found) = text.parse() {
        time(found);
    }
    if let Ok(etag) = text.parse::<ETag>() {
        assert_eq!(etag.to_string(), text);
        etag.timestamp().into_iter().for_each(time);
    }
    if let Ok(name) = text.parse::<TableName>() {
        assert_eq!(name.to_string(), text);
    }
});
