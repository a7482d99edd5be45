//! Mutated designs and workloads: reading never panics, all diagnostics have valid locations, and valid designs
//! round-trip.

use table_codegen::{Diagnostic, Reading, Source, generate, read_workload};

const SEEDS: [&str; 4] = [
    include_str!("../schemas/company.toml"),
    include_str!("../schemas/iot.toml"),
    include_str!("../schemas/logins.toml"),
    include_str!("../schemas/orders.toml"),
];
const WORKLOADS: [&str; 3] = [
    include_str!("../workloads/feed.toml"),
    include_str!("../workloads/telemetry.toml"),
    include_str!("../workloads/tickets.toml"),
];
const PIECES: [&str; 16] = [
    "\"",
    "{",
    "}",
    "[",
    "]",
    "=",
    ".",
    "\n",
    "?",
    "0",
    "ü",
    "\\u0041",
    "'''",
    " and ",
    "99999999999999999999",
    "%Y",
];

/// Returns the next number of `SplitMix64`.
fn next(state: &mut u64) -> usize {
    *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mut mixed = *state;
    mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    usize::try_from((mixed ^ (mixed >> 31)) >> 33).unwrap_or_default()
}

fn one_of<'t>(texts: &[&'t str], state: &mut u64) -> &'t str {
    let at = next(state) % texts.len();
    texts.get(at).copied().unwrap_or_default()
}

/// Returns one of the files with up to three changes.
fn mutated(seeds: &[&str], number: u64) -> String {
    let mut state = number;
    let mut characters: Vec<char> = one_of(seeds, &mut state).chars().collect();
    for _ in 0..=next(&mut state) % 3 {
        let at = next(&mut state) % characters.len();
        let end = (at + next(&mut state) % 4).min(characters.len());
        let piece = if next(&mut state).is_multiple_of(3) { "" } else { one_of(&PIECES, &mut state) };
        characters.splice(at..end, piece.chars());
    }
    characters.into_iter().collect()
}

fn check_locations(text: &str, mistakes: &[Diagnostic]) {
    assert!(mistakes.is_sorted_by_key(|mistake| mistake.bytes.start));
    for mistake in mistakes {
        assert!(text.get(mistake.bytes.clone()).is_some() && !mistake.to_string().is_empty(), "{mistake}");
    }
}

#[test]
fn files_that_are_nearly_designs_are_read_without_a_panic() {
    let mut whole = 0;
    for number in 0..600_u64 {
        let text = mutated(&SEEDS, number);
        let reading = Reading::of(Source::new("a.toml", text.clone()), None);
        check_locations(&text, &reading.diagnostics);
        if let Ok(schema) = reading.whole() {
            whole += 1;
            let written = table_codegen::write(&schema);
            assert_eq!(table_codegen::read(&written, "b.toml"), Ok(schema.clone()), "{written}");
            if let Ok(generated) = generate::generate(&schema, &generate::Options::default()) {
                assert_eq!(generate::merge(&generated.root, &generated.root), Ok(generated.root));
            }
        }
    }
    assert!((50..550).contains(&whole), "{whole} of 600 were designs");
}

#[test]
fn files_that_are_nearly_workloads_are_read_without_a_panic() {
    let mut whole = 0;
    for number in 0..600_u64 {
        let text = mutated(&WORKLOADS, number);
        match read_workload(&text, "a.toml") {
            Ok(_) => whole += 1,
            Err(mistakes) => check_locations(&text, &mistakes),
        }
    }
    assert!((50..550).contains(&whole), "{whole} of 600 were workloads");
}
