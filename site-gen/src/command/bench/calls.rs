//! How near does a validated `tools/call` over HTTP come to a handler that does nothing but parse and answer?
//!
//! Our server and the bare one are processes of their own with the same runtime; sixteen connections that stay open send
//! one request after another. Both answer the same bytes to the same bytes.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{Ipv4Addr, SocketAddr};
use std::process::{Command, ExitCode, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::Router;
use axum::body::Bytes;
use axum::http::StatusCode;
use axum::http::header::CONTENT_TYPE;
use axum::response::IntoResponse;
use axum::routing::post;
use axum::serve::ListenerExt;
use lab_protocol::meta;
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

use super::figure::{Figure, Reach, Unit};
use super::median;
use crate::children::{Children, Running, this_program};

/// How many connections send at once.
const CONNECTIONS: usize = 16;
/// How often each server has its turn.
const TURNS: usize = 9;
/// How long a turn is.
const TURN: Duration = Duration::from_secs(1);

/// Measures turn by turn.
///
/// # Errors
/// When a server does not start or answers anything but what it should.
pub fn measure(children: &Children) -> Result<Figure, String> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .map_err(|error| format!("the load cannot be made: {error}"))?;
    let ours = Server::start(
        children,
        &[
            "lab-server",
            "http",
            "--addr",
            "127.0.0.1:0",
            "--set",
            "shop",
        ],
        None,
    )?;
    let request: Arc<[u8]> = request(ours.address).into();
    let answer = first_answer(ours.address, &request)?;
    let body = body_of(&answer)?;
    let bare = Server::start(children, &["bench-peer"], Some(body))?;
    let bare_answer = first_answer(bare.address, &request)?;
    if body_of(&bare_answer)? != body {
        return Err("the bare server does not answer the same bytes".to_owned());
    }

    let turn = |server: &Server, answer: &[u8], length: Duration| {
        if children.interrupted() {
            return Err("interrupted".to_owned());
        }
        runtime.block_on(load(server.address, &request, answer, length))
    };
    turn(&ours, &answer, TURN / 2)?;
    turn(&bare, &bare_answer, TURN / 2)?;
    let (mut all_ours, mut all_bare, mut ratios) = (Vec::new(), Vec::new(), Vec::new());
    for number in 0..TURNS {
        let (mine, theirs) = if number % 2 == 0 {
            let mine = turn(&ours, &answer, TURN)?;
            (mine, turn(&bare, &bare_answer, TURN)?)
        } else {
            let theirs = turn(&bare, &bare_answer, TURN)?;
            (turn(&ours, &answer, TURN)?, theirs)
        };
        all_ours.push(mine);
        all_bare.push(theirs);
        ratios.push(mine / theirs);
    }
    Ok(Figure {
        id: "tools_call_ratio",
        what: "tools/call, validated, against a bare handler",
        unit: Unit::Ratio,
        reach: Reach::AtLeast,
        limit: 0.7,
        measured: median(ratios),
        detail: vec![
            ("ours (1/s)", median(all_ours)),
            ("bare (1/s)", median(all_bare)),
        ],
    })
}

/// The bare handler: reads the answer that it is to give from stdin, says on stderr where it listens, and serves.
pub fn peer() -> ExitCode {
    let serve = || {
        let mut answer = Vec::new();
        std::io::stdin().read_to_end(&mut answer)?;
        let answer = Bytes::from(answer);
        let runtime = tokio::runtime::Runtime::new()?;
        runtime.block_on(async {
            let handler = move |body: Bytes| async move {
                match serde_json::from_slice::<Value>(&body) {
                    Ok(_) => ([(CONTENT_TYPE, "application/json")], answer).into_response(),
                    Err(_) => StatusCode::BAD_REQUEST.into_response(),
                }
            };
            let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await?;
            eprintln!("listening on http://{}/mcp", listener.local_addr()?);
            let listener = listener.tap_io(|connection| {
                let _ = connection.set_nodelay(true);
            });
            axum::serve(listener, Router::new().route("/mcp", post(handler))).await
        })
    };
    match serve() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("the bare server: {error}");
            ExitCode::FAILURE
        }
    }
}

/// A server in a process of its own; it ends when this is dropped.
struct Server {
    address: SocketAddr,
    _running: Running,
}

impl Server {
    /// Starts this program with `arguments`; it says on stderr where it listens.
    fn start(
        children: &Children,
        arguments: &[&str],
        stdin: Option<&[u8]>,
    ) -> Result<Self, String> {
        let failed = |error: std::io::Error| format!("{} cannot be started: {error}", arguments[0]);
        let program = this_program().map_err(failed)?;
        let mut running = children
            .start(
                Command::new(program)
                    .args(arguments)
                    .stdin(Stdio::piped())
                    .stdout(Stdio::null())
                    .stderr(Stdio::piped()),
            )
            .map_err(failed)?;
        let pipes = (running.child.stdin.take(), running.child.stderr.take());
        let (Some(mut input), Some(output)) = pipes else {
            return Err(format!("{} has no pipes", arguments[0]));
        };
        input.write_all(stdin.unwrap_or_default()).map_err(failed)?;
        drop(input);
        let mut lines = BufReader::new(output).lines().map_while(Result::ok);
        let address = lines.find_map(|line| {
            let rest = line.split_once("http://")?.1;
            rest.split('/').next()?.parse().ok()
        });
        // Whatever it says later is read, so that it never waits for us.
        std::thread::spawn(move || lines.for_each(drop));
        match address {
            Some(address) => Ok(Self {
                address,
                _running: running,
            }),
            None => Err(format!("{} ended before it listened", arguments[0])),
        }
    }
}

/// One `tools/call` of 2026-07-28 with the headers that belong to it, as bytes.
fn request(address: SocketAddr) -> Vec<u8> {
    let body = json!({
        "jsonrpc": "2.0",
        "id": 7,
        "method": "tools/call",
        "params": {
            "name": "query_order",
            "arguments": { "order_id": "SO20260901" },
            "_meta": {
                (meta::PROTOCOL_VERSION): "2026-07-28",
                (meta::CLIENT_INFO): { "name": "bench", "version": "1.0.0" },
                (meta::CLIENT_CAPABILITIES): {},
            },
        },
    })
    .to_string();
    format!(
        "POST /mcp HTTP/1.1\r\nHost: {address}\r\nContent-Type: application/json\r\n\
         Accept: application/json, text/event-stream\r\nMCP-Protocol-Version: 2026-07-28\r\n\
         Mcp-Method: tools/call\r\nMcp-Name: query_order\r\nContent-Length: {}\r\n\r\n{body}",
        body.len()
    )
    .into_bytes()
}

/// The whole first answer, which all later ones must equal but for its date.
fn first_answer(address: SocketAddr, request: &[u8]) -> Result<Vec<u8>, String> {
    let failed = |error: std::io::Error| format!("{address}: {error}");
    let mut connection = std::net::TcpStream::connect(address).map_err(failed)?;
    connection
        .set_read_timeout(Some(Duration::from_secs(5)))
        .map_err(failed)?;
    connection.write_all(request).map_err(failed)?;
    let mut answer = Vec::new();
    let mut part = [0; 4096];
    loop {
        let count = connection.read(&mut part).map_err(failed)?;
        answer.extend_from_slice(&part[..count]);
        let whole = length(&answer);
        if count == 0 || whole.is_some_and(|whole| answer.len() >= whole) {
            break;
        }
    }
    let text = String::from_utf8_lossy(&answer);
    if text.starts_with("HTTP/1.1 200") && !text.contains("\"error\"") {
        Ok(answer)
    } else {
        Err(format!("{address} answered: {text}"))
    }
}

/// How long an answer is, once its head is there.
fn length(answer: &[u8]) -> Option<usize> {
    let head = head(answer)?;
    let text = std::str::from_utf8(&answer[..head]).ok()?;
    let body = text.lines().find_map(|line| {
        let (name, value) = line.split_once(':')?;
        name.eq_ignore_ascii_case("content-length")
            .then(|| value.trim().parse::<usize>().ok())?
    })?;
    Some(head + body)
}

/// Where the head ends.
fn head(answer: &[u8]) -> Option<usize> {
    answer
        .windows(4)
        .position(|bytes| bytes == b"\r\n\r\n")
        .map(|at| at + 4)
}

fn body_of(answer: &[u8]) -> Result<&[u8], String> {
    head(answer)
        .map(|at| &answer[at..])
        .ok_or_else(|| "an answer without a head".to_owned())
}

/// Sends from every connection for a while; gives the answers a second.
#[expect(clippy::cast_precision_loss, reason = "a few hundred thousand answers")]
async fn load(
    address: SocketAddr,
    request: &Arc<[u8]>,
    answer: &[u8],
    length: Duration,
) -> Result<f64, String> {
    let start = Instant::now();
    let end = start + length;
    let body = head(answer).unwrap_or_default();
    let expected: Arc<[u8]> = answer.into();
    let mut tasks = tokio::task::JoinSet::new();
    for _ in 0..CONNECTIONS {
        let (request, expected) = (Arc::clone(request), Arc::clone(&expected));
        tasks.spawn(async move {
            let mut connection = TcpStream::connect(address).await?;
            connection.set_nodelay(true)?;
            let mut part = vec![0; expected.len()];
            let mut count = 0_u64;
            while Instant::now() < end {
                connection.write_all(&request).await?;
                connection.read_exact(&mut part).await?;
                if part[..12] != expected[..12] || part[body..] != expected[body..] {
                    return Err(std::io::Error::other("another answer than the first"));
                }
                count += 1;
            }
            Ok(count)
        });
    }
    let mut sum = 0;
    while let Some(task) = tasks.join_next().await {
        sum += task
            .map_err(|error| error.to_string())?
            .map_err(|error| format!("{address}: {error}"))?;
    }
    Ok(sum as f64 / start.elapsed().as_secs_f64())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_length_of_an_answer_is_known_once_its_head_is_there() {
        assert_eq!(length(b"HTTP/1.1 200 OK\r\ncontent-le"), None);
        let whole = b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}";
        assert_eq!(length(whole), Some(whole.len()));
        assert_eq!(body_of(whole), Ok(&b"{}"[..]));
    }

    #[test]
    fn the_request_carries_what_its_revision_demands() {
        let text = String::from_utf8(request(([127, 0, 0, 1], 9).into())).expect("text");
        let (head, body) = text.split_once("\r\n\r\n").expect("a head");
        assert!(head.contains("Mcp-Name: query_order"));
        assert!(head.contains(&format!("Content-Length: {}", body.len())));
        let body: Value = serde_json::from_str(body).expect("JSON");
        assert_eq!(
            body["params"]["_meta"][meta::PROTOCOL_VERSION],
            "2026-07-28"
        );
    }
}
