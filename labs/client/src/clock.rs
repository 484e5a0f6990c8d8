//! How long does a client wait?
//!
//! Every request has a timeout (2026-07-28, Cancellation, Timeouts): a server that hangs must not hang its client.
//! Time is the one thing that every platform keeps in its own way, so it stands in this file alone.

use std::future::Future;
use std::pin::pin;
use std::task::Poll;
use std::time::Duration;

/// The time was over before the future was ready.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Elapsed;

/// Waits for a future, but not for longer than `limit`. The future is dropped either way.
pub async fn timeout<F: Future>(limit: Duration, future: F) -> Result<F::Output, Elapsed> {
    let mut future = pin!(future);
    let mut alarm = pin!(sleep(limit));
    std::future::poll_fn(|context| {
        if let Poll::Ready(output) = future.as_mut().poll(context) {
            return Poll::Ready(Ok(output));
        }
        alarm.as_mut().poll(context).map(|()| Err(Elapsed))
    })
    .await
}

/// Natively, tokio keeps the time.
#[cfg(feature = "native")]
pub async fn sleep(duration: Duration) {
    tokio::time::sleep(duration).await;
}

/// In a page and in a worker, `setTimeout` does.
#[cfg(all(target_arch = "wasm32", not(feature = "native")))]
pub async fn sleep(duration: Duration) {
    use wasm_bindgen::prelude::wasm_bindgen;

    #[wasm_bindgen]
    extern "C" {
        #[wasm_bindgen(js_name = setTimeout)]
        fn set_timeout(callback: &js_sys::Function, milliseconds: i32) -> wasm_bindgen::JsValue;
    }

    let milliseconds = i32::try_from(duration.as_millis()).unwrap_or(i32::MAX);
    let promise = js_sys::Promise::new(&mut |resolve, _reject| {
        set_timeout(&resolve, milliseconds);
    });
    // The promise of a timer is never rejected.
    let _ = wasm_bindgen_futures::JsFuture::from(promise).await;
}

/// Without either there is only the in-memory transport, whose server answers at once.
#[cfg(not(any(target_arch = "wasm32", feature = "native")))]
pub async fn sleep(_duration: Duration) {
    std::future::pending::<()>().await;
}
