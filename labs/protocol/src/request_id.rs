//! Which answer belongs to which request?

use std::fmt;

use serde::de::{Error, Visitor};
use serde::{Deserialize, Deserializer, Serialize};

// ANCHOR: request_id
/// The id that ties a response to its request: an integer or a string, never null.
///
/// JSON-RPC 2.0 allows null and fractions; MCP does not (2025-06-18 to 2026-07-28, Base Protocol, Requests).
/// `1` and `"1"` are two different ids.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
#[serde(untagged)]
pub enum RequestId {
    /// An integer.
    Number(i64),
    /// A string.
    Text(String),
}
// ANCHOR_END: request_id

impl<'de> Deserialize<'de> for RequestId {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Id;
        impl Visitor<'_> for Id {
            type Value = RequestId;

            fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                formatter.write_str("an id that is an integer or a string")
            }

            fn visit_i64<E: Error>(self, value: i64) -> Result<RequestId, E> {
                Ok(RequestId::Number(value))
            }

            fn visit_u64<E: Error>(self, value: u64) -> Result<RequestId, E> {
                i64::try_from(value)
                    .map(RequestId::Number)
                    .map_err(|_| E::custom("an id that fits into 64 bits with a sign"))
            }

            fn visit_str<E: Error>(self, value: &str) -> Result<RequestId, E> {
                Ok(RequestId::Text(value.to_owned()))
            }

            fn visit_string<E: Error>(self, value: String) -> Result<RequestId, E> {
                Ok(RequestId::Text(value))
            }
        }
        deserializer.deserialize_any(Id)
    }
}

impl fmt::Display for RequestId {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Number(number) => write!(formatter, "{number}"),
            Self::Text(text) => write!(formatter, "{text:?}"),
        }
    }
}

impl From<i64> for RequestId {
    fn from(number: i64) -> Self {
        Self::Number(number)
    }
}

impl From<&str> for RequestId {
    fn from(text: &str) -> Self {
        Self::Text(text.to_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::RequestId;

    fn parse(text: &str) -> Option<RequestId> {
        serde_json::from_str(text).ok()
    }

    #[test]
    fn a_number_and_its_string_are_two_ids() {
        assert_ne!(parse("1"), parse("\"1\""));
        assert_eq!(parse("9007199254740992"), Some(RequestId::Number(1 << 53)));
    }

    #[test]
    fn null_fractions_and_objects_are_no_ids() {
        for text in [
            "null",
            "1.5",
            "1.0",
            "{}",
            "[1]",
            "true",
            "18446744073709551615",
        ] {
            assert_eq!(parse(text), None, "{text}");
        }
    }
}
