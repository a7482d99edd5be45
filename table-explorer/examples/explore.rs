//! Explores a store file: `cargo run -p table-explorer --example explore -- company.tables [--write | --raw]`.

use table_explorer::{Explorer, Place};
use table_store::OpenOptions;

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let path = arguments.next().ok_or("expected the path of a store file")?;
    let option = arguments.next();
    let is_raw = option.as_deref() == Some("--raw");
    let is_writable = is_raw || option.as_deref() == Some("--write");
    let store = OpenOptions::new().read_only(!is_writable).open(&path)?;
    let explorer = Explorer::new(Place::of_store(path, store)).writable(is_writable).raw(is_raw);
    let running = explorer.bind(0).await?;
    println!("explorer {}", running.start_url());
    running.until(std::future::pending()).await;
    Ok(())
}
