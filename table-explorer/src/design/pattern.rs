//! The queries of a design, which fill the filter.

use table_advisor::{Access, Class};
use table_designs::schema::Query;
use table_model::Value;
use table_patterns::FieldTest;
use table_schema::{
    design::{EntityDesign, Origin},
    language::{Comparison, Test},
};

use super::Design;
use crate::Place;

/// A query of the design with the path that it reads by.
#[derive(Debug)]
pub(crate) struct Pattern<'d> {
    design: &'d Design,
    entity: &'d EntityDesign,
    pub(crate) query: &'d Query,
    pub(crate) access: &'d Access,
    /// The table of the path.
    pub(crate) table: String,
}

impl Design {
    /// Returns the queries of entities with rows in a table.
    pub(crate) fn patterns(&self, table: &str) -> Vec<Pattern<'_>> {
        let queries = self.schema.queries.iter();
        queries.filter_map(|query| self.pattern(query)).filter(|pattern| pattern.has_rows_in(table)).collect()
    }

    fn pattern<'d>(&'d self, query: &'d Query) -> Option<Pattern<'d>> {
        let access = self.accesses.iter().find(|access| access.query == query.name)?;
        let entity = self.schema.entity(&query.find)?;
        let is_path = |origin: Origin, name: &str| match origin {
            Origin::Primary => access.path == "primary",
            Origin::Index(_) | Origin::Lookup(_) => access.path == name,
        };
        let kind = entity.row_kinds().into_iter().find(|kind| is_path(kind.origin, &kind.name))?;
        Some(Pattern { design: self, entity, query, access, table: kind.table.text().to_owned() })
    }
}

impl Pattern<'_> {
    fn has_rows_in(&self, table: &str) -> bool {
        self.entity.row_kinds().iter().any(|kind| kind.table.text().eq_ignore_ascii_case(table))
    }

    /// Returns the style of the class.
    pub(crate) const fn style(&self) -> &'static str {
        match self.access.class {
            Class::Point | Class::MultiPoint => "keys",
            Class::RowRange | Class::FanOut => "range",
            Class::PartitionScan | Class::FanOutScan | Class::KeyRange => "scan",
            Class::TableScan => "all",
        }
    }

    /// Returns the tests of the query. Alternatives are separate queries.
    fn tests(&self) -> Result<&[Test], String> {
        match self.query.filter.as_ref().map(|filter| filter.alternatives.as_slice()) {
            None => Ok(&[]),
            Some([one]) => Ok(&one.tests),
            Some(_) => {
                Err("The alternatives of `or` are separate queries: type the filter of one of them."
                    .to_owned())
            }
        }
    }

    /// Returns the labels of its parameters.
    pub(crate) fn parameters(&self) -> Vec<String> {
        let labels = |test: &Test| {
            let Test { field, comparison, .. } = test;
            match comparison {
                _ if test.value.is_some() => Vec::new(),
                Comparison::Between => vec![format!("{field} from"), format!("{field} to")],
                Comparison::Within => vec![format!("{field} from"), format!("{field} before")],
                Comparison::In => vec![format!("{field} in, with commas")],
                comparison => vec![format!("{field} {}", comparison.as_str())],
            }
        };
        self.tests().unwrap_or_default().iter().flat_map(labels).collect()
    }

    /// Returns the filter with these values of the parameters.
    ///
    /// # Errors
    ///
    /// Returns the invalid value, or why the query is no filter.
    pub(crate) fn filter(&self, place: &Place, values: &[&str]) -> Result<String, String> {
        let path = &self.access.path;
        if self.entity.lookups.iter().any(|lookup| lookup.name == *path) {
            return Err(format!(
                "The query reads the list `{path}`, and then its members. No filter returns them: open an entity, and follow its list."
            ));
        }
        let designed = self.design.designed(place, self.entity).map_err(|error| error.to_string())?;
        let mut left = values.iter();
        let mut tests = Vec::new();
        for test in self.tests()? {
            let mut next = || left.next().copied().unwrap_or_default().trim();
            let texts: Vec<&str> = match (&test.value, test.comparison) {
                (Some(value), _) => vec![value.text()],
                (None, Comparison::Between | Comparison::Within) => vec![next(), next()],
                (None, Comparison::In) => next().split(',').map(str::trim).collect(),
                (None, _) => vec![next()],
            };
            let values = texts.into_iter().map(|text| designed.parse(&test.field, text));
            let values: Vec<Value> = values.collect::<Result<_, _>>().map_err(|error| error.to_string())?;
            tests.push(FieldTest { field: test.field.clone(), comparison: test.comparison, values });
        }
        let (_, filter) = designed.filter(path, &tests).map_err(|error| error.to_string())?;
        Ok(filter.map_or_else(String::new, |filter| filter.to_string()))
    }
}
