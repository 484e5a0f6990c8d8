//! How is a body read, when it may be larger than anybody should keep?

use std::future::poll_fn;
use std::pin::Pin;

use axum::body::{Body, Bytes, HttpBody};

/// How many times the limit is read and thrown away, so that a client that writes first and reads later gets its
/// answer. Beyond that the connection is simply closed.
const PATIENCE: usize = 16;

/// Why there is no body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum BodyFault {
    /// It has more bytes than allowed.
    TooLarge,
    /// The client went away.
    Broken,
}

/// Reads a body of at most `limit` bytes. What goes beyond is never kept.
pub(crate) async fn read(mut body: Body, limit: usize) -> Result<Bytes, BodyFault> {
    let announced = body.size_hint().lower();
    if usize::try_from(announced)
        .map_or(true, |announced| announced > limit.saturating_mul(PATIENCE))
    {
        return Err(BodyFault::TooLarge);
    }
    // Nearly every body comes in one piece, which is used as it is.
    let mut first = Bytes::new();
    let mut joined = Vec::new();
    let mut total = 0_usize;
    while let Some(frame) = poll_fn(|context| Pin::new(&mut body).poll_frame(context)).await {
        let Ok(frame) = frame else {
            return Err(BodyFault::Broken);
        };
        // Trailers say nothing here.
        let Ok(piece) = frame.into_data() else {
            continue;
        };
        total = total.saturating_add(piece.len());
        if total > limit {
            first = Bytes::new();
            joined = Vec::new();
            if total > limit.saturating_mul(PATIENCE) {
                break;
            }
        } else if first.is_empty() && joined.is_empty() {
            first = piece;
        } else {
            if joined.is_empty() {
                joined.extend_from_slice(&first);
                first = Bytes::new();
            }
            joined.extend_from_slice(&piece);
        }
    }
    if total > limit {
        Err(BodyFault::TooLarge)
    } else if joined.is_empty() {
        Ok(first)
    } else {
        Ok(joined.into())
    }
}
