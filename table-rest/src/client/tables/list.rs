use azure_core::http::Method;
use table_store::{
    Continuation, Filter, Result,
    service::{ListTables, TablesSegment},
};

use super::{Inner, request};
use crate::{
    client::answer::Answer,
    wire::{continuation, path::TablePath, tables},
};

impl Inner {
    pub(super) async fn list(&self, list: ListTables) -> Result<TablesSegment> {
        super::query::check_top(list.top)?;
        if list.top == Some(0) || list.filter == Some(Filter::Constant(false)) {
            return Ok(TablesSegment { tables: Vec::new(), continuation: None });
        }
        let mut outgoing = request(Method::Get, &TablePath::Tables);
        if let Some(filter) = super::query::filter_text(list.filter)? {
            outgoing.query.push("$filter", filter);
        }
        outgoing.query = outgoing
            .query
            .with("$top", list.top)
            .with(continuation::parameter::TABLE_NAME, list.continuation);
        let answer = self.sender.send(&outgoing).await?;
        Ok(TablesSegment { tables: tables::read_list(&answer.body)?, continuation: continuation(&answer)? })
    }
}

fn continuation(answer: &Answer) -> Result<Option<Continuation>> {
    let token = answer.header("x-ms-continuation-nexttablename").filter(|token| !token.is_empty());
    token.map(Continuation::new).transpose()
}
