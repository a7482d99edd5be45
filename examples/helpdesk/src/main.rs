//! Serves the helpdesk until a signal.

use std::{env, error::Error};

use tokio::{net::TcpListener, signal};

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let store = env::var("HELPDESK_STORE").unwrap_or_else(|_| "helpdesk.tables".to_owned());
    let address = env::var("HELPDESK_ADDRESS").unwrap_or_else(|_| "127.0.0.1:8080".to_owned());
    let tables = helpdesk::open(&store)?;
    let listener = TcpListener::bind(address).await?;
    println!("listening on http://{}", listener.local_addr()?);
    let stop = async {
        // Without a handler, the process ends at the signal, which loses no acknowledged write either.
        let _ = signal::ctrl_c().await;
    };
    axum::serve(listener, helpdesk::api::router(tables)).with_graceful_shutdown(stop).await?;
    Ok(())
}
