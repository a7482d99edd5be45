//! One connection of a client.

use std::{
    io::{self, BufReader, Write as _},
    net::{Shutdown, TcpStream},
    sync::atomic::Ordering,
    thread,
    time::Duration,
};

use super::{Fault, Proxy, message::Message};

/// Time without a byte after which a connection is closed.
const SILENCE: Duration = Duration::from_secs(120);

/// A connection to the server.
struct Back {
    to: TcpStream,
    from: BufReader<TcpStream>,
}

impl Back {
    fn connect(proxy: &Proxy, service: usize) -> io::Result<Self> {
        let address = proxy.back(service).ok_or(io::ErrorKind::ConnectionRefused)?;
        let to = TcpStream::connect_timeout(&address, Duration::from_secs(2))?;
        to.set_nodelay(true)?;
        to.set_read_timeout(Some(SILENCE))?;
        Ok(Self { from: BufReader::new(to.try_clone()?), to })
    }

    fn exchange(&mut self, request: &Message) -> io::Result<Message> {
        self.to.write_all(&request.bytes)?;
        request.response(&mut self.from)
    }
}

/// Serves a connection until either end or a fault closes it.
pub(super) fn serve(proxy: &Proxy, service: usize, client: &TcpStream) -> io::Result<()> {
    client.set_nodelay(true)?;
    client.set_read_timeout(Some(SILENCE))?;
    let mut from = BufReader::new(client.try_clone()?);
    let mut back: Option<Back> = None;
    let result = loop {
        let request = match Message::request(&mut from) {
            Ok(Some(request)) => request,
            Ok(None) => break Ok(()),
            Err(error) => break Err(error),
        };
        match one(proxy, service, client, &request, &mut back) {
            Ok(true) if !request.is_last => {}
            Ok(_) => break Ok(()),
            Err(error) => break Err(error),
        }
    };
    let _ = client.shutdown(Shutdown::Both);
    result
}

/// Serves a request. Returns whether another request may follow on the connection.
fn one(
    proxy: &Proxy,
    service: usize,
    mut client: &TcpStream,
    request: &Message,
    back: &mut Option<Back>,
) -> io::Result<bool> {
    let fault = proxy.decide();
    match fault {
        Fault::LoseRequest => return Ok(false),
        Fault::Late(after) => {
            let _ = client.shutdown(Shutdown::Both);
            late(proxy, service, request.clone(), after);
            return Ok(false);
        }
        Fault::CutRequest => {
            let mut cut = Back::connect(proxy, service)?;
            cut.to.write_all(&request.bytes[..request.bytes.len() * 2 / 3])?;
            return Ok(false);
        }
        Fault::Delay(time) => thread::sleep(time),
        Fault::None | Fault::LoseAnswer | Fault::Twice | Fault::CutAnswer => {}
    }
    // The server may have closed a kept connection, or may have been replaced: the client sees the same error as
    // without a proxy.
    let mut kept = back.take().map_or_else(|| Back::connect(proxy, service), Ok)?;
    let response = kept.exchange(request)?;
    match fault {
        Fault::LoseAnswer => return Ok(false),
        Fault::CutAnswer => {
            client.write_all(&response.bytes[..response.bytes.len() / 2])?;
            return Ok(false);
        }
        Fault::Twice => {
            if let Ok(mut second) = Back::connect(proxy, service) {
                let _ = second.exchange(request);
            }
        }
        _ => {}
    }
    client.write_all(&response.bytes)?;
    if !response.is_last {
        *back = Some(kept);
    }
    Ok(!response.is_last)
}

/// Delivers a request whose client has disconnected.
fn late(proxy: &Proxy, service: usize, request: Message, after: Duration) {
    proxy.0.late.fetch_add(1, Ordering::AcqRel);
    let proxy = proxy.clone();
    thread::spawn(move || {
        let step = Duration::from_millis(20);
        let mut left = after;
        // After the faults have stopped, no request is late.
        while !left.is_zero() && !proxy.0.is_calm.load(Ordering::Acquire) {
            thread::sleep(left.min(step));
            left = left.saturating_sub(step);
        }
        if let Ok(mut back) = Back::connect(&proxy, service) {
            let _ = back.exchange(&request);
        }
        proxy.0.late.fetch_sub(1, Ordering::AcqRel);
    });
}
