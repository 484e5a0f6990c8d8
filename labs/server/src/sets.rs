//! Which servers are there?

use crate::dispatch::Dispatcher;
use crate::server::Server;
use crate::shop;

/// The names that `--set` takes.
pub const KNOWN: [&str; 1] = ["shop"];

/// Why a set cannot be served.
#[derive(Debug, thiserror::Error)]
pub enum SetError {
    /// There is none of that name.
    #[error("there is no server set {name:?}; known: {}", KNOWN.join(", "))]
    Unknown {
        /// The name.
        name: String,
    },
    /// Its data is broken.
    #[error("the data of the server set {name} cannot be read: {reason}")]
    Data {
        /// The name.
        name: String,
        /// What is wrong with it.
        reason: serde_json::Error,
    },
}

/// The server of a set.
///
/// # Errors
/// When there is no set of that name, or its data is broken.
pub fn set(name: &str) -> Result<Server, SetError> {
    let server = match name {
        "shop" => shop::server(),
        _ => {
            return Err(SetError::Unknown {
                name: name.to_owned(),
            });
        }
    };
    server.map_err(|reason| broken(name, reason))
}

/// The server of a set, ready to answer.
///
/// # Errors
/// As [`set`].
pub fn dispatcher(name: &str) -> Result<Dispatcher, SetError> {
    Dispatcher::new(set(name)?).map_err(|reason| broken(name, reason))
}

fn broken(name: &str, reason: serde_json::Error) -> SetError {
    SetError::Data {
        name: name.to_owned(),
        reason,
    }
}
