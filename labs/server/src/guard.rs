//! Which HTTP requests may come as far as their body?
//!
//! A server on this machine can be reached by every page that a browser here opens. What a page cannot forge are
//! `Origin` and `Host`, so both are looked at before anything else (all revisions, Streamable HTTP, Security).

use axum::http::header::{ACCEPT, CONTENT_TYPE, HOST, ORIGIN};
use axum::http::{HeaderMap, StatusCode};

/// Whom an endpoint serves, and how much it keeps.
#[derive(Clone, Debug)]
pub struct HttpOptions {
    /// Origins that may call beside the loopback names, as a browser writes them: `https://course.example`.
    pub origins: Vec<String>,
    /// The names under which the endpoint may be addressed.
    pub hosts: Hosts,
    /// The most bytes that a body may have.
    pub largest_body: usize,
    /// The most sessions that are open at once; a new one takes the place of the one that was silent longest.
    pub most_sessions: usize,
}

/// The names under which an endpoint may be addressed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Hosts {
    /// `localhost`, `127.0.0.1` and `[::1]`: right for a server that listens on them alone.
    Loopback,
    /// Any; for a server that others reach, behind whatever name.
    Any,
}

impl Default for HttpOptions {
    fn default() -> Self {
        Self {
            origins: Vec::new(),
            hosts: Hosts::Loopback,
            largest_body: 4 * 1024 * 1024,
            most_sessions: 10_000,
        }
    }
}

/// Checks that neither another site's page nor another site's name leads here.
pub(crate) fn check_site(headers: &HeaderMap, options: &HttpOptions) -> Result<(), &'static str> {
    for origin in headers.get_all(ORIGIN) {
        let known = origin.to_str().is_ok_and(|origin| {
            is_loopback_origin(origin) || options.origins.iter().any(|known| known == origin)
        });
        if !known {
            return Err("This Origin may not call this server");
        }
    }
    if options.hosts == Hosts::Loopback {
        for host in headers.get_all(HOST) {
            if !host.to_str().is_ok_and(is_loopback) {
                return Err("This server answers to localhost, 127.0.0.1 and [::1] alone");
            }
        }
    }
    Ok(())
}

fn is_loopback_origin(origin: &str) -> bool {
    origin
        .strip_prefix("http://")
        .or_else(|| origin.strip_prefix("https://"))
        .is_some_and(is_loopback)
}

/// Whether an authority is a loopback name, with any port or none.
fn is_loopback(authority: &str) -> bool {
    let name = match authority.rsplit_once(':') {
        Some((name, port)) if port.bytes().all(|byte| byte.is_ascii_digit()) => name,
        _ => authority,
    };
    matches!(name, "127.0.0.1" | "[::1]") || name.eq_ignore_ascii_case("localhost")
}

/// Checks that a POST sends JSON and takes both kinds of answer (all revisions, Streamable HTTP, Sending Messages).
pub(crate) fn check_types(headers: &HeaderMap) -> Result<(), (StatusCode, &'static str)> {
    let json = headers
        .get(CONTENT_TYPE)
        .and_then(|value| value.to_str().ok())
        .is_some_and(|value| media_type(value).eq_ignore_ascii_case("application/json"));
    if !json {
        return Err((
            StatusCode::UNSUPPORTED_MEDIA_TYPE,
            "Content-Type must be application/json",
        ));
    }
    let accepts = |wanted: &str| {
        let (kind, _) = wanted.split_once('/').unwrap_or((wanted, ""));
        headers
            .get_all(ACCEPT)
            .iter()
            .filter_map(|value| value.to_str().ok())
            .flat_map(|value| value.split(','))
            .map(media_type)
            .any(|range| {
                range.eq_ignore_ascii_case(wanted)
                    || range == "*/*"
                    || range
                        .strip_suffix("/*")
                        .is_some_and(|range| range.eq_ignore_ascii_case(kind))
            })
    };
    if accepts("application/json") && accepts("text/event-stream") {
        Ok(())
    } else {
        Err((
            StatusCode::NOT_ACCEPTABLE,
            "Accept must list application/json and text/event-stream",
        ))
    }
}

/// A media type without its parameters.
fn media_type(value: &str) -> &str {
    value.split(';').next().unwrap_or_default().trim()
}

#[cfg(test)]
mod tests {
    use super::{Hosts, HttpOptions, check_site, is_loopback};
    use axum::http::{HeaderMap, HeaderValue};

    fn with(name: &'static str, value: &str) -> HeaderMap {
        let mut headers = HeaderMap::new();
        headers.insert(name, HeaderValue::from_str(value).expect("a header"));
        headers
    }

    #[test]
    fn only_loopback_names_are_loopback() {
        for name in [
            "localhost",
            "LOCALHOST:3000",
            "127.0.0.1:0",
            "[::1]",
            "[::1]:80",
        ] {
            assert!(is_loopback(name), "{name}");
        }
        for name in [
            "",
            "evil.example",
            "localhost.evil.example",
            "localhost@evil.example",
            "127.0.0.1.evil",
            "localhost:80:evil",
            "::1",
        ] {
            assert!(!is_loopback(name), "{name}");
        }
    }

    #[test]
    fn an_origin_is_absent_loopback_or_listed() {
        let options = HttpOptions {
            origins: vec!["https://course.example".to_owned()],
            ..HttpOptions::default()
        };
        assert!(check_site(&HeaderMap::new(), &options).is_ok());
        for origin in [
            "http://localhost:3000",
            "https://[::1]",
            "https://course.example",
        ] {
            assert!(
                check_site(&with("origin", origin), &options).is_ok(),
                "{origin}"
            );
        }
        for origin in [
            "null",
            "https://evil.example",
            "http://course.example",
            "file://localhost",
            "https://course.example.evil",
        ] {
            assert!(
                check_site(&with("origin", origin), &options).is_err(),
                "{origin}"
            );
        }
    }

    #[test]
    fn a_public_endpoint_does_not_mind_its_name() {
        let host = with("host", "course.example");
        assert!(check_site(&host, &HttpOptions::default()).is_err());
        let options = HttpOptions {
            hosts: Hosts::Any,
            ..HttpOptions::default()
        };
        assert!(check_site(&host, &options).is_ok());
    }
}
