//! How does a stream of bytes become lines, and a line a message?
//!
//! Over stdio a message is one line (2026-07-28, stdio). A server may break that: a line without end, a line that is
//! no message, a progress text in front of a message. None of it may fill the memory, and no message may be lost.

use lab_protocol::Message;
use tokio::io::{AsyncBufRead, AsyncBufReadExt};

/// One line, without its end.
#[derive(Debug, PartialEq, Eq)]
pub struct Line {
    /// Which line it is, from 1.
    pub number: u64,
    /// The bytes; only the beginning where the line is too long.
    pub bytes: Vec<u8>,
    /// Whether it was longer than the limit.
    pub too_long: bool,
}

/// Reads lines of limited length.
#[derive(Debug)]
pub struct LineReader<R> {
    reader: R,
    limit: usize,
    number: u64,
}

impl<R: AsyncBufRead + Unpin> LineReader<R> {
    /// No line is kept beyond `limit` bytes.
    pub fn new(reader: R, limit: usize) -> Self {
        Self {
            reader,
            limit,
            number: 0,
        }
    }

    // ANCHOR: next_line
    /// The next line; `None` at the end of the stream. A last line without an end counts as a line.
    pub async fn next(&mut self) -> std::io::Result<Option<Line>> {
        let mut bytes = Vec::new();
        let mut too_long = false;
        loop {
            let available = self.reader.fill_buf().await?;
            if available.is_empty() {
                if bytes.is_empty() && !too_long {
                    return Ok(None);
                }
                break;
            }
            let end = available.iter().position(|byte| *byte == b'\n');
            let piece = &available[..end.unwrap_or(available.len())];
            // The rest of a line that is too long is read and forgotten.
            let room = self.limit - bytes.len();
            too_long |= piece.len() > room;
            bytes.extend_from_slice(&piece[..piece.len().min(room)]);
            let consumed = piece.len() + usize::from(end.is_some());
            self.reader.consume(consumed);
            if end.is_some() {
                break;
            }
        }
        if bytes.last() == Some(&b'\r') {
            bytes.pop();
        }
        self.number += 1;
        Ok(Some(Line {
            number: self.number,
            bytes,
            too_long,
        }))
    }
    // ANCHOR_END: next_line
}

/// A message in a line, and what stood in front of it.
#[derive(Debug)]
pub struct Found<'a> {
    /// The message.
    pub message: Message,
    /// Its text.
    pub text: &'a str,
    /// What else the line holds; empty for a line that is as it should be.
    pub stray: &'a str,
}

/// Finds the message in a line. A server that prints its progress with carriage returns, or a prompt without a line's
/// end, writes the next message behind it into the same line; that message is whole all the same.
pub fn find_message(line: &[u8]) -> Option<Found<'_>> {
    let whole = std::str::from_utf8(line).ok()?;
    let starts = [
        Some(0),
        whole.rfind('\r').map(|index| index + 1),
        whole.find('{'),
        whole.find(r#"{"jsonrpc""#),
    ];
    starts.into_iter().flatten().find_map(|start| {
        let (stray, text) = whole.split_at(start);
        let message = Message::parse(text.as_bytes()).ok()?;
        Some(Found {
            message,
            text,
            stray,
        })
    })
}

#[cfg(test)]
mod tests {
    use lab_protocol::Message;

    use super::{LineReader, find_message};

    async fn lines(bytes: &[u8], limit: usize) -> Vec<(u64, String, bool)> {
        let mut reader = LineReader::new(bytes, limit);
        let mut lines = Vec::new();
        while let Some(line) = reader.next().await.expect("memory can be read") {
            let text = String::from_utf8(line.bytes).expect("text");
            lines.push((line.number, text, line.too_long));
        }
        lines
    }

    #[tokio::test]
    async fn every_kind_of_line_end_is_taken_off() {
        assert_eq!(
            lines(b"a\r\n\nb", 10).await,
            [
                (1, "a".to_owned(), false),
                (2, String::new(), false),
                (3, "b".to_owned(), false)
            ]
        );
    }

    #[tokio::test]
    async fn a_line_over_the_limit_is_cut_and_the_next_one_is_whole() {
        let mut bytes = vec![b'x'; 300_000];
        bytes.extend_from_slice(b"\nnext\n");
        assert_eq!(
            lines(&bytes, 10).await,
            [(1, "x".repeat(10), true), (2, "next".to_owned(), false)]
        );
    }

    #[test]
    fn a_message_behind_other_text_in_the_same_line_is_found() {
        let message = r#"{"jsonrpc":"2.0","id":1,"result":{"a":{"b":1}}}"#;
        for stray in [
            "",
            "10%\r20%\r",
            "\u{1b}[32mready\u{1b}[0m ",
            "> ",
            "{}\r",
            "{starting} ",
        ] {
            let line = format!("{stray}{message}");
            let found = find_message(line.as_bytes()).expect("a message");
            assert!(matches!(found.message, Message::Response(_)));
            assert_eq!((found.stray, found.text), (stray, message));
        }
    }

    #[test]
    fn what_is_no_message_is_not_taken_for_one() {
        for line in ["", "42", "ready", "{}", r#"{"level":30}"#] {
            assert!(find_message(line.as_bytes()).is_none(), "{line}");
        }
    }
}
