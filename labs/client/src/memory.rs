//! How does a client talk to a server in the same program?
//!
//! It hands over a text and gets texts back. The messages are the same as over any other transport; tests use this
//! one, and the lab in the browser, where client and server are one WebAssembly module.

use lab_protocol::{Message, Request};

use crate::error::TransportError;
use crate::transport::{Answer, Channel, Direction, Header, Hooks, Transport};
use crate::warning::{Warning, shortened};

/// A server that is a function from a text to the texts that it answers with.
#[derive(Debug)]
pub struct MemoryTransport<F> {
    server: String,
    serve: F,
    hooks: Hooks,
}

impl<F, I> MemoryTransport<F>
where
    F: Fn(&str) -> I,
    I: IntoIterator<Item = String>,
{
    /// `serve` gets each text and gives back an `Option<String>`, or several texts where the server says more.
    pub fn new(server: impl Into<String>, serve: F) -> Self {
        Self {
            server: server.into(),
            serve,
            hooks: Hooks::default(),
        }
    }

    /// Hands a text over. Returns the answer among what comes back, where `awaited` is a request.
    fn exchange(&self, text: &str, awaited: Option<&Request>) -> Option<Answer> {
        let mut answer = None;
        let mut outbox = vec![text.to_owned()];
        while let Some(text) = outbox.pop() {
            self.hooks.observe(Direction::ToServer, &text, &[]);
            for reply in (self.serve)(&text) {
                self.hooks.observe(Direction::ToClient, &reply, &[]);
                match Message::parse(reply.as_bytes()) {
                    Ok(Message::Response(response)) => match awaited {
                        Some(request) if response.id.as_ref() == Some(&request.id) => {
                            answer.get_or_insert(Answer {
                                response,
                                status: None,
                            });
                        }
                        Some(_) => self.hooks.report(&Warning::UnexpectedAnswer {
                            server: self.server.clone(),
                            id: response
                                .id
                                .map_or_else(|| "none".to_owned(), |id| id.to_string()),
                        }),
                        // The answer to a raw text is for the observer.
                        None => {}
                    },
                    Ok(other) => outbox.extend(
                        self.hooks
                            .listen(other)
                            .map(|response| Message::from(response).to_line()),
                    ),
                    Err(fault) => self.hooks.report(&Warning::StrayLine {
                        server: self.server.clone(),
                        line: 1,
                        cause: crate::warning::StrayCause::of(reply.as_bytes()),
                        text: shortened(&format!("{reply} ({fault})")),
                    }),
                }
            }
        }
        answer
    }
}

impl<F, I> Transport for MemoryTransport<F>
where
    F: Fn(&str) -> I,
    I: IntoIterator<Item = String>,
{
    fn server(&self) -> &str {
        &self.server
    }

    fn channel(&self) -> Channel {
        Channel::Pipe
    }

    fn attach(&mut self, hooks: Hooks) {
        self.hooks = hooks;
    }

    async fn request(
        &self,
        request: &Request,
        _headers: &[Header],
    ) -> Result<Answer, TransportError> {
        let line = Message::from(request.clone()).to_line();
        match self.exchange(&line, Some(request)) {
            Some(answer) => Ok(answer),
            // A server that stays silent is one that never answers; the client's timeout ends the wait.
            None => std::future::pending().await,
        }
    }

    async fn send(&self, message: &Message) -> Result<(), TransportError> {
        self.exchange(&message.to_line(), None);
        Ok(())
    }

    async fn send_raw(&self, text: &str) -> Result<(), TransportError> {
        self.exchange(text, None);
        Ok(())
    }

    async fn close(&self) {}
}
