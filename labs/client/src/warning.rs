//! What is wrong with a server and yet no reason to stop?
//!
//! The most frequent trouble with stdio servers is a line on stdout that is no message: a banner, a log line, a
//! progress bar. A client that only says "unexpected token" leaves its user alone with it; this one names the line,
//! its text and the likely cause, and reads on.

/// How many characters of a server's text are shown.
const SHOWN: usize = 120;

/// Something worth telling that does not end the connection.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Warning {
    /// A line on stdout that is no message.
    #[error(
        "{server}: line {line} of its stdout is no message but {cause}: {text:?}. It was skipped; only messages belong on stdout, everything else on stderr"
    )]
    StrayLine {
        /// Which server.
        server: String,
        /// Which line of its stdout, from 1.
        line: u64,
        /// The likely cause.
        cause: StrayCause,
        /// The text, shortened.
        text: String,
    },
    /// An answer that no request waits for: a late one, a second one, or one with a wrong id.
    #[error("{server}: an answer with the id {id} that no request waits for; it was ignored")]
    UnexpectedAnswer {
        /// Which server.
        server: String,
        /// The id, or `none`.
        id: String,
    },
    /// A request of the server in the stateless era, which knows none.
    #[error(
        "{server}: asked {method:?} by a request of its own, which 2026-07-28 does not allow; it was ignored"
    )]
    ForbiddenRequest {
        /// Which server.
        server: String,
        /// What it asked.
        method: String,
    },
    /// A tool whose `x-mcp-header` annotations break the rules.
    #[error("{server}: the tool {tool:?} was left out: {reason}")]
    ToolLeftOut {
        /// Which server.
        server: String,
        /// Which tool.
        tool: String,
        /// Which rule.
        reason: String,
    },
}

/// Why a line that is no message was probably written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum StrayCause {
    /// Nothing stands in it.
    #[error("an empty line")]
    Empty,
    /// It has codes that colour a terminal.
    #[error("text with colour codes, meant for a terminal")]
    Colours,
    /// It was rewritten in place.
    #[error("a progress line that rewrites itself")]
    Progress,
    /// It is JSON, but no JSON-RPC message.
    #[error("JSON without the members of a JSON-RPC message, perhaps a log line")]
    OtherJson,
    /// It begins like a message.
    #[error("broken JSON")]
    BrokenJson,
    /// It is longer than a message may be.
    #[error("a line over the size limit")]
    TooLong,
    /// It is no UTF-8.
    #[error("bytes that are no UTF-8")]
    NotText,
    /// Anything else.
    #[error("plain text, perhaps a banner or a log line")]
    Text,
}

impl StrayCause {
    /// Guesses why a line stands there.
    pub fn of(line: &[u8]) -> Self {
        let Ok(text) = std::str::from_utf8(line) else {
            return Self::NotText;
        };
        let trimmed = text.trim();
        if trimmed.is_empty() {
            Self::Empty
        } else if trimmed.contains('\u{1b}') {
            Self::Colours
        } else if trimmed.contains('\r') {
            Self::Progress
        } else if serde_json::from_str::<serde::de::IgnoredAny>(trimmed).is_ok() {
            Self::OtherJson
        } else if trimmed.starts_with(['{', '[']) {
            Self::BrokenJson
        } else {
            Self::Text
        }
    }
}

/// The beginning of a text, with a word about what is missing.
pub fn shortened(text: &str) -> String {
    match text.char_indices().nth(SHOWN) {
        None => text.to_owned(),
        Some((end, _)) => format!("{}… ({} bytes in all)", &text[..end], text.len()),
    }
}

#[cfg(test)]
mod tests {
    use super::{StrayCause, shortened};

    #[test]
    fn the_likely_cause_of_a_stray_line_is_named() {
        for (line, cause) in [
            ("", StrayCause::Empty),
            ("  \t", StrayCause::Empty),
            ("\u{1b}[32mready\u{1b}[0m", StrayCause::Colours),
            ("10%\r20%\r100%", StrayCause::Progress),
            ("42", StrayCause::OtherJson),
            (r#"{"level":30,"msg":"listening"}"#, StrayCause::OtherJson),
            (r#"{"jsonrpc":"2.0","id":1"#, StrayCause::BrokenJson),
            ("Shop server 1.0 ready", StrayCause::Text),
        ] {
            assert_eq!(StrayCause::of(line.as_bytes()), cause, "{line:?}");
        }
        assert_eq!(StrayCause::of(b"\xff\xfe"), StrayCause::NotText);
    }

    #[test]
    fn a_long_text_is_cut_at_a_character_and_says_how_long_it_was() {
        let cut = shortened(&"订".repeat(100_000));
        assert!(cut.starts_with('订') && cut.ends_with("(300000 bytes in all)"));
        assert!(cut.len() < 500);
        assert_eq!(shortened("short"), "short");
    }
}
