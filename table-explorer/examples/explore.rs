//! Explores a store file: `cargo run -p table-explorer --example explore -- company.tables [--write]`.

use table_explorer::{Explorer, Place};
use table_store::OpenOptions;

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let path = arguments.next().ok_or("expected the path of a store file")?;
    let is_writable = arguments.next().as_deref() == Some("--write");
    let store = OpenOptions::new().read_only(!is_writable).open(&path)?;
    let explorer = Explorer::new(Place::of_store(path, store)).writable(is_writable);
    let running = explorer.bind(0).await?;
    println!("explorer {}", running.start_url());
    running.until(std::future::pending()).await;
    Ok(())
}
