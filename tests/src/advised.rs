//! Random designs with queries and a load, as text, for the advisor.

use std::fmt::Write;

use crate::seed::Seed;

const PARTITIONS: [&str; 8] = [
    "{owner}",
    "{owner}",
    "{owner}_{kind}",
    "{kind}",
    "{owner}_{shard:02}",
    "{owner}_{at:%Y%m}",
    "{at:%Y%m%d}",
    "{shard:02}_{at:%Y%m%d}",
];
const ROWS: [&str; 5] =
    ["{id:09}", "x_{id:09}", "x_{at:ticks}_{id:09}", "{at:inverted_ticks}_{id:09}", "x_{size:08}_{id:09}"];
const INDEXES: [&str; 5] = [
    "row = \"size_{size:08}_{id:09}\"",
    "row = \"note_{note:esc}_{id:09}\"\ncopy = []",
    "row = \"at_{at:inverted_ticks}_{id:09}\"\ncopy = [\"size\"]",
    "partition = \"k_{kind}\"\nrow = \"{owner}_{id:09}\"\ncopy = [\"size\"]",
    "partition = \"n_{note:esc}\"\nrow = \"{owner}_{id:09}\"\ncopy = []",
];
const CONDITIONS: [&str; 10] = [
    "owner = ? and id = ?",
    "owner = ?",
    "owner = ? and kind = ? and id = ?",
    "owner = ? and size > 5%",
    "owner = ? and at within 1d",
    "kind = ?",
    "note = ?",
    "owner = ? and note = ?",
    "owner in 3 and id = ?",
    "id = ?",
];
const RATES: [&str; 6] = ["10/day", "1/min", "1/s", "50/s", "800/s", "5_000/s"];

/// Returns one of the texts.
fn one_of(texts: &[&'static str], dice: &mut Seed) -> &'static str {
    dice.pick(texts).copied().unwrap_or_default()
}

/// Returns a random design file with up to three entities. The rules can reject it.
pub fn design(dice: &mut Seed) -> String {
    let mut text = String::from("tables = 1\ndesign = \"random\"\n");
    let mut load = format!("[load]\npeak = {}.0\n", 1 + dice.below(4));
    for number in 0..=dice.below(3) {
        entity(number, dice, &mut text, &mut load);
    }
    text + &load
}

fn entity(number: usize, dice: &mut Seed, text: &mut String, load: &mut String) {
    let name = format!("Item{number}");
    let table = if dice.chance(1, 3) { "Shared".to_owned() } else { format!("Items{number}") };
    let partition = one_of(&PARTITIONS, dice);
    _ = write!(
        text,
        "[entity.{name}]\ntable = \"{table}\"\npartition = \"{partition}\"\nrow = \"{}\"\n",
        one_of(&ROWS, dice)
    );
    if partition.contains("shard") {
        _ = writeln!(text, "shard = {{ of = \"id\", count = {} }}", 2 << dice.below(5));
    }
    if dice.chance(1, 3) {
        _ = writeln!(text, "keep = \"{}d\"", 30 + dice.below(400));
    }
    _ = write!(
        text,
        "[entity.{name}.fields]\nowner = \"string(20)\"\nid = \"u32\"\nkind = \"enum(low, middle, high)\"\nat = \
         \"datetime\"\nsize = \"u32\"\nnote = \"string({})\"\n",
        20 + dice.below(100)
    );
    for index in 0..dice.below(3) {
        _ = write!(text, "[entity.{name}.index.by_{index}]\n{}\n", one_of(&INDEXES, dice));
    }
    if dice.chance(1, 3) {
        let ids = one_of(&["", "ids = \"Ids\"\n"], dice);
        let place = one_of(&["partition", "table", "blob"], dice);
        _ = write!(text, "[entity.{name}.lookup.of_note]\non = [\"note\"]\nplace = \"{place}\"\n{ids}");
    }
    for query in 0..=dice.below(4) {
        _ = write!(
            text,
            "[query.q{number}_{query}]\nfind = \"{name}\"\nwhere = \"{}\"\nrate = \"{}\"\n",
            one_of(&CONDITIONS, dice),
            one_of(&RATES, dice)
        );
        text.push_str(one_of(&["", "", "latest = 20\n", "limit = 10\n", "select = [\"size\"]\n"], dice));
    }
    _ = write!(
        load,
        "[load.{name}]\ncount = {}\ninsert = \"{}\"\nvalues.owner = {{ distinct = {}, zipf = {} }}\nvalues.note = {{ \
         distinct = {} }}\n",
        1_000 * (1 + dice.below(5_000)),
        one_of(&RATES, dice),
        1 + dice.below(5_000),
        one_of(&["0.0", "0.5", "1.0"], dice),
        1 + dice.below(50_000),
    );
    if dice.chance(1, 3) {
        _ = writeln!(load, "update = {{ rate = \"{}\", fields = [\"size\"] }}", one_of(&RATES, dice));
    }
}
