//! What is a model to the loop?

use serde_json::Value;

/// Something that reads a conversation and a list of tools and answers with one message.
///
/// Messages and tools have the form of OpenAI's Chat Completions: an answer holds either `content` or `tool_calls`.
pub trait Model {
    /// The model's next message.
    ///
    /// # Errors
    /// When the model cannot be asked; never because it answered badly.
    fn respond(
        &mut self,
        conversation: &[Value],
        tools: &[Value],
    ) -> impl Future<Output = Result<Value, ModelError>>;
}

/// Why a model could not be asked.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the model could not be asked: {0}")]
pub struct ModelError(pub String);
