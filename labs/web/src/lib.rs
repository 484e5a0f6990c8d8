//! What the lab pages call: the client, the bridge and the shop server as WebAssembly.
//!
//! JavaScript sees one class, `Lab`, and one function, `translate`. All that they do is done by the crates that the
//! text shows: the messages that a reader sees in the page are those of the real client and the real server. Nothing here
//! knows the page.
//!
//! Reading order: this file (what JavaScript calls), [`source`] (which server), [`shop`] (the server in the page),
//! [`outcome`] (what came of a call, in words).

pub mod outcome;
pub mod shop;
pub mod source;

use std::cell::RefCell;
use std::rc::Rc;

use js_sys::{Array, Function, JSON, Object as JsObject, Reflect};
use lab_bridge::{Bridge, Format};
use lab_client::{Client, ClientError, EraChoice, Options, Traced};
use lab_protocol::{Object, Tool};
use serde::Deserialize;
use serde_json::{Value, json};
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

use crate::outcome::{Outcome, language};
use crate::source::Source;

/// One connection of a lab.
#[wasm_bindgen]
pub struct Lab {
    source: String,
    era: EraChoice,
    on_message: Function,
    client: RefCell<Option<Rc<Client<Source>>>>,
}

#[wasm_bindgen]
impl Lab {
    /// `source` is `browser` or the URL of a live endpoint; `era` is `auto`, `session` or `stateless`; `on_message`
    /// gets `{direction, raw, http}` for every message.
    ///
    /// # Errors
    /// When the era is none of the three.
    #[wasm_bindgen(constructor)]
    pub fn new(source: String, era: &str, on_message: Function) -> Result<Self, JsValue> {
        let era = EraChoice::parse(era).ok_or_else(|| {
            failure(&format!(
                "the era is auto, session or stateless, not {era:?}"
            ))
        })?;
        Ok(Self {
            source,
            era,
            on_message,
            client: RefCell::new(None),
        })
    }

    /// Connects, and says with whom: `{era, revision, server: {name, version}, capabilities}`.
    ///
    /// # Errors
    /// When there is no server, or no common revision.
    pub async fn connect(&self) -> Result<JsValue, JsValue> {
        self.close().await?;
        let options = Options {
            era: self.era,
            info: lab_protocol::Implementation::new("lab-page", env!("CARGO_PKG_VERSION")),
            observer: Some(observer(self.on_message.clone())),
            ..Options::default()
        };
        let source = Source::choose(&self.source).map_err(|words| failure(&words))?;
        let client = Client::connect(source, options)
            .await
            .map_err(|error| failure(&error.to_string()))?;
        let server = client.server_info();
        let found = json!({
            "era": client.era().as_str(),
            "revision": client.revision().as_str(),
            "server": {
                "name": server.as_ref().map(|server| server.name.as_str()),
                "version": server.as_ref().map(|server| server.version.as_str()),
            },
            "capabilities": client.server_capabilities(),
        });
        *self.client.borrow_mut() = Some(Rc::new(client));
        to_js(&found)
    }

    /// The tools as they came over the wire.
    ///
    /// # Errors
    /// When the lab is not connected, or the server does not give its list.
    #[wasm_bindgen(js_name = listTools)]
    pub async fn list_tools(&self) -> Result<JsValue, JsValue> {
        let client = self.connected()?;
        let tools = client.list("tools/list", "tools").await;
        to_js(&Value::Array(
            tools.map_err(|error| failure(&error.to_string()))?,
        ))
    }

    /// Calls a tool and says what came of it: `{kind, words, answer}`. A failed call is an outcome, no error: the
    /// lab shows what a model reads then.
    ///
    /// # Errors
    /// When the lab is not connected, or the arguments are no JSON.
    pub async fn call(
        &self,
        name: String,
        arguments_json: String,
        lang: String,
    ) -> Result<JsValue, JsValue> {
        let client = self.connected()?;
        let arguments: Value = serde_json::from_str(&arguments_json)
            .map_err(|error| failure(&format!("the arguments are no JSON: {error}")))?;
        let result = match arguments {
            Value::Object(arguments) => client.call_tool_raw(&name, arguments).await,
            // Whoever breaks the arguments on purpose sees what the server says to it.
            other => {
                let params = Object::from_iter([
                    ("name".to_owned(), name.into()),
                    ("arguments".to_owned(), other),
                ]);
                client.request("tools/call", params).await
            }
        };
        let result = result.and_then(|result| {
            serde_json::from_str(result.get()).map_err(|error| ClientError::UnexpectedResult {
                server: client.server().to_owned(),
                method: "tools/call".to_owned(),
                reason: error.to_string(),
            })
        });
        let outcome = Outcome::of(result, language(&lang));
        to_js(&json!({
            "kind": outcome.kind,
            "words": outcome.words,
            "answer": outcome.answer,
        }))
    }

    /// Sends one message as typed. What comes back arrives through `on_message`.
    ///
    /// # Errors
    /// When the lab is not connected, or the text could not be sent.
    #[wasm_bindgen(js_name = sendRaw)]
    pub async fn send_raw(&self, text: String) -> Result<(), JsValue> {
        let sent = self.connected()?.send_raw(&text).await;
        sent.map_err(|error| failure(&error.to_string()))
    }

    /// Ends the connection; also safe without one.
    ///
    /// # Errors
    /// Never; the page need not know that.
    pub async fn close(&self) -> Result<(), JsValue> {
        // Calls under way keep the client until they are done.
        let client = self.client.borrow_mut().take();
        if let Some(client) = client.and_then(Rc::into_inner) {
            client.close().await;
        }
        Ok(())
    }

    fn connected(&self) -> Result<Rc<Client<Source>>, JsValue> {
        let client = self.client.borrow().clone();
        client.ok_or_else(|| failure("the lab is not connected; connect first"))
    }
}

/// A list of tools, as `tools/list` gives it, in the form that a model's service wants: pretty JSON.
///
/// # Errors
/// When the text is no list of tools, or the format is unknown.
#[wasm_bindgen]
pub fn translate(tools_json: &str, format: &str) -> Result<String, JsValue> {
    translated(tools_json, format).map_err(|words| failure(&words))
}

fn translated(tools_json: &str, format: &str) -> Result<String, String> {
    let format = Format::parse(format)
        .ok_or_else(|| format!("the format is openai, responses or anthropic, not {format:?}"))?;
    let tools: Vec<Listed> = serde_json::from_str(tools_json)
        .map_err(|error| format!("this is no list of tools: {error}"))?;
    let tools: Vec<Tool> = tools.into_iter().map(Listed::into_tool).collect();
    let definitions = Value::from(Bridge::new(format, &tools).definitions());
    Ok(format!("{definitions:#}"))
}

/// What a model learns of a tool. The rest of [`Tool`] stays unread here, which keeps the download small.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Listed {
    name: String,
    title: Option<String>,
    description: Option<String>,
    input_schema: Object,
}

impl Listed {
    fn into_tool(self) -> Tool {
        Tool {
            name: self.name,
            title: self.title,
            description: self.description,
            input_schema: self.input_schema,
            output_schema: None,
            annotations: None,
            icons: None,
            meta: None,
        }
    }
}

/// Passes every message on to JavaScript. What the page does with it, or fails to, is no business of the client.
#[allow(clippy::arc_with_non_send_sync)] // A page has one thread; the type is shared with hosts that have many.
fn observer(on_message: Function) -> lab_client::transport::Observer {
    std::sync::Arc::new(MessageSink(on_message).into_observer())
}

struct MessageSink(Function);

impl MessageSink {
    fn into_observer(self) -> impl Fn(&Traced<'_>) {
        move |traced| {
            let message = JsObject::new();
            let http: Array = traced.http.iter().map(JsValue::from).collect();
            let members: [(&str, JsValue); 3] = [
                ("direction", traced.direction.as_str().into()),
                ("raw", traced.raw.into()),
                ("http", http.into()),
            ];
            for (name, value) in members {
                let _ = Reflect::set(&message, &name.into(), &value);
            }
            let _ = self.0.call1(&JsValue::NULL, &message);
        }
    }
}

fn failure(words: &str) -> JsValue {
    js_sys::Error::new(words).into()
}

fn to_js(value: &Value) -> Result<JsValue, JsValue> {
    JSON::parse(&value.to_string())
}

#[cfg(test)]
mod tests {
    use super::translated;

    #[test]
    fn a_list_of_tools_is_translated_for_every_format() {
        let tools = r#"[{"name":"query_order","description":"d","inputSchema":{"type":"object","properties":{}}}]"#;
        for (format, part) in [
            ("openai", "\"parameters\""),
            ("responses", "\"strict\": false"),
            ("anthropic", "\"input_schema\""),
        ] {
            let text = translated(tools, format).expect("a translation");
            assert!(text.starts_with("[\n") && text.contains(part), "{text}");
        }
    }

    #[test]
    fn what_cannot_be_translated_is_said_in_words() {
        assert!(
            translated("[]", "llama")
                .expect_err("no such format")
                .contains("llama")
        );
        assert!(
            translated("{", "openai")
                .expect_err("no list")
                .contains("no list of tools")
        );
    }
}
