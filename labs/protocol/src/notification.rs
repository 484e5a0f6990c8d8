//! What does a side tell the other without waiting for an answer?

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::meta::{RequestMeta, ResultMeta};
use crate::request_id::RequestId;

/// The parameters of `notifications/cancelled` (Cancellation).
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct CancelledParams {
    /// The request that need not be answered any more.
    pub request_id: RequestId,
    /// Why, for people.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// Free for extensions.
    #[serde(rename = "_meta", skip_serializing_if = "Option::is_none")]
    pub meta: Option<ResultMeta>,
}

/// The parameters of `notifications/progress` (Progress).
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ProgressParams {
    /// The token that the request gave.
    pub progress_token: RequestId,
    /// How far; grows with each notification.
    pub progress: serde_json::Number,
    /// How far it goes, where known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub total: Option<serde_json::Number>,
    /// In words (from 2025-03-26).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
    /// Free for extensions.
    #[serde(rename = "_meta", skip_serializing_if = "Option::is_none")]
    pub meta: Option<ResultMeta>,
}

/// The parameters of `notifications/message`: a log line (deprecated from 2026-07-28).
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
pub struct LogMessageParams {
    /// How grave.
    pub level: LogLevel,
    /// Which part of the server.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub logger: Option<String>,
    /// What happened: any JSON.
    pub data: Value,
    /// Free for extensions.
    #[serde(rename = "_meta", skip_serializing_if = "Option::is_none")]
    pub meta: Option<ResultMeta>,
}

/// How grave a log line is: the eight levels of RFC 5424.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum LogLevel {
    /// For those who search a fault.
    Debug,
    /// The usual course.
    Info,
    /// Usual, but worth a look.
    Notice,
    /// May become a fault.
    Warning,
    /// A fault.
    Error,
    /// A part does not work.
    Critical,
    /// Act at once.
    Alert,
    /// Nothing works.
    Emergency,
}

/// The parameters of `notifications/resources/updated`.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
pub struct ResourceUpdatedParams {
    /// Which resource changed.
    pub uri: String,
    /// From 2026-07-28: to which subscription it belongs.
    #[serde(rename = "_meta", skip_serializing_if = "Option::is_none")]
    pub meta: Option<ResultMeta>,
}

/// What a `subscriptions/listen` asks for, and what it is granted (from 2026-07-28, Subscriptions).
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct SubscriptionFilter {
    /// Changes of the list of tools.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tools_list_changed: Option<bool>,
    /// Changes of the list of prompts.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub prompts_list_changed: Option<bool>,
    /// Changes of the list of resources.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub resources_list_changed: Option<bool>,
    /// Changes of these resources.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub resource_subscriptions: Option<Vec<String>>,
}

/// The parameters of `subscriptions/listen`.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
pub struct ListenParams {
    /// What the request says about itself.
    #[serde(rename = "_meta", skip_serializing_if = "Option::is_none")]
    pub meta: Option<RequestMeta>,
    /// What to hear about.
    pub notifications: SubscriptionFilter,
}

/// The parameters of `notifications/subscriptions/acknowledged`: the first message of a subscription.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
pub struct AcknowledgedParams {
    /// Which subscription.
    #[serde(rename = "_meta", skip_serializing_if = "Option::is_none")]
    pub meta: Option<ResultMeta>,
    /// What was granted.
    pub notifications: SubscriptionFilter,
}

/// The result that ends a subscription in good order.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ListenResult {
    /// `complete`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub result_type: Option<String>,
    /// Which subscription.
    #[serde(rename = "_meta")]
    pub meta: ResultMeta,
}
