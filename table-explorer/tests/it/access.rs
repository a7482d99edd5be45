//! Access to the explorer: token, session, host and origin.

use std::{
    io::{Read as _, Write as _},
    net::TcpStream,
    time::Duration,
};

use table_explorer::{Explorer, Place};
use table_model::Entity;

use crate::{
    client::{Served, form},
    store,
};

fn explorer() -> Explorer {
    Explorer::new(Place::of_store("company.tables", store([Entity::new("Sales", "1").with("Age", 34)])))
}

const PAGES: [&str; 5] = [
    "/",
    "/t/Employees",
    "/t/Employees/rows?filter=PartitionKey%20eq%20%27Sales%27",
    "/t/Employees/e?pk=Sales&rk=1",
    "/nothing",
];

#[test]
fn a_start_token_opens_one_session() {
    let served = Served::start(explorer());
    let again = served.send("GET", &format!("/?token={}", served.token), &[], "");
    assert_eq!((again.status, again.header("set-cookie")), (403, None));
    served.get("/t/Employees").is(200);
    served.send("GET", "/?token=x", &[served.cookie()], "").is(403);
}

#[test]
fn a_session_makes_a_link_for_another_browser() {
    let served = Served::start(explorer());
    served.send("POST", "/link", &[("origin", &format!("http://{}", served.address))], "").is(403);
    let page = served.submit(&served.get("/link"), "/link", |_| ());
    let (_, link) = page.is(200).text.split_once("http://").unwrap();
    let link = link.split('<').next().unwrap().strip_prefix(&served.address.to_string()).unwrap().to_owned();
    let start = served.send("GET", &link, &[], "");
    let cookie = start.is(303).header("set-cookie").unwrap().split(';').next().unwrap().to_owned();
    served
        .send("GET", &link, &[], "")
        .is(403)
        .has("&quot;Another browser&quot;, in a browser that has a session");
    for cookie in [served.cookie(), ("cookie", &cookie)] {
        served.send("GET", "/t/Employees", &[cookie], "").is(200).has("Sales");
    }
}

#[test]
fn the_cookie_is_kept_from_scripts_and_other_sites() {
    let served = Served::without_session(explorer());
    let path = format!("/t/Employees/rows?columns=Age&token={}", served.token);
    let reply = served.get(&path);
    assert_eq!(
        reply.header("location"),
        Some("/t/Employees/rows?columns=Age"),
        "the token stays in no address"
    );
    let cookie = reply.header("set-cookie").unwrap();
    assert!(cookie.ends_with("; HttpOnly; SameSite=Strict; Path=/"), "{cookie}");
    assert!(cookie.starts_with(&format!("tables-explorer-{}=", served.address.port())), "{cookie}");
}

#[test]
fn nothing_is_read_without_a_session() {
    let served = Served::start(explorer());
    for path in PAGES {
        served.send("GET", path, &[], "").is(403).lacks("Sales").lacks("Employees");
        served.send("GET", path, &[("cookie", "tables-explorer=x")], "").is(403).lacks("Sales");
    }
    served.send("POST", "/t/Employees/e/save", &[], "").is(403);
}

#[test]
fn other_hosts_are_rejected() {
    let served = Served::start(explorer());
    let port = served.address.port();
    for host in ["evil.example".to_owned(), format!("evil.example:{port}"), format!("127.0.0.1:{}", port ^ 1)]
    {
        let reply = served.send("GET", "/t/Employees", &[served.cookie(), ("host", &host)], "");
        reply.is(421).lacks("Sales");
    }
    for (path, status) in
        [("http://evil.example/t/Employees", 421), (&*format!("http://{}/", served.address), 200)]
    {
        served.send("GET", path, &[served.cookie()], "").is(status);
    }
    for header in
        [("host", &*served.address.to_string()), ("sec-fetch-site", "none"), ("sec-fetch-dest", "document")]
    {
        served.send("GET", "/", &[served.cookie(), header], "").is(200);
        served.send("GET", "/", &[served.cookie(), header, header], "").is(400);
    }
    let local = format!("localhost:{port}");
    served.send("GET", "/t/Employees", &[served.cookie(), ("host", &local)], "").is(200).has("Sales");
}

#[test]
fn other_origins_read_nothing_and_may_link() {
    let served = Served::start(explorer());
    let path = "/t/Employees?after=A";
    let page = ("sec-fetch-dest", "document");
    for site in ["cross-site", "same-site"] {
        let site = ("sec-fetch-site", site);
        served.send("GET", path, &[served.cookie(), site], "").is(403).lacks("Sales");
        let link = served.send("GET", path, &[served.cookie(), site, page], "");
        link.is(200).has("href=\"/t/Employees?after=A\"").lacks("Sales");
    }
    let own = ("sec-fetch-site", "same-origin");
    served.send("GET", path, &[served.cookie(), own, page], "").is(200).has("Sales");
    let foreign = ("origin", "http://127.0.0.1:1");
    served.send("GET", path, &[served.cookie(), foreign], "").is(403).lacks("Sales");
}

#[test]
fn a_path_is_no_other_host() {
    let served = Served::start(explorer());
    for path in ["//evil.example/", "/\\evil.example/"] {
        let headers = [served.cookie(), ("sec-fetch-site", "cross-site"), ("sec-fetch-dest", "document")];
        served.send("GET", path, &headers, "").is(404).lacks("evil.example");
    }
}

#[test]
fn every_reply_has_the_headers() {
    let served = Served::start(explorer());
    let style =
        served.get("/").text.split("href=\"/assets/").nth(1).unwrap().split('"').next().unwrap().to_owned();
    let style = format!("/assets/{style}");
    let paths = PAGES.into_iter().chain([style.as_str(), "/favicon.ico", "/?token=x"]);
    for path in paths {
        let reply = served.get(path);
        let policy = reply.header("content-security-policy").unwrap();
        assert!(
            policy.starts_with("default-src 'none'; script-src 'self'; style-src 'self'"),
            "{path}: {policy}"
        );
        for (name, value) in [
            ("x-content-type-options", "nosniff"),
            ("referrer-policy", "same-origin"),
            ("cross-origin-resource-policy", "same-origin"),
            ("cross-origin-opener-policy", "same-origin"),
        ] {
            assert_eq!(reply.header(name), Some(value), "{path}");
        }
        assert_eq!(reply.header("access-control-allow-origin"), None);
        let is_asset = path.starts_with("/assets/");
        assert_eq!(reply.header("cache-control").unwrap().contains("immutable"), is_asset, "{path}");
        assert_eq!(reply.header("cache-control") == Some("no-store"), !is_asset, "{path}");
        reply.lacks(" style=\"").lacks("<style").lacks("javascript:").lacks("<script>");
    }
    served
        .send("PUT", "/", &[served.cookie(), ("origin", &format!("http://{}", served.address))], "")
        .is(405);
}

#[test]
fn a_form_requires_origin_and_token() {
    let served = Served::start(explorer().writable(true));
    let (token, own) = (served.form_token(), format!("http://{}", served.address));
    assert_eq!(token.len(), 43);
    let (own, body) = (("origin", own.as_str()), form(&[("form-token", &token)]));
    let status = |headers: &[(&str, &str)], body: &str| served.send("POST", "/nothing", headers, body).status;
    assert_eq!(status(&[served.cookie(), own], &body), 404, "it passes the checks");
    assert_eq!(status(&[served.cookie(), own, ("x-form-token", &token)], ""), 404);
    assert_eq!(status(&[served.cookie(), own], ""), 403);
    assert_eq!(status(&[served.cookie(), own], "form-token=x"), 403);
    assert_eq!(status(&[served.cookie()], &body), 403);
    assert_eq!(status(&[own], &body), 403);
    for origin in [
        "null",
        "http://evil.example",
        "http://127.0.0.1:1",
        &format!("http://localhost:{}", served.address.port()),
    ] {
        assert_eq!(status(&[served.cookie(), ("origin", origin)], &body), 403, "{origin}");
    }
}

/// Sends the start of a form, and returns the status. The rest never follows.
fn status_of_start(served: &Served, headers: &str, start: &str) -> String {
    let mut socket = TcpStream::connect(served.address).unwrap();
    socket.set_read_timeout(Some(Duration::from_secs(20))).unwrap();
    let (address, cookie) = (served.address, served.cookie().1);
    let head = format!(
        "POST /import HTTP/1.1\r\nhost: {address}\r\norigin: http://{address}\r\ncookie: {cookie}\r\n"
    );
    write!(socket, "{head}{headers}content-length: 5000000\r\n\r\n{start}").unwrap();
    let mut status = [0; 12];
    socket.read_exact(&mut status).unwrap();
    String::from_utf8(status.to_vec()).unwrap()
}

#[test]
fn a_form_without_its_token_is_refused_before_its_end() {
    let served = Served::start(explorer().writable(true));
    let filling = format!("table={}", "x".repeat(20_000));
    for start in [filling.clone(), format!("form-token=x&{filling}"), format!("form-token&{filling}")] {
        assert_eq!(status_of_start(&served, "", &start), "HTTP/1.1 403");
    }
    assert_eq!(status_of_start(&served, "x-form-token: x\r\n", ""), "HTTP/1.1 403");
    let reading = Served::start(explorer());
    assert_eq!(status_of_start(&reading, "", &filling), "HTTP/1.1 403");
}
