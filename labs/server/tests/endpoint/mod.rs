//! How do tests speak with a real endpoint? A socket on a free port, and requests made by hand.

#![allow(
    dead_code,
    reason = "each test file that includes this uses its own part"
)]

use axum::Router;
use lab_server::sets;
use reqwest::header::{HeaderName, HeaderValue};
use reqwest::{Method, StatusCode};
use serde_json::{Value, json};

/// The shop at an address of its own.
pub struct Endpoint {
    client: reqwest::Client,
    pub url: String,
}

/// What came back.
#[derive(Debug)]
pub struct Reply {
    pub status: StatusCode,
    pub session: Option<String>,
    pub allow: Option<String>,
    pub content_type: Option<String>,
    pub text: String,
}

impl Reply {
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.text).unwrap_or_else(|error| panic!("{error}: {self:?}"))
    }

    pub fn code(&self) -> i64 {
        self.json()["error"]["code"]
            .as_i64()
            .unwrap_or_else(|| panic!("an error was expected: {self:?}"))
    }
}

impl Endpoint {
    pub async fn shop() -> Self {
        let dispatcher = sets::dispatcher("shop").expect("the shop");
        Self::of(lab_server::http::router("/mcp", dispatcher), "/mcp").await
    }

    pub async fn of(router: Router, path: &str) -> Self {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0")
            .await
            .expect("a port");
        let address = listener.local_addr().expect("an address");
        tokio::spawn(async move { axum::serve(listener, router).await });
        Self {
            client: reqwest::Client::builder()
                .no_proxy()
                .build()
                .expect("a client"),
            url: format!("http://{address}{path}"),
        }
    }

    /// Sends bytes with the two headers that every POST has, each of which can be replaced, or left out with "".
    pub async fn send(
        &self,
        method: Method,
        headers: &[(&str, &str)],
        body: impl Into<reqwest::Body>,
    ) -> Reply {
        let mut request = self.client.request(method, &self.url);
        let usual = [
            ("content-type", "application/json"),
            ("accept", "application/json, text/event-stream"),
        ];
        let kept = usual.into_iter().filter(|(name, _)| {
            !headers
                .iter()
                .any(|(other, _)| other.eq_ignore_ascii_case(name))
        });
        for (name, value) in kept.chain(headers.iter().copied()) {
            if value.is_empty() {
                continue;
            }
            request = request.header(
                HeaderName::from_bytes(name.as_bytes()).expect("a name"),
                HeaderValue::from_bytes(value.as_bytes()).expect("a value"),
            );
        }
        let response = request.body(body).send().await.expect("an answer");
        let header = |name: &str| {
            response
                .headers()
                .get(name)
                .map(|value| value.to_str().expect("text").to_owned())
        };
        let mut reply = Reply {
            status: response.status(),
            session: header("mcp-session-id"),
            allow: header("allow"),
            content_type: header("content-type"),
            text: String::new(),
        };
        reply.text = response.text().await.expect("a body");
        reply
    }

    pub async fn post(&self, headers: &[(&str, &str)], body: impl Into<reqwest::Body>) -> Reply {
        self.send(Method::POST, headers, body).await
    }

    /// A stateless request with the headers that belong to it.
    pub async fn stateless(&self, method: &str, params: Value) -> Reply {
        let message = stateless(method, params);
        let headers = mirrors(&message);
        let headers: Vec<(&str, &str)> = headers
            .iter()
            .map(|(name, value)| (*name, value.as_str()))
            .collect();
        self.post(&headers, message.to_string()).await
    }

    /// Opens a session and gives back its id.
    pub async fn open(&self, revision: &str) -> String {
        let reply = self.post(&[], initialize(revision).to_string()).await;
        assert_eq!(reply.status, StatusCode::OK, "{reply:?}");
        reply.session.expect("a session id")
    }

    /// A request in a session.
    pub async fn in_session(
        &self,
        id: &str,
        revision: &str,
        method: &str,
        params: &Value,
    ) -> Reply {
        let headers = [("Mcp-Session-Id", id), ("MCP-Protocol-Version", revision)];
        self.post(&headers, request(method, params).to_string())
            .await
    }

    /// Whether the endpoint still works.
    pub async fn still_works(&self) -> bool {
        self.stateless("server/discover", json!({})).await.status == StatusCode::OK
    }
}

pub fn request(method: &str, params: &Value) -> Value {
    json!({ "jsonrpc": "2.0", "id": 7, "method": method, "params": params })
}

pub fn initialize(revision: &str) -> Value {
    let params = json!({
        "protocolVersion": revision,
        "capabilities": {},
        "clientInfo": { "name": "test", "version": "1" }
    });
    request("initialize", &params)
}

pub fn meta(version: &str) -> Value {
    json!({
        "io.modelcontextprotocol/protocolVersion": version,
        "io.modelcontextprotocol/clientCapabilities": {}
    })
}

pub fn stateless(method: &str, mut params: Value) -> Value {
    if params.get("_meta").is_none() {
        params["_meta"] = meta("2026-07-28");
    }
    request(method, &params)
}

/// The headers that mirror a message.
pub fn mirrors(message: &Value) -> Vec<(&'static str, String)> {
    let member = |value: &Value| value.as_str().map(str::to_owned);
    let params = &message["params"];
    [
        (
            "MCP-Protocol-Version",
            member(&params["_meta"]["io.modelcontextprotocol/protocolVersion"]),
        ),
        ("Mcp-Method", member(&message["method"])),
        ("Mcp-Name", member(&params["name"])),
    ]
    .into_iter()
    .filter_map(|(name, value)| Some((name, value?)))
    .collect()
}

pub fn order(id: &str) -> Value {
    json!({ "name": "query_order", "arguments": { "order_id": id } })
}
