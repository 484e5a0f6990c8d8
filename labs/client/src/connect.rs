//! How do client and server come to terms?
//!
//! In two ways, one for each era: by a handshake that both remember, or by a question that nobody has to ask.

use lab_protocol::lifecycle::{InitializeParams, InitializeResult};
use lab_protocol::{Era, Implementation, Notification, Revision, ServerCapabilities, meta};
use serde_json::{Value, json};

use crate::client::Client;
use crate::clock::timeout;
use crate::detect::{Probe, Verdict, judge};
use crate::error::{ClientError, TransportError};
use crate::transport::Transport;

/// What client and server know of each other.
#[derive(Clone, Debug, PartialEq)]
pub struct Agreement {
    /// The revision that is spoken.
    pub revision: Revision,
    /// Who the server says it is. Unverified: for display and logs.
    pub server_info: Option<Implementation>,
    /// What the server offers.
    pub capabilities: ServerCapabilities,
    /// How to use the server, for the model.
    pub instructions: Option<String>,
}

impl<T: Transport> Client<T> {
    /// Finds out the era, unless it was chosen, and comes to terms.
    pub(crate) async fn come_to_terms(&self) -> Result<Agreement, ClientError> {
        match self.options().chosen_era()? {
            Some(Era::Session) => self.connect_session().await,
            Some(Era::Stateless) => self.connect_stateless(Fallback::Never).await,
            None => self.connect_stateless(Fallback::ToSession).await,
        }
    }

    // ANCHOR: connect_session
    /// The session era: `initialize`, its result, `notifications/initialized` (2025-11-25, Lifecycle).
    pub(crate) async fn connect_session(&self) -> Result<Agreement, ClientError> {
        let preferred = self.options().preferred(Era::Session);
        let params = InitializeParams {
            protocol_version: preferred.as_str().to_owned(),
            capabilities: self.options().capabilities.clone(),
            client_info: self.options().info.clone(),
        };
        let result: InitializeResult = self.ask("initialize", &params).await?;
        // The server may answer with another revision. Whoever does not speak it leaves.
        let revision = Revision::parse(&result.protocol_version)
            .filter(|revision| revision.era() == Era::Session)
            .ok_or_else(|| ClientError::NoCommonRevision {
                server: self.server().to_owned(),
                ours: Revision::names_of(Era::Session).join(", "),
                theirs: result.protocol_version.clone(),
            })?;
        self.agree(revision);
        let initialized = Notification::new("notifications/initialized");
        self.transport().send(&initialized.into()).await?;
        Ok(Agreement {
            revision,
            server_info: Some(result.server_info),
            capabilities: result.capabilities,
            instructions: result.instructions,
        })
    }
    // ANCHOR_END: connect_session

    // ANCHOR: connect_stateless
    /// The stateless era: one question, `server/discover`, and no handshake (2026-07-28, Discovery).
    async fn connect_stateless(&self, fallback: Fallback) -> Result<Agreement, ClientError> {
        let mut revision = self.options().preferred(Era::Stateless);
        let verdict = match judge(self.transport().channel(), self.probe(revision).await) {
            // It named the revisions that it speaks, so that the second try fits.
            Verdict::OtherRevisions(named) => {
                revision = self.choose(&named, Some(revision))?;
                judge(self.transport().channel(), self.probe(revision).await)
            }
            verdict => verdict,
        };
        let agreement = match verdict {
            Verdict::Stateless(found) => Agreement {
                revision: self.choose(&found.supported_versions, None)?,
                server_info: found.meta.and_then(|meta| meta.server_info),
                capabilities: found.capabilities,
                instructions: found.instructions,
            },
            Verdict::Undescribed => Agreement::undescribed(revision),
            Verdict::OtherRevisions(named) => return Err(self.no_common_revision(&named)),
            Verdict::Refused(error) => return Err(self.rejected("server/discover", error)),
            Verdict::Session(_) if fallback == Fallback::ToSession => {
                return self.connect_session().await;
            }
            Verdict::Session(reason) => return Err(self.not_stateless(reason)),
            Verdict::Failed(error) => return Err(error.into()),
        };
        self.agree(agreement.revision);
        Ok(agreement)
    }
    // ANCHOR_END: connect_stateless

    /// Asks `server/discover` and takes whatever comes.
    async fn probe(&self, revision: Revision) -> Probe {
        let params = json!({ "_meta": self.request_meta(revision) });
        let request = match self.numbered("server/discover", &params) {
            Ok(request) => request,
            Err(error) => {
                return Probe::Failed(TransportError::NotAMessage {
                    server: self.server().to_owned(),
                    reason: error.to_string(),
                });
            }
        };
        let answer = self.transport().request(&request, &[]);
        match timeout(self.options().probe_timeout, answer).await {
            Ok(Ok(answer)) => Probe::Answered(answer),
            Ok(Err(error)) => Probe::Failed(error),
            // No `notifications/cancelled` follows: a server that awaits `initialize` should see that next.
            Err(_) => Probe::Silent,
        }
    }

    /// The newest revision of the stateless era that both speak; never the one that was just refused.
    fn choose(&self, named: &[String], refused: Option<Revision>) -> Result<Revision, ClientError> {
        let wanted = self.options().revision;
        Revision::ALL
            .into_iter()
            .filter(|revision| revision.era() == Era::Stateless && Some(*revision) != refused)
            .filter(|revision| wanted.is_none_or(|wanted| wanted == *revision))
            .find(|revision| named.iter().any(|name| name == revision.as_str()))
            .ok_or_else(|| self.no_common_revision(named))
    }

    fn no_common_revision(&self, named: &[String]) -> ClientError {
        ClientError::NoCommonRevision {
            server: self.server().to_owned(),
            ours: Revision::names_of(Era::Stateless).join(", "),
            theirs: if named.is_empty() {
                "others, which it did not name".to_owned()
            } else {
                named.join(", ")
            },
        }
    }

    fn not_stateless(&self, reason: String) -> ClientError {
        ClientError::NotStateless {
            server: self.server().to_owned(),
            reason,
        }
    }

    // ANCHOR: request_meta
    /// What every request of the stateless era says about itself (2026-07-28, Base Protocol, `_meta`).
    pub(crate) fn request_meta(&self, revision: Revision) -> Value {
        json!({
            meta::PROTOCOL_VERSION: revision.as_str(),
            meta::CLIENT_INFO: self.options().info,
            meta::CLIENT_CAPABILITIES: self.options().capabilities,
        })
    }
    // ANCHOR_END: request_meta
}

/// What to do with a server that is not of the stateless era.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fallback {
    /// Open a session.
    ToSession,
    /// Say so.
    Never,
}

impl Agreement {
    /// With a server that says nothing about itself.
    fn undescribed(revision: Revision) -> Self {
        Self {
            revision,
            server_info: None,
            capabilities: ServerCapabilities::default(),
            instructions: None,
        }
    }
}
