//! Judgements of the advisor on random designs.

use std::collections::BTreeSet;

use table_advisor::{
    Model,
    search::{Options, improve, workload_of},
    simulate::{Kind, harmonic},
    streams,
};
use table_codegen::Schema;
use table_designs::schema::{Existing, Workload};
use table_schema::catalogue::{Code, Severity};
use table_tests::{advised, seed::Seed};

/// Returns the valid ones of many random designs.
fn designs(count: usize) -> impl Iterator<Item = (u64, Schema)> {
    let valid = (0..).filter_map(|seed| {
        let text = advised::design(&mut Seed::new(seed));
        Some((seed, table_codegen::read(&text, "random.toml").ok()?))
    });
    valid.take(count)
}

#[test]
fn rules_and_simulator_agree_on_the_hottest_partition() {
    let mut compared = 0;
    for (seed, schema) in designs(200) {
        let model = Model::new(&schema);
        for stream in streams(&model) {
            let group =
                model.groups().iter().find(|group| group.name == stream.name).expect("the partitions");
            let hottest = match stream.kind {
                Kind::Spread { zipf } => stream.rate / harmonic(stream.partitions, zipf),
                Kind::Rising { concurrent, .. } => stream.rate / concurrent,
            };
            let is_near = |one: f64, other: f64| (one - other).abs() <= 1e-6 * other;
            assert!(is_near(hottest, group.hot), "{seed} {}: {hottest} for {}", group.name, group.hot);
            assert!(is_near(stream.rate, group.rate), "{seed} {}", group.name);
            let parts: f64 = group.by.iter().map(|(_, rate)| rate).sum();
            assert!(is_near(parts, group.hot + group.scans), "{seed} {}: {parts}", group.name);
            compared += 1;
        }
    }
    assert!(compared >= 200, "{compared}");
}

#[test]
fn every_printed_fix_removes_its_finding_without_an_error() {
    let mut fixed = BTreeSet::new();
    for (seed, schema) in designs(200) {
        let model = Model::new(&schema);
        let advice = model.advice();
        for suggestion in &advice.suggestions {
            let mut changed = schema.clone();
            suggestion.change.apply(&mut changed);
            let mistakes = table_designs::check_schema(&changed);
            let errors = mistakes.iter().filter(|(_, mistake)| mistake.severity() == Severity::Error);
            assert_eq!(errors.count(), 0, "{seed}: {}", suggestion.change);
            let after = Model::new(&changed).findings();
            let error = |findings: &[table_advisor::Finding]| -> BTreeSet<(Code, String)> {
                let errors = findings.iter().filter(|finding| finding.severity == Severity::Error);
                // A new name of a table is no new error of its partitions.
                let subject =
                    |subject: &str| subject.split_once('[').map_or(subject, |(_, form)| form).to_owned();
                errors.map(|finding| (finding.code, subject(&finding.subject))).collect()
            };
            let new: Vec<_> = error(&after).difference(&error(&advice.findings)).cloned().collect();
            assert_eq!(new, [], "{seed}: {}", suggestion.change);
        }
        for finding in &advice.findings {
            // A fix that is TOML is a change that was tested.
            if !finding.fix.contains('[') {
                continue;
            }
            let printed = advice.suggestions.iter().find(|one| one.change.to_string() == finding.fix);
            let suggestion = printed.unwrap_or_else(|| panic!("{seed}: {finding:?}"));
            let mut changed = schema.clone();
            suggestion.change.apply(&mut changed);
            let after = Model::new(&changed).findings();
            let remains = after.iter().any(|one| {
                one.code == finding.code && one.subject == finding.subject && one.severity <= finding.severity
            });
            assert!(!remains, "{seed}: {}", suggestion.change);
            fixed.insert(finding.code);
        }
        // A symptom has one cause, which is a finding on its own.
        for finding in &advice.findings {
            let cause = advice.cause_of(finding);
            assert!(cause.is_none_or(|cause| advice.cause_of(cause).is_none()), "{seed}: {finding:?}");
        }
    }
    assert!(fixed.len() >= 10, "{fixed:?}");
}

#[test]
fn every_query_is_classified_and_priced() {
    for (seed, schema) in designs(200) {
        let model = Model::new(&schema);
        let names = |all: Vec<&str>| all.into_iter().map(str::to_owned).collect::<Vec<_>>();
        let declared = names(schema.queries.iter().map(|query| query.name.as_str()).collect());
        assert_eq!(
            names(model.accesses().iter().map(|access| access.query.as_str()).collect()),
            declared,
            "{seed}"
        );
        let costs = model.costs();
        for query in &declared {
            assert!(
                costs.operations.iter().any(|one| one.name == *query && one.month > 0.0),
                "{seed} {query}"
            );
        }
    }
}

#[test]
fn a_design_from_an_existing_one_is_not_dearer() {
    let (mut changed, mut kept, mut exceeding) = (0, 0, 0);
    for (seed, schema) in designs(30) {
        let before = Model::new(&schema).costs().total();
        let existing = Existing { schema: schema.clone(), ..Existing::default() };
        let workload = Workload { existing: Some(existing), ..workload_of(&schema) };
        let steps = (seed % 3 == 0).then_some(1);
        let Ok(found) = improve(&workload, &Options::default(), steps) else {
            // Without a limit that the design exceeds, it is a result itself.
            exceeding += 1;
            continue;
        };
        let stands = found.before.as_ref().expect("the design answers its queries").figures.usd;
        // The search reads a query without a limit if no path has its order: the program sorts all rows.
        assert!((stands - before).abs() <= 1e-6 * before, "{seed}: {stands} for {before}");
        let usd = found.designed.figures.usd;
        assert!(
            usd <= stands.max(before) * (1.0 + 1e-9) || !found.exceeded.is_empty(),
            "{seed}: {usd} for {before}"
        );
        let mistakes = table_designs::check_schema(&found.designed.schema);
        let errors = mistakes.iter().filter(|(_, mistake)| mistake.severity() == Severity::Error);
        assert_eq!(errors.count(), 0, "{seed}");
        for (entity, _) in &found.kept {
            assert_eq!(found.designed.schema.entity(entity), schema.entity(entity), "{seed}");
        }
        assert!(steps.is_none_or(|most| found.migrations.len() <= most), "{seed}: {:?}", found.migrations);
        changed += usize::from(!found.migrations.is_empty());
        kept += usize::from(!found.kept.is_empty());
    }
    assert!(changed > 0 && kept > 0 && exceeding < 30, "{changed} {kept} {exceeding}");
}
