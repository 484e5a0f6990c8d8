//! Do the official example messages come out of our types as they went in?

use std::path::PathBuf;

use lab_protocol::completion::{CompleteParams, CompleteResult};
use lab_protocol::content::{BinaryContent, EmbeddedResource, TextContent};
use lab_protocol::elicitation::{ElicitForm, ElicitParams, ElicitResult, ElicitUrl, FieldSchema};
use lab_protocol::input::{
    InputRequest, InputRequiredResult, InputResponses, ListRootsResult, Root,
};
use lab_protocol::lifecycle::{DiscoverResult, EmptyParams};
use lab_protocol::notification::{
    AcknowledgedParams, CancelledParams, ListenParams, ListenResult, LogMessageParams,
    ProgressParams, ResourceUpdatedParams,
};
use lab_protocol::prompt::{GetPromptParams, GetPromptResult, ListPromptsResult};
use lab_protocol::resource::{
    ListResourceTemplatesResult, ListResourcesResult, ReadResourceParams, ReadResourceResult,
    Resource, ResourceContents,
};
use lab_protocol::sampling::{
    CreateMessageParams, CreateMessageResult, ModelPreferences, SamplingContent, SamplingMessage,
};
use lab_protocol::tool::{CallToolParams, CallToolResult, ListParams, ListToolsResult, Tool};
use lab_protocol::{ClientCapabilities, ErrorObject, Message, ServerCapabilities};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

/// The folder of the official data; `None` where it is not at hand, which is a failure under `CI=true`.
fn spec_dir() -> Option<PathBuf> {
    let dir = std::env::var_os("MCP_SPEC_DIR").map_or_else(
        || PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../shared/spec"),
        PathBuf::from,
    );
    if dir.is_dir() {
        return Some(dir);
    }
    assert!(
        std::env::var_os("CI").is_none(),
        "the official schemas are not at {}; set MCP_SPEC_DIR",
        dir.display()
    );
    eprintln!(
        "skipped: the official schemas are not at {}; set MCP_SPEC_DIR",
        dir.display()
    );
    None
}

fn through<T: DeserializeOwned + Serialize>(value: &Value) -> Value {
    let typed: T = serde_json::from_value(value.clone()).expect("the example fits our type");
    serde_json::to_value(typed).expect("our type can be written")
}

/// Sends an example through the type of ours that stands for its schema type.
fn through_our_type(schema_type: &str, example: &Value) -> Value {
    if example.get("jsonrpc").is_some() {
        return message(schema_type, example);
    }
    match schema_type {
        "TextContent" => tagged::<TextContent>("text", example),
        "ImageContent" => tagged::<BinaryContent>("image", example),
        "AudioContent" => tagged::<BinaryContent>("audio", example),
        "EmbeddedResource" => tagged::<EmbeddedResource>("resource", example),
        "ResourceLink" => tagged::<Resource>("resource_link", example),
        "BlobResourceContents" | "TextResourceContents" => through::<ResourceContents>(example),
        "Resource" => through::<Resource>(example),
        "Tool" => through::<Tool>(example),
        "ClientCapabilities" => through::<ClientCapabilities>(example),
        "ServerCapabilities" => through::<ServerCapabilities>(example),
        "BooleanSchema" | "NumberSchema" | "StringSchema" => through::<FieldSchema>(example),
        name if name.ends_with("EnumSchema") => through::<FieldSchema>(example),
        "CreateMessageRequest" | "ElicitRequest" | "ListRootsRequest" => {
            through::<InputRequest>(example)
        }
        "InputRequests" => through::<std::collections::BTreeMap<String, InputRequest>>(example),
        "InputResponses" => through::<InputResponses>(example),
        "InputRequiredResult" => through::<InputRequiredResult>(example),
        "ElicitRequestFormParams" => {
            through::<ElicitForm>(example);
            through::<ElicitParams>(example)
        }
        "ElicitRequestURLParams" => {
            through::<ElicitUrl>(example);
            through::<ElicitParams>(example)
        }
        "ElicitResult" => through::<ElicitResult>(example),
        "CreateMessageRequestParams" => through::<CreateMessageParams>(example),
        "CreateMessageResult" => through::<CreateMessageResult>(example),
        "SamplingMessage" => through::<SamplingMessage>(example),
        "ToolUseContent" | "ToolResultContent" => through::<SamplingContent>(example),
        "ModelPreferences" => through::<ModelPreferences>(example),
        "Root" => through::<Root>(example),
        "ListRootsResult" => through::<ListRootsResult>(example),
        "CallToolRequestParams" => through::<CallToolParams>(example),
        "CallToolResult" => through::<CallToolResult>(example),
        "CompleteRequestParams" => through::<CompleteParams>(example),
        "CompleteResult" => through::<CompleteResult>(example),
        "GetPromptRequestParams" => through::<GetPromptParams>(example),
        "GetPromptResult" => through::<GetPromptResult>(example),
        "DiscoverResult" => through::<DiscoverResult>(example),
        "ListToolsResult" => through::<ListToolsResult>(example),
        "ListPromptsResult" => through::<ListPromptsResult>(example),
        "ListResourcesResult" => through::<ListResourcesResult>(example),
        "ListResourceTemplatesResult" => through::<ListResourceTemplatesResult>(example),
        "ReadResourceResult" => through::<ReadResourceResult>(example),
        "PaginatedRequestParams" => through::<ListParams>(example),
        "CancelledNotificationParams" => through::<CancelledParams>(example),
        "ProgressNotificationParams" => through::<ProgressParams>(example),
        "LoggingMessageNotificationParams" => through::<LogMessageParams>(example),
        "ResourceUpdatedNotificationParams" => through::<ResourceUpdatedParams>(example),
        "SubscriptionsListenResult" => through::<ListenResult>(example),
        name if name.ends_with("Error") => through::<ErrorObject>(example),
        other => panic!("no type of ours stands for {other}"),
    }
}

/// A content block is read as such and by its own type, without the tag.
fn tagged<T: DeserializeOwned + Serialize>(tag: &str, example: &Value) -> Value {
    let mut bare = example.clone();
    bare.as_object_mut().expect("an object").remove("type");
    assert_eq!(through::<T>(&bare), bare, "{tag}");
    through::<lab_protocol::ContentBlock>(example)
}

/// A whole message: the envelope, and its parameters or result by the method's type.
fn message(schema_type: &str, example: &Value) -> Value {
    let line = example.to_string();
    let message = Message::parse(line.as_bytes()).expect("the example is a message");
    let inner = |raw: &serde_json::value::RawValue| -> Value {
        serde_json::from_str(raw.get()).expect("raw JSON")
    };
    match &message {
        Message::Request(request) => {
            let params = request.params.as_deref().map(inner).expect("params");
            let back = match request.method.as_str() {
                "tools/call" => through::<CallToolParams>(&params),
                "prompts/get" => through::<GetPromptParams>(&params),
                "resources/read" => through::<ReadResourceParams>(&params),
                "completion/complete" => through::<CompleteParams>(&params),
                "subscriptions/listen" => through::<ListenParams>(&params),
                "server/discover" => through::<EmptyParams>(&params),
                method if method.ends_with("/list") => through::<ListParams>(&params),
                other => panic!("no parameters known for {other}"),
            };
            assert_eq!(back, params, "{schema_type}");
        }
        Message::Notification(notification) => {
            let Some(params) = notification.params.as_deref().map(inner) else {
                return serde_json::to_value(&message).expect("a message can be written");
            };
            let back = match notification.method.as_str() {
                "notifications/cancelled" => through::<CancelledParams>(&params),
                "notifications/progress" => through::<ProgressParams>(&params),
                "notifications/message" => through::<LogMessageParams>(&params),
                "notifications/resources/updated" => through::<ResourceUpdatedParams>(&params),
                "notifications/subscriptions/acknowledged" => {
                    through::<AcknowledgedParams>(&params)
                }
                method if method.ends_with("list_changed") => through::<
                    std::collections::BTreeMap<String, lab_protocol::meta::ResultMeta>,
                >(&params),
                other => panic!("no parameters known for {other}"),
            };
            assert_eq!(back, params, "{schema_type}");
        }
        Message::Response(response) => {
            if let Ok(result) = &response.outcome {
                let result = inner(result);
                let name = schema_type.trim_end_matches("Response");
                let back = through_our_type(name, &result);
                assert_eq!(back, result, "{schema_type}");
            }
        }
    }
    serde_json::to_value(&message).expect("a message can be written")
}

#[test]
fn every_official_example_of_2026_07_28_comes_out_as_it_went_in() {
    let Some(dir) = spec_dir() else { return };
    let mut count = 0;
    for folder in std::fs::read_dir(dir.join("examples-2026-07-28")).expect("the examples") {
        let folder = folder.expect("a folder").path();
        let schema_type = folder
            .file_name()
            .expect("a name")
            .to_string_lossy()
            .into_owned();
        for file in std::fs::read_dir(&folder).expect("a folder") {
            let path = file.expect("a file").path();
            let text = std::fs::read_to_string(&path).expect("an example");
            let example: Value = serde_json::from_str(&text).expect("JSON");
            assert_eq!(
                through_our_type(&schema_type, &example),
                example,
                "{}",
                path.display()
            );
            count += 1;
        }
    }
    assert_eq!(count, 129, "as many examples as the revision has");
}
