//! How badly can a server behave? Each way has a name; the tests start this program with one.
//!
//! It is for the tests alone: what a server should be is in `labs/server`. Apart from its fault it answers what a client
//! needs to get there: `server/discover`, `initialize`, `ping`, and `tools/call` with the id of the call as text.

use std::io::{BufRead, Write};
use std::time::Duration;

use serde_json::{Value, json};

fn main() {
    let way = std::env::args().nth(1).unwrap_or_default();
    match way.as_str() {
        "exits-at-once" => {
            eprintln!("no configuration found");
            eprintln!("set SHOP_TOKEN and start again");
            std::process::exit(1);
        }
        "noisy" => before_all_messages(),
        "stays-and-ignores" => ignore_terminate(),
        _ => {}
    }
    let mut lines = std::io::stdin().lock().lines();
    while let Some(Ok(line)) = lines.next() {
        if way == "noisy" {
            say("\u{1b}[33mgot a message\u{1b}[0m");
        }
        if let Ok(message) = serde_json::from_str::<Value>(&line) {
            serve(&way, &message, &mut lines);
        }
    }
    // A timer keeps this process alive, although nobody can ask it anything any more.
    if way.starts_with("stays") {
        loop {
            std::thread::sleep(Duration::from_secs(1));
        }
    }
}

/// The shell does what safe Rust cannot: it ignores SIGTERM and passes that on to this program.
fn ignore_terminate() {
    if std::env::var_os("IGNORES_TERM").is_some() {
        return;
    }
    let Ok(own_path) = std::env::current_exe() else {
        return;
    };
    let script = "trap '' TERM; IGNORES_TERM=1 exec \"$0\" stays-and-ignores";
    let status = std::process::Command::new("sh")
        .args(["-c", script])
        .arg(own_path)
        .status();
    std::process::exit(status.ok().and_then(|status| status.code()).unwrap_or(1));
}

fn before_all_messages() {
    say("Shop server 1.0, welcome");
    say("\u{1b}[32mready\u{1b}[0m");
    say("10%\r50%\r100%");
    say("");
    say(&"x".repeat(300_000));
    say("42");
}

fn say(line: &str) {
    let mut stdout = std::io::stdout().lock();
    // Nobody reads any more: there is nothing left to do.
    if writeln!(stdout, "{line}")
        .and_then(|()| stdout.flush())
        .is_err()
    {
        std::process::exit(0);
    }
}

fn result(id: &Value, result: &Value) {
    say(&json!({ "jsonrpc": "2.0", "id": id, "result": result }).to_string());
}

fn error(id: &Value, code: i64, message: &str) {
    let error = json!({ "code": code, "message": message });
    say(&json!({ "jsonrpc": "2.0", "id": id, "error": error }).to_string());
}

/// What comes in after the message at hand.
type Lines<'a> = std::io::Lines<std::io::StdinLock<'a>>;

fn serve(way: &str, message: &Value, lines: &mut Lines<'_>) {
    let (id, method) = (
        &message["id"],
        message["method"].as_str().unwrap_or_default(),
    );
    let session_only = matches!(way, "session" | "session-silent" | "asks");
    match method {
        _ if id.is_null() => eprintln!("notification {method}"),
        "server/discover" if way == "session-silent" => {}
        "server/discover" if session_only => error(id, -32601, "Method not found"),
        "server/discover" => result(
            id,
            &json!({
                "resultType": "complete", "supportedVersions": ["2026-07-28"],
                "capabilities": { "tools": {} }, "ttlMs": 0, "cacheScope": "private",
                "_meta": { "io.modelcontextprotocol/serverInfo": { "name": "faulty", "version": "1" } }
            }),
        ),
        "initialize" => {
            result(
                id,
                &json!({
                    "protocolVersion": "2025-11-25", "capabilities": { "tools": {} },
                    "serverInfo": { "name": "faulty", "version": "1" }
                }),
            );
        }
        "tools/list" => list(way, id, message),
        "tools/call" => call(way, id, message, lines),
        _ => error(id, -32601, "Method not found"),
    }
}

fn call(way: &str, id: &Value, message: &Value, lines: &mut Lines<'_>) {
    let text = |text: String| json!({ "resultType": "complete", "content": [{ "type": "text", "text": text }] });
    let answer = text(format!("call {id}"));
    match way {
        "dies" => {
            eprintln!("thread panicked: the store is corrupt");
            std::process::exit(101);
        }
        "silent" => {}
        "slow" => {
            std::thread::sleep(Duration::from_millis(300));
            result(id, &answer);
        }
        "wrong-ids" => {
            let number = id.as_i64().unwrap_or_default();
            for wrong in [
                json!(number.to_string()),
                json!(9_007_199_254_740_992_i64),
                json!(number + 1000),
                json!(null),
            ] {
                result(&wrong, &text("wrong".into()));
            }
            say(&json!({ "jsonrpc": "2.0", "method": "notifications/nobody/knows" }).to_string());
            result(id, &answer);
            result(id, &text("the second answer".into()));
        }
        "behind-progress" => {
            print!("10%\r20%\r");
            result(id, &answer);
        }
        "asks" => {
            for (id, method) in [("p", "ping"), ("r", "roots/list")] {
                say(&json!({ "jsonrpc": "2.0", "id": id, "method": method }).to_string());
            }
            // What comes back is told in the answer.
            let answers: Vec<String> = lines.take(2).map_while(Result::ok).collect();
            result(id, &text(answers.join("\n")));
        }
        "no-kind" => result(id, &json!({ "content": [] })),
        "unknown-kind" => result(id, &json!({ "resultType": "task", "content": [] })),
        _ => result(id, &text(message["params"]["arguments"].to_string())),
    }
}

fn list(way: &str, id: &Value, message: &Value) {
    let cursor = message["params"]["cursor"].as_str();
    let tool = json!({ "name": format!("tool{}", cursor.unwrap_or("0")), "inputSchema": { "type": "object" } });
    let mut page =
        json!({ "resultType": "complete", "tools": [tool], "ttlMs": 0, "cacheScope": "private" });
    match way {
        "repeating-list" => page["nextCursor"] = json!("again"),
        "endless-list" => {
            let number = cursor.and_then(|cursor| cursor.parse::<u64>().ok());
            page["nextCursor"] = json!((number.unwrap_or_default() + 1).to_string());
        }
        // An empty string is a cursor like any other.
        "empty-cursor" if cursor.is_none() => page["nextCursor"] = json!(""),
        _ => {}
    }
    result(id, &page);
}
