//! Is every message that the client writes one that the official schema of its revision allows?

use std::path::PathBuf;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use lab_client::{
    Client, Direction, EraChoice, MemoryTransport, Options, Revision, Traced, Transport,
};
use lab_protocol::{Message, Object, Request};
use serde_json::{Value, json};

/// The folder of the official data; `None` where it is not at hand, which is a failure under `CI=true`.
fn spec_dir() -> Option<PathBuf> {
    let dir = std::env::var_os("MCP_SPEC_DIR").map_or_else(
        || PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../shared/spec"),
        PathBuf::from,
    );
    if dir.is_dir() {
        return Some(dir);
    }
    let words = format!(
        "the official schemas are not at {}; set MCP_SPEC_DIR",
        dir.display()
    );
    assert!(std::env::var_os("CI").is_none(), "{words}");
    eprintln!("skipped: {words}");
    None
}

/// A validator for one definition of a revision's schema.
fn validator(revision: Revision, definition: &str) -> Option<jsonschema::Validator> {
    let path = spec_dir()?.join(format!("schema-{revision}.json"));
    let text = std::fs::read_to_string(path).expect("a schema");
    let mut schema: Value = serde_json::from_str(&text).expect("JSON");
    let key = if schema.get("$defs").is_some() {
        "$defs"
    } else {
        "definitions"
    };
    schema["$ref"] = json!(format!("#/{key}/{definition}"));
    Some(jsonschema::validator_for(&schema).expect("a schema"))
}

/// A server that answers whatever a client needs to go on, in the era of the revision, and asks in the session era.
fn answers(revision: Revision, text: &str) -> Vec<String> {
    let Ok(Message::Request(Request { id, method, .. })) = Message::parse(text.as_bytes()) else {
        return Vec::new();
    };
    let session = revision != Revision::V2026_07_28;
    let result = match method.as_str() {
        "server/discover" if session => {
            let error = json!({ "code": -32601, "message": "Method not found" });
            return vec![json!({ "jsonrpc": "2.0", "id": id, "error": error }).to_string()];
        }
        "server/discover" => {
            json!({ "supportedVersions": [revision.as_str()], "capabilities": {}, "resultType": "complete" })
        }
        "initialize" => {
            json!({ "protocolVersion": revision.as_str(), "capabilities": {}, "serverInfo": { "name": "s", "version": "1" } })
        }
        "tools/list" if text.contains("cursor") => json!({ "tools": [] }),
        "tools/list" => json!({ "tools": [], "nextCursor": "" }),
        // Never answered, so that the client gives up.
        "prompts/get" => return Vec::new(),
        _ => {
            json!({ "content": [], "contents": [], "resources": [], "prompts": [], "messages": [] })
        }
    };
    let mut messages = vec![json!({ "jsonrpc": "2.0", "id": id, "result": result }).to_string()];
    if session && method == "tools/call" {
        for asked in ["ping", "roots/list"] {
            let id = format!("server-{asked}");
            messages.push(json!({ "jsonrpc": "2.0", "id": id, "method": asked }).to_string());
        }
    }
    messages
}

async fn everything<T: Transport>(client: &Client<T>) {
    client.list_tools().await.expect("tools");
    let arguments = Object::from_iter([("order_id".to_owned(), "SO20260901".into())]);
    client
        .call_tool("query_order", arguments)
        .await
        .expect("a result");
    client
        .list("resources/list", "resources")
        .await
        .expect("resources");
    let uri = Object::from_iter([("uri".to_owned(), "shop://terms".into())]);
    client
        .request("resources/read", uri)
        .await
        .expect("a resource");
    client
        .list("prompts/list", "prompts")
        .await
        .expect("prompts");
    let prompt = Object::from_iter([("name".to_owned(), "greet".into())]);
    client
        .request_within("prompts/get", prompt, &[], Duration::from_millis(50))
        .await
        .expect_err("no answer, and so a cancellation");
    let _ = client.ping().await;
}

async fn written(revision: Revision, era: EraChoice) -> Vec<String> {
    let seen = Arc::new(Mutex::new(Vec::new()));
    let sink = Arc::clone(&seen);
    let transport = MemoryTransport::new("shop", move |text: &str| answers(revision, text));
    let options = Options {
        era,
        revision: (era != EraChoice::Auto).then_some(revision),
        observer: Some(Arc::new(move |traced: &Traced<'_>| {
            if traced.direction == Direction::ToServer {
                sink.lock().expect("no panic").push(traced.raw.to_owned());
            }
        })),
        ..Options::default()
    };
    let client = Client::connect(transport, options)
        .await
        .expect("a connection");
    assert_eq!(client.revision(), revision);
    everything(&client).await;
    client.close().await;
    let seen = seen.lock().expect("no panic");
    seen.clone()
}

fn assert_valid(revision: Revision, messages: &[String]) {
    for text in messages {
        let value: Value = serde_json::from_str(text).expect("JSON");
        let definition = match (value.get("method"), value.get("id")) {
            (Some(_), Some(_)) => "ClientRequest",
            (Some(_), None) => "ClientNotification",
            _ => "JSONRPCMessage",
        };
        for definition in [definition, "JSONRPCMessage"] {
            let Some(validator) = validator(revision, definition) else {
                return;
            };
            if let Err(error) = validator.validate(&value) {
                panic!(
                    "{revision} {definition}: {error} at {}: {text}",
                    error.instance_path()
                );
            }
        }
    }
}

#[tokio::test]
async fn every_message_of_a_session_fits_its_schema() {
    for revision in [Revision::V2025_06_18, Revision::V2025_11_25] {
        let messages = written(revision, EraChoice::Session).await;
        let text = messages.join("\n");
        for part in [
            "initialized",
            "cancelled",
            r#""method":"ping""#,
            r#""result":{}"#,
            "-32601",
        ] {
            assert!(text.contains(part), "{part} was written: {text}");
        }
        assert_valid(revision, &messages);
    }
}

#[tokio::test]
async fn every_message_of_the_stateless_era_fits_its_schema() {
    let revision = Revision::V2026_07_28;
    let messages = written(revision, EraChoice::Stateless).await;
    let text = messages.join("\n");
    assert!(
        text.contains("cancelled") && !text.contains("initialize"),
        "{text}"
    );
    assert!(
        text.contains(r#""cursor":"""#),
        "an empty cursor goes on: {text}"
    );
    assert_valid(revision, &messages);
}

#[tokio::test]
async fn the_probe_fits_the_schema_that_it_asks_about() {
    let messages = written(Revision::V2025_11_25, EraChoice::Auto).await;
    let (probe, session) = messages.split_first().expect("messages");
    assert_valid(Revision::V2026_07_28, std::slice::from_ref(probe));
    assert_valid(Revision::V2025_11_25, session);
}

#[tokio::test]
async fn no_id_is_used_twice() {
    let messages = written(Revision::V2025_11_25, EraChoice::Auto).await;
    let mut ids: Vec<i64> = messages
        .iter()
        .filter_map(|text| serde_json::from_str::<Value>(text).ok()?["id"].as_i64())
        .collect();
    let count = ids.len();
    ids.dedup();
    assert!(count > 5 && ids.len() == count);
}
