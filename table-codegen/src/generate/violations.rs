//! Rule violations at their paths in the design.

use table_designs::{check_schema, schema::Schema};
use table_schema::{
    catalogue::{Code, Severity},
    design::{EntityDesign, Place, Which},
};

use super::Refused;

/// Returns the errors of a design.
pub(super) fn of(schema: &Schema) -> Vec<Refused> {
    let errors = check_schema(schema).into_iter();
    let errors = errors.filter(|(_, mistake)| mistake.severity() == Severity::Error);
    let refused = errors.filter_map(|(number, mistake)| {
        let entity = schema.entities.get(number)?;
        let mut names = vec!["entity", entity.name.as_str()];
        names.extend(path(entity, &mistake.place));
        let help = mistake.file_help.or(mistake.help).unwrap_or_default();
        Some(Refused::of(mistake.code, &names, mistake.message, help))
    });
    refused.chain(variants(schema)).collect()
}

/// Returns the fields of enums with fields. As optional fields, the generated code could write rows without a required one.
fn variants(schema: &Schema) -> impl Iterator<Item = Refused> {
    schema.entities.iter().flat_map(|entity| {
        entity.fields.iter().filter(|field| field.required_if.is_some()).map(|field| {
            let path = ["entity", &entity.name, "fields", &field.name, "required_in"];
            let message = format!("no code is generated for fields of variants, such as `{}`", field.name);
            let help = "write the enum and the entity in Rust, with `#[derive(TableFields)]`";
            Refused::of(Code::D045, &path, message, help)
        })
    })
}

/// Returns the path of a location below its entity.
fn path<'e>(entity: &'e EntityDesign, place: &Place) -> Vec<&'e str> {
    let index = |number: usize| entity.indexes.get(number).map_or("", |index| index.name.as_str());
    let lookup = |number: usize| entity.lookups.get(number).map_or("", |lookup| lookup.name.as_str());
    let field = |number: usize| entity.fields.get(number).map_or("", |field| field.name.as_str());
    match place {
        Place::Entity | Place::Contribution(_) | Place::ContributionWord(..) => Vec::new(),
        Place::Word(word) => vec![*word],
        Place::Template { which, .. } => match *which {
            Which::Table => vec!["table"],
            Which::Partition => vec!["partition"],
            Which::Row => vec!["row"],
            Which::IndexTable(number) => vec!["index", index(number), "table"],
            Which::IndexPartition(number) => vec!["index", index(number), "partition"],
            Which::IndexRow(number) => vec!["index", index(number), "row"],
            Which::LookupTable(number) => vec!["lookup", lookup(number), "table"],
            Which::LookupPartition(number) => vec!["lookup", lookup(number), "partition"],
            Which::LookupRow(number) => vec!["lookup", lookup(number), "row"],
        },
        Place::Index(number) => vec!["index", index(*number)],
        Place::IndexWord(number, word) => vec!["index", index(*number), *word],
        Place::IndexCopy(number, _) => vec!["index", index(*number), "copy"],
        Place::Lookup(number) => vec!["lookup", lookup(*number)],
        Place::LookupWord(number, word) => vec!["lookup", lookup(*number), *word],
        Place::LookupOn(number, _) => vec!["lookup", lookup(*number), "on"],
        Place::Total(number) => vec!["total", entity.totals.get(*number).map_or("", |total| &total.name)],
        Place::Embed(number) => vec!["embed", entity.embeds.get(*number).map_or("", |embed| &embed.name)],
        Place::Field(number) => vec!["fields", field(*number)],
        Place::FieldType(number) => vec!["fields", field(*number), "type"],
        Place::FieldWord(number, "inline") => vec!["fields", field(*number), "blob"],
        Place::FieldWord(number, word) => vec!["fields", field(*number), *word],
    }
}
