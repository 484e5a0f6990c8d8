//! How does a server speak over stdin and stdout?
//!
//! One message a line, UTF-8, nothing else on stdout (2026-07-28, stdio; 2025-11-25, Transports). The process is the
//! session. It ends when stdin ends, whatever else may run.

use std::io;

use lab_protocol::{FaultKind, Message, MessageFault};
use tokio::io::{AsyncBufRead, AsyncBufReadExt, AsyncWrite, AsyncWriteExt};

use crate::dispatch::{Dispatcher, Session};
use crate::server::Server;
use crate::stdin::Stdin;

/// The most bytes that a line may have. What is longer is refused without being kept.
pub const LONGEST_LINE: usize = 4 * 1024 * 1024;

/// Serves over this process's stdin and stdout until stdin ends.
///
/// # Errors
/// When the server's definitions cannot be written, or the client closes stdout.
pub async fn serve(server: Server) -> io::Result<()> {
    serve_dispatcher(&Dispatcher::new(server)?).await
}

/// The same for a server that is ready.
///
/// # Errors
/// When stdin cannot be read, or the client closes stdout so that it cannot be written.
pub async fn serve_dispatcher(dispatcher: &Dispatcher) -> io::Result<()> {
    serve_streams(dispatcher, Stdin::open()?, tokio::io::stdout()).await
}

// ANCHOR: serve_streams
/// Serves over any pair of streams: one message a line in, one answer a line out, in order.
///
/// # Errors
/// When the one cannot be read or the other cannot be written.
pub async fn serve_streams(
    dispatcher: &Dispatcher,
    mut input: impl AsyncBufRead + Unpin,
    mut output: impl AsyncWrite + Unpin,
) -> io::Result<()> {
    let mut session = Session::default();
    let mut line = Vec::new();
    loop {
        line.clear();
        let answer = match read_line(&mut input, &mut line).await? {
            Read::End => return Ok(()),
            Read::TooLong => Some(too_long()),
            Read::Line if line.trim_ascii().is_empty() => None,
            Read::Line => dispatcher.handle_text(&mut session, &line),
        };
        if let Some(mut answer) = answer {
            answer.push('\n');
            output.write_all(answer.as_bytes()).await?;
            output.flush().await?;
        }
    }
}
// ANCHOR_END: serve_streams

enum Read {
    Line,
    TooLong,
    End,
}

/// Reads up to the next line's end. A line over the limit is passed over, so that memory stays bounded.
async fn read_line(
    input: &mut (impl AsyncBufRead + Unpin),
    line: &mut Vec<u8>,
) -> io::Result<Read> {
    let mut too_long = false;
    loop {
        let buffer = input.fill_buf().await?;
        if buffer.is_empty() {
            // A last line without an end is a line all the same.
            return Ok(if too_long {
                Read::TooLong
            } else if line.is_empty() {
                Read::End
            } else {
                Read::Line
            });
        }
        let end = buffer.iter().position(|byte| *byte == b'\n');
        let part = &buffer[..end.unwrap_or(buffer.len())];
        if too_long || line.len() + part.len() > LONGEST_LINE {
            too_long = true;
            *line = Vec::new();
        } else {
            line.extend_from_slice(part);
        }
        let used = end.map_or(buffer.len(), |end| end + 1);
        input.consume(used);
        if end.is_some() {
            return Ok(if too_long { Read::TooLong } else { Read::Line });
        }
    }
}

fn too_long() -> String {
    let fault = MessageFault {
        kind: FaultKind::Parse,
        id: None,
        explanation: format!("the line has more than {LONGEST_LINE} bytes"),
    };
    Message::from(fault.response()).to_line()
}

#[cfg(test)]
mod tests {
    use super::{LONGEST_LINE, Read, read_line};
    use tokio::io::BufReader;

    #[tokio::test]
    async fn a_line_over_the_limit_is_passed_over_and_the_next_is_read() {
        let mut text = vec![b'x'; LONGEST_LINE + 1];
        text.extend_from_slice(b"\nnext\nlast without an end");
        let mut input = BufReader::new(text.as_slice());
        let mut line = Vec::new();
        assert!(matches!(
            read_line(&mut input, &mut line).await,
            Ok(Read::TooLong)
        ));
        assert_eq!(line.capacity(), 0, "nothing of it is kept");
        for expected in ["next", "last without an end"] {
            line.clear();
            assert!(matches!(
                read_line(&mut input, &mut line).await,
                Ok(Read::Line)
            ));
            assert_eq!(line, expected.as_bytes());
        }
        line.clear();
        assert!(matches!(
            read_line(&mut input, &mut line).await,
            Ok(Read::End)
        ));
    }
}
