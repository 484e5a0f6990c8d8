//! What of a schema has to change before a service accepts it?
//!
//! Very little, outside strict mode. Two things are refused in practice although the schema is valid: the key
//! `$schema`, and an object without `properties`. Everything else goes through untouched: a host that closes an
//! open schema takes arguments away from the model that the server would have taken.

use lab_protocol::Object;
use serde_json::{Value, json};

// ANCHOR: parameters
/// The schema as a service outside strict mode takes it.
pub fn parameters(input_schema: &Object) -> Value {
    let mut schema = input_schema.clone();
    // The dialect is for validators; some services refuse the key. `shift_remove` keeps the order of the rest.
    schema.shift_remove("$schema");
    // MCP wants the root to be an object (server/tools, all revisions); a server may have forgotten to say so.
    schema.entry("type").or_insert_with(|| json!("object"));
    schema.entry("properties").or_insert_with(|| json!({}));
    Value::Object(schema)
}
// ANCHOR_END: parameters

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::parameters;

    fn translated(schema: Value) -> Value {
        let Value::Object(schema) = schema else {
            panic!("an object was expected")
        };
        parameters(&schema)
    }

    #[test]
    fn an_empty_schema_becomes_an_object_without_properties() {
        for schema in [json!({}), json!({ "type": "object" })] {
            assert_eq!(
                translated(schema),
                json!({ "type": "object", "properties": {} })
            );
        }
    }

    #[test]
    fn an_open_schema_stays_open() {
        let schema = json!({ "type": "object", "properties": {}, "additionalProperties": {} });
        assert_eq!(translated(schema.clone()), schema);
    }

    #[test]
    fn the_dialect_is_left_out_and_nothing_else() {
        let schema = json!({
            "$schema": "https://json-schema.org/draft/2020-12/schema",
            "type": "object",
            "properties": { "type": { "$ref": "#/$defs/kind" } },
            "$defs": { "kind": { "enum": ["a", null] } }
        });
        let mut expected = schema.clone();
        expected
            .as_object_mut()
            .expect("an object")
            .remove("$schema");
        assert_eq!(translated(schema), expected);
    }
}
