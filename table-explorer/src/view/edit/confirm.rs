//! The name of a remote account, which a person types once before the first write.

use maud::html;

use crate::{reply::Reply, view::Context};

/// Field with the name that was typed.
const TYPED: &str = "account-typed";

/// Returns the question for the name of the account, unless nothing is written, the data is in this process, or the name
/// was typed.
pub(crate) async fn confirm(context: &Context<'_>, path: &str) -> Option<Reply> {
    let form = context.form.as_ref()?;
    let edits = &context.shared.edits;
    if context.place.is_local() || edits.is_confirmed(&context.place.name) {
        return None;
    }
    let account = context.place.account();
    let typed = form.get(TYPED);
    if typed == Some(account) {
        edits.confirm(&context.place.name);
        return None;
    }
    let content = html! {
        div.head { h1 { "Write to this account?" } }
        form.card method="post" action={ (path) (context.query.to_query()) } {
            @for (name, value) in form.pairs().iter().filter(|(name, _)| name != TYPED) {
                input type="hidden" name=(name) value=(value);
            }
            div.pad.lead.keys {
                p { "The data is in " bdi { (context.place.name) } ", and not in a file that this explorer has opened. Nothing was \
                    written yet. Type the name of the account, or the schema of a database, once, to write to it until the \
                    explorer stops." }
                @if typed.is_some() { p.error role="alert" { "This is not the name of the account." } }
                label { "Name of the account " input.field name=(TYPED) autocomplete="off" spellcheck="false" required; }
            }
            div.pad.consent { button.main { "Write" } a.button.plain href=(context.url(&[], [])) { "Cancel" } }
        }
    };
    Some(context.page("Write to this account?", &[], content).await)
}
