//! Series, wide entities, periods and shards.

use std::collections::BTreeMap;

use table_store::{Timestamp, Value};

use super::{Oracle, RawRow};
use crate::faults::design::SLOTS;

/// Number of properties in a part of a [`Year`](crate::faults::design::Year).
const PART: usize = 20;

impl Oracle<'_> {
    pub(super) fn days(&mut self) {
        let raw = self.raw;
        let mut stored: BTreeMap<String, i64> = BTreeMap::new();
        for (key, row) in raw.of("Days", "2030") {
            self.explain(key.clone());
            self.count("series");
            slots(row, "hours_", |slot, value| {
                stored.insert(format!("{}/{slot:02}", key.partition_key), value);
            });
        }
        self.slots("day/", &stored);
    }

    pub(super) fn years(&mut self) {
        let raw = self.raw;
        let mut stored: BTreeMap<String, i64> = BTreeMap::new();
        let mut parts: BTreeMap<String, BTreeMap<usize, &RawRow>> = BTreeMap::new();
        for (key, row) in raw.of("Years", "2030_") {
            self.explain(key.clone());
            self.count("part of a wide entity");
            let part: usize = key.row_key[5..].parse().unwrap_or(usize::MAX);
            let mut misplaced = None;
            slots(row, "days_", |slot, value| {
                if slot / PART != part {
                    misplaced = Some(slot);
                }
                stored.insert(format!("{}/{slot:02}", key.partition_key), value);
            });
            if let Some(slot) = misplaced {
                self.wrong(format!("wrong part: slot {slot} is in {key}"));
            }
            parts.entry(key.partition_key.clone()).or_default().insert(part, row);
        }
        for (who, parts) in &parts {
            self.stamps(who, parts);
        }
        self.slots("year/", &stored);
    }

    /// Checks that the first row contains the stamps of the others, and zeros for a part without a row.
    fn stamps(&mut self, who: &str, parts: &BTreeMap<usize, &RawRow>) {
        let Some(Value::Binary(named)) = parts.get(&0).and_then(|row| row.properties.get("_gv")) else {
            return self.wrong(format!("wrong parts: {who} has no first row that names the others"));
        };
        for part in 1..SLOTS / PART {
            let stamp = match parts.get(&part).map(|row| row.properties.get("_g")) {
                None => vec![0; 8],
                Some(Some(Value::Binary(stamp))) => stamp.clone(),
                Some(_) => Vec::new(),
            };
            // The list ends with the last part that has a row.
            if named.get((part - 1) * 8..part * 8).unwrap_or(&[0; 8]) != stamp {
                self.wrong(format!(
                    "wrong parts: {who} has part {part} with {stamp:02x?}, and names {named:02x?}"
                ));
            }
        }
    }

    fn slots(&mut self, beginning: &str, stored: &BTreeMap<String, i64>) {
        let mut all: Vec<String> = self.registers(beginning);
        all.extend(stored.keys().cloned());
        all.sort();
        all.dedup();
        for slot in all {
            self.register(&format!("{beginning}{slot}"), stored.get(&slot).copied());
        }
    }

    pub(super) fn logins(&mut self) {
        let raw = self.raw;
        let mut stored = BTreeMap::new();
        for (key, row) in raw.rows.iter().filter(|(key, _)| key.table.starts_with("Logins")) {
            self.explain(key.clone());
            let ticks = 3_155_378_975_999_999_999 - key.row_key.parse::<i64>().unwrap_or_default();
            let hour = hour(ticks);
            if key.table != format!("Logins{hour}") {
                self.wrong(format!("wrong period: {key} is of {hour}"));
            }
            stored.insert(format!("{}/{ticks}", key.partition_key), row.number("stamp").unwrap_or_default());
        }
        let cutoff = self.history.greatest.get("cutoff").copied().unwrap_or_default();
        for login in self.registers("login/") {
            self.count("row of a period");
            let found = stored.remove(&login);
            let ticks: i64 =
                login.rsplit('/').next().and_then(|ticks| ticks.parse().ok()).unwrap_or_default();
            // Its period ended before the cutoff, so it may have been deleted.
            let is_dropped = hour(ticks) < hour(cutoff) && found.is_none();
            if !is_dropped {
                self.register(&format!("login/{login}"), found);
            }
        }
        for (login, _) in stored {
            self.wrong(format!("orphan row of a period: {login}"));
        }
    }

    pub(super) fn events(&mut self) {
        let raw = self.raw;
        let mut stored = BTreeMap::new();
        for (key, row) in raw.of("Events", "") {
            self.explain(key.clone());
            let Some((ticks, device)) = key.row_key.split_once('_') else { continue };
            if key.partition_key != format!("{:02}", crc32c(device.as_bytes()) % 8) {
                self.wrong(format!("wrong shard: {key}"));
            }
            if !matches!(row.properties.get("text"), Some(Value::Binary(_))) {
                self.wrong(format!("not encrypted: {key}"));
            }
            let ticks: i64 = ticks.parse().unwrap_or_default();
            stored.insert(format!("{ticks}/{device}"), row.number("stamp").unwrap_or_default());
        }
        let mut all = self.registers("event/");
        all.extend(stored.keys().cloned());
        all.sort();
        all.dedup();
        for event in all {
            self.count("row of a shard");
            self.register(&format!("event/{event}"), stored.get(&event).copied());
        }
    }
}

/// Visits the existing slots.
fn slots(row: &RawRow, beginning: &str, mut each: impl FnMut(usize, i64)) {
    for name in row.properties.keys() {
        let slot = name.strip_prefix(beginning).and_then(|slot| slot.parse().ok());
        if let (Some(slot), Some(value)) = (slot, row.number(name)) {
            each(slot, value);
        }
    }
}

/// Formats an hour as `2030010107`.
fn hour(ticks: i64) -> String {
    let Some(time) = Timestamp::from_ticks(ticks) else { return String::new() };
    let ((year, month, day), (hour, ..)) = (time.date(), time.time());
    format!("{year:04}{month:02}{day:02}{hour:02}")
}

/// Computes CRC-32C, bit by bit.
fn crc32c(bytes: &[u8]) -> u32 {
    let step = |crc: u32, _| if crc & 1 == 1 { crc >> 1 ^ 0x82f6_3b78 } else { crc >> 1 };
    !bytes.iter().fold(!0, |crc, byte| (0..8).fold(crc ^ u32::from(*byte), step))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shards_and_hours_are_those_of_the_book() {
        assert_eq!(crc32c(b"123456789"), 0xe306_9283);
        assert_eq!(crc32c(b"000017") % 16, 11);
        assert_eq!(hour("2014-07-31T07:55:00Z".parse::<Timestamp>().unwrap().ticks()), "2014073107");
    }
}
