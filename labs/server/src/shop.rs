//! What does the shop's server know, and which tools does it offer?

use std::sync::Arc;

use lab_protocol::Implementation;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::server::Server;
use crate::tool_set::{RegisteredTool, ToolFailure};

const DATA: &str = include_str!("../data/orders.json");

// ANCHOR: order_id
/// An order number: `SO` and eight digits. It cannot be made from anything else, so that no handler has to look.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize, Serialize)]
#[serde(try_from = "String")]
pub struct OrderId(String);

impl TryFrom<String> for OrderId {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        let digits = text.strip_prefix("SO").unwrap_or_default();
        if digits.len() == 8 && digits.bytes().all(|byte| byte.is_ascii_digit()) {
            Ok(Self(text))
        } else {
            Err(format!(
                "{text:?} is no order number; one is SO and eight digits, such as SO20260901"
            ))
        }
    }
}
// ANCHOR_END: order_id

impl JsonSchema for OrderId {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "OrderId".into()
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({ "type": "string", "pattern": r"^SO\d{8}$" })
    }

    fn inline_schema() -> bool {
        true
    }
}

/// The arguments of both tools.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct OrderArguments {
    /// The order number: SO and eight digits, such as SO20260901.
    pub order_id: OrderId,
}

/// An order.
#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Order {
    /// The order number.
    pub order_id: OrderId,
    /// Where the order stands.
    pub status: Status,
    /// The day on which it was placed, as YYYY-MM-DD.
    pub placed: String,
    /// What was ordered.
    pub items: Vec<Item>,
    /// What was paid.
    pub total: Money,
}

/// Where an order stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[schemars(inline)]
pub enum Status {
    /// Paid and waiting to be shipped.
    Paid,
    /// On its way, or there.
    Shipped,
    /// The money went back.
    Refunded,
}

/// Something that was ordered.
#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Item {
    /// What it is.
    pub name: String,
    /// How many.
    pub quantity: u32,
}

/// An amount of money.
#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Money {
    /// In the currency's minor unit: 45900 is 459.00.
    pub amount: i64,
    /// ISO 4217.
    pub currency: String,
}

/// A parcel.
#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Shipment {
    /// The order number.
    pub order_id: OrderId,
    /// Who carries it.
    pub carrier: String,
    /// The carrier's number.
    pub tracking_number: String,
    /// What happened to it, the newest last.
    pub events: Vec<Event>,
}

/// Something that happened to a parcel.
#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Event {
    /// The day, as YYYY-MM-DD.
    pub date: String,
    /// Where.
    pub place: String,
    /// What.
    pub event: String,
}

/// The orders and shipments of the shop, read from the data beside the code. They are few, so that a lookup looks at
/// one after the other.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Store {
    orders: Vec<Order>,
    shipments: Vec<Shipment>,
}

impl Store {
    /// Reads the data.
    ///
    /// # Errors
    /// When the data in the repository does not have its form.
    pub fn load() -> Result<Self, serde_json::Error> {
        serde_json::from_str(DATA)
    }

    // ANCHOR: query_order
    /// The order with this number. A well-formed number that does not exist is a failure of the business: the words
    /// say what was wrong and what would be right, so that the model can try again or ask.
    pub fn query_order(&self, arguments: OrderArguments) -> Result<Order, ToolFailure> {
        let id = arguments.order_id;
        let found = self.orders.iter().find(|order| order.order_id == id);
        found.cloned().ok_or_else(|| {
            let near = self.nearest(&id);
            ToolFailure(format!(
                "There is no order {}. The closest number on file is {near}; check the digits with the customer.",
                id.0
            ))
        })
    }
    // ANCHOR_END: query_order

    /// The parcel of an order.
    pub fn track_shipment(&self, arguments: OrderArguments) -> Result<Shipment, ToolFailure> {
        let order = self.query_order(arguments)?;
        let mut shipments = self.shipments.iter();
        let found = shipments.find(|shipment| shipment.order_id == order.order_id);
        found.cloned().ok_or_else(|| {
            ToolFailure(match order.status {
                Status::Paid => format!(
                    "Order {} is paid but has not been shipped yet, so there is nothing to track.",
                    order.order_id.0
                ),
                Status::Refunded => format!(
                    "Order {} was refunded before anything was shipped, so there is nothing to track.",
                    order.order_id.0
                ),
                Status::Shipped => format!(
                    "Order {} is shipped, but its carrier has reported nothing yet; try again later.",
                    order.order_id.0
                ),
            })
        })
    }

    /// The number on file that shares the most digits with this one, place by place.
    fn nearest(&self, id: &OrderId) -> &str {
        let same = |other: &OrderId| {
            id.0.bytes()
                .zip(other.0.bytes())
                .filter(|(a, b)| a == b)
                .count()
        };
        self.orders
            .iter()
            .rev()
            .map(|order| &order.order_id)
            .max_by_key(|other| same(other))
            .map_or("none", |other| other.0.as_str())
    }
}

// ANCHOR: shop_tools
/// `query_order`, ready to be registered.
pub fn query_order_tool(store: &Arc<Store>) -> RegisteredTool {
    let store = Arc::clone(store);
    RegisteredTool::new(
        "query_order",
        "Query an order",
        "Looks up one order of the shop by its number: status (paid, shipped or refunded), items and total. \
         Use it for any question about an order. For where a parcel is, use track_shipment.",
        move |arguments: OrderArguments| store.query_order(arguments),
    )
    .read_only()
}

/// `track_shipment`, ready to be registered.
pub fn track_shipment_tool(store: &Arc<Store>) -> RegisteredTool {
    let store = Arc::clone(store);
    RegisteredTool::new(
        "track_shipment",
        "Track a shipment",
        "Says where the parcel of a shipped order is: carrier, tracking number and dated events, the newest last. \
         Use it only for orders that have been shipped; query_order tells.",
        move |arguments: OrderArguments| store.track_shipment(arguments),
    )
    .read_only()
}

/// The shop's server.
///
/// # Errors
/// When the data in the repository does not have its form.
pub fn server() -> Result<Server, serde_json::Error> {
    let store = Arc::new(Store::load()?);
    Ok(Server::new(Implementation::new("shop", env!("CARGO_PKG_VERSION")))
        .instructions("Order numbers are SO and eight digits. Amounts are in minor units of their currency.")
        .tool(query_order_tool(&store))
        .tool(track_shipment_tool(&store)))
}
// ANCHOR_END: shop_tools
