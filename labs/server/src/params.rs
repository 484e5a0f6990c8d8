//! What do a request's parameters hold, before its method reads them?
//!
//! Whoever routes a request needs a few members of `params` and not the rest: `_meta` for the era, `name` and `uri` for
//! the headers that repeat them. They are found in one pass; the rest stays text until a method wants it.

use std::borrow::Cow;

use lab_protocol::{ErrorObject, Request};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Deserializer};
use serde_json::value::RawValue;

/// The parameters of a request, opened but not read.
#[derive(Debug, Default)]
pub struct Params<'a> {
    whole: Option<&'a RawValue>,
    members: Members<'a>,
}

/// The members that routing needs. One that is `null` is present, which is a fault where an object or a string belongs.
#[derive(Debug, Default, Deserialize)]
struct Members<'a> {
    #[serde(rename = "_meta", borrow, default, deserialize_with = "present")]
    meta: Option<&'a RawValue>,
    #[serde(borrow, default, deserialize_with = "present")]
    name: Option<&'a RawValue>,
    #[serde(borrow, default, deserialize_with = "present")]
    uri: Option<&'a RawValue>,
    #[serde(borrow, default, deserialize_with = "present")]
    arguments: Option<&'a RawValue>,
    #[serde(borrow, default, deserialize_with = "present")]
    cursor: Option<&'a RawValue>,
}

pub(crate) fn present<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Option<&'de RawValue>, D::Error> {
    <&RawValue>::deserialize(deserializer).map(Some)
}

impl<'a> Params<'a> {
    /// Opens the parameters of a request.
    ///
    /// # Errors
    /// Invalid params, where a member that routing needs stands there twice: a gateway that reads the one and a server
    /// that reads the other would disagree about the request.
    pub fn open(request: &'a Request) -> Result<Self, ErrorObject> {
        let Some(whole) = request.params.as_deref() else {
            return Ok(Self::default());
        };
        let members = serde_json::from_str(whole.get())
            .map_err(|error| ErrorObject::invalid_params(format!("params: {error}")))?;
        Ok(Self {
            whole: Some(whole),
            members,
        })
    }

    /// The `_meta` as it stands there.
    pub fn meta(&self) -> Option<&'a str> {
        self.members.meta.map(RawValue::get)
    }

    /// A member that must be a string: `name` or `uri`, as [`lab_protocol::header::name_member`] gives it.
    ///
    /// # Errors
    /// Invalid params, where it is missing or no string.
    pub fn string(&self, member: &str) -> Result<Cow<'a, str>, ErrorObject> {
        let raw = match member {
            "name" => self.members.name,
            "uri" => self.members.uri,
            _ => None,
        };
        raw.and_then(|raw| string(raw.get())).ok_or_else(|| {
            ErrorObject::invalid_params(format!("params.{member} must be there and be a string"))
        })
    }

    /// The tool's arguments as they stand there; none are as good as an empty object.
    ///
    /// # Errors
    /// Invalid params, where they are no object.
    pub fn arguments(&self) -> Result<&'a str, ErrorObject> {
        match self.members.arguments.map(RawValue::get) {
            None => Ok("{}"),
            Some(text) if text.starts_with('{') => Ok(text),
            Some(_) => Err(ErrorObject::invalid_params(
                "params.arguments must be an object",
            )),
        }
    }

    /// Where a list is to go on.
    ///
    /// # Errors
    /// Invalid params, where the cursor is no string.
    pub fn cursor(&self) -> Result<Option<Cow<'a, str>>, ErrorObject> {
        match self.members.cursor {
            None => Ok(None),
            Some(raw) => string(raw.get())
                .map(Some)
                .ok_or_else(|| ErrorObject::invalid_params("params.cursor must be a string")),
        }
    }

    /// All of them, as the type that a method has for them.
    ///
    /// # Errors
    /// Invalid params, where they do not fit, with the path of what does not.
    pub fn read<T: DeserializeOwned>(&self) -> Result<T, ErrorObject> {
        let text = self.whole.map_or("{}", RawValue::get);
        let mut deserializer = serde_json::Deserializer::from_str(text);
        serde_path_to_error::deserialize(&mut deserializer)
            .map_err(|error| ErrorObject::invalid_params(format!("params.{error}")))
    }
}

/// A JSON string without its quotes; borrowed unless something in it is escaped.
pub(crate) fn string(json: &str) -> Option<Cow<'_, str>> {
    let inside = json.strip_prefix('"')?.strip_suffix('"')?;
    if inside.contains('\\') {
        serde_json::from_str(json).ok().map(Cow::Owned)
    } else {
        Some(Cow::Borrowed(inside))
    }
}

#[cfg(test)]
mod tests {
    use super::{Params, string};
    use lab_protocol::{Message, Request};

    fn request(params: &str) -> Request {
        let line = format!(r#"{{"jsonrpc":"2.0","id":1,"method":"m","params":{params}}}"#);
        match Message::parse(line.as_bytes()) {
            Ok(Message::Request(request)) => request,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn a_string_is_borrowed_unless_it_is_escaped() {
        assert!(matches!(
            string(r#""plain""#),
            Some(std::borrow::Cow::Borrowed("plain"))
        ));
        assert_eq!(string(r#""\u8ba2""#).as_deref(), Some("订"));
        assert_eq!(string("5"), None);
    }

    #[test]
    fn arguments_that_are_null_or_an_array_are_no_object() {
        for wrong in ["null", "[1]", "\"{}\""] {
            let request = request(&format!(r#"{{"arguments":{wrong}}}"#));
            let params = Params::open(&request).expect("readable");
            assert!(params.arguments().is_err(), "{wrong}");
        }
    }

    #[test]
    fn a_member_that_stands_there_twice_is_refused() {
        assert!(Params::open(&request(r#"{"name":"a","name":"b"}"#)).is_err());
    }
}
