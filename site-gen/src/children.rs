//! How do the programs that a command starts end together with it?
//!
//! Each child leads a process group of its own, so that whatever it starts can be reached too. When this program is told
//! to end, by Ctrl-C or by a supervisor, every group is asked to end, then told to, and a moment later this program is gone.

use std::collections::BTreeSet;
use std::io;
use std::path::PathBuf;
use std::process::{Child, Command, ExitCode, ExitStatus, Stdio};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use tokio::sync::watch;

/// How long each of the three words (interrupt, terminate, kill) may take; together less than two seconds.
const PATIENCE: Duration = Duration::from_millis(400);
/// What a shell reports for a program that was interrupted.
const INTERRUPTED: u8 = 130;

/// The process groups that run.
type Groups = Arc<Mutex<BTreeSet<u32>>>;

/// The running children, and the word that all is to end.
#[derive(Clone, Debug)]
pub struct Children {
    groups: Groups,
    told: watch::Receiver<bool>,
}

impl Default for Children {
    /// Children whom nobody interrupts: for tests.
    fn default() -> Self {
        Self {
            groups: Arc::default(),
            told: watch::channel(false).1,
        }
    }
}

impl Children {
    /// From now on Ctrl-C, SIGTERM and SIGHUP end the children and, within two seconds, this program.
    ///
    /// # Errors
    /// When the system does not let us listen.
    pub fn until_interrupted() -> io::Result<Self> {
        let (telling, told) = watch::channel(false);
        let children = Self {
            groups: Arc::default(),
            told,
        };
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()?;
        let interrupted = {
            let _inside = runtime.enter();
            interruption()?
        };
        let groups = Arc::clone(&children.groups);
        std::thread::spawn(move || {
            runtime.block_on(interrupted);
            let _ = telling.send(true);
            end(&groups);
            // Whoever has not returned by now is cut off.
            std::process::exit(INTERRUPTED.into());
        });
        Ok(children)
    }

    /// Children, and the hand that interrupts them.
    #[cfg(test)]
    pub(crate) fn by_hand() -> (watch::Sender<bool>, Self) {
        let (telling, told) = watch::channel(false);
        let groups = Arc::default();
        (telling, Self { groups, told })
    }

    /// Whether all is to end.
    pub fn interrupted(&self) -> bool {
        *self.told.borrow()
    }

    /// Waits until all is to end.
    pub async fn interruption(&self) {
        if self
            .told
            .clone()
            .wait_for(|interrupted| *interrupted)
            .await
            .is_err()
        {
            std::future::pending::<()>().await;
        }
    }

    /// Waits, for as long as it takes to end them, until no child is left.
    pub fn ended(&self) {
        let limit = Instant::now() + PATIENCE * 3;
        while !ids(&self.groups).is_empty() && Instant::now() < limit {
            std::thread::sleep(Duration::from_millis(10));
        }
    }

    /// The exit status of a command that was interrupted.
    pub fn exit_code(&self, otherwise: ExitCode) -> ExitCode {
        if self.interrupted() {
            ExitCode::from(INTERRUPTED)
        } else {
            otherwise
        }
    }

    /// Starts a program and waits for its end. Its output goes where ours goes; nothing is to be read by it.
    ///
    /// # Errors
    /// When it cannot be started, or all is to end.
    pub fn run(&self, command: &mut Command) -> io::Result<ExitStatus> {
        self.start(command.stdin(Stdio::null()))?.child.wait()
    }

    /// Starts a program that ends when the result is dropped, if not before.
    ///
    /// # Errors
    /// When it cannot be started, or all is to end.
    pub fn start(&self, command: &mut Command) -> io::Result<Running> {
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(command, 0);
        // Under the lock, so that no child is started behind the back of an interruption.
        let mut groups = self.groups.lock().unwrap_or_else(PoisonError::into_inner);
        if self.interrupted() {
            return Err(io::Error::new(io::ErrorKind::Interrupted, "interrupted"));
        }
        let child = command.spawn()?;
        groups.insert(child.id());
        Ok(Running {
            child,
            groups: Arc::clone(&self.groups),
        })
    }
}

/// This program, to be started once more.
///
/// # Errors
/// When the system does not say where it stands.
pub fn this_program() -> io::Result<PathBuf> {
    let program = std::env::current_exe()?;
    // Linux says so once cargo has put a newer one in its place; that one will do.
    match program.to_string_lossy().strip_suffix(" (deleted)") {
        Some(path) => Ok(PathBuf::from(path)),
        None => Ok(program),
    }
}

/// A child that runs.
#[derive(Debug)]
pub struct Running {
    /// The process; its pipes may be taken.
    pub child: Child,
    groups: Groups,
}

impl Drop for Running {
    fn drop(&mut self) {
        let id = self.child.id();
        for word in Word::ALL {
            if matches!(self.child.try_wait(), Ok(Some(_))) {
                break;
            }
            send(id, word);
            let limit = Instant::now() + PATIENCE;
            while matches!(self.child.try_wait(), Ok(None)) && Instant::now() < limit {
                std::thread::sleep(Duration::from_millis(10));
            }
        }
        // A shell ends at the first word and may leave behind what it started; the group has its number still.
        send(id, Word::Kill);
        self.groups
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .remove(&id);
    }
}

/// Ends every group; returns once none is left or all was tried.
fn end(groups: &Mutex<BTreeSet<u32>>) {
    for word in Word::ALL {
        for id in ids(groups) {
            send(id, word);
        }
        std::thread::sleep(PATIENCE);
    }
}

fn ids(groups: &Mutex<BTreeSet<u32>>) -> BTreeSet<u32> {
    groups
        .lock()
        .unwrap_or_else(PoisonError::into_inner)
        .clone()
}

/// What is said to a group, in this order.
#[derive(Clone, Copy)]
enum Word {
    Interrupt,
    Terminate,
    Kill,
}

impl Word {
    const ALL: [Self; 3] = [Self::Interrupt, Self::Terminate, Self::Kill];
}

#[cfg(unix)]
fn send(group: u32, word: Word) {
    use rustix::process::{Pid, Signal, kill_process_group};
    let signal = match word {
        Word::Interrupt => Signal::INT,
        Word::Terminate => Signal::TERM,
        Word::Kill => Signal::KILL,
    };
    if let Some(pid) = i32::try_from(group).ok().and_then(Pid::from_raw) {
        // A group that has ended meanwhile is what was wanted.
        let _ = kill_process_group(pid, signal);
    }
}

#[cfg(not(unix))]
fn send(_group: u32, _word: Word) {}

/// The first of the signals that mean "end"; they are listened for from this call on.
#[cfg(unix)]
fn interruption() -> io::Result<impl Future<Output = ()> + Send + 'static> {
    use tokio::signal::unix::{SignalKind, signal};
    let mut interrupt = signal(SignalKind::interrupt())?;
    let mut terminate = signal(SignalKind::terminate())?;
    let mut hangup = signal(SignalKind::hangup())?;
    Ok(async move {
        tokio::select! {
            _ = interrupt.recv() => {}
            _ = terminate.recv() => {}
            _ = hangup.recv() => {}
        }
    })
}

#[cfg(not(unix))]
fn interruption() -> io::Result<impl Future<Output = ()> + Send + 'static> {
    Ok(async {
        let _ = tokio::signal::ctrl_c().await;
    })
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    fn alive(id: u32) -> bool {
        Command::new("kill")
            .args(["-0", &id.to_string()])
            .stderr(Stdio::null())
            .status()
            .is_ok_and(|status| status.success())
    }

    #[test]
    fn a_child_that_is_no_longer_wanted_takes_its_own_children_along() {
        let mut shell = Command::new("sh");
        shell
            .args(["-c", "sleep 60 & echo $!; wait"])
            .stdout(Stdio::piped());
        let mut running = Children::default().start(&mut shell).expect("a shell");
        let stdout = running.child.stdout.take().expect("its stdout");
        let mut line = String::new();
        io::BufRead::read_line(&mut io::BufReader::new(stdout), &mut line).expect("a line");
        let grandchild: u32 = line.trim().parse().expect("an id");
        assert!(alive(grandchild));
        drop(running);
        let limit = Instant::now() + Duration::from_secs(2);
        while alive(grandchild) && Instant::now() < limit {
            std::thread::sleep(Duration::from_millis(20));
        }
        assert!(!alive(grandchild));
    }

    #[test]
    fn nothing_is_started_after_the_word_to_end() {
        let (telling, children) = Children::by_hand();
        assert!(children.run(&mut Command::new("true")).is_ok());
        telling.send(true).expect("a listener");
        let error = children
            .run(&mut Command::new("true"))
            .expect_err("no start");
        assert_eq!(error.kind(), io::ErrorKind::Interrupted);
    }
}
