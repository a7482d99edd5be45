use table_model::TableName;
use table_schema::{
    key::{KeyValue, periods},
    template::Shape,
};

use crate::{
    Error, Pending, TableEntity, Tables,
    core::{
        key::{EntityKeyError, Time},
        placement,
        spec::spread::{TableSet, listing},
    },
    design::Design,
    query::list,
};

/// Entity with a table for each period: the table name contains a date. Implemented by `#[derive(TableEntity)]`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` has a single table, not a table for each period",
    label = "not a per-period entity",
    note = "add a date to the table name: #[table(name = \"...{{at:%Y%m%d}}\")]"
)]
pub trait PerPeriod: TableEntity {
    /// Type of the field that determines the period.
    type Time: Time;

    /// Name of that field.
    #[doc(hidden)]
    const FIELD: &'static str;
}

impl Tables {
    /// Lists the existing tables of an entity, oldest period first. Sends one request per 1,000 names.
    ///
    /// ```
    /// # use table_patterns::prelude::*;
    /// #[derive(TableEntity, Clone, Debug)]
    /// #[table(name = "Logs{at:%Y%m%d}", partition = "{user}", row = "{at:inverted_ticks}")]
    /// struct Login { user: String, at: Timestamp }
    ///
    /// # fn main() -> Result<()> {
    /// # pollster::block_on(async {
    /// # let tables = Tables::in_memory()?;
    /// for day in ["2014-07-31T09:00:00Z", "2014-08-01T09:00:00Z"] {
    ///     tables.insert(&Login { user: "jo".into(), at: day.parse()? }).await?;
    /// }
    /// let names: Vec<String> = tables.periods::<Login>().await?.iter().map(ToString::to_string).collect();
    /// assert_eq!(names, ["Logs20140731", "Logs20140801"]);
    /// # Ok(())
    /// # })
    /// # }
    /// ```
    ///
    /// # Errors
    /// Returns [`Error::Service`] if a request fails.
    pub fn periods<E: PerPeriod>(&self) -> Pending<'_, Vec<TableName>> {
        Box::pin(async move {
            let found = found::<E>(self).await?;
            Ok(found.into_iter().map(|(_, table)| table).collect())
        })
    }

    /// Deletes the tables of all periods that ended before `cutoff`. The table of the period that contains `cutoff`
    /// remains. Returns the names of the deleted tables, oldest first.
    ///
    /// Each table is deleted in one step, regardless of its size. If a call fails or is interrupted, call it again to
    /// delete the remaining tables.
    ///
    /// ```
    /// # use table_patterns::prelude::*;
    /// #[derive(TableEntity, Clone, Debug)]
    /// #[table(name = "Logins{at:%Y%m%d}", partition = "{user}", row = "{at:inverted_ticks}")]
    /// struct Login { user: String, at: Timestamp }
    ///
    /// # fn main() -> Result<()> {
    /// # pollster::block_on(async {
    /// # let tables = Tables::in_memory()?;
    /// for day in ["2014-07-30T09:00:00Z", "2014-07-31T09:00:00Z", "2014-08-01T09:00:00Z"] {
    ///     tables.insert(&Login { user: "jo".into(), at: day.parse()? }).await?;
    /// }
    /// let dropped = tables.drop_before::<Login>("2014-08-01T00:00:00Z".parse()?).await?;
    /// let names: Vec<&str> = dropped.iter().map(|table| table.as_str()).collect();
    /// assert_eq!(names, ["Logins20140730", "Logins20140731"]);
    /// # Ok(())
    /// # })
    /// # }
    /// ```
    ///
    /// # Errors
    /// Returns [`Error::Key`] if `cutoff` is out of range, and [`Error::Service`] if a request fails.
    #[expect(clippy::needless_pass_by_value, reason = "times are passed by value, as in queries")]
    pub fn drop_before<E: PerPeriod>(&self, cutoff: E::Time) -> Pending<'_, Vec<TableName>> {
        let cutoff = start_of::<E>(&cutoff);
        Box::pin(async move {
            let cutoff = cutoff?;
            let mut dropped = Vec::new();
            for (start, table) in found::<E>(self).await? {
                if start >= cutoff {
                    break;
                }
                match self.service().delete_table(&table).await {
                    Ok(()) => dropped.push(table),
                    // A concurrent call deleted it.
                    Err(error) if error.is_not_found() => {}
                    Err(error) => return Err(error.into()),
                }
            }
            Ok(dropped)
        })
    }
}

/// Returns the first tick of the period that contains a time.
fn start_of<E: PerPeriod>(time: &E::Time) -> Result<i64, Error> {
    let design: &'static Design = E::DESIGN;
    // Without periods, this is before every time.
    let Some(template) = &design.tables else { return Ok(i64::MIN) };
    let ticks =
        time.to_ticks().map_err(|reason| EntityKeyError::value(design.name, template, E::FIELD, reason))?;
    let start = match placement::shape_of(template, E::FIELD) {
        Some(Shape::Date(format)) => periods(format.finest(), ticks, ticks).next(),
        _ => None,
    };
    Ok(start.unwrap_or(i64::MIN))
}

/// Returns the existing tables with the first ticks of their periods, oldest first.
async fn found<E: PerPeriod>(tables: &Tables) -> Result<Vec<(i64, TableName)>, Error> {
    let Some(template) = &E::DESIGN.tables else { return Ok(Vec::new()) };
    let TableSet::Listed(_, range) = TableSet::listed(template, template.form.all()) else {
        return Ok(Vec::new());
    };
    let (names, _) = list(&**tables.service(), listing(&range)).await?;
    let mut found: Vec<_> = names
        .into_iter()
        .filter_map(|name| {
            let values = template.form.decode(name.as_str()).ok()?;
            Some((ticks_of(&values, E::FIELD)?, name))
        })
        .collect();
    found.sort_by(|(at, left), (other, right)| (at, left.folded()).cmp(&(other, right.folded())));
    Ok(found)
}

fn ticks_of(values: &[(&str, KeyValue<'_>)], field: &str) -> Option<i64> {
    values.iter().find_map(|(name, value)| match value {
        KeyValue::Ticks(ticks) if *name == field => Some(*ticks),
        _ => None,
    })
}
