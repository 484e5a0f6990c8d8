//! Do our client and our server understand each other, in both eras and through both doors?

use std::time::Duration;

use lab_client::{
    Client, ClientError, Era, EraChoice, HttpTransport, Options, ServerCommand, StdioTransport,
    Transport,
};
use lab_protocol::Object;
use lab_server::{Dispatcher, shop};

fn options(era: EraChoice) -> Options {
    Options {
        era,
        timeout: Duration::from_secs(10),
        ..Options::default()
    }
}

async fn shop_over_http() -> String {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0")
        .await
        .expect("a port");
    let url = format!("http://{}/mcp", listener.local_addr().expect("an address"));
    let dispatcher = Dispatcher::new(shop::server().expect("the data")).expect("a dispatcher");
    let router = lab_server::http::router("/mcp", dispatcher);
    tokio::spawn(async move { axum::serve(listener, router).await });
    url
}

/// The example `shop_server`, which cargo builds beside the tests.
fn shop_over_stdio() -> StdioTransport {
    let this = std::env::current_exe().expect("this test");
    let folder = this
        .parent()
        .and_then(|deps| deps.parent())
        .expect("target/debug");
    let program = folder.join("examples").join("shop_server");
    let command = ServerCommand {
        program: program.display().to_string(),
        ..ServerCommand::default()
    };
    StdioTransport::start("shop", &command).expect("it starts")
}

fn order(id: &str) -> Object {
    Object::from_iter([("order_id".to_owned(), id.into())])
}

/// What every way to the shop must be able to do.
async fn shops<T: Transport>(transport: T, choice: EraChoice, era: Era) {
    let client = Client::connect(transport, options(choice))
        .await
        .expect("a connection");
    assert_eq!(client.era(), era);
    assert!(client.server_info().is_some());
    let tools = client.list_tools().await.expect("tools");
    assert!(tools.iter().any(|tool| tool.name == "query_order"));
    let shipped = client
        .call_tool("query_order", order("SO20260901"))
        .await
        .expect("a result");
    assert_ne!(shipped.is_error, Some(true));
    let unknown = client
        .call_tool("query_order", order("SO20269999"))
        .await
        .expect("a result");
    assert_eq!(unknown.is_error, Some(true));
    let error = client
        .call_tool("refund", Object::new())
        .await
        .expect_err("no such tool");
    assert!(matches!(error, ClientError::Rejected { ref error, .. } if error.code == -32602));
    match era {
        Era::Session => client.ping().await.expect("it is there"),
        Era::Stateless => assert!(client.ping().await.is_err()),
    }
    client.send_raw("{ broken").await.expect("it was sent");
    client
        .list_tools()
        .await
        .expect("the connection is usable afterwards");
    client.close().await;
}

#[tokio::test]
async fn the_shop_is_used_over_http_in_both_eras() {
    let url = shop_over_http().await;
    for (choice, era) in [
        (EraChoice::Auto, Era::Stateless),
        (EraChoice::Stateless, Era::Stateless),
        (EraChoice::Session, Era::Session),
    ] {
        shops(HttpTransport::new(&url).expect("a URL"), choice, era).await;
    }
}

#[tokio::test]
async fn the_shop_is_used_over_stdio_in_both_eras() {
    for (choice, era) in [
        (EraChoice::Auto, Era::Stateless),
        (EraChoice::Stateless, Era::Stateless),
        (EraChoice::Session, Era::Session),
    ] {
        shops(shop_over_stdio(), choice, era).await;
    }
}
