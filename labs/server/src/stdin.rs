//! How is stdin read, so that a server can end while a read is still waiting?
//!
//! A read of stdin cannot be called off. On one of tokio's own threads it would keep the runtime, and with it the
//! process, from ending when the client has gone away but left stdin open. A thread of its own can be left behind.

use std::io::{self, Read};
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use std::thread;

use tokio::io::{AsyncBufRead, AsyncRead, ReadBuf};
use tokio::sync::mpsc;

/// How much is read at once.
const CHUNK: usize = 64 * 1024;
/// How many chunks may wait; then the thread waits, and with it whoever writes.
const WAITING: usize = 4;

/// This process's stdin.
#[derive(Debug)]
pub struct Stdin {
    chunks: mpsc::Receiver<io::Result<Vec<u8>>>,
    chunk: Vec<u8>,
    used: usize,
}

impl Stdin {
    /// Starts to read.
    ///
    /// # Errors
    /// When the system has no thread to give.
    pub fn open() -> io::Result<Self> {
        let (sender, chunks) = mpsc::channel(WAITING);
        thread::Builder::new()
            .name("stdin".to_owned())
            .spawn(move || read_all(&sender))?;
        Ok(Self {
            chunks,
            chunk: Vec::new(),
            used: 0,
        })
    }
}

/// Reads until stdin ends or nobody listens any more.
fn read_all(sender: &mpsc::Sender<io::Result<Vec<u8>>>) {
    let mut stdin = io::stdin().lock();
    let mut buffer = vec![0; CHUNK];
    loop {
        let read = match stdin.read(&mut buffer) {
            Ok(0) => return,
            Ok(count) => Ok(buffer[..count].to_vec()),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) => Err(error),
        };
        let failed = read.is_err();
        if sender.blocking_send(read).is_err() || failed {
            return;
        }
    }
}

impl AsyncBufRead for Stdin {
    fn poll_fill_buf(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<&[u8]>> {
        let this = self.get_mut();
        if this.used == this.chunk.len() {
            // Let go of it now: if there is nothing new yet, this is asked again.
            this.chunk = Vec::new();
            this.used = 0;
            // An empty chunk is how the end is told.
            this.chunk = match ready!(this.chunks.poll_recv(context)) {
                Some(read) => read?,
                None => Vec::new(),
            };
        }
        Poll::Ready(Ok(&this.chunk[this.used..]))
    }

    fn consume(self: Pin<&mut Self>, count: usize) {
        let this = self.get_mut();
        this.used = (this.used + count).min(this.chunk.len());
    }
}

impl AsyncRead for Stdin {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        into: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let available = ready!(self.as_mut().poll_fill_buf(context))?;
        let count = available.len().min(into.remaining());
        into.put_slice(&available[..count]);
        self.consume(count);
        Poll::Ready(Ok(()))
    }
}
