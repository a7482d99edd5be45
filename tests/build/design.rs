//! A random valid design, as TOML.

#![expect(
    clippy::indexing_slicing,
    reason = "the lists are never empty, and each place is below their length"
)]

use std::fmt::Write;

/// Returns the design of a seed.
pub(crate) fn random(seed: u64) -> String {
    let mut design = Design { dice: Dice(seed), text: String::new() };
    design.whole();
    design.text
}

/// Splitmix64.
struct Dice(u64);

impl Dice {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    fn below(&mut self, bound: usize) -> usize {
        usize::try_from(self.next() % bound.max(1) as u64).unwrap_or_default()
    }

    /// Returns `true` once in `times` calls on average.
    fn once_in(&mut self, times: usize) -> bool {
        self.below(times) == 0
    }

    fn of<'t, T: ?Sized>(&mut self, all: &[&'t T]) -> &'t T {
        all[self.below(all.len())]
    }
}

/// A possible key field: its type, and its format in keys.
struct Keyed {
    name: String,
    ty: &'static str,
    hole: String,
}

struct Design {
    dice: Dice,
    text: String,
}

const ENTITIES: [&str; 8] = ["Employee", "Department", "Order", "Task", "Page", "Event", "Record", "Item"];
/// Some are words of Rust or of the generated code.
const NAMES: [&str; 16] = [
    "type",
    "match",
    "row",
    "e",
    "it",
    "self_",
    "key",
    "value",
    "first_name",
    "size",
    "async",
    "group",
    "other",
    "count",
    "tables",
    "entity",
];
const KEYS: [(&str, &[&str]); 9] = [
    ("string(20)", &["", ":esc"]),
    ("u32", &[":06", ":010", ":inverted_010"]),
    ("u64", &[":020"]),
    ("i32", &[":ord", ":inverted_ord"]),
    ("i64", &[":ord", ":019", ":inverted_ord64"]),
    ("datetime", &[":ticks", ":inverted_ticks", ":%Y%m%d", ":inverted_%Y-%m"]),
    ("date", &[":%Y%m%d", ":inverted_%Y%m%d"]),
    ("guid", &["", ":guidn"]),
    ("enum(open, on_hold, Done)", &[""]),
];
const PLAIN: [&str; 14] = [
    "string",
    "string(100)",
    "bool",
    "u8",
    "u16",
    "u32",
    "u64",
    "i32",
    "i64",
    "f64",
    "datetime",
    "guid",
    "binary",
    "enum(a, b-c, self)",
];

impl Design {
    fn line(&mut self, line: &str) {
        self.text.push_str(line);
        self.text.push('\n');
    }

    fn whole(&mut self) {
        self.line("tables = 1\ndesign = \"random\"");
        let count = 1 + self.dice.below(3);
        let first = self.dice.below(ENTITIES.len());
        for number in 0..count {
            let name = ENTITIES[(first + number * 3) % ENTITIES.len()];
            self.entity(name, number);
        }
        if self.dice.once_in(4) {
            self.line("[lint]\ndeny = [\"table_scan\"]");
        }
    }

    /// Returns fields for the keys, with different names.
    fn keyed(&mut self, count: usize) -> Vec<Keyed> {
        let first = self.dice.below(NAMES.len());
        let mut keyed = Vec::new();
        for number in 0..count {
            let name = NAMES[(first + number * 5) % NAMES.len()].to_owned();
            let (ty, formats) = KEYS[self.dice.below(KEYS.len())];
            let hole = format!("{{{name}{}}}", self.dice.of(formats));
            keyed.push(Keyed { name, ty, hole });
        }
        keyed
    }

    fn entity(&mut self, name: &str, number: usize) {
        let count = 2 + self.dice.below(3);
        let keys = self.keyed(count);
        let split = 1 + self.dice.below(count - 1);
        let (partition, row) = keys.split_at(split);
        let holes = |keys: &[Keyed]| keys.iter().map(|key| key.hole.clone()).collect::<Vec<_>>().join("_");
        let wide = self.dice.once_in(8);
        let shard = !wide && self.dice.once_in(8);
        let period = !shard && self.dice.once_in(8);
        // Entities in one table have row keys with separate words.
        let table = if self.dice.once_in(2) { "Shared".to_owned() } else { format!("{name}s") };
        let word = format!("w{number}");
        let period_of = keys.iter().find(|key| key.ty == "datetime" && !key.hole.contains('%'));
        let period_of = period_of.filter(|_| period).map(|key| key.name.clone());
        let table = match &period_of {
            Some(field) => format!("{name}s{{{field}:%Y%m}}"),
            None => table,
        };
        let part = if wide { "_{part:02}" } else { "" };
        let spread = if shard { "{shard:02}_" } else { "" };
        let _ = writeln!(
            self.text,
            "[entity.{name}]\ntable = \"{table}\"\npartition = \"{spread}p{number}_{}\"\nrow = \"{word}_{}{part}\"",
            holes(partition),
            holes(row)
        );
        if wide {
            self.line("wide = 20");
        }
        if shard {
            let _ = writeln!(self.text, "shard = {{ of = \"{}\", count = 16 }}", keys[count - 1].name);
        }
        if self.dice.once_in(4) {
            let rule = self.dice.of(&["none", "always", "Kind.v2"]);
            let _ = writeln!(self.text, "entity_type = \"{rule}\"");
        }
        if self.dice.once_in(4) {
            self.line("about = \"An <entity> of [these] `tests`\"");
        }
        let plain = self.fields(name, &keys, wide);
        let narrow = !wide && !shard && period_of.is_none();
        if narrow {
            self.indexes(name, number, &keys, &plain);
        }
        if narrow && self.dice.once_in(4) {
            let _ = writeln!(self.text, "[entity.{name}.archive]\nto = \"Old{name}\"");
        }
        if self.dice.once_in(3) {
            self.total(name, number, partition);
        }
        self.queries(name, &keys, &plain);
    }

    /// Writes the fields, key fields first. Returns the fields with one plain value.
    fn fields(&mut self, entity: &str, keys: &[Keyed], wide: bool) -> Vec<(String, &'static str)> {
        let _ = writeln!(self.text, "[entity.{entity}.fields]");
        for key in keys {
            let ty = key.ty;
            let value = if self.dice.once_in(6) {
                format!("{{ type = \"{ty}\", store = true }}")
            } else {
                format!("\"{ty}\"")
            };
            let _ = writeln!(self.text, "{} = {value}", key.name);
        }
        let mut plain = Vec::new();
        for number in 0..=self.dice.below(5) {
            let ty = PLAIN[self.dice.below(PLAIN.len())];
            let name = format!("f{number}");
            let value = match self.dice.below(12) {
                0 => format!("\"{ty}?\""),
                1 if !ty.starts_with("enum") && ty != "binary" => {
                    format!("{{ type = \"{ty}\", series = 30 }}")
                }
                2 if !wide => "{ type = \"string\", encrypt = true }".to_owned(),
                3 if !wide => "{ type = \"binary?\", blob = \"over 1KiB\" }".to_owned(),
                4 => "\"json?\"".to_owned(),
                5 => format!("{{ type = \"{ty}\", rename = \"Stored{number}\", about = \"A <b>.\" }}"),
                6 => "{ type = \"i64\", default = 0 }".to_owned(),
                _ => {
                    plain.push((name.clone(), ty));
                    format!("\"{ty}\"")
                }
            };
            let _ = writeln!(self.text, "{name} = {value}");
        }
        plain
    }

    fn indexes(&mut self, entity: &str, number: usize, keys: &[Keyed], plain: &[(String, &'static str)]) {
        let text = |ty: &str| ty.starts_with("string") || ty.starts_with("enum");
        let all: Vec<String> = keys.iter().map(|key| key.hole.clone()).collect();
        for (name, ty) in plain.iter().filter(|(_, ty)| text(ty)).take(2) {
            if self.dice.once_in(2) {
                continue;
            }
            let _ = writeln!(self.text, "[entity.{entity}.index.by_{name}]");
            if self.dice.once_in(3) {
                let _ = writeln!(
                    self.text,
                    "partition = \"x{number}_{name}_{{{name}}}\"\nrow = \"x_{}\"",
                    all.join("_")
                );
            } else {
                let _ = writeln!(self.text, "row = \"x{number}{name}_{{{name}}}_{}\"", all.join("_"));
            }
            if self.dice.once_in(3) {
                self.line("unique = true");
            }
            if self.dice.once_in(2) {
                let copied: Vec<String> = plain.iter().map(|(name, _)| format!("\"{name}\"")).collect();
                let _ = writeln!(self.text, "copy = [{}]", copied.join(", "));
            }
            if ty.starts_with("enum(a") && self.dice.once_in(2) {
                let _ = writeln!(self.text, "when = \"{name} = b-c\"");
            } else if ty.starts_with("string") && self.dice.once_in(3) {
                let _ = writeln!(self.text, "when = \"{name} = 'it''s'\"");
            }
        }
        if let Some((name, _)) = plain.iter().find(|(_, ty)| text(ty)).filter(|_| self.dice.once_in(2)) {
            let place = self.dice.of(&["partition", "table", "blob"]);
            let _ =
                writeln!(self.text, "[entity.{entity}.lookup.list]\non = [\"{name}\"]\nplace = \"{place}\"");
        }
    }

    /// Writes an entity that counts this one, by the fields of its partition.
    fn total(&mut self, entity: &str, number: usize, partition: &[Keyed]) {
        let holes: Vec<String> = partition.iter().map(|key| key.hole.replacen('{', "{my_", 1)).collect();
        let pairs: Vec<String> = partition.iter().map(|key| format!("{0} = \"my_{0}\"", key.name)).collect();
        let _ = writeln!(
            self.text,
            "[entity.Sums{number}]\ntable = \"Sums\"\npartition = \"s{number}_{}\"\nrow = \"sums{number}\"\n[entity.Sums{number}.fields]",
            holes.join("_")
        );
        for key in partition {
            let _ = writeln!(self.text, "my_{} = \"{}\"", key.name, key.ty);
        }
        let _ = writeln!(
            self.text,
            "[entity.Sums{number}.total.how_many]\ncount = \"{entity}\"\nmatch = {{ {} }}",
            pairs.join(", ")
        );
    }

    fn queries(&mut self, entity: &str, keys: &[Keyed], plain: &[(String, &'static str)]) {
        let lower = entity.to_lowercase();
        for number in 0..=self.dice.below(4) {
            let _ = writeln!(self.text, "[query.{lower}_{number}]\nfind = \"{entity}\"");
            let bound = self.dice.below(keys.len() + 1);
            let mut tests: Vec<String> =
                keys.iter().take(bound).map(|key| format!("{} = ?", key.name)).collect();
            if let Some(next) = keys.get(bound).filter(|_| self.dice.once_in(2)) {
                let test = self.dice.of(&["< ?", "<= ?", "> 5%", ">= ?", "between ?"]);
                tests.push(format!("{} {test}", next.name));
            }
            if let Some((name, _)) = plain.first().filter(|_| self.dice.once_in(2)) {
                let test = self.dice.of(&["= ?", "!= ?", "> 20%", "between 5%", "in 4", "starts ?"]);
                tests.push(format!("{name} {test}"));
            }
            let mut values = plain.iter().skip(1).filter_map(|(name, ty)| Some((name, value(ty)?)));
            if let Some((name, value)) = values.next().filter(|_| self.dice_is_even()) {
                tests.push(format!("{name} = {value}"));
            }
            if !tests.is_empty() {
                let joint = if self.dice.once_in(10) { " or " } else { " and " };
                let _ = writeln!(self.text, "where = \"{}\"", tests.join(joint));
            }
            if self.dice.once_in(3) {
                let _ = writeln!(
                    self.text,
                    "select = [\"{}\"]",
                    plain.first().map_or(&keys[0].name, |(name, _)| name)
                );
            }
            if self.dice.once_in(4) {
                self.line(if self.dice_is_even() { "limit = 10" } else { "latest = 10" });
            }
        }
    }

    fn dice_is_even(&self) -> bool {
        self.dice.0.is_multiple_of(2)
    }
}

/// Returns a value of a type in a condition.
fn value(ty: &str) -> Option<&'static str> {
    match ty {
        "bool" => Some("true"),
        "u8" | "u16" | "u32" | "u64" | "i32" | "i64" => Some("3"),
        _ if ty.starts_with("enum(a") => Some("b-c"),
        _ if ty.starts_with("string") => Some("'it''s'"),
        _ => None,
    }
}
