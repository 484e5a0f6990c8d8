//! Does the client stand up to HTTP servers of both eras, good and bad ones, over real sockets?

use std::sync::{Arc, Mutex};
use std::time::Duration;

use lab_client::{
    Client, ClientError, Direction, Era, EraChoice, HttpTransport, Options, Traced, Warning,
};
use lab_protocol::Object;
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpListener;

/// One request as the server saw it: its headers, in lower case, and its body.
#[derive(Clone, Debug)]
struct Seen {
    head: String,
    body: Value,
}

impl Seen {
    fn header(&self, name: &str) -> Option<&str> {
        self.head.lines().find_map(|line| {
            let (key, value) = line.split_once(':')?;
            (key.eq_ignore_ascii_case(name)).then_some(value.trim())
        })
    }

    fn method(&self) -> &str {
        self.body["method"].as_str().unwrap_or_default()
    }

    fn result(&self, result: &Value) -> Reply {
        let body = json!({ "jsonrpc": "2.0", "id": self.body["id"], "result": result });
        Reply::new(200, "application/json", &body.to_string())
    }

    fn error(&self, status: u16, code: i64) -> Reply {
        let error =
            json!({ "code": code, "message": "no", "data": { "supported": ["2027-01-01"] } });
        let body = json!({ "jsonrpc": "2.0", "id": self.body["id"], "error": error });
        Reply::new(status, "application/json", &body.to_string())
    }

    fn discovered(&self) -> Reply {
        self.result(&json!({
            "resultType": "complete", "supportedVersions": ["2026-07-28"],
            "capabilities": { "tools": {} }, "ttlMs": 0, "cacheScope": "private",
        }))
    }

    fn initialized(&self, revision: &str, session: &str) -> Reply {
        let mut reply = self.result(&json!({
            "protocolVersion": revision, "capabilities": {}, "serverInfo": { "name": "old", "version": "1" },
        }));
        reply.headers = format!("mcp-session-id: {session}\r\n");
        reply
    }
}

struct Reply {
    status: u16,
    content_type: &'static str,
    headers: String,
    body: String,
}

impl Reply {
    fn new(status: u16, content_type: &'static str, body: &str) -> Self {
        Self {
            status,
            content_type,
            headers: String::new(),
            body: body.to_owned(),
        }
    }
}

type Log = Arc<Mutex<Vec<Seen>>>;

/// A server that answers each request by a function; its URL and what it saw.
async fn serve(answer: impl Fn(&Seen) -> Reply + Send + Sync + 'static) -> (String, Log) {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let url = format!("http://{}/mcp", listener.local_addr().expect("an address"));
    let log = Log::default();
    let (kept, answer) = (Arc::clone(&log), Arc::new(answer));
    tokio::spawn(async move {
        while let Ok((mut socket, _)) = listener.accept().await {
            let (kept, answer) = (Arc::clone(&kept), Arc::clone(&answer));
            tokio::spawn(async move {
                let mut bytes = Vec::new();
                let seen = loop {
                    let mut buffer = [0; 4096];
                    let count = socket.read(&mut buffer).await.unwrap_or(0);
                    bytes.extend_from_slice(&buffer[..count]);
                    if let Some(seen) = whole(&bytes) {
                        break seen;
                    }
                    if count == 0 {
                        return;
                    }
                };
                kept.lock().expect("no panic").push(seen.clone());
                let reply = answer(&seen);
                let text = format!(
                    "HTTP/1.1 {} X\r\ncontent-type: {}\r\ncontent-length: {}\r\nconnection: close\r\n{}\r\n{}",
                    reply.status,
                    reply.content_type,
                    reply.body.len(),
                    reply.headers,
                    reply.body
                );
                let _ = socket.write_all(text.as_bytes()).await;
            });
        }
    });
    (url, log)
}

fn whole(bytes: &[u8]) -> Option<Seen> {
    let text = String::from_utf8_lossy(bytes);
    let (head, body) = text.split_once("\r\n\r\n")?;
    let seen = Seen {
        head: head.to_owned(),
        body: serde_json::from_str(body).unwrap_or_default(),
    };
    let length: usize = seen
        .header("content-length")
        .map_or(0, |value| value.parse().unwrap_or(0));
    (body.len() >= length).then_some(seen)
}

async fn connect(url: &str, options: Options) -> Result<Client<HttpTransport>, ClientError> {
    Client::connect(HttpTransport::new(url).expect("a URL"), options).await
}

fn options() -> Options {
    Options {
        timeout: Duration::from_secs(5),
        ..Options::default()
    }
}

fn methods(log: &Log) -> Vec<String> {
    let log = log.lock().expect("no panic");
    log.iter().map(|seen| seen.method().to_owned()).collect()
}

#[tokio::test]
async fn a_refusal_without_a_modern_error_leads_to_initialize() {
    for refusal in [
        ("text/plain", ""),
        ("text/html", "<h1>Bad Request</h1>"),
        (
            "application/json",
            r#"{"jsonrpc":"2.0","id":null,"error":{"code":-32000,"message":"Bad Request: no session"}}"#,
        ),
    ] {
        let (url, log) = serve(move |seen| match seen.method() {
            "initialize" => seen.initialized("2025-06-18", "s-1"),
            "tools/list" => seen.result(&json!({ "tools": [] })),
            "notifications/initialized" => Reply::new(202, "text/plain", ""),
            _ => Reply::new(400, refusal.0, refusal.1),
        })
        .await;
        let client = connect(&url, options()).await.expect("a connection");
        assert_eq!(client.revision().as_str(), "2025-06-18");
        client.list_tools().await.expect("a list");
        client.close().await;
        let log = log.lock().expect("no panic");
        let order: Vec<_> = log.iter().map(Seen::method).collect();
        assert_eq!(
            order,
            [
                "server/discover",
                "initialize",
                "notifications/initialized",
                "tools/list",
                ""
            ]
        );
        assert_eq!(log[1].header("mcp-protocol-version"), None);
        assert_eq!(log[3].header("mcp-protocol-version"), Some("2025-06-18"));
        assert_eq!(log[3].header("mcp-session-id"), Some("s-1"));
        assert!(log[4].head.starts_with("DELETE"), "the session is ended");
    }
}

#[tokio::test]
async fn a_modern_refusal_never_leads_to_initialize() {
    for code in [-32020, -32021, -32022] {
        let (url, log) = serve(move |seen| seen.error(400, code)).await;
        connect(&url, options()).await.expect_err("a refusal");
        assert!(!methods(&log).contains(&"initialize".to_owned()), "{code}");
    }
}

#[tokio::test]
async fn a_revision_that_is_not_spoken_is_named() {
    let (url, _) = serve(|seen| seen.error(400, -32022)).await;
    let words = connect(&url, options())
        .await
        .expect_err("no revision")
        .to_string();
    assert!(
        words.contains("2027-01-01") && words.contains("2026-07-28"),
        "{words}"
    );
    let (url, _) = serve(|seen| seen.initialized("2024-11-05", "s")).await;
    let session = Options {
        era: EraChoice::Session,
        ..options()
    };
    let words = connect(&url, session)
        .await
        .expect_err("no revision")
        .to_string();
    assert!(words.contains("2024-11-05"), "{words}");
}

#[tokio::test]
async fn a_session_that_is_gone_is_opened_again_once() {
    let (url, log) = serve(
        |seen| match (seen.method(), seen.header("mcp-session-id")) {
            ("initialize", _) => seen.initialized("2025-11-25", "s-2"),
            ("notifications/initialized", _) => Reply::new(202, "text/plain", ""),
            (_, Some("s-2")) if seen.body["id"] == json!(4) => seen.result(&json!({ "tools": [] })),
            _ => Reply::new(404, "text/plain", "gone"),
        },
    )
    .await;
    let session = Options {
        era: EraChoice::Session,
        ..options()
    };
    let client = connect(&url, session).await.expect("a connection");
    client
        .list_tools()
        .await
        .expect("a list, at the second try");
    let initializes = methods(&log)
        .iter()
        .filter(|method| *method == "initialize")
        .count();
    assert_eq!(initializes, 2);
    let again = client.list_tools().await;
    assert!(again.is_err(), "and not for ever");
}

#[tokio::test]
async fn an_event_stream_answers_like_json_and_its_notifications_are_heard() {
    let (url, _) = serve(|seen| {
        if seen.method() == "server/discover" {
            return seen.discovered();
        }
        let answer = seen.result(&json!({ "resultType": "complete", "content": [] })).body;
        let events = format!(
            ": hello\r\n\r\ndata: {{\"jsonrpc\":\"2.0\",\"method\":\"notifications/progress\",\"params\":{{}}}}\r\n\r\ndata: {answer}\r\n\r\n"
        );
        Reply::new(200, "text/event-stream", &events)
    })
    .await;
    let heard = Arc::new(Mutex::new(Vec::new()));
    let sink = Arc::clone(&heard);
    let client = connect(
        &url,
        Options {
            on_notification: Some(Arc::new(move |notification| {
                sink.lock()
                    .expect("no panic")
                    .push(notification.method.clone());
            })),
            ..options()
        },
    )
    .await
    .expect("a connection");
    client
        .call_tool("t", Object::new())
        .await
        .expect("a result");
    assert_eq!(*heard.lock().expect("no panic"), ["notifications/progress"]);
}

#[tokio::test]
async fn marked_arguments_go_into_headers_and_broken_tools_are_left_out() {
    let (url, log) = serve(|seen| match seen.method() {
        "server/discover" => seen.discovered(),
        "tools/list" => seen.result(&json!({ "resultType": "complete", "ttlMs": 0, "cacheScope": "private", "tools": [
            { "name": "good", "inputSchema": { "type": "object", "properties": { "region": { "type": "string", "x-mcp-header": "Region" } } } },
            { "name": "bad", "inputSchema": { "type": "object", "properties": { "size": { "type": "number", "x-mcp-header": "Size" } } } },
        ]})),
        // Whoever calls without having read the list is sent to read it.
        _ if seen.header("mcp-param-region").is_none() => seen.error(400, -32020),
        _ => seen.result(&json!({ "resultType": "complete", "content": [] })),
    })
    .await;
    let warnings = Arc::new(Mutex::new(Vec::new()));
    let sink = Arc::clone(&warnings);
    let options = Options {
        reporter: Some(Arc::new(move |warning: &Warning| {
            sink.lock().expect("no panic").push(warning.to_string());
        })),
        ..options()
    };
    let client = connect(&url, options).await.expect("a connection");
    let arguments = Object::from_iter([("region".to_owned(), "上海".into())]);
    client
        .call_tool("good", arguments)
        .await
        .expect("a result, at the second try");
    let tools = client.list_tools().await.expect("a list");
    assert_eq!(tools.len(), 1);
    let warnings = warnings.lock().expect("no panic");
    assert!(warnings[0].contains("bad"), "{warnings:?}");
    let log = log.lock().expect("no panic");
    let call = log
        .iter()
        .rfind(|seen| seen.method() == "tools/call")
        .expect("a call");
    assert_eq!(call.header("mcp-param-region"), Some("=?base64?5LiK5rW3?="));
    assert_eq!(call.header("mcp-name"), Some("good"));
    assert_eq!(call.header("mcp-method"), Some("tools/call"));
    assert_eq!(
        call.header("accept"),
        Some("application/json, text/event-stream")
    );
}

#[tokio::test]
async fn a_server_that_is_not_there_is_named_with_what_to_do() {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let url = format!("http://{}/mcp", listener.local_addr().expect("an address"));
    drop(listener);
    let words = connect(&url, options())
        .await
        .expect_err("nobody")
        .to_string();
    assert!(words.contains(&url) && words.contains("refused"), "{words}");
}

#[tokio::test]
async fn an_answer_without_end_is_given_up() {
    let (url, _) = serve(|seen| match seen.method() {
        "server/discover" => seen.discovered(),
        _ => Reply::new(200, "application/json", &"x".repeat(17 * 1024 * 1024)),
    })
    .await;
    let client = connect(&url, options()).await.expect("a connection");
    let words = client
        .list_tools()
        .await
        .expect_err("too large")
        .to_string();
    assert!(words.contains("larger than"), "{words}");
}

#[tokio::test]
async fn the_observer_sees_texts_with_their_headers_and_raw_texts_too() {
    let (url, _) = serve(|seen| match seen.method() {
        "server/discover" => seen.discovered(),
        _ => Reply::new(
            400,
            "application/json",
            r#"{"jsonrpc":"2.0","error":{"code":-32700,"message":"Parse error"}}"#,
        ),
    })
    .await;
    let seen = Arc::new(Mutex::new(Vec::new()));
    let sink = Arc::clone(&seen);
    let options = Options {
        observer: Some(Arc::new(move |traced: &Traced<'_>| {
            let seen = (
                traced.direction,
                traced.raw.to_owned(),
                traced.http.join("\n"),
            );
            sink.lock().expect("no panic").push(seen);
        })),
        ..options()
    };
    let client = connect(&url, options).await.expect("a connection");
    assert_eq!(client.era(), Era::Stateless);
    client.send_raw("{ broken").await.expect("it was sent");
    let seen = seen.lock().expect("no panic");
    assert!(
        seen[0].2.starts_with("POST /mcp HTTP/1.1\n"),
        "{}",
        seen[0].2
    );
    assert!(
        seen[1].2.contains("content-type: application/json"),
        "{}",
        seen[1].2
    );
    assert_eq!(seen[2].1, "{ broken");
    let (direction, raw, http) = &seen[3];
    assert_eq!(*direction, Direction::ToClient);
    assert!(
        raw.contains("-32700") && http.contains("400"),
        "{raw} {http}"
    );
}
