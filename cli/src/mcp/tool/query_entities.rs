use serde_json::json;
use table_store::{Continuation, Name, Plan, Query, TableName, TableService};

use super::{
    Access, Spec,
    entities::{self, FILTER, PARTITION, ROW, SELECT, TABLE, data_only},
};
use crate::{
    mcp::{
        failure::Failure,
        given::Given,
        limits,
        output::Output,
        parameter::{Kind, Parameter},
        session::Session,
        stop::Stop,
    },
    query::{Cost, all_filters},
};

pub(in crate::mcp) const SPEC: Spec = Spec {
    name: "query_entities",
    title: "Query a table",
    about: data_only!(
        "Returns a page of the entities that match keys and a filter, in key order. Queries that read whole \
         partitions or the whole table are refused unless `scan` is true, or `top` is given and all entities match; \
         `explain_query` shows the class first. If the result contains `continuation`, more entities may exist: pass it with the same arguments. A page ends \
         before 64 KiB, and early if the query takes long."
    ),
    access: Access::Read,
    parameters: &[
        TABLE,
        PARTITION,
        ROW,
        FILTER,
        SELECT,
        Parameter::new(
            "top",
            Kind::Integer(limits::ENTITIES),
            "Maximum number of entities [default: 50]",
            "20",
        ),
        Parameter::new(
            "continuation",
            Kind::Text(16 << 10),
            "The continuation of the previous page",
            "\"AQAB\"",
        ),
        Parameter::new("scan", Kind::Flag, "Allow reading whole partitions or the whole table", "false"),
    ],
};

pub(super) async fn run(session: &Session, stop: &Stop, given: &Given) -> Result<Output, Failure> {
    let table = entities::table(given)?;
    let mut query = Query::new();
    query.filter = all_filters(given.text("partition"), given.text("row"), given.text("filter"))?;
    if let Some(names) = entities::select(given) {
        query = query.select(names);
    }
    query.continuation =
        given.text("continuation").map(str::parse::<Continuation>).transpose().map_err(|error| {
            Failure::new(error.to_string(), "pass the continuation of the previous page unchanged")
        })?;
    let plan = Plan::of(query.filter.as_ref());
    let top = given.integer("top").unwrap_or(limits::DEFAULT_ENTITIES);
    let opened = session.open_to_read(stop).await?;
    let cost =
        Cost::new(&plan, opened.place.tables.capabilities()).up_to(given.integer("top").map(u64::from));
    let done = if cost.is_scan() && !given.flag("scan") {
        let (reads, narrower) = cost.scanned(|key| format!("`{key}`"));
        let first = if cost.returns_all_it_reads() { "; or read the first entities: `top`" } else { "" };
        Err(Failure::told(format!(
            "the query reads {reads}, and `scan` is not true\n{cost}\nremedy: {narrower}{first}"
        )))
    } else {
        let page = Page { tables: &*opened.place.tables, table: &table, top, stop };
        stop.limit(page.read(query)).await
    };
    let class = cost.object().get("class").cloned().unwrap_or_default();
    let (entities, next) = opened.end(done).await?;
    let next = next.map(|next| next.to_string());
    Ok(Output::Json(format!(
        "{{\"class\":{class},\"count\":{},\"continuation\":{},\"entities\":[{}]}}",
        entities.len(),
        json!(next),
        entities.join(",")
    )))
}

/// Room for what surrounds the entities of a result.
const FRAME: usize = 17 << 10;

/// One page of a result.
struct Page<'p> {
    tables: &'p dyn TableService,
    table: &'p TableName,
    top: u32,
    stop: &'p Stop,
}

impl Page<'_> {
    /// Returns the entities as JSON, and the continuation after the last of them.
    ///
    /// If the entities of a segment exceed the limit of bytes, the segment is read again with fewer entities: only the
    /// service knows the continuation after one of them.
    async fn read(&self, mut query: Query) -> Result<(Vec<String>, Option<Continuation>), Failure> {
        let (mut entities, mut bytes) = (Vec::new(), 0);
        let mut most = self.top;
        while most > 0 {
            let segment = self.tables.query(self.table, query.clone().top(most)).await?;
            // File reads run inline in the poll; yielding lets a cancellation be noticed.
            tokio::task::yield_now().await;
            let select: Option<&[Name]> = query.select.as_deref();
            let texts: Vec<String> =
                segment.rows.iter().map(|row| entities::entity(self.table, select, &row)).collect();
            let room = limits::RESULT - FRAME;
            let fits = texts.iter().scan(bytes, |sum, text| {
                *sum += text.len() + 1;
                Some(*sum)
            });
            let fits = fits.take_while(|sum| *sum <= room).count();
            if fits < texts.len() {
                if fits == 0 && entities.is_empty() {
                    return Err(Failure::new(
                        format!("the next entity has more than {} KiB", room >> 10),
                        "name the properties to return in `select`",
                    ));
                }
                most = u32::try_from(fits).unwrap_or_default();
                continue;
            }
            bytes += texts.iter().map(|text| text.len() + 1).sum::<usize>();
            most = most.saturating_sub(u32::try_from(texts.len()).unwrap_or(u32::MAX));
            entities.extend(texts);
            query.continuation = segment.continuation;
            if query.continuation.is_none() || self.stop.is_late() {
                break;
            }
        }
        Ok((entities, query.continuation))
    }
}
