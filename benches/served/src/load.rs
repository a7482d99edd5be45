//! Fills a table through the protocol, as a user would.

use http::Method;

use crate::{
    Outcome,
    client::Connection,
    entities::Shape,
    operation::Operation,
    request::{Request, Signer},
};

/// Creates the table and fills it with transactions of 100.
pub async fn fill(port: u16, shape: Shape) -> Outcome {
    fill_as(&Signer::default(), port, shape).await
}

/// Does the same in another account.
pub async fn fill_as(signer: &Signer, port: u16, shape: Shape) -> Outcome {
    let mut connection = Connection::open(port).await?;
    let body = format!("{{\"TableName\":\"{}\"}}", shape.table);
    let headers = &[("Prefer", "return-no-content")];
    let create = Request {
        method: Method::POST,
        path: "/Tables",
        query: "",
        content_type: "application/json",
        headers,
        body: &body,
    };
    let answer = connection.send(&signer.bytes(&create)?).await?;
    if answer.status != 204 {
        return Err(format!("the table was not made: {}", connection.text()).into());
    }
    for number in (0..shape.count).step_by(100) {
        let request = Operation::Batch.request(signer, shape, number)?;
        let answer = connection.send(&request).await?;
        if answer.status != 202 || !connection.text().contains("204 No Content") {
            return Err(format!("entities were not stored: {}", connection.text()).into());
        }
    }
    Ok(())
}
