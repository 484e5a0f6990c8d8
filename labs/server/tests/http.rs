//! What does the HTTP door do with good and with bad requests, in both eras, over a real socket?

mod endpoint;

use std::fmt::Write as _;

use endpoint::{Endpoint, initialize, meta, mirrors, order, request, stateless};
use lab_server::http::{Hosts, HttpOptions};
use lab_server::sets;
use reqwest::{Method, StatusCode};
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::net::TcpStream;

const OLD: &str = "2025-06-18";
const SESSION: &str = "2025-11-25";
const STATELESS: &str = "2026-07-28";

fn shop() -> lab_server::Dispatcher {
    sets::dispatcher("shop").expect("the shop")
}

#[tokio::test]
async fn a_stateless_call_needs_nothing_before_it() {
    let shop = Endpoint::shop().await;
    let reply = shop.stateless("tools/call", order("SO20260901")).await;
    assert_eq!(reply.status, StatusCode::OK);
    assert_eq!(reply.content_type.as_deref(), Some("application/json"));
    assert_eq!(reply.session, None, "no session is minted");
    let message = reply.json();
    assert_eq!(message["id"], 7);
    let result = &message["result"];
    assert_eq!(result["resultType"], "complete");
    assert_eq!(result["structuredContent"]["status"], "shipped");
    let text = result["content"][0]["text"].as_str().expect("text");
    assert_eq!(
        serde_json::from_str::<Value>(text).expect("JSON"),
        result["structuredContent"]
    );
    assert_eq!(
        result["_meta"]["io.modelcontextprotocol/serverInfo"]["name"],
        "shop"
    );
    assert!(result.get("isError").is_none());
    assert!(result.get("ttlMs").is_none(), "a call is never cached");
}

#[tokio::test]
async fn discovery_and_lists_may_be_cached_in_the_stateless_era_alone() {
    let shop = Endpoint::shop().await;
    for method in ["server/discover", "tools/list"] {
        let result = shop.stateless(method, json!({})).await.json()["result"].clone();
        assert!(result["ttlMs"].as_i64().is_some_and(|ttl| ttl >= 0));
        assert_eq!(result["cacheScope"], "public");
        assert_eq!(result["resultType"], "complete");
    }
    let id = shop.open(SESSION).await;
    let result = shop
        .in_session(&id, SESSION, "tools/list", &json!({}))
        .await
        .json()["result"]
        .clone();
    for member in ["ttlMs", "cacheScope", "resultType", "_meta"] {
        assert!(result.get(member).is_none(), "{member}");
    }
    assert_eq!(result["tools"].as_array().map(Vec::len), Some(2));
}

#[tokio::test]
async fn a_session_is_opened_used_and_ended() {
    let shop = Endpoint::shop().await;
    for revision in [OLD, SESSION] {
        let id = shop.open(revision).await;
        let headers = [("Mcp-Session-Id", id.as_str())];
        let initialized = r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#;
        let reply = shop.post(&headers, initialized).await;
        assert_eq!(
            (reply.status, reply.text.as_str()),
            (StatusCode::ACCEPTED, "")
        );
        let reply = shop
            .in_session(&id, revision, "tools/call", &order("SO20260902"))
            .await;
        assert_eq!(
            reply.json()["result"]["structuredContent"]["status"],
            "paid"
        );
        let pong = shop.in_session(&id, revision, "ping", &json!({})).await;
        assert_eq!(pong.json()["result"], json!({}));

        let reply = shop.send(Method::DELETE, &headers, "").await;
        assert_eq!(reply.status, StatusCode::NO_CONTENT);
        let reply = shop.in_session(&id, revision, "ping", &json!({})).await;
        assert_eq!(
            (reply.status, reply.code()),
            (StatusCode::NOT_FOUND, -32600)
        );
        assert_eq!(reply.json()["id"], 7);
        let reply = shop.send(Method::DELETE, &headers, "").await;
        assert_eq!(reply.status, StatusCode::NOT_FOUND);
    }
}

#[tokio::test]
async fn initialize_settles_on_a_revision_of_the_session_era() {
    let shop = Endpoint::shop().await;
    for (wanted, given) in [
        (OLD, OLD),
        (SESSION, SESSION),
        ("2024-11-05", SESSION),
        (STATELESS, SESSION),
    ] {
        let reply = shop.post(&[], initialize(wanted).to_string()).await;
        assert_eq!(reply.json()["result"]["protocolVersion"], given, "{wanted}");
    }
}

#[tokio::test]
async fn a_session_request_needs_its_id() {
    let shop = Endpoint::shop().await;
    let body = request("tools/list", &json!({})).to_string();
    let reply = shop
        .post(&[("MCP-Protocol-Version", SESSION)], body.clone())
        .await;
    assert_eq!(
        (reply.status, reply.code()),
        (StatusCode::BAD_REQUEST, -32600)
    );
    assert_eq!(reply.json()["id"], 7);
    let reply = shop.post(&[("Mcp-Session-Id", "nobody")], body).await;
    assert_eq!(reply.status, StatusCode::NOT_FOUND);
    let reply = shop.send(Method::DELETE, &[], "").await;
    assert_eq!(reply.status, StatusCode::BAD_REQUEST);
    let notification = r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#;
    let reply = shop.post(&[], notification).await;
    assert_eq!(reply.status, StatusCode::BAD_REQUEST);
    assert!(reply.json().get("id").is_none());
}

#[tokio::test]
async fn a_session_does_without_the_version_header_but_not_with_a_wrong_one() {
    let shop = Endpoint::shop().await;
    let id = shop.open(SESSION).await;
    let body = request("ping", &json!({})).to_string();
    let reply = shop.post(&[("Mcp-Session-Id", &id)], body.clone()).await;
    assert_eq!(reply.status, StatusCode::OK);
    for wrong in ["1900-01-01", "2025-03-26", "latest"] {
        let headers = [
            ("Mcp-Session-Id", id.as_str()),
            ("MCP-Protocol-Version", wrong),
        ];
        let reply = shop.post(&headers, body.clone()).await;
        assert_eq!(reply.status, StatusCode::BAD_REQUEST, "{wrong}");
    }
}

#[tokio::test]
async fn both_eras_live_on_one_endpoint_at_once() {
    let shop = Endpoint::shop().await;
    let id = shop.open(SESSION).await;
    let message = stateless("tools/call", order("SO20260903"));
    let mut headers = mirrors(&message);
    // A stateless request ignores a session's id (2026-07-28, Streamable HTTP).
    headers.push(("Mcp-Session-Id", "nobody".to_owned()));
    let headers: Vec<_> = headers
        .iter()
        .map(|(name, value)| (*name, value.as_str()))
        .collect();
    let reply = shop.post(&headers, message.to_string()).await;
    assert_eq!(
        reply.json()["result"]["structuredContent"]["status"],
        "refunded"
    );
    let reply = shop
        .in_session(&id, SESSION, "tools/call", &order("SO20260903"))
        .await;
    assert_eq!(
        reply.json()["result"]["structuredContent"]["status"],
        "refunded"
    );
}

#[tokio::test]
async fn headers_that_differ_from_the_body_are_refused_before_anything_else() {
    let shop = Endpoint::shop().await;
    let message = stateless("tools/call", order("SO20260901"));
    let right = mirrors(&message);
    let wrong = [
        ("MCP-Protocol-Version", "2025-11-25"),
        ("MCP-Protocol-Version", ""),
        ("Mcp-Method", "tools/list"),
        ("Mcp-Method", "Tools/Call"),
        ("Mcp-Method", ""),
        ("Mcp-Name", "track_shipment"),
        ("Mcp-Name", "=?base64?no base64?="),
        ("Mcp-Name", "查订单"),
        ("Mcp-Name", ""),
    ];
    for (name, value) in wrong {
        let headers: Vec<_> = right
            .iter()
            .map(|(right, kept)| (*right, if *right == name { value } else { kept.as_str() }))
            .collect();
        let reply = shop.post(&headers, message.to_string()).await;
        assert_eq!(
            (reply.status, reply.code()),
            (StatusCode::BAD_REQUEST, -32020),
            "{name}: {value}"
        );
        assert_eq!(reply.json()["id"], 7);
    }
    // The body's own fault, an unknown version, comes second.
    let mut unknown = order("SO20260901");
    unknown["_meta"] = meta("1900-01-01");
    let message = stateless("tools/call", unknown);
    let headers = [
        ("MCP-Protocol-Version", STATELESS),
        ("Mcp-Method", "tools/call"),
        ("Mcp-Name", "query_order"),
    ];
    assert_eq!(
        shop.post(&headers, message.to_string()).await.code(),
        -32020
    );
    assert!(shop.still_works().await);
}

#[tokio::test]
async fn a_name_in_base64_is_decoded_before_it_is_compared() {
    let shop = Endpoint::shop().await;
    let message = stateless("tools/call", order("SO20260901"));
    let headers = [
        ("mcp-protocol-version", STATELESS),
        ("MCP-METHOD", "tools/call"),
        ("Mcp-Name", "=?base64?cXVlcnlfb3JkZXI=?="),
    ];
    let reply = shop.post(&headers, message.to_string()).await;
    assert_eq!(reply.status, StatusCode::OK, "{reply:?}");
    // A tool that nobody has, with a name that no header can carry: the name is compared and the tool is unknown.
    let message = stateless("tools/call", json!({ "name": "查订单", "arguments": {} }));
    let headers = [
        ("MCP-Protocol-Version", STATELESS),
        ("Mcp-Method", "tools/call"),
        ("Mcp-Name", "=?base64?5p+l6K6i5Y2V?="),
    ];
    let reply = shop.post(&headers, message.to_string()).await;
    assert_eq!((reply.status, reply.code()), (StatusCode::OK, -32602));
}

#[tokio::test]
async fn a_stateless_request_without_its_required_keys_is_invalid() {
    let shop = Endpoint::shop().await;
    let metas = [
        json!({}),
        json!({ "io.modelcontextprotocol/protocolVersion": STATELESS }),
        json!({ "io.modelcontextprotocol/clientCapabilities": {} }),
        json!({ "io.modelcontextprotocol/protocolVersion": 5, "io.modelcontextprotocol/clientCapabilities": {} }),
        json!({ "io.modelcontextprotocol/protocolVersion": STATELESS, "io.modelcontextprotocol/clientCapabilities": null }),
    ];
    for meta in metas {
        let headers = [
            ("MCP-Protocol-Version", STATELESS),
            ("Mcp-Method", "server/discover"),
        ];
        let message = request("server/discover", &json!({ "_meta": meta }));
        let reply = shop.post(&headers, message.to_string()).await;
        assert_eq!(
            (reply.status, reply.code(), &reply.json()["id"]),
            (StatusCode::BAD_REQUEST, -32602, &json!(7)),
            "{meta}"
        );
    }
    let headers = [
        ("MCP-Protocol-Version", STATELESS),
        ("Mcp-Method", "server/discover"),
    ];
    let bare = r#"{"jsonrpc":"2.0","id":7,"method":"server/discover"}"#;
    let reply = shop.post(&headers, bare).await;
    assert_eq!(
        (reply.status, reply.code()),
        (StatusCode::BAD_REQUEST, -32602)
    );
}

#[tokio::test]
async fn an_unsupported_version_is_told_what_is_supported() {
    let shop = Endpoint::shop().await;
    for version in ["1900-01-01", "2099-01-01", SESSION] {
        let reply = shop
            .stateless("server/discover", json!({ "_meta": meta(version) }))
            .await;
        assert_eq!(
            (reply.status, reply.code()),
            (StatusCode::BAD_REQUEST, -32022)
        );
        let data = reply.json()["error"]["data"].clone();
        assert_eq!(
            data,
            json!({ "supported": [STATELESS], "requested": version })
        );
    }
}

#[tokio::test]
async fn an_unknown_method_is_not_found_in_the_stateless_era() {
    let shop = Endpoint::shop().await;
    for method in ["tools/destroy", "initialize", "ping", "resources/list"] {
        let message = stateless(method, json!({}));
        let headers = [("MCP-Protocol-Version", STATELESS), ("Mcp-Method", method)];
        let reply = shop.post(&headers, message.to_string()).await;
        assert_eq!(
            (reply.status, reply.code(), &reply.json()["id"]),
            (StatusCode::NOT_FOUND, -32601, &json!(7)),
            "{method}"
        );
    }
}

#[tokio::test]
async fn both_kinds_of_failure_go_their_own_way() {
    let shop = Endpoint::shop().await;
    let unknown_order = order("SO20269999");
    let bad_argument = order("20260901");
    let unknown_tool = json!({ "name": "no_such_tool", "arguments": {} });
    let no_name = json!({ "arguments": {} });
    let no_object = json!({ "name": "query_order", "arguments": [1] });
    for revision in [OLD, SESSION] {
        let id = shop.open(revision).await;
        let call = async |params: &Value| {
            shop.in_session(&id, revision, "tools/call", params)
                .await
                .json()
        };
        assert_eq!(call(&unknown_order).await["result"]["isError"], true);
        for params in [&unknown_tool, &no_name, &no_object] {
            assert_eq!(call(params).await["error"]["code"], -32602);
        }
        let answer = call(&bad_argument).await;
        if revision == OLD {
            assert_eq!(answer["error"]["code"], -32602);
        } else {
            assert_eq!(answer["result"]["isError"], true);
            let words = answer["result"]["content"][0]["text"]
                .as_str()
                .expect("words");
            assert!(
                words.contains("order_id") && words.contains("SO20260901"),
                "{words}"
            );
        }
    }
    let call = async |params: &Value| shop.stateless("tools/call", params.clone()).await;
    for params in [&unknown_order, &bad_argument] {
        let reply = call(params).await;
        assert_eq!(reply.status, StatusCode::OK);
        assert_eq!(reply.json()["result"]["isError"], true);
        assert_eq!(reply.json()["result"]["resultType"], "complete");
    }
    for params in [&unknown_tool, &no_name, &no_object] {
        assert_eq!(call(params).await.code(), -32602);
    }
}

#[tokio::test]
async fn what_is_no_message_gets_the_code_that_says_so() {
    let shop = Endpoint::shop().await;
    let bad: [(&[u8], i64); 8] = [
        (b"", -32700),
        (b"got SO20260901", -32700),
        (
            b"{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"\xff\"}",
            -32700,
        ),
        (
            b"[{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"ping\"}]",
            -32600,
        ),
        (b"5", -32600),
        (
            b"{\"jsonrpc\":\"2.0\",\"id\":null,\"method\":\"ping\"}",
            -32600,
        ),
        (
            b"{\"jsonrpc\":\"2.0\",\"id\":1.5,\"method\":\"ping\"}",
            -32600,
        ),
        (
            b"{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"ping\",\"params\":[]}",
            -32600,
        ),
    ];
    for (body, code) in bad {
        for version in [SESSION, STATELESS] {
            let reply = shop.post(&[("MCP-Protocol-Version", version)], body).await;
            let words = String::from_utf8_lossy(body);
            assert_eq!(
                (reply.status, reply.code()),
                (StatusCode::BAD_REQUEST, code),
                "{words}"
            );
        }
    }
    let reply = shop
        .post(
            &[],
            r#"{"jsonrpc":"2.0","id":7,"method":"ping","params":[]}"#,
        )
        .await;
    assert_eq!(reply.json()["id"], 7, "the id could be read");
    assert!(shop.still_works().await);
}

#[tokio::test]
async fn members_that_stand_there_twice_are_refused() {
    let shop = Endpoint::shop().await;
    let twice = r#"{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"query_order","name":"track_shipment"}}"#;
    let reply = shop
        .post(&[("MCP-Protocol-Version", STATELESS)], twice)
        .await;
    assert_eq!(
        (reply.status, reply.code()),
        (StatusCode::BAD_REQUEST, -32602)
    );
}

#[tokio::test]
async fn a_body_over_the_limit_is_refused_and_the_next_is_served() {
    let options = HttpOptions {
        largest_body: 1024,
        ..HttpOptions::default()
    };
    let router = lab_server::http::router_with("/mcp", shop(), options);
    let shop = Endpoint::of(router, "/mcp").await;
    for size in [1025, 8 * 1024, 10 * 1024 * 1024] {
        let reply = shop.post(&[], " ".repeat(size)).await;
        assert_eq!(reply.status, StatusCode::PAYLOAD_TOO_LARGE, "{size}");
        assert!(shop.still_works().await);
    }
}

#[tokio::test]
async fn wrong_types_are_refused() {
    let shop = Endpoint::shop().await;
    let body = stateless("server/discover", json!({})).to_string();
    for wrong in ["", "text/plain", "application/jsonp"] {
        let reply = shop.post(&[("Content-Type", wrong)], body.clone()).await;
        assert_eq!(reply.status, StatusCode::UNSUPPORTED_MEDIA_TYPE, "{wrong}");
    }
    for wrong in [
        "application/json",
        "text/event-stream",
        "text/html",
        "text/*",
    ] {
        let reply = shop.post(&[("Accept", wrong)], body.clone()).await;
        assert_eq!(reply.status, StatusCode::NOT_ACCEPTABLE, "{wrong}");
    }
    let right = [
        ("Content-Type", "Application/JSON; charset=utf-8"),
        ("Accept", "text/event-stream;q=0.5, Application/Json"),
        ("MCP-Protocol-Version", STATELESS),
        ("Mcp-Method", "server/discover"),
    ];
    assert_eq!(shop.post(&right, body).await.status, StatusCode::OK);
}

#[tokio::test]
async fn another_sites_page_and_another_sites_name_lead_nowhere() {
    let shop = Endpoint::shop().await;
    let body = initialize(SESSION).to_string();
    for header in [
        ("Origin", "https://evil.example"),
        ("Origin", "null"),
        ("Host", "evil.example"),
    ] {
        let reply = shop.post(&[header], body.clone()).await;
        assert_eq!(reply.status, StatusCode::FORBIDDEN, "{header:?}");
        assert!(reply.json().get("id").is_none());
        assert_eq!(reply.session, None);
    }
    for header in [
        ("Origin", "http://localhost:3000"),
        ("Host", "localhost:9"),
        ("Host", "[::1]:9"),
    ] {
        let reply = shop.post(&[header], body.clone()).await;
        assert_eq!(reply.status, StatusCode::OK, "{header:?}");
    }
    let options = HttpOptions {
        origins: vec!["https://course.example".to_owned()],
        hosts: Hosts::Any,
        ..HttpOptions::default()
    };
    let open = Endpoint::of(
        lab_server::http::router_with("/mcp", self::shop(), options),
        "/mcp",
    )
    .await;
    let headers = [
        ("Origin", "https://course.example"),
        ("Host", "course.example"),
    ];
    assert_eq!(open.post(&headers, body).await.status, StatusCode::OK);
}

#[tokio::test]
async fn methods_that_an_endpoint_does_not_offer_are_not_allowed() {
    let shop = Endpoint::shop().await;
    for method in [Method::GET, Method::PUT, Method::OPTIONS] {
        let reply = shop.send(method, &[], "").await;
        assert_eq!(reply.status, StatusCode::METHOD_NOT_ALLOWED);
        assert_eq!(reply.allow.as_deref(), Some("POST, DELETE"));
    }
    let id = shop.open(SESSION).await;
    let headers = [
        ("MCP-Protocol-Version", STATELESS),
        ("Mcp-Session-Id", id.as_str()),
    ];
    let reply = shop.send(Method::DELETE, &headers, "").await;
    assert_eq!(reply.status, StatusCode::METHOD_NOT_ALLOWED);
    let reply = shop.in_session(&id, SESSION, "ping", &json!({})).await;
    assert_eq!(reply.status, StatusCode::OK, "the session is still there");
}

#[tokio::test]
async fn a_client_of_the_stateless_era_sends_no_responses() {
    let shop = Endpoint::shop().await;
    let body = r#"{"jsonrpc":"2.0","id":1,"result":{}}"#;
    let reply = shop
        .post(&[("MCP-Protocol-Version", STATELESS)], body)
        .await;
    assert_eq!(reply.status, StatusCode::BAD_REQUEST);
    let id = shop.open(SESSION).await;
    let reply = shop.post(&[("Mcp-Session-Id", &id)], body).await;
    assert_eq!(reply.status, StatusCode::ACCEPTED);
}

#[tokio::test]
async fn an_endpoint_can_stand_at_any_path_and_inside_another_router() {
    let at = |path: &str| lab_server::http::router(path, shop());
    let router = axum::Router::new()
        .merge(at("/mcp"))
        .merge(at("/mcp/shop"))
        .nest("/inside/shop", at("/"));
    for path in ["/mcp", "/mcp/shop", "/inside/shop"] {
        let shop = Endpoint::of(router.clone(), path).await;
        assert!(shop.still_works().await, "{path}");
    }
}

#[tokio::test]
async fn more_sessions_than_allowed_end_the_one_that_was_silent_longest() {
    let options = HttpOptions {
        most_sessions: 2,
        ..HttpOptions::default()
    };
    let router = lab_server::http::router_with("/mcp", shop(), options);
    let shop = Endpoint::of(router, "/mcp").await;
    let first = shop.open(SESSION).await;
    shop.open(SESSION).await;
    let third = shop.open(SESSION).await;
    let ping = async |id: &str| {
        shop.in_session(id, SESSION, "ping", &json!({}))
            .await
            .status
    };
    assert_eq!(ping(&first).await, StatusCode::NOT_FOUND);
    assert_eq!(ping(&third).await, StatusCode::OK);
}

#[tokio::test]
async fn an_unknown_method_in_a_session_is_an_answer_like_others() {
    let shop = Endpoint::shop().await;
    for revision in [OLD, SESSION] {
        let id = shop.open(revision).await;
        let reply = shop
            .in_session(&id, revision, "tools/destroy", &json!({}))
            .await;
        assert_eq!(
            (reply.status, reply.code(), &reply.json()["id"]),
            (StatusCode::OK, -32601, &json!(7)),
            "{revision}"
        );
        let pong = shop.in_session(&id, revision, "ping", &json!({})).await;
        assert_eq!(pong.json()["result"], json!({}));
    }
}

#[tokio::test]
async fn a_stateless_notification_is_accepted_without_a_body() {
    let shop = Endpoint::shop().await;
    let method = "notifications/cancelled";
    let body = json!({ "jsonrpc": "2.0", "method": method, "params": { "requestId": 1 } });
    let headers = [("MCP-Protocol-Version", STATELESS), ("Mcp-Method", method)];
    let reply = shop.post(&headers, body.to_string()).await;
    assert_eq!(
        (reply.status, reply.text.as_str(), reply.session),
        (StatusCode::ACCEPTED, "", None)
    );
}

#[tokio::test]
async fn a_page_of_a_development_server_on_this_machine_may_call() {
    let shop = Endpoint::shop().await;
    let headers = [("Origin", "http://localhost:5173")];
    let reply = shop.post(&headers, initialize(SESSION).to_string()).await;
    assert_eq!(reply.status, StatusCode::OK);
}

/// Headers, a body, and the status that refuses them.
type Bad<'a> = (&'a [(&'a str, &'a str)], &'a [u8], u16);

#[tokio::test]
async fn a_good_request_works_in_both_eras_after_each_bad_one() {
    let shop = Endpoint::shop().await;
    let id = shop.open(SESSION).await;
    let good = stateless("server/discover", json!({})).to_string();
    // Over the default limit.
    let large = " ".repeat(HttpOptions::default().largest_body + 1);
    let bad: [Bad; 12] = [
        (&[], b"{", 400),
        (&[], b"[]", 400),
        (&[], b"\"\xff\"", 400),
        (&[], br#"{"jsonrpc":"2.0","id":null,"method":"ping"}"#, 400),
        (&[], br#"{"jsonrpc":"2.0","id":1.5,"method":"ping"}"#, 400),
        (&[], large.as_bytes(), 413),
        (&[("Content-Type", "text/plain")], good.as_bytes(), 415),
        (&[("Accept", "text/html")], good.as_bytes(), 406),
        (&[("Origin", "https://evil.example")], good.as_bytes(), 403),
        (&[("Host", "evil.example")], good.as_bytes(), 403),
        (&[], good.as_bytes(), 400),
        (
            &[("Mcp-Session-Id", "nobody")],
            br#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#,
            404,
        ),
    ];
    for (headers, body, status) in bad {
        let reply = shop.post(headers, body.to_vec()).await;
        assert_eq!(reply.status.as_u16(), status, "{headers:?}");
        assert!(shop.still_works().await, "{headers:?}");
        let pong = shop.in_session(&id, SESSION, "ping", &json!({})).await;
        assert_eq!(pong.status, StatusCode::OK, "{headers:?}");
    }
}

#[tokio::test]
async fn a_mirrored_header_that_stands_there_twice_is_refused() {
    let shop = Endpoint::shop().await;
    let message = stateless("tools/call", order("SO20260901"));
    let right = mirrors(&message);
    let right: Vec<_> = right
        .iter()
        .map(|(name, value)| (*name, value.as_str()))
        .collect();
    for again in &right {
        let headers: Vec<_> = right.iter().copied().chain([*again]).collect();
        let reply = shop.post(&headers, message.to_string()).await;
        assert_eq!(
            (reply.status, reply.code()),
            (StatusCode::BAD_REQUEST, -32020),
            "{again:?}"
        );
    }
    assert!(shop.still_works().await);
}

#[tokio::test]
async fn a_client_that_accepts_anything_is_served() {
    let shop = Endpoint::shop().await;
    let body = initialize(SESSION).to_string();
    for accept in ["*/*", "application/*, text/*"] {
        let reply = shop.post(&[("Accept", accept)], body.clone()).await;
        assert_eq!(reply.status, StatusCode::OK, "{accept}");
    }
}

/// One connection, written and read by hand, so that nobody can open a second one unseen.
struct Connection(BufReader<TcpStream>);

impl Connection {
    async fn to(endpoint: &Endpoint) -> Self {
        let address = endpoint
            .url
            .trim_start_matches("http://")
            .trim_end_matches("/mcp");
        Self(BufReader::new(
            TcpStream::connect(address).await.expect("a connection"),
        ))
    }

    /// Sends a request and gives back the status, once the whole answer has been read.
    async fn send(&mut self, method: &str, headers: &[(&str, &str)], body: &[u8]) -> u16 {
        let usual = [
            ("Host", "localhost"),
            ("Content-Type", "application/json"),
            ("Accept", "application/json, text/event-stream"),
        ];
        let mut head = format!(
            "{method} /mcp HTTP/1.1\r\nContent-Length: {}\r\n",
            body.len()
        );
        let kept = usual
            .iter()
            .filter(|(name, _)| !headers.iter().any(|(other, _)| other == name));
        for (name, value) in kept.chain(headers) {
            write!(head, "{name}: {value}\r\n").expect("a string");
        }
        head.push_str("\r\n");
        let bytes = [head.as_bytes(), body].concat();
        self.0.write_all(&bytes).await.expect("the server reads");
        self.answer().await
    }

    async fn answer(&mut self) -> u16 {
        let status = self.line().await;
        let status = status
            .split(' ')
            .nth(1)
            .and_then(|status| status.parse().ok())
            .unwrap_or_else(|| panic!("a status was expected: {status:?}"));
        let mut length = 0;
        loop {
            let line = self.line().await.to_ascii_lowercase();
            assert_ne!(line, "connection: close", "after {status}");
            if let Some(value) = line.strip_prefix("content-length: ") {
                length = value.parse().expect("a length");
            }
            if line.is_empty() {
                break;
            }
        }
        let mut body = vec![0; length];
        self.0.read_exact(&mut body).await.expect("the body");
        status
    }

    async fn line(&mut self) -> String {
        let mut line = String::new();
        let count = self.0.read_line(&mut line).await.expect("a line");
        assert_ne!(count, 0, "the server closed the connection");
        line.trim_end().to_owned()
    }
}

#[tokio::test]
async fn the_same_connection_carries_a_good_request_after_each_bad_one() {
    let shop = Endpoint::shop().await;
    let mut connection = Connection::to(&shop).await;
    let good = stateless("server/discover", json!({})).to_string();
    let good = good.as_bytes();
    let mirrors = [
        ("MCP-Protocol-Version", STATELESS),
        ("Mcp-Method", "server/discover"),
    ];
    let large = vec![b' '; HttpOptions::default().largest_body + 1];
    let ping: &[u8] = br#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#;
    let cases: [(&str, Bad); 14] = [
        ("POST", (&[], b"{", 400)),
        ("POST", (&[], b"[]", 400)),
        ("POST", (&[], b"\"\xff\"", 400)),
        ("POST", (&[], b"", 400)),
        ("POST", (&[], &large, 413)),
        ("POST", (&[("Content-Type", "text/plain")], good, 415)),
        ("POST", (&[("Accept", "text/html")], good, 406)),
        ("POST", (&[("Origin", "https://evil.example")], good, 403)),
        ("POST", (&[("Host", "evil.example")], good, 403)),
        ("POST", (&[("Mcp-Session-Id", "nobody")], ping, 404)),
        ("POST", (&mirrors[..1], good, 400)),
        ("GET", (&[], b"", 405)),
        ("PUT", (&[], good, 405)),
        ("DELETE", (&[], b"", 400)),
    ];
    for (method, (headers, body, status)) in cases {
        let got = connection.send(method, headers, body).await;
        assert_eq!(got, status, "{method} {headers:?}");
        let got = connection.send("POST", &mirrors, good).await;
        assert_eq!(got, 200, "after {method} {headers:?}");
    }
}
