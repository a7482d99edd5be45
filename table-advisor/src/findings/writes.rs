//! Writes and consistency.

use super::{Finding, Ground, by, n, names};
use crate::{Effect, Plan, WriteKind, text::size_text};
use table_schema::{
    catalogue::{Code, Severity},
    template::Template,
};

const MIB: f64 = 1_048_576.0;

pub(super) fn find(ground: &mut Ground<'_, '_>) {
    for plan in ground.model.plans() {
        transaction(ground, plan);
        fields(ground, plan);
    }
    relations(ground);
    copies(ground);
    totals(ground);
    lists(ground);
}

fn transaction(ground: &mut Ground<'_, '_>, plan: &Plan) {
    let (limit, name) = (ground.schema.targets.egt_ops, plan.name());
    if plan.most_operations >= 0.8 * limit {
        ground.add(
            Finding::new(Code::W01, by(plan.most_operations > limit), &name)
                .fact("operations", plan.most_operations)
                .fact("limit", limit)
                .says(format!(
                    "one transaction of up to {} operations; {} is the limit",
                    n(plan.most_operations),
                    n(limit)
                ))
                .fix("fewer copies, children in partitions of their own, or a task (P3)"),
        );
    }
    if plan.bytes > 2.0 * MIB {
        ground.add(
            Finding::new(Code::W02, by(plan.bytes >= ground.schema.targets.egt_bytes), &name)
                .fact("bytes", plan.bytes)
                .fact("limit", ground.schema.targets.egt_bytes)
                .says(format!(
                    "one transaction of {}; {} is the limit",
                    size_text(plan.bytes),
                    size_text(ground.schema.targets.egt_bytes)
                ))
                .fix("no tested copies are narrower: store large values in blobs (P11)"),
        );
    }
    // A move always writes all rows; only the number of copies can be reduced.
    if plan.kind != WriteKind::Archive && plan.amplification >= 5.0 && plan.rate >= 1.0 {
        ground.add(
            Finding::new(Code::W03, Severity::Warning, &name)
                .fact("entities", plan.amplification)
                .fact("rate", plan.rate)
                .says(format!(
                    "{} rows are written for one, {} times a second",
                    n(plan.amplification),
                    n(plan.rate)
                ))
                .fix("no tested copies are narrower: remove copies that are seldom read"),
        );
    }
    if !plan.follow.is_empty() {
        let mut follows: Vec<String> = plan.follow.iter().map(|step| step.what.clone()).collect();
        follows.sort();
        follows.dedup();
        let says = format!(
            "{} follow{} after the write",
            names(&follows),
            if follows.len() == 1 { "s" } else { "" }
        );
        ground.add(
            Finding::new(Code::W05, Severity::Note, &name)
                .fact("follows", follows)
                .says(says)
                .fix("put it into the entity's partition, ask with `fresh`, or accept that it is late"),
        );
    }
}

fn fields(ground: &mut Ground<'_, '_>, plan: &Plan) {
    let Some(changed) = plan.fields.as_ref().filter(|_| plan.kind == WriteKind::Update) else { return };
    let Some(facts) = ground.model.facts.iter().find(|facts| facts.entity.name == plan.entity) else {
        return;
    };
    let (entity, name) = (facts.entity, plan.name());
    let keys = facts.primary().map(|kind| [kind.partition.clone(), kind.row.clone()]);
    let in_key =
        |field: &&String| keys.iter().flatten().flat_map(Template::holes).any(|hole| hole.field == **field);
    if let Some(field) = changed.iter().find(in_key) {
        ground.add(
            Finding::new(Code::W09, Severity::Error, &name)
                .fact("fields", vec![field.clone()])
                .says(format!("`{field}` is part of the entity's own key, which no update changes"))
                .fix("delete and insert in one transaction, or a task (P3) where the partition changes"),
        );
    }
    let is_sealed = |field: &&String| entity.field(field).is_some_and(|field| field.encrypted);
    if let Some(field) = changed.iter().find(is_sealed) {
        ground.add(
            Finding::new(Code::W10, Severity::Note, &name)
                .fact("fields", vec![field.clone()])
                .says(format!("`{field}` is encrypted; each property is sealed by itself, so merging it works here and not everywhere"))
                .fix("where other programs write these rows, replace the whole entity"),
        );
    }
    if plan.rate < 1.0 {
        return;
    }
    for index in &entity.indexes {
        let row = [&index.table, &index.partition, &index.row];
        let templates = row.into_iter().flatten().filter_map(|text| text.template());
        let mut holes = templates.flat_map(Template::holes);
        if let Some(hole) = holes.find(|hole| changed.contains(&hole.field)) {
            ground.add(
                Finding::new(Code::W08, Severity::Warning, format!("{}.{}", entity.name, index.name))
                    .fact("rate", plan.rate)
                    .says(format!(
                        "{} updates per second change `{}`, a field in the key of this index: each deletes a row and inserts another",
                        n(plan.rate),
                        hole.field
                    ))
                    .fix(format!("if no query needs `{}` in this key, copy it instead; otherwise, the cost contains both writes", hole.field)),
            );
        }
    }
}

fn relations(ground: &mut Ground<'_, '_>) {
    for relation in ground.schema.relations.iter().filter(|relation| relation.atomic) {
        let primary = |name: &str| {
            let facts = ground.model.facts.iter().find(|facts| facts.entity.name == name);
            facts.and_then(|facts| facts.primary())
        };
        let Some((parent, child)) = primary(&relation.from).zip(primary(&relation.to)) else { continue };
        if !parent.shares_partition(child) {
            ground.add(
                Finding::new(Code::W06, Severity::Error, &relation.name)
                    .fact("parent", relation.from.as_str())
                    .fact("child", relation.to.as_str())
                    .says(format!(
                        "`{}` and `{}` lie in different partitions: no transaction spans both",
                        relation.from, relation.to
                    ))
                    .fix("the same table and the same partition template for both"),
            );
        }
    }
}

fn copies(ground: &mut Ground<'_, '_>) {
    for (facts, path, subject) in ground.rows() {
        let Some(index) = path.index.filter(|_| !path.is_near) else { continue };
        if index.unique {
            ground.add(
                Finding::new(Code::W07, Severity::Warning, &subject)
                    .says(format!("a row of `{subject}` is a reservation: it is written first, and an attempt that ends early leaves it until a worker takes it away"))
                    .fix("unique in the entity's partition where that will do"),
            );
        }
        let merges = |plan: &Plan| {
            let merge = plan.follow.iter().any(|step| step.what == path.name && step.effect == Effect::Merge);
            if merge && plan.entity == facts.entity.name { plan.rate } else { 0.0 }
        };
        let changes: f64 = ground.model.plans().iter().map(merges).sum();
        let reads = ground
            .model
            .accesses()
            .iter()
            .filter(|access| access.path.split(", ").any(|used| used == path.name));
        let read: f64 = reads.map(|access| access.rate).sum();
        if changes >= 1.0 && changes > read {
            ground.add(
                Finding::new(Code::W04, Severity::Warning, &subject)
                    .fact("merges", changes)
                    .fact("reads", read)
                    .says(format!(
                        "copied fields change {} times a second and are read {} times",
                        n(changes),
                        n(read)
                    ))
                    .fix("no tested copy is steadier: join when reading (R3)"),
            );
        }
    }
}

fn totals(ground: &mut Ground<'_, '_>) {
    for owner in &ground.model.facts {
        for total in &owner.entity.totals {
            let name = format!("{}.{}", owner.entity.name, total.name);
            let of = |plan: &Plan| {
                let steps = plan.transaction.iter().chain(&plan.follow).filter(|step| step.what == name);
                plan.rate * steps.map(|step| step.times * step.new[0]).sum::<f64>()
            };
            let rate = ground.peak() * ground.model.plans().iter().map(of).sum::<f64>();
            if rate > 10.0 {
                ground.add(
                    Finding::new(Code::W12, Severity::Warning, name)
                        .fact("updates_s", rate)
                        .says(format!("one total is written {} times a second at the peak", n(rate)))
                        .fix("spread the total over shards, or count in batches (P3)"),
                );
            }
        }
    }
}

fn lists(ground: &mut Ground<'_, '_>) {
    for facts in &ground.model.facts {
        // Rows of members do not conflict.
        for lookup in facts.entity.lookups.iter().filter(|lookup| !lookup.has_member_rows()) {
            let of = |plan: &Plan| {
                let steps = plan.transaction.iter().chain(&plan.follow);
                let mine = steps.filter(|step| plan.entity == facts.entity.name && step.what == lookup.name);
                plan.rate * mine.map(|step| step.times).sum::<f64>()
            };
            let share = facts.longest_list(lookup) / facts.count.max(1.0);
            let rate = ground.peak() * share * ground.model.plans().iter().map(of).sum::<f64>();
            if rate > 10.0 {
                ground.add(
                    Finding::new(
                        Code::W13,
                        Severity::Warning,
                        format!("{}.{}", facts.entity.name, lookup.name),
                    )
                    .fact("updates_s", rate)
                    .says(format!("the longest list is written {} times a second at the peak", n(rate)))
                    .fix("look up by more fields, or use an index (P1) in place of lists"),
                );
            }
        }
    }
}
