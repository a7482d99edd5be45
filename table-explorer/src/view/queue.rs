//! The messages of a queue. They are peeked, so that no worker misses one.

mod message;

use maud::{Markup, html};
use table_model::queue::{PeekedMessage, QueueName, limits::MESSAGES};

use super::{Context, listing::source};
use crate::{
    problem::Problem,
    reply::Reply,
    show::{counted, grouped},
};

/// Renders the page, or one whole message with `message`.
pub(crate) async fn view(context: &Context<'_>, name: &str) -> Result<Reply, Problem> {
    let queues = context.place.queues.as_ref();
    let queues = queues.ok_or_else(|| Problem::missing("This place has no queues"))?;
    let queue: QueueName =
        name.parse().map_err(|_| Problem::missing(format!("`{name}` is not a queue name")))?;
    let count = queues.queue_properties(&queue).await?.approximate_messages;
    let messages = queues.peek_messages(&queue, MESSAGES).await?;
    if let Some(id) = context.query.filled("message") {
        let found = messages.iter().find(|message| message.id.to_string() == id);
        let found = found.ok_or_else(|| Problem::missing("This message is no longer visible"))?;
        let crumbs = [(name.to_owned(), context.url(&["q", name], []))];
        let content = html! {
            div.head { h1 { "Message" } span.dim { "of " bdi { (name) } } }
            (message::render(context, name, found, usize::MAX))
        };
        return Ok(context.page(id, &crumbs, content).await);
    }
    let content = html! {
        div.head { h1 { bdi { (name) } } span.dim { "queue · ≈ " (counted(count, "message", "messages")) } }
        div.gap {
            @if let Some(source) = source(name) { (poison(context, source)) }
            @if messages.is_empty() {
                div.card { p.pad.lead {
                    @if count == 0 { "The queue is empty." }
                    @else { "No message is visible: workers have received them, or their time has not come." }
                } }
            }
            @for found in &messages { (message::render(context, name, found, message::SHOWN)) }
        }
        div.bar { span.dim { (note(&messages, count)) } }
    };
    Ok(context.page(name, &[], content).await)
}

fn poison(context: &Context<'_>, source: &str) -> Markup {
    html! {
        div.card { div.banner { p {
            "Workers could not process these messages of "
            a href=(context.url(&["q", source], [])) { bdi { (source) } }
            ". Remove the cause; then the program sends them again: tasks with " code { "Tables::retry_poisoned" }
            ", wake-up messages with " code { "Tables::retry_dead_letters" } "."
        } } }
    }
}

fn note(messages: &[PeekedMessage], count: u64) -> String {
    let shown = messages.len() as u64;
    let others = match count.saturating_sub(shown) {
        0 => String::new(),
        _ if shown == u64::from(MESSAGES) => "; a queue shows the next 32 only".to_owned(),
        others => format!("; {} others are received, expired, or visible later", grouped(others)),
    };
    format!("{}, peeked in 2 requests{others}", counted(shown, "visible message", "visible messages"))
}
