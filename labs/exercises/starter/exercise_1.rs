//! Exercise 1: how does a server get a second tool?
//!
//! `query_order` is registered below. Register `track_shipment` beside it: `Store::track_shipment` does the work, and
//! the schema follows from `OrderArguments`. The host is not touched; it will find the tool in the list.

use std::sync::Arc;

use lab_protocol::Implementation;
use lab_server::shop::{OrderArguments, Store};
use lab_server::{RegisteredTool, Server};

/// A server that should offer `query_order` and `track_shipment`.
///
/// # Errors
/// When the shop's data cannot be read.
pub fn server() -> Result<Server, serde_json::Error> {
    let store = Arc::new(Store::load()?);
    let orders = Arc::clone(&store);
    Ok(
        Server::new(Implementation::new("starter", "1.0.0")).tool(RegisteredTool::new(
            "query_order",
            "Query an order",
            "Looks up one order of the shop by its number: status, items and total.",
            move |arguments: OrderArguments| orders.query_order(arguments),
        )),
    )
}
