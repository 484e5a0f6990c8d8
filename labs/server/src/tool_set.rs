//! What does adding a tool take? One call: a name, words, and a function with typed arguments.
//!
//! The schema that the model sees and the validation of what it sends both follow from the argument type, so they
//! cannot drift apart.

use std::panic::{AssertUnwindSafe, catch_unwind};

use lab_protocol::tool::ToolAnnotations;
use lab_protocol::{ContentBlock, Tool};
use schemars::JsonSchema;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use serde_json::value::{RawValue, to_raw_value};

use crate::params::string;
use crate::schema::schema_of;

/// A tool's failure at its business, in words that a model can act on. It becomes a result with `isError`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ToolFailure(pub String);

impl<T: Into<String>> From<T> for ToolFailure {
    fn from(words: T) -> Self {
        Self(words.into())
    }
}

/// What a tool gave.
pub(crate) struct Output {
    /// For the model.
    pub(crate) content: Vec<ContentBlock>,
    /// For programs, written already.
    pub(crate) structured: Option<Box<RawValue>>,
}

/// Why a call came to no success.
pub(crate) enum CallFault {
    /// The arguments do not fit.
    Arguments(String),
    /// The tool failed.
    Business(String),
    /// The program failed.
    Program(String),
}

/// A tool's function with its types put away: from the text of the arguments to the output.
type Handler = Box<dyn Fn(&str) -> Result<Output, CallFault> + Send + Sync>;

/// A tool with its handler.
pub struct RegisteredTool {
    pub(crate) definition: Tool,
    handler: Handler,
}

impl RegisteredTool {
    /// A tool whose argument type gives schema and validation, and whose output type gives the output schema.
    ///
    /// An output that is no object, such as a `String`, becomes words without a schema: up to 2025-11-25 structured
    /// content is an object (server/tools, Structured Content).
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
        let output_schema = Some(schema_of::<O>())
            .filter(|schema| schema.get("type").and_then(Value::as_str) == Some("object"));
        let structured = output_schema.is_some();
        let definition = Tool {
            name: name.to_owned(),
            title: Some(title.to_owned()),
            description: Some(description.to_owned()),
            input_schema: schema_of::<A>(),
            output_schema,
            annotations: None,
            icons: None,
            meta: None,
        };
        let handler = move |arguments: &str| {
            let arguments: A = read_arguments(arguments)?;
            let output = handler(arguments).map_err(|failure| CallFault::Business(failure.0))?;
            let written =
                to_raw_value(&output).map_err(|error| CallFault::Program(error.to_string()))?;
            Ok(Output::new(written, structured))
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

    /// Runs the handler. One that panics fails this call and no other: the connection goes on.
    pub(crate) fn call(&self, arguments: &str) -> Result<Output, CallFault> {
        catch_unwind(AssertUnwindSafe(|| (self.handler)(arguments))).unwrap_or_else(|_| {
            let words = format!("{} stopped unexpectedly", self.definition.name);
            Err(CallFault::Program(words))
        })
    }
}

impl Output {
    /// Structured content comes with the same JSON as text, for clients that know only text (server/tools).
    fn new(written: Box<RawValue>, structured: bool) -> Self {
        let text = match string(written.get()) {
            Some(words) if !structured => words.into_owned(),
            _ => written.get().to_owned(),
        };
        Self {
            content: vec![ContentBlock::text(text)],
            structured: structured.then_some(written),
        }
    }
}

/// Reads arguments into their type. The words about a fault name the field and not a column: a model will read them.
fn read_arguments<A: DeserializeOwned>(text: &str) -> Result<A, CallFault> {
    let mut deserializer = serde_json::Deserializer::from_str(text);
    serde_path_to_error::deserialize(&mut deserializer).map_err(|error| {
        let words = error.to_string();
        let (line, column) = (error.inner().line(), error.inner().column());
        let place = format!(" at line {line} column {column}");
        CallFault::Arguments(words.strip_suffix(&place).unwrap_or(&words).to_owned())
    })
}

#[cfg(test)]
mod tests {
    use super::{CallFault, RegisteredTool, ToolFailure};
    use schemars::JsonSchema;
    use serde::Deserialize;

    #[derive(Deserialize, JsonSchema)]
    #[serde(deny_unknown_fields)]
    struct Parcel {
        size: Size,
    }

    #[derive(Deserialize, JsonSchema)]
    #[serde(deny_unknown_fields)]
    struct Size {
        width: u8,
    }

    fn weigh() -> RegisteredTool {
        RegisteredTool::new("weigh", "Weigh", "Weighs a parcel.", |parcel: Parcel| {
            assert!(parcel.size.width > 0, "nothing is that thin");
            Ok::<_, ToolFailure>(format!("{} g", parcel.size.width))
        })
    }

    fn words(arguments: &str) -> String {
        match weigh().call(arguments) {
            Err(CallFault::Arguments(words)) => words,
            _ => panic!("{arguments} should not fit"),
        }
    }

    #[test]
    fn words_about_wrong_arguments_name_the_field() {
        assert!(words("{}").contains("size"));
        assert!(words(r#"{"size":{"width":"wide"}}"#).starts_with("size.width: "));
        assert!(words(r#"{"size":{"width":1},"colour":1}"#).contains("colour"));
        for text in ["{}", r#"{"size":{"width":300}}"#] {
            assert!(!words(text).contains("column"), "{}", words(text));
        }
    }

    #[test]
    fn an_output_that_is_a_string_becomes_plain_words() {
        let tool = weigh();
        assert!(tool.definition.output_schema.is_none());
        let Ok(output) = tool.call(r#"{"size":{"width":7}}"#) else {
            panic!("it should be weighed");
        };
        assert_eq!(output.content, [lab_protocol::ContentBlock::text("7 g")]);
        assert!(output.structured.is_none());
    }

    #[test]
    fn a_handler_that_panics_fails_its_own_call_alone() {
        let tool = weigh();
        assert!(matches!(
            tool.call(r#"{"size":{"width":0}}"#),
            Err(CallFault::Program(_))
        ));
        assert!(tool.call(r#"{"size":{"width":1}}"#).is_ok());
    }
}
