//! Entities that are written in one transaction.

use super::{
    candidates::subsets,
    case::{Case, Together, table_name},
    key::{Key, Part},
};
use table_designs::schema::{Relation, RelationKind, Workload};

/// Adds to each problem the entities of the same transactions, and the partitions that they can have in common.
pub(super) fn join(workload: &Workload, cases: &mut [Case], share: f64) {
    let relations: Vec<&Relation> = workload
        .content
        .relations
        .iter()
        .filter(|relation| relation.atomic && relation.kind != RelationKind::Join)
        .collect();
    let roots = relations.iter().filter(|relation| relations.iter().all(|other| other.to != relation.from));
    let mut roots: Vec<&str> = roots.map(|relation| relation.from.as_str()).collect();
    roots.dedup();
    for root in roots {
        let members = members(root, &relations);
        let Some(id) =
            cases.iter().find(|case| case.entity.name == root).map(|case| case.identity.id.clone())
        else {
            continue;
        };
        let id: Vec<&str> = id.iter().map(String::as_str).collect();
        let chosen = subsets(&id).into_iter().filter(|fields| !fields.is_empty());
        // For each partition of the root: the fields of each member.
        let partitions: Vec<Vec<Vec<Part>>> = chosen
            .filter_map(|fields| {
                members.iter().map(|(_, path)| mapped(&fields, path)).collect::<Option<Vec<_>>>()
            })
            .collect();
        let own: Vec<Relation> = relations
            .iter()
            .filter(|relation| members.iter().any(|(name, _)| *name == relation.to))
            .map(|one| (*one).clone())
            .collect();
        let others: Vec<Vec<_>> =
            members.iter().map(|(name, _)| others(cases, &members, &partitions, name)).collect();
        for (at, ((name, _), others)) in members.iter().zip(others).enumerate() {
            let Some(case) = cases.iter_mut().find(|case| case.entity.name == *name) else { continue };
            case.together = Some(Together {
                table: table_name(root),
                relations: own.clone(),
                partitions: partitions.iter().filter_map(|one| one.get(at).cloned()).collect(),
                others,
                share,
                standing: None,
            });
        }
    }
}

/// Returns the entities below a root, each with the relations that lead to it.
fn members<'r>(root: &'r str, relations: &[&'r Relation]) -> Vec<(&'r str, Vec<&'r Relation>)> {
    let mut members: Vec<(&str, Vec<&Relation>)> = vec![(root, Vec::new())];
    let mut at = 0;
    while let Some((name, path)) = members.get(at).cloned() {
        for relation in relations.iter().filter(|relation| relation.from == name) {
            if members.iter().all(|(known, _)| *known != relation.to) {
                let path = path.iter().copied().chain([*relation]).collect();
                members.push((&relation.to, path));
            }
        }
        at += 1;
    }
    members
}

/// Follows fields of the root over relations.
fn mapped(fields: &[&str], path: &[&Relation]) -> Option<Vec<Part>> {
    let follow = |field: &&str| {
        path.iter().try_fold((*field).to_owned(), |field, relation| {
            relation.on.iter().find(|(theirs, _)| *theirs == field).map(|(_, own)| own.clone())
        })
    };
    fields.iter().map(|field| follow(field).map(|name| Part::new(&name))).collect()
}

fn others(
    cases: &[Case],
    members: &[(&str, Vec<&Relation>)],
    partitions: &[Vec<Vec<Part>>],
    own: &str,
) -> Vec<(table_schema::design::EntityDesign, table_designs::schema::EntityLoad, Vec<Key>)> {
    let of = |(at, (name, _)): (usize, &(&str, Vec<&Relation>))| {
        let case = cases.iter().find(|case| case.entity.name == *name)?;
        let id: Vec<Part> = case.identity.id.iter().map(|field| Part::new(field)).collect();
        let keys = partitions
            .iter()
            .filter_map(|one| Some(Key { partition: one.get(at)?.clone(), ..Key::default() }.ending_in(&id)));
        Some((case.entity.clone(), case.load.clone(), keys.collect()))
    };
    members.iter().enumerate().filter(|(_, (name, _))| *name != own).filter_map(of).collect()
}
