//! How does a stream of bytes become server-sent events?
//!
//! Over HTTP a server may answer a request with an event stream instead of one JSON object, and a client must take
//! both (2026-07-28, Streamable HTTP, Sending Messages, 6). Each event's data is one message.

/// One event.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SseEvent {
    /// The data lines, joined by line feeds. MCP puts one message here, or nothing.
    pub data: String,
    /// The event's kind; `message` where none is given.
    pub event: Option<String>,
    /// Where to resume, in the session era.
    pub id: Option<String>,
}

/// An event is larger than the limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EventTooLarge;

/// Takes bytes as they come and gives whole events.
#[derive(Debug)]
pub struct SseParser {
    limit: usize,
    line: Vec<u8>,
    event: SseEvent,
    has_data: bool,
    after_carriage_return: bool,
    at_start: bool,
}

impl SseParser {
    /// No event may be larger than `limit` bytes, so that a line without end cannot fill the memory.
    pub fn new(limit: usize) -> Self {
        Self {
            limit,
            line: Vec::new(),
            event: SseEvent::default(),
            has_data: false,
            after_carriage_return: false,
            at_start: true,
        }
    }

    /// Takes the next bytes, wherever the network cut them.
    ///
    /// # Errors
    /// When an event grows over the limit; the stream is of no use then.
    pub fn push(&mut self, bytes: &[u8]) -> Result<Vec<SseEvent>, EventTooLarge> {
        let mut events = Vec::new();
        for &byte in bytes {
            // A line ends with CR LF, LF or CR, and the two of CR LF may come in two pieces.
            let second_half = self.after_carriage_return && byte == b'\n';
            self.after_carriage_return = byte == b'\r';
            match byte {
                b'\n' if second_half => {}
                b'\n' | b'\r' => events.extend(self.end_line()),
                _ => {
                    if self.line.len() + self.event.data.len() >= self.limit {
                        return Err(EventTooLarge);
                    }
                    self.line.push(byte);
                }
            }
        }
        Ok(events)
    }

    fn end_line(&mut self) -> Option<SseEvent> {
        let line = std::mem::take(&mut self.line);
        let line = String::from_utf8_lossy(&line);
        let line = if std::mem::take(&mut self.at_start) {
            line.strip_prefix('\u{feff}').unwrap_or(&line)
        } else {
            &line
        };
        if line.is_empty() {
            let event = std::mem::take(&mut self.event);
            // Without a data line there is no event: the first id of 2025-11-25 comes with an empty one.
            return std::mem::take(&mut self.has_data).then_some(event);
        }
        let (field, value) = line.split_once(':').unwrap_or((line, ""));
        let value = value.strip_prefix(' ').unwrap_or(value);
        match field {
            "data" => {
                if std::mem::replace(&mut self.has_data, true) {
                    self.event.data.push('\n');
                }
                self.event.data.push_str(value);
            }
            "event" => self.event.event = Some(value.to_owned()),
            "id" => self.event.id = Some(value.to_owned()),
            // A line that begins with a colon is a comment, sent to keep the connection open.
            _ => {}
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::{ProptestConfig, proptest};

    use super::{EventTooLarge, SseEvent, SseParser};

    const STREAM: &str = "\u{feff}: keep-alive\r\nid: 1\r\ndata:\r\n\r\nevent: message\ndata: {\"a\":1,\ndata: \"b\":\"订单\"}\n\n:\r\rdata:x\rretry: 10\r\r";

    fn data(events: &[SseEvent]) -> Vec<&str> {
        events.iter().map(|event| event.data.as_str()).collect()
    }

    #[test]
    fn comments_line_ends_and_data_of_several_lines_are_understood() {
        let events = SseParser::new(1000)
            .push(STREAM.as_bytes())
            .expect("events");
        assert_eq!(data(&events), ["", "{\"a\":1,\n\"b\":\"订单\"}", "x"]);
        assert_eq!(events[0].id.as_deref(), Some("1"));
        assert_eq!(events[1].event.as_deref(), Some("message"));
    }

    #[test]
    fn a_line_without_end_is_given_up_at_the_limit() {
        let mut parser = SseParser::new(100);
        assert_eq!(parser.push(&[b'x'; 101]), Err(EventTooLarge));
    }

    #[test]
    fn an_event_of_endless_data_lines_is_given_up_at_the_limit() {
        let mut parser = SseParser::new(100);
        assert_eq!(
            parser.push("data: 0123456789\n".repeat(20).as_bytes()),
            Err(EventTooLarge)
        );
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(200))]
        #[test]
        fn where_the_network_cuts_makes_no_difference(cuts in proptest::collection::vec(0..STREAM.len(), 0..12)) {
            let whole = SseParser::new(1000).push(STREAM.as_bytes());
            let mut cuts = cuts;
            cuts.sort_unstable();
            cuts.push(STREAM.len());
            let mut parser = SseParser::new(1000);
            let mut pieces = Vec::new();
            let mut start = 0;
            for cut in cuts {
                pieces.extend(parser.push(&STREAM.as_bytes()[start..cut]).expect("events"));
                start = cut;
            }
            assert_eq!(Ok(pieces), whole);
        }
    }
}
