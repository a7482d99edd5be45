use std::path::Path;

use table_examples::{
    Outcome,
    company::{Company, Title},
    screen::{Screen, grouped},
};
use table_patterns::{Store, prelude::*};

/// Reads one page, saves its cursor as text, closes the file, opens it, and reads the rest.
pub(crate) async fn show(
    screen: &mut Screen,
    (store, tables): (Store, Tables),
    path: &Path,
    company: &Company,
) -> Outcome<(Store, Tables)> {
    let department = "d005";
    let query = Title::rows(department).page_size(250);
    let first = query.page(&tables).await?;
    let saved = first.cursor.as_ref().map(ToString::to_string).ok_or("more than one page is expected")?;
    screen.code("let page = Title::rows(\"d005\").page_size(250).page(&tables).await?;");
    screen.say(format_args!("{} titles; the cursor, as text to be stored anywhere:", first.items.len()));
    screen.say(format_args!("  {}...", saved.get(..60).unwrap_or(&saved)));
    drop((store, tables));

    let store = Store::open(path)?;
    let tables = Tables::new(store.clone());
    screen.code("let rest = Title::rows(\"d005\").resume(saved.parse()?).all(&tables).await?;");
    let rest = query.clone().resume(saved.parse()?).all(&tables).await?;
    let whole = company.titles.iter().filter(|title| title.department == department).count();
    screen.say(format_args!(
        "{} more after reopening: {} in all, as stored",
        grouped(rest.len()),
        grouped(first.items.len() + rest.len())
    ));
    if first.items.len() + rest.len() != whole {
        return Err(format!("{whole} titles were stored").into());
    }
    screen.say("the same cursor on another query:");
    match Title::rows("d004").resume(saved.parse()?).page(&tables).await {
        Err(error) => screen.refusal(error),
        Ok(_) => return Err("a cursor must not fit another query".into()),
    }
    Ok((store, tables))
}
