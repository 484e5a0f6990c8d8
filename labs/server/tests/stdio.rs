//! What does the stdio door do with good and with bad lines, as a real process?

use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

/// The shop as a child process. It is killed when a test fails before its end.
struct Shop {
    child: Child,
    stdin: Option<ChildStdin>,
    stdout: Option<BufReader<ChildStdout>>,
}

impl Drop for Shop {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Shop {
    fn start() -> Self {
        let mut child = Command::new(env!("CARGO_BIN_EXE_lab-server"))
            .args(["stdio", "--set", "shop"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the server starts");
        Self {
            stdin: child.stdin.take(),
            stdout: child.stdout.take().map(BufReader::new),
            child,
        }
    }

    fn write(&mut self, bytes: &[u8]) {
        let stdin = self.stdin.as_mut().expect("stdin is open");
        stdin.write_all(bytes).expect("the server reads");
    }

    fn read(&mut self) -> Value {
        let mut line = String::new();
        let stdout = self.stdout.as_mut().expect("stdout is open");
        stdout.read_line(&mut line).expect("a line");
        serde_json::from_str(&line).unwrap_or_else(|error| panic!("{error}: {line:?}"))
    }

    fn ask(&mut self, line: &str) -> Value {
        self.write(line.as_bytes());
        self.write(b"\n");
        self.read()
    }

    fn still_works(&mut self) -> bool {
        self.ask(r#"{"jsonrpc":"2.0","id":99,"method":"ping"}"#)
            == json!({ "jsonrpc": "2.0", "id": 99, "result": {} })
    }

    /// Waits for the end and gives back the exit code.
    fn end_within(&mut self, limit: Duration) -> Option<i32> {
        let start = Instant::now();
        while start.elapsed() < limit {
            if let Some(status) = self.child.try_wait().expect("a status") {
                return Some(status.code().expect("an exit code"));
            }
            std::thread::sleep(Duration::from_millis(10));
        }
        None
    }
}

fn request(id: i64, method: &str, params: &Value) -> String {
    json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params }).to_string()
}

fn initialize() -> String {
    let params = json!({
        "protocolVersion": "2025-11-25",
        "capabilities": {},
        "clientInfo": { "name": "test", "version": "1" }
    });
    request(1, "initialize", &params)
}

fn discover() -> String {
    let meta = json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": {}
    });
    request(2, "server/discover", &json!({ "_meta": meta }))
}

#[test]
fn a_session_goes_from_initialize_to_the_end_of_stdin() {
    let mut shop = Shop::start();
    let answer = shop.ask(&initialize());
    assert_eq!(answer["result"]["protocolVersion"], "2025-11-25");
    assert_eq!(answer["result"]["serverInfo"]["name"], "shop");
    shop.write(b"{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}\n");
    let call = json!({ "name": "track_shipment", "arguments": { "order_id": "SO20260901" } });
    let answer = shop.ask(&request(2, "tools/call", &call));
    assert_eq!(
        answer["result"]["structuredContent"]["carrier"],
        "SF Express"
    );
    shop.stdin = None;
    assert_eq!(shop.end_within(Duration::from_secs(1)), Some(0));
    let mut rest = String::new();
    let stdout = shop.stdout.as_mut().expect("stdout is open");
    stdout.read_to_string(&mut rest).expect("the rest");
    assert_eq!(rest, "", "the notification was not answered");
}

#[test]
fn discovery_works_before_and_after_initialize() {
    let mut shop = Shop::start();
    assert_eq!(
        shop.ask(&discover())["result"]["supportedVersions"],
        json!(["2026-07-28"])
    );
    assert!(shop.ask(&initialize())["result"].is_object());
    assert_eq!(shop.ask(&discover())["result"]["resultType"], "complete");
}

#[test]
fn nothing_but_ping_goes_before_initialize_in_the_session_era() {
    let mut shop = Shop::start();
    assert!(shop.still_works());
    let answer = shop.ask(&request(3, "tools/list", &json!({})));
    assert_eq!(
        (&answer["id"], &answer["error"]["code"]),
        (&json!(3), &json!(-32600))
    );
    let words = answer["error"]["message"].as_str().expect("words");
    assert!(words.contains("initialize"), "{words}");
    assert!(shop.ask(&initialize())["result"].is_object());
    assert_eq!(shop.ask(&initialize())["error"]["code"], -32600);
    assert!(shop.ask(&request(4, "tools/list", &json!({})))["result"]["tools"].is_array());
}

#[test]
fn bad_lines_are_answered_and_the_connection_stays_usable() {
    let mut shop = Shop::start();
    let bad: [(&[u8], i64); 6] = [
        (b"what about SO20260901?", -32700),
        (
            b"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"\xff\xfe\"}",
            -32700,
        ),
        (
            b"[{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"},{}]",
            -32600,
        ),
        (
            b"{\"jsonrpc\":\"2.0\",\"id\":{},\"method\":\"ping\"}",
            -32600,
        ),
        (
            b"{\"jsonrpc\":\"2.0\",\"id\":null,\"method\":\"ping\"}",
            -32600,
        ),
        (b"5", -32600),
    ];
    for (line, code) in bad {
        shop.write(line);
        shop.write(b"\n");
        let answer = shop.read();
        assert_eq!(
            answer["error"]["code"],
            code,
            "{}",
            String::from_utf8_lossy(line)
        );
        assert!(answer.get("id").is_none(), "no id could be read");
        assert!(shop.still_works());
    }
    assert!(shop.ask(&initialize())["result"].is_object());
    let answer = shop.ask(&request(5, "tools/destroy", &json!({})));
    assert_eq!(answer["error"]["code"], -32601);
    assert!(shop.still_works());
}

#[test]
fn a_line_without_end_is_refused_once_and_takes_no_memory() {
    let mut shop = Shop::start();
    let chunk = vec![b'x'; 1024 * 1024];
    for _ in 0..64 {
        shop.write(&chunk);
    }
    let resident = resident_kilobytes(&shop.child);
    shop.write(b"\n");
    assert_eq!(shop.read()["error"]["code"], -32700);
    assert!(shop.still_works(), "one answer, not one a chunk");
    if let Some(resident) = resident {
        assert!(resident < 40 * 1024, "{resident} KB");
    }
}

/// The memory that a process holds, where the system tells.
fn resident_kilobytes(child: &Child) -> Option<u64> {
    let status = std::fs::read_to_string(format!("/proc/{}/status", child.id())).ok()?;
    let line = status.lines().find(|line| line.starts_with("VmRSS:"))?;
    line.split_whitespace().nth(1)?.parse().ok()
}

#[test]
fn notifications_responses_and_empty_lines_are_never_answered() {
    let mut shop = Shop::start();
    for line in [
        "",
        "  \r",
        r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}"#,
        r#"{"jsonrpc":"2.0","method":"tools/call","params":{"name":"query_order"}}"#,
        r#"{"jsonrpc":"2.0","id":1,"result":{}}"#,
    ] {
        shop.write(line.as_bytes());
        shop.write(b"\n");
    }
    assert!(shop.still_works(), "the first answer is the ping's");
}

#[test]
fn answers_come_in_the_order_of_the_requests() {
    let mut shop = Shop::start();
    let mut lines = String::new();
    for id in 0..500 {
        lines.push_str(&request(id, "ping", &json!({})));
        lines.push('\n');
    }
    shop.write(lines.as_bytes());
    for id in 0..500 {
        assert_eq!(shop.read()["id"], id);
    }
}

#[test]
fn a_last_line_without_its_end_is_answered() {
    let mut shop = Shop::start();
    shop.write(br#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#);
    shop.stdin = None;
    assert_eq!(shop.read()["id"], 1);
    assert_eq!(shop.end_within(Duration::from_secs(1)), Some(0));
}

#[test]
fn a_client_that_stops_reading_ends_the_server_though_stdin_is_open() {
    let mut shop = Shop::start();
    assert!(shop.still_works());
    shop.stdout = None;
    shop.write(b"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}\n");
    assert_eq!(shop.end_within(Duration::from_secs(2)), Some(1));
}

#[test]
fn an_unknown_set_is_a_wrong_use_that_names_the_known_ones() {
    for door in ["stdio", "http"] {
        let output = Command::new(env!("CARGO_BIN_EXE_lab-server"))
            .args([door, "--set", "bakery"])
            .stdin(Stdio::null())
            .output()
            .expect("the server starts");
        assert_eq!(output.status.code(), Some(2));
        assert!(output.stdout.is_empty());
        let words = String::from_utf8_lossy(&output.stderr);
        assert!(
            words.contains("bakery") && words.contains("shop"),
            "{words}"
        );
    }
}

#[test]
fn the_http_door_says_where_it_listens_and_that_a_port_is_taken() {
    let mut server = Command::new(env!("CARGO_BIN_EXE_lab-server"))
        .args(["http", "--addr", "127.0.0.1:0", "--set", "shop"])
        .stderr(Stdio::piped())
        .spawn()
        .expect("the server starts");
    let mut line = String::new();
    BufReader::new(server.stderr.take().expect("stderr"))
        .read_line(&mut line)
        .expect("a line");
    let address = line
        .trim()
        .strip_prefix("listening on http://")
        .and_then(|rest| rest.strip_suffix("/mcp"))
        .expect("the address");
    let second = Command::new(env!("CARGO_BIN_EXE_lab-server"))
        .args(["http", "--addr", address, "--set", "shop"])
        .output()
        .expect("the server starts");
    server.kill().expect("it can be ended");
    server.wait().expect("it ends");
    assert_eq!(second.status.code(), Some(1));
    let words = String::from_utf8_lossy(&second.stderr);
    assert!(
        words.contains(address) && words.contains("--addr"),
        "{words}"
    );
}

#[test]
fn a_line_may_end_with_carriage_return_and_newline() {
    let mut shop = Shop::start();
    shop.write(b"\r\n{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}\r\n\r\n");
    assert_eq!(
        shop.read(),
        json!({ "jsonrpc": "2.0", "id": 1, "result": {} })
    );
    assert!(shop.still_works());
}

#[test]
fn an_id_with_a_fraction_is_refused_and_the_next_line_is_served() {
    let mut shop = Shop::start();
    let answer = shop.ask(r#"{"jsonrpc":"2.0","id":1.5,"method":"ping"}"#);
    assert_eq!(answer["error"]["code"], -32600);
    assert!(answer.get("id").is_none());
    assert!(shop.still_works());
}

#[test]
fn stateless_faults_leave_the_connection_usable() {
    let mut shop = Shop::start();
    let version = "io.modelcontextprotocol/protocolVersion";
    let capabilities = "io.modelcontextprotocol/clientCapabilities";
    let lacking = json!({ "_meta": { version: "2026-07-28" } });
    let answer = shop.ask(&request(1, "server/discover", &lacking));
    assert_eq!(
        (&answer["id"], &answer["error"]["code"]),
        (&json!(1), &json!(-32602))
    );
    let unknown = json!({ "_meta": { version: "1900-01-01", capabilities: {} } });
    let answer = shop.ask(&request(2, "server/discover", &unknown));
    assert_eq!(answer["error"]["code"], -32022);
    assert_eq!(answer["error"]["data"]["supported"], json!(["2026-07-28"]));
    let right = json!({ "_meta": { version: "2026-07-28", capabilities: {} } });
    let answer = shop.ask(&request(3, "tools/destroy", &right));
    assert_eq!(answer["error"]["code"], -32601);
    assert!(shop.ask(&discover())["result"].is_object());
}

/// A server behind the HTTP door. It is killed when a test fails before its end.
struct HttpDoor(Child);

impl Drop for HttpDoor {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

#[tokio::test]
async fn the_http_door_answers_at_the_address_that_it_prints() {
    let child = Command::new(env!("CARGO_BIN_EXE_lab-server"))
        .args(["http", "--addr", "127.0.0.1:0", "--set", "shop"])
        .stderr(Stdio::piped())
        .spawn()
        .expect("the server starts");
    let mut door = HttpDoor(child);
    let mut line = String::new();
    BufReader::new(door.0.stderr.take().expect("stderr"))
        .read_line(&mut line)
        .expect("a line");
    let url = line
        .trim()
        .strip_prefix("listening on ")
        .expect("the address");
    assert!(url.ends_with("/mcp"), "{url}");
    let client = reqwest::Client::builder()
        .no_proxy()
        .timeout(Duration::from_secs(10))
        .build()
        .expect("a client");
    let response = client
        .post(url)
        .header("Content-Type", "application/json")
        .header("Accept", "application/json, text/event-stream")
        .body(initialize())
        .send()
        .await
        .expect("an answer");
    assert_eq!(response.status(), 200);
    let answer: Value = response.json().await.expect("JSON");
    assert_eq!(answer["result"]["serverInfo"]["name"], "shop");
}

#[test]
fn long_lines_leave_no_memory_behind() {
    let mut shop = Shop::start();
    assert!(shop.still_works());
    let before = resident_kilobytes(&shop.child);
    let mut long = vec![b'x'; 10 * 1024 * 1024];
    long.push(b'\n');
    for _ in 0..5 {
        shop.write(&long);
        assert_eq!(shop.read()["error"]["code"], -32700);
        assert!(shop.still_works());
    }
    if let (Some(before), Some(after)) = (before, resident_kilobytes(&shop.child)) {
        let grown = after.saturating_sub(before);
        assert!(grown < 10 * 1024, "grew by {grown} KB from {before} KB");
    }
}
