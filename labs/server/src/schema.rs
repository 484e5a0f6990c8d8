//! What does a type look like to a model? Its JSON Schema, as a tool publishes it.

use lab_protocol::Object;
use schemars::generate::SchemaSettings;
use schemars::transform::{RecursiveTransform, Transform};
use schemars::{JsonSchema, Schema};
use serde_json::Value;

/// A type's schema, made once when its tool is registered: the dialect of the specification (2020-12, which needs no
/// `$schema`; 2025-11-25 and 2026-07-28, Base Protocol, JSON Schema Usage), everything in place of a reference, and
/// without what only a Rust programmer would read.
pub fn schema_of<T: JsonSchema>() -> Object {
    let mut generator = SchemaSettings::draft2020_12()
        .with(|settings| {
            settings.inline_subschemas = true;
            settings.meta_schema = None;
        })
        .into_generator();
    let mut schema = generator.root_schema_for::<T>();
    RecursiveTransform(without_rust).transform(&mut schema);
    // The tool's own description speaks in the place of its argument type's.
    schema.remove("description");
    match schema.to_value() {
        Value::Object(object) => object,
        // `true`, a type that accepts everything.
        _ => Object::new(),
    }
}

/// The names of Rust types and of their numbers mean nothing elsewhere; the bounds of numbers stay.
fn without_rust(schema: &mut Schema) {
    schema.remove("title");
    let number = schema
        .get("format")
        .and_then(Value::as_str)
        .is_some_and(|format| {
            ["int", "uint", "float", "double"]
                .iter()
                .any(|rust| format.starts_with(rust))
        });
    if number {
        schema.remove("format");
    }
}

#[cfg(test)]
mod tests {
    use super::schema_of;
    use schemars::JsonSchema;
    use serde::Deserialize;
    use serde_json::{Value, json};

    /// Arguments.
    #[derive(Deserialize, JsonSchema)]
    #[serde(deny_unknown_fields)]
    #[expect(dead_code, reason = "only the schema is looked at")]
    struct Sample {
        /// A title that is an argument, and no title of the schema.
        title: String,
        format: Inner,
    }

    #[derive(Deserialize, JsonSchema)]
    #[expect(dead_code, reason = "only the schema is looked at")]
    struct Inner {
        count: u8,
    }

    #[test]
    fn a_schema_stands_alone_and_keeps_what_a_model_reads() {
        assert_eq!(
            Value::Object(schema_of::<Sample>()),
            json!({
                "type": "object",
                "properties": {
                    "title": {
                        "description": "A title that is an argument, and no title of the schema.",
                        "type": "string"
                    },
                    "format": {
                        "type": "object",
                        "properties": { "count": { "type": "integer", "minimum": 0, "maximum": 255 } },
                        "required": ["count"]
                    }
                },
                "additionalProperties": false,
                "required": ["title", "format"]
            })
        );
    }
}
