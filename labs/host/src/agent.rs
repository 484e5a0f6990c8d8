//! How does a question become an answer?
//!
//! The model never calls anything. It says what it wants called; the host calls, and says what came of it; and so
//! on until the model answers in words or the host has had enough.

use lab_bridge::call::calls;
use lab_bridge::{Format, ModelCall, Reply};
use serde_json::{Value, json};

use crate::model::{Model, ModelError};

/// The rounds that a turn may take, unless the host says otherwise.
pub const USUAL_ROUNDS: usize = 8;

/// Carries out what a model asks for.
pub trait ToolCaller {
    /// Makes one call. Every failure becomes words: the model must read something.
    fn call(&self, call: &ModelCall) -> impl Future<Output = Reply>;
}

/// One question and what came of it.
#[derive(Clone, Debug)]
pub struct Turn {
    /// The model's last words.
    pub answer: String,
    /// The calls in the order in which they were made.
    pub calls: Vec<MadeCall>,
}

/// A call that was made.
#[derive(Clone, Debug)]
pub struct MadeCall {
    /// What the model asked for.
    pub call: ModelCall,
    /// What it read afterwards.
    pub reply: Reply,
}

/// Why a turn ended without an answer.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum AgentError {
    /// The model could not be asked.
    #[error(transparent)]
    Model(#[from] ModelError),
    /// The model went on calling.
    #[error("no answer after {rounds} rounds; the last call was {last_call}")]
    TooManyRounds {
        /// How many rounds were allowed.
        rounds: usize,
        /// The tool called last.
        last_call: String,
    },
}

// ANCHOR: run_turn
/// Asks a question, makes the calls that the model asks for, and returns its answer.
///
/// # Errors
/// When the model cannot be asked, or does not come to an answer within `rounds` rounds. A failed call is no error
/// here: the model reads about it and goes on.
pub async fn run_turn(
    model: &mut impl Model,
    tools: &[Value],
    caller: &impl ToolCaller,
    question: &str,
    rounds: usize,
) -> Result<Turn, AgentError> {
    let mut conversation = vec![json!({ "role": "user", "content": question })];
    let mut made = Vec::new();
    for _ in 0..rounds {
        let message = model.respond(&conversation, tools).await?;
        let wanted = calls(Format::OpenAiChat, &message);
        if wanted.is_empty() {
            let answer = message["content"].as_str().unwrap_or_default().to_owned();
            return Ok(Turn {
                answer,
                calls: made,
            });
        }
        conversation.push(message);
        for call in wanted {
            let reply = caller.call(&call).await;
            conversation.push(reply.to_message(Format::OpenAiChat, &call.id));
            made.push(MadeCall { call, reply });
        }
    }
    let last_call = made
        .last()
        .map(|made| made.call.name.clone())
        .unwrap_or_default();
    Err(AgentError::TooManyRounds { rounds, last_call })
}
// ANCHOR_END: run_turn
