use super::found::Found;
use crate::{plain, sketch::real};

/// Prefix of the library's own row keys.
const OWN: char = '!';

/// Number of names that are listed before the others are only counted.
const NAMED: usize = 10;

/// What was not understood, or not counted.
#[derive(Debug, Default)]
pub(super) struct Notes {
    /// Requests that the server did not record.
    pub(super) dropped: u64,
    /// Requests for rows of the library.
    own: u64,
    /// Requests for rows that match no template, and the table of the first one.
    unknown: u64,
    first_unknown: String,
    /// Requests for rows that match several templates.
    ambiguous: u64,
    /// Queries that have a form of the design if their hashed values are its literals.
    pub(super) hidden: u64,
    /// Queries whose filter has another form.
    pub(super) other_filters: u64,
    /// Queries beyond the number of shapes that are counted.
    pub(super) other_shapes: u64,
    /// Shapes that were left out, and their calls.
    pub(super) folded: Vec<(String, u64)>,
    /// Queries that the design does not declare.
    pub(super) added: Vec<String>,
    /// Queries of the design that were not recorded.
    pub(super) unseen: Vec<String>,
}

impl Notes {
    /// Counts rows that are not those of an entity, and returns the others.
    pub(super) fn known<'s>(
        &mut self,
        table: &str,
        row_key: &str,
        found: Option<Found<'s>>,
    ) -> Option<Found<'s>> {
        match &found {
            Some(found) if found.is_ambiguous => self.ambiguous += 1,
            Some(_) => {}
            None if row_key.starts_with(OWN) => self.own += 1,
            None => {
                self.unknown += 1;
                if self.first_unknown.is_empty() {
                    table.clone_into(&mut self.first_unknown);
                }
            }
        }
        found
    }

    pub(super) fn sentences(&self, requests: u64, seconds: f64, is_recorded_only: bool) -> Vec<String> {
        let number = |count: u64| plain(real(count));
        if requests == 0 {
            return vec!["No requests were recorded: the declared load is used.".to_owned()];
        }
        let mut all = vec![format!(
            "{} requests in {} s. Reads that writes require are recorded as queries.",
            number(requests),
            plain(seconds)
        )];
        if seconds < 1.0 {
            all.push("The recording is shorter than a second, so the rates are those of one second; record longer.".to_owned());
        }
        for (count, what) in [
            (
                self.dropped,
                "requests were not recorded, because the disk was too slow: the rates are too low.",
            ),
            (self.own, "requests for rows of the library are not counted: the design implies them."),
            (
                self.ambiguous,
                "requests match several row types of the design, and are counted for the first; record with `--record-design`.",
            ),
            (
                self.hidden,
                "queries are counted for conditions with literals, although their values are hashed; record with `--record-design`.",
            ),
            (self.other_filters, "queries have a filter that keys and fields of the design do not express."),
            (self.other_shapes, "queries have too many different forms, and are not counted."),
        ] {
            if count > 0 {
                all.push(format!("{} {what}", number(count)));
            }
        }
        if self.unknown > 0 {
            let (unknown, first) = (number(self.unknown), &self.first_unknown);
            all.push(format!(
                "{unknown} requests match no row type of the design; the first one is for table {first}."
            ));
        }
        if !self.added.is_empty() {
            all.push(format!("Queries that the design does not declare: {}.", listed(&self.added)));
        }
        if !self.unseen.is_empty() {
            let rates = if is_recorded_only { "without a rate" } else { "with their declared rates" };
            all.push(format!("Queries that were not recorded, {rates}: {}.", self.unseen.join(", ")));
        }
        if !self.folded.is_empty() {
            let shapes = self.folded.iter().map(|(shape, calls)| format!("{shape} ({})", number(*calls)));
            let shapes: Vec<String> = shapes.collect();
            all.push(format!("Left out, with less than 0.1 % of the requests each: {}.", listed(&shapes)));
        }
        all
    }
}

/// Returns the first names, and the number of the others.
fn listed(names: &[String]) -> String {
    let more = names.len().saturating_sub(NAMED);
    let first = names.iter().take(NAMED).map(String::as_str).collect::<Vec<_>>().join(", ");
    if more > 0 { format!("{first} and {more} more") } else { first }
}
