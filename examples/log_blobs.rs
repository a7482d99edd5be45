//! P13, logs in blobs instead of tables: lines are written to blobs that are named by hour, and a time span is found by
//! listing prefixes.
//!
//! Run `cargo run --example log_blobs`, or add `-- --data DIR` to read the logins in
//! `DIR/logs/auth_3days_gtkcyber.log`.

#[path = "log_blobs/logins.rs"]
mod logins;

use std::time::Duration;

use table_examples::{Outcome, data_folder, screen::grouped};
use table_patterns::{blob::ListBlobs, prelude::*};

fn main() -> Outcome {
    pollster::block_on(run())
}

async fn run() -> Outcome {
    let lines = match data_folder("log_blobs")? {
        Some(folder) => logins::read(&folder)?,
        None => logins::made_up()?,
    };
    let tables = Tables::in_memory()?;

    // A crash can lose the lines of up to ten minutes, but fewer than 500 lines.
    let log = tables.log("sshd").every(Duration::from_secs(600)).max_lines(500);
    for line in &lines {
        log.push(line.at, &[line.host.as_str(), &line.program, &line.text]).await?;
    }
    println!("{} lines pushed, {} still wait", grouped(lines.len()), log.unwritten());
    log.flush().await?;

    let (Some(first), Some(last)) = (lines.first(), lines.last()) else { return Err("no lines".into()) };
    println!("from {} to {}", first.at, last.at);
    let container = "logs".parse()?;
    let mut blobs = Vec::new();
    let mut request = ListBlobs::new().prefix("sshd/");
    let service = tables.blobs()?;
    loop {
        let segment = service.list_blobs(&container, request.clone()).await?;
        blobs.extend(segment.items);
        let Some(marker) = segment.next_marker else { break };
        request = request.marker(marker);
    }
    println!(
        "they are {} blobs, a request each; as rows they would be {}",
        grouped(blobs.len()),
        grouped(lines.len())
    );
    for blob in blobs.iter().take(3) {
        println!("  {}", blob.name());
    }

    let middle = lines.get(lines.len() / 2).map_or(first.at, |line| line.at);
    let end = middle.saturating_add(Duration::from_secs(900));
    println!("\na quarter of an hour from {middle}: the hours that can hold it are listed");
    let mut found = tables.log("sshd").between(middle..end).stream();
    let mut count = 0;
    while let Some(line) = found.try_next().await? {
        count += 1;
        if count <= 4 {
            println!("  {}  {}", line.at, line.fields.join(" "));
        }
    }
    println!("  {} lines", grouped(count));
    let expected = lines.iter().filter(|line| middle <= line.at && line.at < end).count();
    assert_eq!(count, expected);

    let all = tables.log("sshd").between(..).all().await?;
    assert!(all.iter().map(|line| line.at).eq(lines.iter().map(|line| line.at)));
    assert!(all.iter().zip(&lines).all(|(read, line)| read.fields.last() == Some(&line.text)));
    println!("\nall {} lines read back as they were pushed, in their order", grouped(all.len()));
    Ok(())
}
