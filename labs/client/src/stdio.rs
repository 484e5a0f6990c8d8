//! How does a client talk to a server that it starts itself?
//!
//! The server is a child process; each message is a line on its stdin or stdout, and its stderr is for people
//! (2026-07-28, stdio; 2025-11-25, Transports). Three tasks do the work: one writes lines, one reads them and looks
//! for the call that each answers, one keeps the last words on stderr.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use lab_protocol::{Message, Request};
use tokio::io::{AsyncWriteExt, BufReader};
use tokio::process::{ChildStderr, ChildStdin, ChildStdout};
use tokio::sync::{Notify, mpsc};
use tokio::task::JoinHandle;

use crate::clock::{sleep, timeout};
use crate::error::TransportError;
use crate::line::{LineReader, find_message};
use crate::pending::Pending;
use crate::process::{ServerCommand, ServerProcess, Streams};
use crate::transport::{Answer, Channel, Direction, Header, Hooks, Transport};
use crate::warning::{StrayCause, Warning, shortened};

/// No message may be longer than this.
pub const LONGEST_LINE: usize = 16 * 1024 * 1024;
/// How many lines of stderr are kept for errors, and how much of each.
const LAST_LINES: usize = 20;
const LONGEST_WORDS: usize = 4 * 1024;
/// How long a raw text waits for something to come back.
const RAW_PATIENCE: Duration = Duration::from_secs(1);
/// How long the ends of streams and process may lie apart.
const MOMENT: Duration = Duration::from_millis(500);

/// A server in a child process.
#[derive(Debug)]
pub struct StdioTransport {
    shared: Arc<Shared>,
    hooks: Hooks,
    /// The streams of the server, until somebody is there to hear what comes out of them.
    unread: Option<(ChildStdout, ChildStderr)>,
    writer: Mutex<Option<JoinHandle<()>>>,
}

/// What the tasks and the calls share.
#[derive(Debug)]
struct Shared {
    server: String,
    process: ServerProcess,
    pending: Arc<Pending>,
    /// Lines on their way to stdin. Taking it out closes stdin once they are written.
    outbox: Mutex<Option<mpsc::Sender<String>>>,
    last_words: Mutex<VecDeque<String>>,
    /// Told of every message of the server.
    arrival: Notify,
}

impl StdioTransport {
    /// Starts the server. `server` is what errors call it.
    ///
    /// # Errors
    /// When the command cannot be started.
    pub fn start(server: &str, command: &ServerCommand) -> Result<Self, TransportError> {
        let (process, streams) = ServerProcess::start(server, command)?;
        let Streams {
            stdin,
            stdout,
            stderr,
        } = streams;
        let (sender, receiver) = mpsc::channel(16);
        let shared = Arc::new(Shared {
            server: server.to_owned(),
            process,
            pending: Arc::new(Pending::default()),
            outbox: Mutex::new(Some(sender)),
            last_words: Mutex::default(),
            arrival: Notify::new(),
        });
        let writer = tokio::spawn(write_lines(stdin, receiver));
        Ok(Self {
            shared,
            hooks: Hooks::default(),
            unread: Some((stdout, stderr)),
            writer: Mutex::new(Some(writer)),
        })
    }

    async fn write(&self, line: String) -> Result<(), TransportError> {
        self.hooks.observe(Direction::ToServer, &line, &[]);
        self.shared.write(line).await
    }
}

impl Shared {
    /// Hands a line to the writer. The writer is a task of its own so that a call that gives up never leaves half a
    /// line behind.
    async fn write(&self, line: String) -> Result<(), TransportError> {
        let sender = lock(&self.outbox).clone();
        match sender {
            Some(sender) if sender.send(line).await.is_ok() => Ok(()),
            Some(_) => Err(self.why_ended().await),
            None => Err(TransportError::Closed {
                server: self.server.clone(),
            }),
        }
    }

    /// Why no answer comes any more. The reader finds that out; it may need a moment.
    async fn why_ended(&self) -> TransportError {
        for _ in 0..20 {
            if let Some(error) = self.pending.ended() {
                return error;
            }
            sleep(MOMENT / 10).await;
        }
        self.ended_how("no longer reads its stdin".to_owned())
    }

    fn ended_how(&self, how: String) -> TransportError {
        let words = lock(&self.last_words);
        TransportError::Ended {
            server: self.server.clone(),
            how,
            stderr: words.iter().cloned().collect::<Vec<_>>().join("\n"),
        }
    }
}

impl Transport for StdioTransport {
    fn server(&self) -> &str {
        &self.shared.server
    }

    fn channel(&self) -> Channel {
        Channel::Pipe
    }

    fn attach(&mut self, hooks: Hooks) {
        self.hooks = hooks.clone();
        if let Some((stdout, stderr)) = self.unread.take() {
            let words = tokio::spawn(read_words(
                stderr,
                Arc::downgrade(&self.shared),
                hooks.clone(),
            ));
            tokio::spawn(read_messages(
                stdout,
                words,
                Arc::downgrade(&self.shared),
                hooks,
            ));
        }
    }

    async fn request(
        &self,
        request: &Request,
        _headers: &[Header],
    ) -> Result<Answer, TransportError> {
        let expected = self.shared.pending.expect(&request.id)?;
        self.write(Message::from(request.clone()).to_line()).await?;
        match expected.answer().await {
            Some(response) => Ok(Answer {
                response,
                status: None,
            }),
            None => Err(self.shared.why_ended().await),
        }
    }

    async fn send(&self, message: &Message) -> Result<(), TransportError> {
        self.write(message.to_line()).await
    }

    async fn send_raw(&self, text: &str) -> Result<(), TransportError> {
        let arrival = self.shared.arrival.notified();
        self.write(text.to_owned()).await?;
        let silent = matches!(
            Message::parse(text.as_bytes()),
            Ok(Message::Notification(_) | Message::Response(_))
        );
        if !silent {
            // What answers a broken text cannot be told by its id, so that the next message counts.
            let _ = timeout(RAW_PATIENCE, arrival).await;
        }
        Ok(())
    }

    async fn close(&self) {
        let error = TransportError::Closed {
            server: self.shared.server.clone(),
        };
        // Without a sender the writer writes what it has and closes stdin.
        drop(lock(&self.shared.outbox).take());
        let writer = lock(&self.writer).take();
        if let Some(mut writer) = writer
            && timeout(MOMENT / 2, &mut writer).await.is_err()
        {
            // The server does not read; stdin is closed all the same.
            writer.abort();
        }
        self.shared.process.shut_down().await;
        self.shared.pending.end(error);
    }
}

/// Writes lines until there are no more or nobody reads them, then closes stdin by dropping it.
async fn write_lines(mut stdin: ChildStdin, mut lines: mpsc::Receiver<String>) {
    while let Some(mut line) = lines.recv().await {
        line.push('\n');
        if stdin.write_all(line.as_bytes()).await.is_err() || stdin.flush().await.is_err() {
            return;
        }
    }
}

/// Reads messages until the server ends, and then ends every waiting call.
async fn read_messages(
    stdout: ChildStdout,
    words: JoinHandle<()>,
    shared: std::sync::Weak<Shared>,
    hooks: Hooks,
) {
    let mut lines = LineReader::new(BufReader::with_capacity(64 * 1024, stdout), LONGEST_LINE);
    // A process that left the group may hold the stream open after the server's end; it is not waited for.
    let Some(end) = shared.upgrade().map(|shared| shared.process.ended()) else {
        return;
    };
    let mut abandoned = std::pin::pin!(async { (end.await, sleep(MOMENT * 2).await) });
    loop {
        let line = tokio::select! {
            biased;
            line = lines.next() => line,
            _ = &mut abandoned => break,
        };
        let Ok(Some(line)) = line else { break };
        let Some(shared) = shared.upgrade() else {
            return;
        };
        let stray = |cause: StrayCause, text: &str| {
            hooks.report(&Warning::StrayLine {
                server: shared.server.clone(),
                line: line.number,
                cause,
                text: shortened(text),
            });
        };
        if line.too_long {
            stray(StrayCause::TooLong, &String::from_utf8_lossy(&line.bytes));
            continue;
        }
        let Some(found) = find_message(&line.bytes) else {
            let text = String::from_utf8_lossy(&line.bytes);
            stray(StrayCause::of(&line.bytes), &text);
            continue;
        };
        if !found.stray.is_empty() {
            stray(StrayCause::of(found.stray.as_bytes()), found.stray);
        }
        hooks.observe(Direction::ToClient, found.text, &[]);
        deliver(found.message, &shared, &hooks);
        shared.arrival.notify_waiters();
    }
    if let Some(shared) = shared.upgrade() {
        // The stream has ended; the process and its last words follow within a moment.
        let how = timeout(MOMENT, shared.process.ended()).await;
        let _ = timeout(MOMENT, words).await;
        let how = how.unwrap_or_else(|_| "closed its stdout".to_owned());
        shared.pending.end(shared.ended_how(how));
        shared.arrival.notify_waiters();
    }
}

/// An answer goes to the call that waits for it, everything else to the listener.
fn deliver(message: Message, shared: &Arc<Shared>, hooks: &Hooks) {
    let response = match message {
        Message::Response(response) => response,
        other => {
            if let Some(own_answer) = hooks.listen(other) {
                let line = Message::from(own_answer).to_line();
                let (shared, hooks) = (Arc::clone(shared), hooks.clone());
                // Not awaited here: a server that writes and does not read must not stop the reader.
                tokio::spawn(async move {
                    hooks.observe(Direction::ToServer, &line, &[]);
                    let _ = timeout(MOMENT * 10, shared.write(line)).await;
                });
            }
            return;
        }
    };
    let id = response.id.clone();
    if !shared.pending.settle(response) {
        hooks.report(&Warning::UnexpectedAnswer {
            server: shared.server.clone(),
            id: id.map_or_else(|| "none".to_owned(), |id| id.to_string()),
        });
    }
}

/// Keeps the last lines of stderr. They are no sign of a fault (2026-07-28, stdio); they are shown when one occurs.
async fn read_words(stderr: ChildStderr, shared: std::sync::Weak<Shared>, hooks: Hooks) {
    let mut lines = LineReader::new(BufReader::new(stderr), LONGEST_WORDS);
    while let Ok(Some(line)) = lines.next().await {
        let text = String::from_utf8_lossy(&line.bytes).into_owned();
        hooks.observe(Direction::Stderr, &text, &[]);
        let Some(shared) = shared.upgrade() else {
            return;
        };
        let mut words = lock(&shared.last_words);
        if words.len() == LAST_LINES {
            words.pop_front();
        }
        words.push_back(text);
    }
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
