//! Which sessions are open over HTTP? (Up to 2025-11-25.)

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use lab_protocol::Revision;

/// The most sessions that are kept. The one that was silent longest makes room.
const MOST: usize = 10_000;
/// How long a session may be silent.
const LONGEST_SILENCE: Duration = Duration::from_secs(30 * 60);

/// The open sessions by id.
#[derive(Debug, Default)]
pub struct Sessions {
    open: Mutex<HashMap<String, Entry>>,
}

#[derive(Debug)]
struct Entry {
    revision: Revision,
    last_use: Instant,
}

impl Sessions {
    /// Opens a session and gives back its id: 128 random bits in visible ASCII (2025-11-25, Session Management, 1).
    ///
    /// # Errors
    /// When the system has no random numbers.
    pub fn open(&self, revision: Revision) -> Result<String, getrandom::Error> {
        let mut bits = [0; 16];
        getrandom::fill(&mut bits)?;
        let id = format!("{:032x}", u128::from_be_bytes(bits));
        let mut open = self.lock();
        let now = Instant::now();
        if open.len() >= MOST {
            open.retain(|_, entry| now.duration_since(entry.last_use) < LONGEST_SILENCE);
        }
        if open.len() >= MOST
            && let Some(oldest) = open
                .iter()
                .min_by_key(|(_, entry)| entry.last_use)
                .map(|(id, _)| id.clone())
        {
            open.remove(&oldest);
        }
        open.insert(
            id.clone(),
            Entry {
                revision,
                last_use: now,
            },
        );
        Ok(id)
    }

    /// The revision of a session; `None` where it ended or never was.
    pub fn find(&self, id: &str) -> Option<Revision> {
        let mut open = self.lock();
        let entry = open.get_mut(id)?;
        if entry.last_use.elapsed() > LONGEST_SILENCE {
            open.remove(id);
            return None;
        }
        entry.last_use = Instant::now();
        Some(entry.revision)
    }

    /// Ends a session; whether there was one.
    pub fn end(&self, id: &str) -> bool {
        self.lock().remove(id).is_some()
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, HashMap<String, Entry>> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
