//! What does adding a tool take? One call: a name, words, and a function with typed arguments.
//!
//! The schema that the model sees and the validation of what it sends both follow from the argument type, so they
//! cannot drift apart.

use lab_protocol::tool::ToolAnnotations;
use lab_protocol::{CallToolResult, ContentBlock, Object, Tool};
use schemars::generate::SchemaSettings;
use schemars::transform::{RecursiveTransform, Transform};
use schemars::{JsonSchema, Schema};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

/// A tool's failure at its business, in words that a model can act on. It becomes a result with `isError`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ToolFailure(pub String);

impl<T: Into<String>> From<T> for ToolFailure {
    fn from(words: T) -> Self {
        Self(words.into())
    }
}

/// Why a call came to no success.
pub(crate) enum CallFault {
    /// The arguments do not fit.
    Arguments(String),
    /// The tool failed.
    Business(String),
    /// The output could not be written.
    Output(String),
}

type Handler = Box<dyn Fn(&Object) -> Result<Value, CallFault> + Send + Sync>;

/// A tool with its handler.
pub struct RegisteredTool {
    pub(crate) definition: Tool,
    handler: Handler,
}

impl RegisteredTool {
    /// A tool whose argument type gives schema and validation, and whose output type gives the output schema.
    pub fn new<A, O>(
        name: &str,
        title: &str,
        description: &str,
        handler: impl Fn(A) -> Result<O, ToolFailure> + Send + Sync + 'static,
    ) -> Self
    where
        A: DeserializeOwned + JsonSchema,
        O: Serialize + JsonSchema,
    {
        let definition = Tool {
            name: name.to_owned(),
            title: Some(title.to_owned()),
            description: Some(description.to_owned()),
            input_schema: schema_of::<A>(),
            output_schema: Some(schema_of::<O>()),
            annotations: None,
            icons: None,
            meta: None,
        };
        let handler = move |arguments: &Object| {
            let deserializer = serde::de::value::MapDeserializer::new(
                arguments.iter().map(|(key, value)| (key.as_str(), value)),
            );
            let arguments: A = serde_path_to_error::deserialize(deserializer).map_err(
                |error: serde_path_to_error::Error<serde_json::Error>| {
                    CallFault::Arguments(error.to_string())
                },
            )?;
            let output = handler(arguments).map_err(|failure| CallFault::Business(failure.0))?;
            serde_json::to_value(output).map_err(|error| CallFault::Output(error.to_string()))
        };
        Self {
            definition,
            handler: Box::new(handler),
        }
    }

    /// Says that the tool changes nothing.
    #[must_use]
    pub fn read_only(mut self) -> Self {
        self.definition.annotations = Some(ToolAnnotations {
            read_only_hint: Some(true),
            open_world_hint: Some(false),
            ..ToolAnnotations::default()
        });
        self
    }

    pub(crate) fn call(&self, arguments: &Object) -> Result<CallToolResult, CallFault> {
        let output = (self.handler)(arguments)?;
        Ok(CallToolResult {
            content: vec![ContentBlock::text(output.to_string())],
            structured_content: Some(output),
            ..CallToolResult::default()
        })
    }
}

/// A type's schema as a tool publishes it: self-contained, without what only a validator's author would read.
fn schema_of<T: JsonSchema>() -> Object {
    let mut generator = SchemaSettings::draft2020_12()
        .with(|settings| {
            settings.inline_subschemas = true;
            settings.meta_schema = None;
        })
        .into_generator();
    let mut schema = generator.root_schema_for::<T>();
    RecursiveTransform(|schema: &mut Schema| {
        schema.remove("title");
        schema.remove("format");
    })
    .transform(&mut schema);
    schema.remove("description");
    match schema.to_value() {
        Value::Object(object) => object,
        _ => Object::new(),
    }
}
