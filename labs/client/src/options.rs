//! What can be chosen when a client connects?

use std::fmt;
use std::time::Duration;

use lab_protocol::{ClientCapabilities, Era, Implementation, Revision};

use crate::error::ClientError;
use crate::transport::{NotificationHandler, Observer, Reporter};

/// Which era to speak.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum EraChoice {
    /// Find out, by the rules of 2026-07-28.
    #[default]
    Auto,
    /// Up to 2025-11-25: `initialize`.
    Session,
    /// From 2026-07-28: no handshake.
    Stateless,
}

impl EraChoice {
    /// Reads `auto`, `session` or `stateless`.
    pub fn parse(name: &str) -> Option<Self> {
        match name {
            "auto" => Some(Self::Auto),
            "session" => Some(Self::Session),
            "stateless" => Some(Self::Stateless),
            _ => None,
        }
    }
}

/// How a client behaves.
#[derive(Clone)]
pub struct Options {
    /// Which era to speak.
    pub era: EraChoice,
    /// Which revision to ask for; the newest of the era where none is given.
    pub revision: Option<Revision>,
    /// How long a request may take.
    pub timeout: Duration,
    /// How long a silent server is taken for one that may yet answer the probe. After that it counts as one of the
    /// session era, some of which do not answer what they do not know.
    pub probe_timeout: Duration,
    /// Who this client is.
    pub info: Implementation,
    /// What a server may ask of it.
    pub capabilities: ClientCapabilities,
    /// Sees every message.
    pub observer: Option<Observer>,
    /// Hears every warning.
    pub reporter: Option<Reporter>,
    /// Gets the server's notifications.
    pub on_notification: Option<NotificationHandler>,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            era: EraChoice::Auto,
            revision: None,
            timeout: Duration::from_secs(30),
            probe_timeout: Duration::from_secs(5),
            info: Implementation::new("lab-client", env!("CARGO_PKG_VERSION")),
            capabilities: ClientCapabilities::default(),
            observer: None,
            reporter: None,
            on_notification: None,
        }
    }
}

impl fmt::Debug for Options {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Options")
            .field("era", &self.era)
            .field("revision", &self.revision)
            .field("timeout", &self.timeout)
            .finish_non_exhaustive()
    }
}

impl Options {
    /// The era to speak, where the choice says so; a revision decides it too.
    pub(crate) fn chosen_era(&self) -> Result<Option<Era>, ClientError> {
        let chosen = match self.era {
            EraChoice::Auto => None,
            EraChoice::Session => Some(Era::Session),
            EraChoice::Stateless => Some(Era::Stateless),
        };
        match (chosen, self.revision) {
            (Some(era), Some(revision)) if revision.era() != era => {
                Err(ClientError::Contradiction {
                    revision: revision.as_str(),
                    era,
                })
            }
            (chosen, revision) => Ok(chosen.or(revision.map(Revision::era))),
        }
    }

    /// The revision to ask for in an era.
    pub(crate) fn preferred(&self, era: Era) -> Revision {
        self.revision
            .filter(|revision| revision.era() == era)
            .unwrap_or_else(|| Revision::newest_of(era))
    }
}
