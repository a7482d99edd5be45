//! Limits of connections, requests and pages.

use std::{
    io::Write as _,
    net::TcpStream,
    time::{Duration, Instant},
};

use table_model::Entity;

use crate::{client::Served, store};

#[test]
fn idle_connections_and_slow_heads_block_nobody() {
    let served = Served::writable(&store([]));
    let sockets: Vec<TcpStream> = (0..40)
        .map(|at| {
            let mut socket = TcpStream::connect(served.address).unwrap();
            let head = if at % 2 == 0 { "" } else { "GET / HTTP/1.1\r\nhost:" };
            socket.write_all(head.as_bytes()).unwrap();
            socket
        })
        .collect();
    let start = Instant::now();
    served.get("/").is(200);
    assert!(start.elapsed() < Duration::from_secs(10), "{:?}", start.elapsed());
    drop(sockets);
}

#[test]
fn forms_have_a_limit_of_size_and_fields() {
    let served = Served::writable(&store([Entity::new("Sales", "1")]));
    let save = "/t/Employees/e/save";
    served.post(save, &[("text", &"x".repeat(2 << 20))]).is(413).has("at most 2097152 bytes");
    let field = [("name", "a"), ("kind", ""), ("text", ""), ("was", "")];
    served.post(save, &field.repeat(10_000)).is(413).has("at most 1000 fields");
    let origin = format!("http://{}", served.address);
    let headers = [served.cookie(), ("origin", &origin), ("content-type", "multipart/form-data; boundary=X")];
    let part = "--X\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\nv\r\n";
    let start = Instant::now();
    let body = format!("{}--X--\r\n", part.repeat(20_000));
    served.send("POST", "/import", &headers, &body).is(413).has("at most 1000 fields");
    assert!(start.elapsed() < Duration::from_secs(5), "{:?}", start.elapsed());
}
