//! An entity in a form.

use std::collections::HashSet;

use table_model::{ETag, Row};

use super::{
    field::{Field, Stored},
    typed::Kind,
};
use crate::{params::Params, problem::Problem, show::html_len};

/// Maximum number of fields of a form, and of bytes of one and of all values as HTML. Other properties are edited alone.
const MOST_FIELDS: usize = 80;
const MOST_TEXT: usize = 1_000;
const MOST_TOTAL: usize = 20_000;
/// Maximum number of bytes of the HTML of a form, and that of a field without its name, value and link.
const MOST_BYTES: usize = 80_000;
const FIELD_BYTES: usize = 750;

/// An entity in a form: its keys, the version that was read, and its properties.
#[derive(Clone, Debug)]
pub(crate) struct Draft {
    pub(crate) partition: String,
    pub(crate) row: String,
    /// `None` for a new entity.
    pub(crate) etag: Option<ETag>,
    pub(crate) fields: Vec<Field>,
    /// The form contains some of the properties only.
    pub(crate) is_partial: bool,
}

impl Draft {
    /// Creates a form of the first properties of an entity, without the values that are too large for it.
    pub(crate) fn of(row: &Row) -> Self {
        let keys = Self::of_keys(row);
        let link = 3 * (keys.partition.len() + keys.row.len());
        // The page has other links, too.
        let (mut total, mut bytes) = (0, 8 * link);
        let fields = row.properties.iter().take(MOST_FIELDS).map_while(|(name, value)| {
            let field = Field::unchanged(name.clone(), Stored::Value(value.clone()));
            let text = html_len(&field.text);
            let is_shown = text <= MOST_TEXT && total + text <= MOST_TOTAL;
            // The name is in four places, and the value as it is and as it was.
            bytes += FIELD_BYTES + 4 * html_len(name) + if is_shown { 2 * text } else { link };
            if bytes > MOST_BYTES {
                return None;
            }
            total += if is_shown { text } else { 0 };
            Some(if is_shown { field } else { Field::unchanged(name.clone(), Stored::NotShown) })
        });
        let fields: Vec<Field> = fields.collect();
        Self { is_partial: row.properties.len() > fields.len(), fields, ..keys }
    }

    /// Creates a form of one property of an entity, regardless of its size.
    pub(crate) fn of_one(row: &Row, name: &str) -> Self {
        let field = Field::unchanged(name, Stored::of(row.properties.get(name)));
        Self { fields: vec![field], is_partial: true, ..Self::of_keys(row) }
    }

    /// Creates a form of the keys of an entity.
    pub(crate) fn of_keys(row: &Row) -> Self {
        let partition = row.partition_key.clone().unwrap_or_default();
        let key = row.row_key.clone().unwrap_or_default();
        Self { partition, row: key, etag: Some(row.etag.clone()), fields: Vec::new(), is_partial: false }
    }

    /// Parses a form.
    pub(crate) fn of_form(form: &Params) -> Result<Self, Problem> {
        let key = |name: &str| {
            let key = form.get(name).map(str::to_owned);
            key.ok_or_else(|| Problem::invalid(format!("The form has no `{name}`.")))
        };
        let etag = form.filled("etag").map(str::parse).transpose()?;
        let [names, kinds, texts, was] =
            ["name", "kind", "text", "was"].map(|name| form.all(name).collect::<Vec<_>>());
        if [kinds.len(), texts.len(), was.len()] != [names.len(); 3] {
            return Err(Problem::invalid("A field of the form is incomplete."));
        }
        let fields = names.iter().zip(kinds).zip(texts).zip(was).enumerate();
        let fields = fields.map(|(at, (((name, kind), text), was))| {
            let broken = || Problem::invalid(format!("The field of `{name}` does not belong to this page."));
            let was = Stored::decoded(was).ok_or_else(broken)?;
            let kind = Kind::of_name(kind).ok_or_else(broken)?;
            let field = Field { name: (*name).to_owned(), kind, text: text.to_owned(), was };
            match (form.get(&format!("pick-{at}")), form.get(&format!("choice-{at}"))) {
                (Some("stored"), _) => Ok(Field::unchanged(field.name, field.was)),
                // A form that is shown again needs no choice yet.
                (None, Some(_)) if form.get("do") != Some("edit") => {
                    Err(Problem::invalid(format!("Go back, and choose a value of `{name}`.")))
                }
                _ => Ok(field),
            }
        });
        let fields = fields.collect::<Result<Vec<_>, _>>()?;
        let fields = fields.into_iter().filter(|field| !field.is_blank()).collect();
        let is_partial = form.get("part").is_some();
        Ok(Self { partition: key("pk")?, row: key("rk")?, etag, fields, is_partial })
    }

    /// Returns the error of each field. Names and sizes are checked with the complete entity.
    pub(crate) fn errors(&self) -> Vec<Option<String>> {
        let mut names = HashSet::new();
        let errors = self.fields.iter().map(|field| {
            if field.is_blank() {
                return None;
            }
            if field.name.is_empty() {
                return Some("expected a name".to_owned());
            }
            if !names.insert(field.name.as_str()) {
                return Some("this property is in the form already; change it there".to_owned());
            }
            if field.kind == Kind::Absent && !field.text.is_empty() && field.was == Stored::Absent {
                return Some("expected a type".to_owned());
            }
            field.value().err()
        });
        errors.collect()
    }
}

#[cfg(test)]
mod tests {
    use table_model::{Properties, Timestamp, Value};

    use super::*;

    fn row(properties: Properties) -> Row {
        let at = Timestamp::UNIX_EPOCH;
        let keys = (Some("p".to_owned()), Some("r".to_owned()));
        Row { etag: at.into(), partition_key: keys.0, row_key: keys.1, timestamp: Some(at), properties }
    }

    #[test]
    fn a_form_has_bounds() {
        let draft = Draft::of(&row((0..252).map(|at| (format!("P{at}"), 1)).collect()));
        assert_eq!((draft.fields.len(), draft.is_partial), (MOST_FIELDS, true));
        let texts =
            (0..50).map(|at| (format!("P{at}"), "x".repeat(if at == 1 { MOST_TEXT + 1 } else { MOST_TEXT })));
        let draft = Draft::of(&row(texts.collect()));
        let shown: Vec<usize> = draft
            .fields
            .iter()
            .enumerate()
            .filter(|(_, field)| field.was != Stored::NotShown)
            .map(|(at, _)| at)
            .collect();
        assert_eq!(shown, [0].into_iter().chain(2..21).collect::<Vec<_>>());
        let one = Draft::of_one(&row([("A", "x".repeat(40_000))].into_iter().collect()), "A");
        assert_eq!(one.fields.first().map(|field| field.text.len()), Some(40_000));
    }

    #[test]
    fn fields_are_parsed_together() {
        let parsed = |form: &str| Draft::of_form(&Params::parse(form));
        let draft =
            parsed("pk=p&rk=&name=A&kind=Int32&text=2&was=Int32:1&name=&kind=String&text=&was=").unwrap();
        assert_eq!((draft.row.as_str(), draft.etag.clone(), draft.fields.len()), ("", None, 1));
        let field = draft.fields.first().unwrap();
        assert_eq!(
            (field.value(), &field.was),
            (Ok(Stored::Value(2.into())), &Stored::Value(Value::from(1)))
        );
        let picked =
            parsed("pk=p&rk=&name=A&kind=Int32&text=2&was=Int32:1&pick-0=stored&choice-0=1").unwrap();
        assert_eq!(picked.fields.first().unwrap().text, "1");
        for form in [
            "rk=",
            "pk=p&rk=&name=A&kind=Int32&text=2",
            "pk=p&rk=&name=A&kind=Money&text=2&was=",
            "pk=p&rk=&name=A&kind=Int32&text=2&was=x",
            "pk=p&rk=&name=A&kind=Int32&text=2&was=Int32:1&choice-0=1",
            "pk=p&rk=&etag=x",
        ] {
            assert!(parsed(form).is_err(), "{form}");
        }
        let twice = parsed(
            "pk=p&rk=r&name=A&kind=Int32&text=x&was=&name=A&kind=Int32&text=2&was=&name=&kind=Int32&text=2&was=",
        );
        let errors = twice.unwrap().errors();
        assert!(errors.iter().all(Option::is_some), "{errors:?}");
    }
}
