//! Which sessions are open over HTTP? (Up to 2025-11-25.)

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use lab_protocol::Revision;

/// How long a session may be silent.
const LONGEST_SILENCE: Duration = Duration::from_mins(30);

/// The open sessions by id: at most so many, none silent for too long.
#[derive(Debug)]
pub struct Sessions {
    open: Mutex<HashMap<String, Entry>>,
    most: usize,
}

#[derive(Debug)]
struct Entry {
    revision: Revision,
    last_use: Instant,
}

impl Sessions {
    /// No sessions yet, and at most so many at once. The one that was silent longest makes room for a new one.
    pub fn new(most: usize) -> Self {
        Self {
            open: Mutex::default(),
            most: most.max(1),
        }
    }

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
        if open.len() >= self.most {
            open.retain(|_, entry| now.duration_since(entry.last_use) < LONGEST_SILENCE);
        }
        if open.len() >= self.most
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

#[cfg(test)]
mod tests {
    use super::Sessions;
    use lab_protocol::Revision;

    #[test]
    fn an_id_is_visible_ascii_and_never_the_same() {
        let sessions = Sessions::new(8);
        let first = sessions.open(Revision::V2025_11_25).expect("a session");
        let second = sessions.open(Revision::V2025_06_18).expect("a session");
        assert_ne!(first, second);
        assert!(first.bytes().all(|byte| (0x21..=0x7e).contains(&byte)));
        assert_eq!(sessions.find(&first), Some(Revision::V2025_11_25));
        assert_eq!(sessions.find(&second), Some(Revision::V2025_06_18));
    }

    #[test]
    fn a_session_that_ended_is_gone() {
        let sessions = Sessions::new(8);
        let id = sessions.open(Revision::V2025_11_25).expect("a session");
        assert!(sessions.end(&id));
        assert!(!sessions.end(&id));
        assert_eq!(sessions.find(&id), None);
    }

    #[test]
    fn many_sessions_take_no_more_room_than_allowed() {
        let sessions = Sessions::new(3);
        let first = sessions.open(Revision::V2025_11_25).expect("a session");
        let kept = sessions.open(Revision::V2025_11_25).expect("a session");
        sessions.open(Revision::V2025_11_25).expect("a session");
        assert!(sessions.find(&first).is_some());
        for _ in 0..2 {
            assert!(sessions.find(&kept).is_some());
            sessions.open(Revision::V2025_11_25).expect("a session");
        }
        assert_eq!(sessions.lock().len(), 3);
        assert!(sessions.find(&kept).is_some(), "used between, so it stays");
        assert!(sessions.find(&first).is_none(), "silent longest");
    }
}
