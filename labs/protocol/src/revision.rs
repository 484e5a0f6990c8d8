//! Which dated revision of the protocol is spoken, and in which era does it stand?

use std::fmt;

/// The two ways in which a connection is understood.
///
/// The specification of 2026-07-28 calls them legacy and modern (Versioning, Terminology).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Era {
    /// Up to 2025-11-25: `initialize` opens a session, and both sides remember what was agreed.
    Session,
    /// From 2026-07-28: every request says all that is needed to serve it.
    Stateless,
}

impl Era {
    /// `session` or `stateless`.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Session => "session",
            Self::Stateless => "stateless",
        }
    }
}

impl fmt::Display for Era {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.as_str())
    }
}

/// A revision that this code speaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Revision {
    /// 2025-06-18.
    V2025_06_18,
    /// 2025-11-25, the last of the session era.
    V2025_11_25,
    /// 2026-07-28, the first of the stateless era.
    V2026_07_28,
}

impl Revision {
    /// All of them, the newest first.
    pub const ALL: [Self; 3] = [Self::V2026_07_28, Self::V2025_11_25, Self::V2025_06_18];

    /// As it stands in a message.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::V2025_06_18 => "2025-06-18",
            Self::V2025_11_25 => "2025-11-25",
            Self::V2026_07_28 => "2026-07-28",
        }
    }

    /// Reads what stands in a message; `None` for a revision that is not spoken here.
    pub fn parse(text: &str) -> Option<Self> {
        Self::ALL
            .into_iter()
            .find(|revision| revision.as_str() == text)
    }

    /// The era it belongs to.
    pub fn era(self) -> Era {
        match self {
            Self::V2025_06_18 | Self::V2025_11_25 => Era::Session,
            Self::V2026_07_28 => Era::Stateless,
        }
    }

    /// The newest revision of an era.
    pub fn newest_of(era: Era) -> Self {
        match era {
            Era::Session => Self::V2025_11_25,
            Era::Stateless => Self::V2026_07_28,
        }
    }

    /// The revisions of an era as they stand in messages, the newest first.
    pub fn names_of(era: Era) -> Vec<&'static str> {
        Self::ALL
            .into_iter()
            .filter(|revision| revision.era() == era)
            .map(Self::as_str)
            .collect()
    }
}

impl fmt::Display for Revision {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.as_str())
    }
}
