use azure_core::http::Method;
use table_model::{
    Continuation, Result,
    service::{ListTables, TablesSegment},
};

use super::{
    Inner,
    query::{Asked, check_top},
    request,
};
use crate::{
    client::answer::Answer,
    wire::{continuation, path::TablePath, tables},
};

impl Inner {
    pub(super) async fn list(&self, list: ListTables) -> Result<TablesSegment> {
        check_top(list.top)?;
        let asked = Asked::of(list.filter)?;
        if list.top == Some(0) || matches!(asked, Asked::Nothing) {
            return Ok(TablesSegment { tables: Vec::new(), continuation: None });
        }
        let mut outgoing = request(Method::Get, &TablePath::Tables);
        if let Asked::Matching(filter) = &asked {
            outgoing.query.push("$filter", filter);
        }
        outgoing.query = outgoing
            .query
            .with("$top", list.top)
            .with(continuation::parameter::TABLE_NAME, list.continuation.as_ref());
        let answer = self.sender.send(&outgoing).await?;
        let (tables, received) = (tables::read_list(&answer.body)?, continuation(&answer)?);
        let [from, to] =
            [&list.continuation, &received].map(|token| token.as_ref().map(Continuation::as_str));
        self.sender.empty_pages.check(from, to, tables.is_empty())?;
        Ok(TablesSegment { tables, continuation: received })
    }
}

fn continuation(answer: &Answer) -> Result<Option<Continuation>> {
    let token = answer.header("x-ms-continuation-nexttablename").filter(|token| !token.is_empty());
    token.map(Continuation::new).transpose()
}
