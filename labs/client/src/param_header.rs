//! Which arguments of a tool are repeated in headers?
//!
//! A server may mark a property of a tool's `inputSchema` with `x-mcp-header`; over HTTP the client then repeats the
//! argument as `Mcp-Param-…`, and must leave out a tool whose marks break the rules (2026-07-28, Streamable HTTP,
//! Custom Headers from Tool Parameters).

use lab_protocol::{Object, header};
use serde_json::Value;

use crate::headers::encoded;
use crate::transport::Header;

const MARK: &str = "x-mcp-header";
/// Deeper schemas are refused rather than followed.
const DEEPEST: usize = 64;
/// Integers outside ±(2^53 − 1) change on their way through JavaScript.
const LARGEST: i64 = (1 << 53) - 1;

/// One marked property: where its value stands, and the header it goes into.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParamHeader {
    /// The keys that lead to the value in the arguments.
    pub path: Vec<String>,
    /// The header's name: `mcp-param-region`.
    pub name: String,
}

/// The marked properties of a schema.
///
/// # Errors
/// The rule that a mark breaks, in words.
pub fn find(schema: &Object) -> Result<Vec<ParamHeader>, String> {
    let mut found = Vec::new();
    walk(schema, &mut Vec::new(), true, 0, &mut found)?;
    for (index, param) in found.iter().enumerate() {
        if found[..index].iter().any(|other| other.name == param.name) {
            return Err(format!(
                "two of its arguments go into the header {}",
                param.name
            ));
        }
    }
    Ok(found)
}

/// `reachable` is true as long as the way from the root went through `properties` alone.
fn walk(
    schema: &Object,
    path: &mut Vec<String>,
    reachable: bool,
    depth: usize,
    found: &mut Vec<ParamHeader>,
) -> Result<(), String> {
    if depth > DEEPEST {
        return Err(format!("its schema is nested deeper than {DEEPEST} levels"));
    }
    for (keyword, value) in schema {
        match (keyword.as_str(), value) {
            (MARK, mark) => found.push(marked(schema, mark, path, reachable)?),
            ("properties", Value::Object(properties)) => {
                for (name, property) in properties {
                    if let Value::Object(property) = property {
                        path.push(name.clone());
                        walk(property, path, reachable, depth + 1, found)?;
                        path.pop();
                    }
                }
            }
            // Values, not schemas: whatever stands in them is no mark.
            ("const" | "default" | "enum" | "examples", _) => {}
            (_, Value::Object(inner)) => walk(inner, path, false, depth + 1, found)?,
            (_, Value::Array(items)) => {
                for item in items {
                    if let Value::Object(inner) = item {
                        walk(inner, path, false, depth + 1, found)?;
                    }
                }
            }
            _ => {}
        }
    }
    Ok(())
}

fn marked(
    schema: &Object,
    mark: &Value,
    path: &[String],
    reachable: bool,
) -> Result<ParamHeader, String> {
    let place = path.join(".");
    if !reachable || path.is_empty() {
        return Err(format!(
            "{MARK} at {place:?} is not reached by properties alone"
        ));
    }
    let token = mark.as_str().unwrap_or_default();
    if token.is_empty() || !token.bytes().all(is_token_byte) {
        return Err(format!("{MARK} at {place:?} is no header name: {mark}"));
    }
    match schema.get("type").and_then(Value::as_str) {
        Some("string" | "integer" | "boolean") => Ok(ParamHeader {
            path: path.to_vec(),
            name: format!("{}{}", header::PARAM_PREFIX, token.to_ascii_lowercase()),
        }),
        _ => Err(format!(
            "{MARK} at {place:?} stands on something else than a string, an integer or a boolean"
        )),
    }
}

/// The characters of a header's name (RFC 9110, 5.6.2, tchar).
fn is_token_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&byte)
}

/// The headers of one call. An argument that is absent or null gives none.
pub fn for_call(params: &[ParamHeader], arguments: &Object) -> Vec<Header> {
    params
        .iter()
        .filter_map(|param| {
            let (first, rest) = param.path.split_first()?;
            let value = rest
                .iter()
                .try_fold(arguments.get(first)?, |value, key| value.get(key))?;
            let text = match value {
                Value::String(text) => text.clone(),
                Value::Bool(flag) => flag.to_string(),
                Value::Number(number) => {
                    let integer = number.as_i64()?;
                    (-LARGEST..=LARGEST)
                        .contains(&integer)
                        .then(|| integer.to_string())?
                }
                _ => return None,
            };
            Some((param.name.clone(), encoded(&text)))
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use lab_protocol::Object;
    use serde_json::{Value, json};

    use super::{find, for_call};

    fn object(value: Value) -> Object {
        match value {
            Value::Object(object) => object,
            other => panic!("{other} is no object"),
        }
    }

    fn marked(property: &Value) -> Object {
        object(json!({ "type": "object", "properties": { "a": property } }))
    }

    #[test]
    fn a_marked_argument_goes_into_its_header_and_null_into_none() {
        let schema = object(json!({ "type": "object", "properties": {
            "region": { "type": "string", "x-mcp-header": "Region" },
            "limit": { "type": "integer", "x-mcp-header": "Limit" },
            "deep": { "type": "object", "properties": { "dry": { "type": "boolean", "x-mcp-header": "Dry" } } },
        }}));
        let params = find(&schema).expect("good marks");
        let headers = for_call(
            &params,
            &object(json!({ "region": " 上海", "limit": null, "deep": { "dry": true } })),
        );
        assert_eq!(
            headers,
            [
                (
                    "mcp-param-region".to_owned(),
                    "=?base64?IOS4iua1tw==?=".to_owned()
                ),
                ("mcp-param-dry".to_owned(), "true".to_owned()),
            ]
        );
    }

    #[test]
    fn marks_that_break_a_rule_are_found() {
        for property in [
            json!({ "type": "string", "x-mcp-header": "" }),
            json!({ "type": "string", "x-mcp-header": "a b" }),
            json!({ "type": "string", "x-mcp-header": "a\r\nb" }),
            json!({ "type": "string", "x-mcp-header": 5 }),
            json!({ "type": "number", "x-mcp-header": "N" }),
            json!({ "type": "object", "x-mcp-header": "O" }),
            json!({ "type": "array", "items": { "type": "string", "x-mcp-header": "I" } }),
            json!({ "anyOf": [{ "type": "string", "x-mcp-header": "I" }] }),
        ] {
            assert!(find(&marked(&property)).is_err(), "{property}");
        }
        let twice = object(json!({ "properties": {
            "a": { "type": "string", "x-mcp-header": "Region" },
            "b": { "type": "string", "x-mcp-header": "REGION" },
        }}));
        assert!(find(&twice).is_err());
        assert!(find(&object(json!({ "x-mcp-header": "Root", "type": "string" }))).is_err());
    }

    #[test]
    fn a_property_that_is_called_like_a_keyword_is_a_property() {
        let schema = object(json!({ "properties": {
            "items": { "type": "string", "x-mcp-header": "Items" },
            "x-mcp-header": { "type": "string" },
        }}));
        let params = find(&schema).expect("good marks");
        assert_eq!(params.len(), 1);
        assert_eq!(params[0].path, ["items"]);
    }
}
