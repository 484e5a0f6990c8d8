//! How does the server hear that a source has changed? From the system where it watches files, and from the Enter key
//! where it does not, as on many network drives.

use std::io::BufRead;
use std::path::Path;
use std::sync::mpsc::Sender;
use std::time::Duration;

use notify_debouncer_full::notify::{EventKind, RecursiveMode};
use notify_debouncer_full::{DebounceEventResult, new_debouncer};

/// The folders whose changes matter.
pub const WATCHED: [&str; 3] = ["book", "labs", "quiz"];
/// The crates that are part of this program: what runs here was compiled before it was started.
const COMPILED_IN: [&str; 3] = ["labs/protocol", "labs/client", "labs/server"];
/// Several files that are saved at once are one change.
const PAUSE: Duration = Duration::from_millis(300);

/// What has changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Change {
    /// Something that the next build reads, or the reader's wish.
    Source,
    /// The code of the servers and the client that run in this program.
    Servers,
}

/// Sends a word when a source changes; ends when the result is dropped.
pub fn watch(root: &Path, wake: &Sender<Change>) -> Option<impl Sized + use<>> {
    let wake = wake.clone();
    let root_of_events = root.to_owned();
    let handler = move |result: DebounceEventResult| {
        let Ok(events) = result else { return };
        let paths = events
            .iter()
            .filter(|event| !matches!(event.kind, EventKind::Access(_)))
            .flat_map(|event| &event.paths);
        let change = paths
            .map(|path| change(&root_of_events, path))
            .reduce(|one, other| match (one, other) {
                (Change::Source, Change::Source) => Change::Source,
                _ => Change::Servers,
            });
        if let Some(change) = change {
            // Nobody listens any more when the server ends.
            let _ = wake.send(change);
        }
    };
    let failed = |error: &dyn std::fmt::Display| {
        eprintln!("changes cannot be noticed here ({error}); press Enter to rebuild by hand");
    };
    let mut debouncer = match new_debouncer(PAUSE, None, handler) {
        Ok(debouncer) => debouncer,
        Err(error) => {
            failed(&error);
            return None;
        }
    };
    for folder in WATCHED {
        if let Err(error) = debouncer.watch(root.join(folder), RecursiveMode::Recursive) {
            failed(&error);
        }
    }
    Some(debouncer)
}

fn change(root: &Path, path: &Path) -> Change {
    let compiled_in = COMPILED_IN
        .iter()
        .any(|folder| path.starts_with(root.join(folder)));
    if compiled_in {
        Change::Servers
    } else {
        Change::Source
    }
}

/// Sends a word at each line that is typed.
pub fn listen_for_enter(wake: Sender<Change>) {
    std::thread::spawn(move || {
        for line in std::io::stdin().lock().lines() {
            if line.is_err() || wake.send(Change::Source).is_err() {
                return;
            }
        }
    });
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc::channel;

    use super::*;

    #[test]
    fn a_saved_chapter_is_noticed() {
        let root = tempfile::tempdir().expect("a folder");
        for folder in WATCHED {
            std::fs::create_dir(root.path().join(folder)).expect(folder);
        }
        let (wake, woken) = channel();
        let _watching = watch(root.path(), &wake);
        std::fs::write(root.path().join("book/a.md"), "# A").expect("a file");
        let change = woken.recv_timeout(Duration::from_secs(5)).expect("a word");
        assert_eq!(change, Change::Source);
    }

    #[test]
    fn the_code_that_runs_here_is_told_from_what_a_build_reads() {
        let root = Path::new("/course");
        let of = |path: &str| change(root, &root.join(path));
        assert_eq!(of("labs/server/src/shop.rs"), Change::Servers);
        assert_eq!(of("labs/bridge/src/lib.rs"), Change::Source);
        assert_eq!(of("book/en/index.md"), Change::Source);
    }
}
