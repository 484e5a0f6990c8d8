//! Is every message that the server writes one that the official schema of its revision allows?

mod endpoint;

use std::path::PathBuf;

use endpoint::{Endpoint, initialize, meta, order, request, stateless};
use lab_protocol::Revision;
use lab_server::{Dispatcher, Session, shop};
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

/// The schema of a revision.
struct Official {
    schema: Value,
    definitions: &'static str,
}

impl Official {
    fn of(revision: Revision) -> Option<Self> {
        let path = spec_dir()?.join(format!("schema-{revision}.json"));
        let text = std::fs::read_to_string(path).expect("a schema");
        let schema: Value = serde_json::from_str(&text).expect("JSON");
        let definitions = if schema.get("$defs").is_some() {
            "$defs"
        } else {
            "definitions"
        };
        Some(Self {
            schema,
            definitions,
        })
    }

    fn assert_valid(&self, definition: &str, message: &Value) {
        let mut schema = self.schema.clone();
        assert!(
            schema[self.definitions].get(definition).is_some(),
            "no {definition}"
        );
        schema["$ref"] = json!(format!("#/{}/{definition}", self.definitions));
        let validator = jsonschema::validator_for(&schema).expect("a schema");
        let faults: Vec<String> = validator
            .iter_errors(message)
            .map(|fault| format!("{}: {fault}", fault.instance_path()))
            .collect();
        assert!(faults.is_empty(), "{definition}: {faults:?}\n{message}");
    }
}

fn answer(session: &mut Session, message: &Value) -> Value {
    let dispatcher = Dispatcher::new(shop::server().expect("the data")).expect("a dispatcher");
    let text = dispatcher
        .handle_text(session, message.to_string().as_bytes())
        .expect("an answer");
    serde_json::from_str(&text).expect("JSON")
}

/// Calls that end in every way in which a call can end with a result.
fn calls() -> Vec<Value> {
    let track = |id: &str| json!({ "name": "track_shipment", "arguments": { "order_id": id } });
    vec![
        order("SO20260901"),
        order("SO20260903"),
        order("SO20269999"),
        track("SO20260901"),
        track("SO20260902"),
    ]
}

/// Requests that end in an error in every era.
fn faulty() -> Vec<(&'static str, Value)> {
    vec![
        ("tools/call", json!({ "name": "no_such_tool" })),
        ("tools/call", json!({ "arguments": {} })),
        (
            "tools/call",
            json!({ "name": "query_order", "arguments": null }),
        ),
        ("tools/list", json!({ "cursor": "made up" })),
        ("tools/destroy", json!({})),
    ]
}

#[test]
fn a_session_speaks_its_revision() {
    for revision in [Revision::V2025_06_18, Revision::V2025_11_25] {
        let Some(official) = Official::of(revision) else {
            return;
        };
        let (envelope, error) = match revision {
            Revision::V2025_06_18 => ("JSONRPCResponse", "JSONRPCError"),
            _ => ("JSONRPCResultResponse", "JSONRPCErrorResponse"),
        };
        let mut session = Session::New;
        let mut check = |definition: &str, message: &Value| {
            let answer = answer(&mut session, message);
            official.assert_valid(envelope, &answer);
            official.assert_valid(definition, &answer["result"]);
        };
        check("EmptyResult", &request("ping", &json!({})));
        check("InitializeResult", &initialize(revision.as_str()));
        check("ListToolsResult", &request("tools/list", &json!({})));
        for params in calls() {
            check("CallToolResult", &request("tools/call", &params));
        }
        for (method, params) in faulty() {
            official.assert_valid(error, &answer(&mut session, &request(method, &params)));
        }
        let too_early = answer(&mut Session::New, &request("tools/list", &json!({})));
        official.assert_valid(error, &too_early);
        let again = answer(&mut session, &initialize(revision.as_str()));
        official.assert_valid(error, &again);
        let argument = answer(&mut session, &request("tools/call", &order("20260901")));
        match revision {
            Revision::V2025_06_18 => official.assert_valid(error, &argument),
            _ => official.assert_valid("CallToolResult", &argument["result"]),
        }
    }
}

#[test]
fn the_stateless_era_speaks_2026_07_28() {
    let Some(official) = Official::of(Revision::V2026_07_28) else {
        return;
    };
    let check = |definition: &str, message: &Value| {
        official.assert_valid(definition, &answer(&mut Session::New, message));
    };
    check(
        "DiscoverResultResponse",
        &stateless("server/discover", json!({})),
    );
    check(
        "ListToolsResultResponse",
        &stateless("tools/list", json!({})),
    );
    for params in calls().into_iter().chain([order("20260901")]) {
        check("CallToolResultResponse", &stateless("tools/call", params));
    }
    for (method, params) in faulty() {
        check("JSONRPCErrorResponse", &stateless(method, params));
    }
    let old = json!({ "_meta": meta("1900-01-01") });
    check(
        "UnsupportedProtocolVersionError",
        &stateless("tools/list", old),
    );
    for text in ["no JSON", "[]", "{}"] {
        let dispatcher = Dispatcher::new(shop::server().expect("the data")).expect("a dispatcher");
        let answer = dispatcher
            .handle_text(&mut Session::New, text.as_bytes())
            .expect("an answer");
        let answer = serde_json::from_str(&answer).expect("JSON");
        official.assert_valid("JSONRPCErrorResponse", &answer);
    }
}

#[tokio::test]
async fn refusals_over_http_are_error_responses() {
    let Some(official) = Official::of(Revision::V2026_07_28) else {
        return;
    };
    let shop = Endpoint::shop().await;
    let discover = stateless("server/discover", json!({})).to_string();
    let version = ("MCP-Protocol-Version", "2026-07-28");
    let mismatch = shop
        .post(&[version, ("Mcp-Method", "tools/list")], discover.clone())
        .await;
    official.assert_valid("HeaderMismatchError", &mismatch.json());
    for headers in [
        [("Origin", "https://evil.example")],
        [("Accept", "text/html")],
        [("Content-Type", "text/plain")],
        [("Mcp-Session-Id", "nobody")],
    ] {
        let body = request("ping", &json!({})).to_string();
        let reply = shop.post(&headers, body).await;
        official.assert_valid("JSONRPCErrorResponse", &reply.json());
    }
    let lacking = request("server/discover", &json!({})).to_string();
    let reply = shop
        .post(&[version, ("Mcp-Method", "server/discover")], lacking)
        .await;
    official.assert_valid("JSONRPCErrorResponse", &reply.json());
    let unknown = shop.stateless("tools/destroy", json!({})).await;
    official.assert_valid("JSONRPCErrorResponse", &unknown.json());
}

#[test]
fn texts_that_are_no_message_are_refused_in_words_of_2025_11_25_too() {
    // The schema of 2025-06-18 wants an id in every error, even where none could be read, and allows no null. No answer
    // can satisfy it there.
    let Some(official) = Official::of(Revision::V2025_11_25) else {
        return;
    };
    let dispatcher = Dispatcher::new(shop::server().expect("the data")).expect("a dispatcher");
    for text in ["no JSON", "[]", "{}", r#"{"jsonrpc":"2.0","id":null}"#] {
        let mut session = Session::Open(Revision::V2025_11_25);
        let answer = dispatcher
            .handle_text(&mut session, text.as_bytes())
            .expect("an answer");
        let answer: Value = serde_json::from_str(&answer).expect("JSON");
        assert!(answer.get("id").is_none(), "{answer}");
        official.assert_valid("JSONRPCErrorResponse", &answer);
    }
}

#[tokio::test]
async fn a_session_over_http_speaks_its_revision_also_when_it_refuses() {
    let shop = Endpoint::shop().await;
    for (revision, envelope, error) in [
        (Revision::V2025_06_18, "JSONRPCResponse", "JSONRPCError"),
        (
            Revision::V2025_11_25,
            "JSONRPCResultResponse",
            "JSONRPCErrorResponse",
        ),
    ] {
        let Some(official) = Official::of(revision) else {
            return;
        };
        let opened = shop
            .post(&[], initialize(revision.as_str()).to_string())
            .await;
        official.assert_valid(envelope, &opened.json());
        official.assert_valid("InitializeResult", &opened.json()["result"]);
        let id = opened.session.expect("a session id");
        let list = shop
            .in_session(&id, revision.as_str(), "tools/list", &json!({}))
            .await;
        official.assert_valid("ListToolsResult", &list.json()["result"]);
        for (id, version) in [
            ("nobody", revision.as_str()),
            (id.as_str(), "1900-01-01"),
            ("", revision.as_str()),
        ] {
            let reply = shop.in_session(id, version, "ping", &json!({})).await;
            assert!(reply.status.is_client_error(), "{reply:?}");
            official.assert_valid(error, &reply.json());
        }
        let faulty = shop
            .in_session(&id, revision.as_str(), "tools/destroy", &json!({}))
            .await;
        official.assert_valid(error, &faulty.json());
    }
}
