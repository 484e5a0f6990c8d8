//! How does a server ask the person?

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::Value;

/// What the person is asked (client/elicitation, from 2025-06-18; by URL from 2025-11-25).
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
#[serde(untagged)]
pub enum ElicitParams {
    /// To open an address; never fetched by the client itself.
    Url(ElicitUrl),
    /// To fill in a form; never for secrets.
    Form(ElicitForm),
}

/// A form.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ElicitForm {
    /// `form`; absent means the same.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mode: Option<String>,
    /// What is asked, for the person.
    pub message: String,
    /// The fields.
    pub requested_schema: FormSchema,
}

/// An address to open.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ElicitUrl {
    /// `url`.
    pub mode: String,
    /// What is asked, for the person.
    pub message: String,
    /// The address, shown in full before it is opened.
    pub url: String,
    /// Ties the end of the matter to this (2025-11-25 only).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub elicitation_id: Option<String>,
}

/// The fields of a form: flat, of simple types.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
pub struct FormSchema {
    /// `object`.
    #[serde(rename = "type")]
    pub kind: String,
    /// The dialect, where named.
    #[serde(rename = "$schema", skip_serializing_if = "Option::is_none")]
    pub dialect: Option<String>,
    /// The fields by name.
    pub properties: BTreeMap<String, FieldSchema>,
    /// Fields that must be filled in.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub required: Option<Vec<String>>,
}

/// One field of a form.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
#[serde(tag = "type", rename_all = "lowercase")]
pub enum FieldSchema {
    /// Words, or one of several.
    String(Field),
    /// A number.
    Number(Field),
    /// A whole number.
    Integer(Field),
    /// Yes or no.
    Boolean(Field),
    /// Several of several (from 2025-11-25).
    Array(Field),
}

/// What a field may hold; which members make sense depends on its type.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Field {
    /// For people.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// What belongs there.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// Least length of a string.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub min_length: Option<u64>,
    /// Greatest length of a string.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_length: Option<u64>,
    /// `email`, `uri`, `date`, `date-time`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub format: Option<String>,
    /// Least number.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub minimum: Option<serde_json::Number>,
    /// Greatest number.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub maximum: Option<serde_json::Number>,
    /// Choices without titles.
    #[serde(rename = "enum", skip_serializing_if = "Option::is_none")]
    pub choices: Option<Vec<String>>,
    /// Titles of `choices` (2025-06-18; deprecated since).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub enum_names: Option<Vec<String>>,
    /// Choices with titles (from 2025-11-25).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub one_of: Option<Vec<TitledChoice>>,
    /// What can be chosen in an array.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub items: Option<FieldItems>,
    /// Least number of choices.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub min_items: Option<u64>,
    /// Greatest number of choices.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_items: Option<u64>,
    /// What stands there at first.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub default: Option<Value>,
}

/// A choice with its title.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
pub struct TitledChoice {
    /// What is sent.
    #[serde(rename = "const")]
    pub value: String,
    /// What is shown.
    pub title: String,
}

/// What can be chosen in an array.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct FieldItems {
    /// `string`, for choices without titles.
    #[serde(rename = "type", skip_serializing_if = "Option::is_none")]
    pub kind: Option<String>,
    /// Choices without titles.
    #[serde(rename = "enum", skip_serializing_if = "Option::is_none")]
    pub choices: Option<Vec<String>>,
    /// Choices with titles.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub any_of: Option<Vec<TitledChoice>>,
}

/// What the person did.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
pub struct ElicitResult {
    /// Accepted, said no, or went away.
    pub action: ElicitAction,
    /// The fields, when a form was accepted. With an address, accepting means only "will open it".
    #[serde(skip_serializing_if = "Option::is_none")]
    pub content: Option<BTreeMap<String, Value>>,
}

/// What the person did.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum ElicitAction {
    /// Agreed.
    Accept,
    /// Said no.
    Decline,
    /// Went away without an answer.
    Cancel,
}
