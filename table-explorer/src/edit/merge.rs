//! Three versions of an entity: the original one, the stored one, and that of a form.

use table_model::Properties;

use super::{
    draft::Draft,
    field::{Field, Stored},
};

/// Versions of a property that changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Side {
    /// None, or both in the same way.
    Same,
    /// The stored one.
    Stored,
    /// That of the form.
    Yours,
    /// Both: a person chooses.
    Both,
}

/// A property in three versions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Line {
    pub(crate) name: String,
    pub(crate) original: Stored,
    pub(crate) stored: Stored,
    pub(crate) yours: Stored,
    pub(crate) side: Side,
}

impl Line {
    fn new(name: &str, original: Stored, stored: Stored, yours: Stored) -> Self {
        // Without the original, a value that is not edited is that of the other side.
        let (yours, original) = match (&original, &yours) {
            (Stored::NotShown, Stored::NotShown) => (stored.clone(), stored.clone()),
            _ => (yours, original),
        };
        let side = match (stored == original, yours == original) {
            _ if stored == yours => Side::Same,
            (true, _) => Side::Yours,
            (_, true) => Side::Stored,
            (false, false) => Side::Both,
        };
        Self { name: name.to_owned(), original, stored, yours, side }
    }

    /// Returns a field that changes the stored version to that of the form.
    pub(crate) fn field(&self) -> Field {
        match self.side {
            Side::Same => Field::unchanged(self.name.clone(), self.stored.clone()),
            _ => Field::changed(self.name.clone(), self.stored.clone(), &self.yours),
        }
    }
}

/// Compares the versions. Fields without a valid value count as unchanged.
pub(crate) fn lines(draft: &Draft, stored: &Properties) -> Vec<Line> {
    let known = draft.fields.iter().map(|field| {
        let yours = field.value().unwrap_or_else(|_| field.was.clone());
        Line::new(&field.name, field.was.clone(), Stored::of(stored.get(&field.name)), yours)
    });
    let is_new = |name: &str| !draft.is_partial && !draft.fields.iter().any(|field| field.name == name);
    let added = stored
        .iter()
        .filter(|(name, _)| is_new(name))
        .map(|(name, value)| Line::new(name, Stored::Absent, Stored::Value(value.clone()), Stored::Absent));
    known.chain(added).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::params::Params;

    #[test]
    fn a_property_changed_on_no_side_on_one_or_on_both() {
        let stored: Properties = [("A", 1), ("B", 9), ("C", 1), ("D", 9), ("E", 5), ("New", 1), ("Large", 1)]
            .into_iter()
            .collect();
        let form = "pk=p&rk=r&name=A&kind=Int32&text=1&was=Int32:1&name=B&kind=Int32&text=1&was=Int32:1\
                    &name=C&kind=Int32&text=5&was=Int32:1&name=D&kind=Int32&text=5&was=Int32:1\
                    &name=E&kind=Int32&text=5&was=Int32:1&name=Gone&kind=Int32&text=1&was=Int32:1\
                    &name=Added&kind=Int32&text=1&was=&name=Large&kind=Stored&text=&was=Stored";
        let sides = |form: &str| {
            let draft = Draft::of_form(&Params::parse(form)).unwrap();
            let lines = lines(&draft, &stored);
            lines.into_iter().map(|line| (line.name, line.side)).collect::<Vec<_>>()
        };
        let expected = [
            ("A", Side::Same),
            ("B", Side::Stored),
            ("C", Side::Yours),
            ("D", Side::Both),
            ("E", Side::Same),
            ("Gone", Side::Stored),
            ("Added", Side::Yours),
            ("Large", Side::Same),
            ("New", Side::Stored),
        ];
        assert_eq!(sides(form), expected.map(|(name, side)| (name.to_owned(), side)));
        assert_eq!(
            sides(&format!("{form}&part=1")).len(),
            8,
            "a form of some properties does not know the others"
        );
        let removed = sides("pk=p&rk=r&part=1&name=Large&kind=&text=&was=Stored");
        assert_eq!(removed, [("Large".to_owned(), Side::Both)], "the original is unknown");
    }
}
