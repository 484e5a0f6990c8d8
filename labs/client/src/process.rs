//! How does a server's process begin, and how does it surely end?
//!
//! A server that outlives its client is the most frequent complaint about stdio. Three ways lead there: the server does
//! not look at its stdin, a wrapper (a shell, a package runner) takes the signal and does not pass it on, or the
//! client is killed and can send no signal. Against the first two the server gets a process group of its own, and the
//! signals go to the whole group. Against the third only the server itself can help: the kernel closes the pipes of a
//! killed client, and a server that ends at the end of its stdin (ours do; 2026-07-28, stdio, Shutdown) is gone a
//! moment later. Linux could be asked to signal the child when its parent dies (`PR_SET_PDEATHSIG`), but only by code
//! that runs between fork and exec, which Rust calls unsafe; this course does without.

use std::path::PathBuf;
use std::process::Stdio;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tokio::process::{Child, ChildStderr, ChildStdin, ChildStdout, Command};
use tokio::sync::watch;

use crate::clock::timeout;
use crate::error::TransportError;

/// How long a server may take to end by itself, and again after SIGTERM. Twice this and the last step stay under
/// two seconds.
const PATIENCE: Duration = Duration::from_millis(700);

/// How a server is started.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ServerCommand {
    /// The program.
    pub program: String,
    /// Its arguments, passed on one by one; no shell looks at them.
    pub args: Vec<String>,
    /// Variables beside those that the client itself has.
    pub env: Vec<(String, String)>,
    /// The folder to start in; the client's own where none is given.
    pub folder: Option<PathBuf>,
}

/// The three streams of a process.
#[derive(Debug)]
pub struct Streams {
    /// What the server reads.
    pub stdin: ChildStdin,
    /// What the server writes: messages.
    pub stdout: ChildStdout,
    /// What the server writes for people.
    pub stderr: ChildStderr,
}

/// A server's process with everything that it started.
#[derive(Debug)]
pub struct ServerProcess {
    /// The process group, as long as it is known to be ours.
    group: Arc<Mutex<Option<u32>>>,
    ended: watch::Receiver<Option<String>>,
}

/// The two signals that end a process.
#[derive(Clone, Copy, Debug)]
enum EndingSignal {
    /// Please end.
    Terminate,
    /// End.
    Kill,
}

impl ServerProcess {
    /// Starts the command.
    ///
    /// # Errors
    /// When the program does not exist or may not be run.
    pub fn start(server: &str, command: &ServerCommand) -> Result<(Self, Streams), TransportError> {
        let cannot_start = |reason: String| TransportError::CannotStart {
            server: server.to_owned(),
            command: command.program.clone(),
            reason,
        };
        let mut builder = Command::new(&command.program);
        builder
            .args(&command.args)
            .envs(command.env.iter().cloned())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .kill_on_drop(true);
        if let Some(folder) = &command.folder {
            builder.current_dir(folder);
        }
        #[cfg(unix)]
        builder.process_group(0);

        let mut child = builder
            .spawn()
            .map_err(|error| cannot_start(error.to_string()))?;
        let (Some(stdin), Some(stdout), Some(stderr)) =
            (child.stdin.take(), child.stdout.take(), child.stderr.take())
        else {
            return Err(cannot_start("its streams could not be opened".to_owned()));
        };
        let group = Arc::new(Mutex::new(child.id()));
        let (sender, ended) = watch::channel(None);
        tokio::spawn(watch_end(child, Arc::clone(&group), sender));
        let process = Self { group, ended };
        Ok((
            process,
            Streams {
                stdin,
                stdout,
                stderr,
            },
        ))
    }

    /// How the process ended, once it has: `ended with exit status 1`.
    pub fn ended(&self) -> impl Future<Output = String> + use<> {
        let mut ended = self.ended.clone();
        async move {
            let how = ended.wait_for(Option::is_some).await;
            how.ok()
                .and_then(|how| how.clone())
                .unwrap_or_else(|| "ended".to_owned())
        }
    }

    // ANCHOR: shutdown
    /// Ends the process and all that it started. Its stdin must be closed already: that is the polite word, and the
    /// only one that works on every system (2026-07-28, stdio, Shutdown). A server that does not listen to it gets
    /// SIGTERM, then SIGKILL.
    pub async fn shut_down(&self) {
        for signal in [EndingSignal::Terminate, EndingSignal::Kill] {
            if timeout(PATIENCE, self.ended()).await.is_ok() {
                return;
            }
            self.signal(signal);
        }
        // Nothing survives SIGKILL, but the system may take a moment to say so.
        let _ = timeout(PATIENCE / 2, self.ended()).await;
    }

    /// Sends a signal to the whole group, so that a wrapper cannot swallow it.
    fn signal(&self, signal: EndingSignal) {
        let group = self.group.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(group) = *group {
            signal_group(group, signal);
        }
    }
    // ANCHOR_END: shutdown
}

impl Drop for ServerProcess {
    /// Whoever drops a server without shutting it down leaves nothing behind either.
    fn drop(&mut self) {
        self.signal(EndingSignal::Kill);
    }
}

/// Waits for the end of the process that was started, and then ends what it left behind in its group.
async fn watch_end(
    mut child: Child,
    group: Arc<Mutex<Option<u32>>>,
    sender: watch::Sender<Option<String>>,
) {
    let status = child.wait().await;
    {
        let mut group = group.lock().unwrap_or_else(PoisonError::into_inner);
        // From here on the number may be given to somebody else, so that it is forgotten at once.
        if let Some(group) = group.take() {
            signal_group(group, EndingSignal::Kill);
        }
    }
    let how = match status {
        Ok(status) => describe(status),
        Err(error) => format!("ended, and the system cannot say how ({error})"),
    };
    sender.send_replace(Some(how));
}

fn describe(status: std::process::ExitStatus) -> String {
    #[cfg(unix)]
    if let Some(signal) = std::os::unix::process::ExitStatusExt::signal(&status) {
        return format!("was ended by signal {signal}");
    }
    match status.code() {
        Some(code) => format!("ended with exit status {code}"),
        None => "ended".to_owned(),
    }
}

#[cfg(unix)]
fn signal_group(group: u32, signal: EndingSignal) {
    use rustix::process::{Pid, Signal, kill_process_group};

    let signal = match signal {
        EndingSignal::Terminate => Signal::TERM,
        EndingSignal::Kill => Signal::KILL,
    };
    if let Some(pid) = i32::try_from(group).ok().and_then(Pid::from_raw) {
        // A group that is gone already is what was wanted.
        let _ = kill_process_group(pid, signal);
    }
}

/// Elsewhere there are no such groups; the process itself is killed when it is dropped.
#[cfg(not(unix))]
fn signal_group(_group: u32, _signal: EndingSignal) {}
