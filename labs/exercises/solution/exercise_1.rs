//! Exercise 1: how does a server get a second tool?

use std::sync::Arc;

use lab_protocol::Implementation;
use lab_server::shop::{OrderArguments, Store};
use lab_server::{RegisteredTool, Server};

/// A server that offers `query_order` and `track_shipment`. The schema of each follows from its argument type.
///
/// # Errors
/// When the shop's data cannot be read.
pub fn server() -> Result<Server, serde_json::Error> {
    let store = Arc::new(Store::load()?);
    let orders = Arc::clone(&store);
    Ok(Server::new(Implementation::new("solution", "1.0.0"))
        .tool(RegisteredTool::new(
            "query_order",
            "Query an order",
            "Looks up one order of the shop by its number: status, items and total.",
            move |arguments: OrderArguments| orders.query_order(arguments),
        ))
        .tool(RegisteredTool::new(
            "track_shipment",
            "Track a shipment",
            "Says where the parcel of a shipped order is: carrier and dated events, the newest last.",
            move |arguments: OrderArguments| store.track_shipment(arguments),
        )))
}
