use table_designs::schema::{RelationKind, Schema};
use table_schema::{
    design::{EntityDesign, FieldKind, Which},
    template::Template,
};

use super::{block, label};

/// Returns the relations between entities and their denormalized values; `None` if neither exists.
pub(in crate::advise) fn diagram(schema: &Schema) -> Option<String> {
    let mut edges = Vec::new();
    for relation in &schema.relations {
        let line = match relation.kind {
            RelationKind::OneToMany => "||--o{",
            RelationKind::OneToOne => "||--o|",
            RelationKind::Join => "}o..o{",
        };
        let says = if relation.atomic {
            format!("{}, in one transaction", relation.name)
        } else {
            relation.name.clone()
        };
        edges.push(edge(&relation.from, line, &relation.to, &says));
    }
    for entity in &schema.entities {
        for embed in &entity.embeds {
            let says = format!("{} copied as {}", embed.fields.join(", "), embed.name);
            edges.push(edge(&embed.from, "||..o{", &entity.name, &says));
        }
        for total in &entity.totals {
            let of = total.field.as_ref().map_or_else(String::new, |field| format!(" of {field}"));
            let says = format!("{} = {}{of}", total.name, total.by.word());
            edges.push(edge(&entity.name, "||..o{", &total.entity, &says));
        }
    }
    if edges.is_empty() {
        return None;
    }
    let mut lines = vec!["erDiagram".to_owned()];
    for entity in &schema.entities {
        lines.extend(keys(entity));
    }
    lines.extend(edges);
    Some(block(&lines))
}

fn edge(from: &str, line: &str, to: &str, says: &str) -> String {
    format!("  {} {line} {} : {}", label(from), label(to), label(says))
}

/// Returns an entity with the fields of its key.
fn keys(entity: &EntityDesign) -> Vec<String> {
    // A bare name could be a keyword of Mermaid: `End`.
    let name = label(&entity.name);
    let mut fields: Vec<String> = Vec::new();
    for which in [Which::Table, Which::Partition, Which::Row] {
        let template = entity.template_text(which).and_then(|text| text.template());
        for hole in template.into_iter().flat_map(Template::holes) {
            let Some(field) = entity.field(&hole.field) else { continue };
            let line = format!("    {} {} PK", word(&field.kind), field.name);
            if !fields.contains(&line) {
                fields.push(line);
            }
        }
    }
    if fields.is_empty() {
        return vec![format!("  {name}")];
    }
    let mut lines = vec![format!("  {name} {{")];
    lines.append(&mut fields);
    lines.push("  }".to_owned());
    lines
}

/// Returns the type of a key part as a single word.
fn word(kind: &FieldKind) -> String {
    match kind {
        FieldKind::Bool => "bool".to_owned(),
        FieldKind::Int { bits, signed } => format!("{}{bits}", if *signed { 'i' } else { 'u' }),
        FieldKind::Float { bits } => format!("f{bits}"),
        FieldKind::Time => "datetime".to_owned(),
        FieldKind::Date => "date".to_owned(),
        FieldKind::Guid => "guid".to_owned(),
        FieldKind::Enum { .. } => "enum".to_owned(),
        _ => "string".to_owned(),
    }
}
