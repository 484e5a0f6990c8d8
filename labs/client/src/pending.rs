//! Which waiting call does an answer belong to?
//!
//! Over stdio all messages share one stream, and answers come in any order. The id is all that ties an answer to its
//! request (2026-07-28 and 2025-11-25, Base Protocol, Responses).

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use lab_protocol::{RequestId, Response};
use tokio::sync::oneshot;

use crate::error::TransportError;

/// The calls that wait for an answer.
#[derive(Debug, Default)]
pub struct Pending {
    calls: Mutex<Calls>,
}

#[derive(Debug, Default)]
struct Calls {
    waiting: HashMap<RequestId, oneshot::Sender<Response>>,
    /// Why no answer will come any more.
    ended: Option<TransportError>,
}

impl Pending {
    // ANCHOR: match_id
    /// Notes that a call waits for the answer with this id.
    pub fn expect(self: &Arc<Self>, id: &RequestId) -> Result<Expected, TransportError> {
        let mut calls = self.lock();
        if let Some(ended) = &calls.ended {
            return Err(ended.clone());
        }
        let (sender, receiver) = oneshot::channel();
        calls.waiting.insert(id.clone(), sender);
        Ok(Expected {
            id: id.clone(),
            receiver,
            pending: Arc::clone(self),
        })
    }

    /// Gives an answer to the call that waits for it. `false` where none does: the id is unknown, the answer came
    /// twice or too late, or the id is `"7"` and not `7`. Such an answer disturbs nobody.
    pub fn settle(&self, response: Response) -> bool {
        let Some(id) = &response.id else { return false };
        let Some(sender) = self.lock().waiting.remove(id) else {
            return false;
        };
        sender.send(response).is_ok()
    }

    /// The server is gone: every waiting call ends with this error, and so does every later one.
    pub fn end(&self, error: TransportError) {
        let mut calls = self.lock();
        calls.ended.get_or_insert(error);
        // Dropping the senders wakes the calls.
        calls.waiting.clear();
    }
    // ANCHOR_END: match_id

    /// Why no answer will come any more, once that is so.
    pub fn ended(&self) -> Option<TransportError> {
        self.lock().ended.clone()
    }

    fn lock(&self) -> MutexGuard<'_, Calls> {
        self.calls.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// An answer that is awaited. Dropping it forgets the call, so that nothing is kept for a call that gave up.
#[derive(Debug)]
pub struct Expected {
    id: RequestId,
    receiver: oneshot::Receiver<Response>,
    pending: Arc<Pending>,
}

impl Expected {
    /// Waits for the answer; `None` where the server ended first.
    pub async fn answer(mut self) -> Option<Response> {
        (&mut self.receiver).await.ok()
    }
}

impl Drop for Expected {
    fn drop(&mut self) {
        self.pending.lock().waiting.remove(&self.id);
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use lab_protocol::{RequestId, Response};
    use serde_json::json;

    use super::Pending;
    use crate::error::TransportError;

    fn answer(id: RequestId) -> Response {
        Response::result(id, &json!({}))
    }

    #[tokio::test]
    async fn answers_find_their_calls_in_any_order() {
        let pending = Arc::new(Pending::default());
        let first = pending.expect(&RequestId::from(1)).expect("open");
        let second = pending.expect(&RequestId::from(2)).expect("open");
        assert!(pending.settle(answer(2.into())));
        assert!(pending.settle(answer(1.into())));
        assert_eq!(
            first.answer().await.and_then(|answer| answer.id),
            Some(1.into())
        );
        assert_eq!(
            second.answer().await.and_then(|answer| answer.id),
            Some(2.into())
        );
    }

    #[tokio::test]
    async fn an_answer_that_nobody_waits_for_disturbs_nobody() {
        let pending = Arc::new(Pending::default());
        let call = pending.expect(&RequestId::from(7)).expect("open");
        for id in [RequestId::from("7"), (1 << 53).into(), 8.into()] {
            assert!(!pending.settle(answer(id)));
        }
        assert!(pending.settle(answer(7.into())));
        assert!(!pending.settle(answer(7.into())), "the second time");
        assert!(call.answer().await.is_some());
    }

    #[tokio::test]
    async fn a_call_that_gave_up_is_forgotten() {
        let pending = Arc::new(Pending::default());
        drop(pending.expect(&RequestId::from(1)));
        assert!(!pending.settle(answer(1.into())));
    }

    #[tokio::test]
    async fn the_end_of_the_server_ends_every_call() {
        let pending = Arc::new(Pending::default());
        let call = pending.expect(&RequestId::from(1)).expect("open");
        pending.end(TransportError::Closed {
            server: "shop".into(),
        });
        assert!(call.answer().await.is_none());
        assert!(pending.expect(&RequestId::from(2)).is_err());
    }
}
