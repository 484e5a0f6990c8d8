//! `cargo course serve`: builds everything, serves it with the live servers beside it, and rebuilds on change.
//!
//! A fault in the content ends nothing: the last good site stays, and the fault appears in the terminal and in the page.

pub mod sources;
#[cfg(test)]
mod tests;

use std::convert::Infallible;
use std::net::{Ipv4Addr, SocketAddr};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

use axum::Router;
use axum::extract::{Request, State};
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE};
use axum::http::{HeaderValue, StatusCode};
use axum::middleware::{Next, from_fn, from_fn_with_state};
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use futures_util::stream::{Stream, unfold};
use tokio::net::TcpListener;
use tokio::sync::watch;
use tower_http::services::ServeDir;

use crate::children::Children;
use crate::command::{Bar, build};
use crate::fault;
use crate::highlight::escape;
use crate::pipeline::{self, BuildOptions};
use crate::record::ServerProgram;

use sources::Change;

/// The sets that are served live, at `/mcp/SET`.
const LIVE_SETS: [&str; 1] = ["shop"];

/// What a page should do.
#[derive(Clone, Debug, Default)]
struct Notice {
    /// Counts the good builds.
    build: u64,
    /// The fault of the last build, if it had one.
    fault: Option<String>,
}

/// Runs until Ctrl-C.
pub fn run(root: &Path, port: u16, children: &Children) -> ExitCode {
    let runtime = match tokio::runtime::Runtime::new() {
        Ok(runtime) => runtime,
        Err(error) => {
            eprintln!("the server cannot start: {error}");
            return ExitCode::FAILURE;
        }
    };
    let address = SocketAddr::from((Ipv4Addr::LOCALHOST, port));
    // First the port, so that nobody waits minutes for a build and then hears that it is taken.
    let listener = match runtime.block_on(TcpListener::bind(address)) {
        Ok(listener) => listener,
        Err(error) => {
            eprintln!(
                "{address} cannot be used ({error}); choose another port: cargo course serve --port {}",
                port.saturating_add(1)
            );
            return ExitCode::FAILURE;
        }
    };
    let program = match ServerProgram::this_program() {
        Ok(program) => program,
        Err(error) => {
            eprintln!("this program cannot find itself: {error}");
            return ExitCode::FAILURE;
        }
    };
    let shown = listener.local_addr().unwrap_or(address);
    // A folder a port: two that run at once do not write over each other.
    let folder = root.join("target/serve").join(shown.port().to_string());
    let _ = std::fs::remove_dir_all(&folder);
    let out = folder.join("site");
    let builder = Builder {
        options: BuildOptions {
            root: root.to_owned(),
            out: out.clone(),
            site: None,
            live: true,
            children: children.clone(),
        },
        program,
    };
    let (notices, watcher) = watch::channel(Notice::default());
    let (wake, woken) = channel();
    // Before the first build, so that what is written meanwhile is not missed.
    let watching = sources::watch(root, &wake);
    sources::listen_for_enter(wake);
    std::thread::spawn(move || builder.run(&woken, &notices));

    let outcome = runtime.block_on(async {
        let mut first = watcher.clone();
        tokio::select! {
            // The builder keeps its end for as long as it runs.
            _ = first.changed() => {}
            () = children.interruption() => return Ok(()),
        }
        println!("serving http://{shown}  (Ctrl-C ends)");
        let folders = sources::WATCHED.join("/, ");
        println!("watching {folders}/; press Enter to rebuild by hand");
        serve(listener, out.clone(), watcher, children.clone()).await
    });
    drop(watching);
    // Streams of open pages and running builds are not waited for.
    runtime.shutdown_timeout(Duration::from_millis(200));
    if children.interrupted() {
        // What was started is ended meanwhile, and this program with the last of it.
        children.ended();
    }
    // The next start builds it anew; what stays behind would only take room.
    let _ = std::fs::remove_dir_all(&folder);
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("the server ended: {error}");
            ExitCode::FAILURE
        }
    }
}

struct Builder {
    options: BuildOptions,
    program: ServerProgram,
}

impl Builder {
    fn build(&self, notices: &watch::Sender<Notice>) {
        let start = Instant::now();
        let bar = Bar::default();
        let outcome = pipeline::build(&self.options, &self.program, &bar);
        drop(bar);
        match outcome {
            Ok(summary) => {
                eprint!("{}", fault::render(&summary.warnings));
                println!("{}", build::line(&summary, &self.options.out, start));
                notices.send_modify(|notice| {
                    notice.build += 1;
                    notice.fault = None;
                });
            }
            Err(_) if self.options.children.interrupted() => {}
            Err(error) => {
                eprintln!("{error}");
                notices.send_modify(|notice| notice.fault = Some(error.to_string()));
            }
        }
    }

    /// Builds once, and again at each change.
    fn run(&self, woken: &Receiver<Change>, notices: &watch::Sender<Notice>) {
        self.build(notices);
        while let Ok(first) = woken.recv() {
            // What came meanwhile is in this build too.
            let servers = std::iter::once(first)
                .chain(woken.try_iter())
                .any(|change| change == Change::Servers);
            self.build(notices);
            if servers {
                println!(
                    "labs/ has changed: what is recorded and served live comes from the code as it was at the start; end this and start it again"
                );
            }
        }
    }
}

async fn serve(
    listener: TcpListener,
    out: PathBuf,
    watcher: watch::Receiver<Notice>,
    children: Children,
) -> std::io::Result<()> {
    let mut router = Router::new()
        .route("/healthz", get(|| async { "ok" }))
        .route("/__reload", get(reload))
        .with_state(Streams {
            notices: watcher.clone(),
            children: children.clone(),
        });
    for set in LIVE_SETS {
        match lab_server::sets::dispatcher(set) {
            Ok(dispatcher) => {
                router = router.merge(lab_server::http::router(&format!("/mcp/{set}"), dispatcher));
            }
            Err(error) => eprintln!("{error}"),
        }
    }
    let not_found = out.join("404.html");
    let pages = Router::new()
        .fallback_service(
            ServeDir::new(&out).not_found_service(tower_http::services::ServeFile::new(not_found)),
        )
        .layer(from_fn(fresh))
        .layer(from_fn_with_state(watcher, fault_page));
    let router = router.merge(pages);
    axum::serve(listener, router)
        .with_graceful_shutdown(async move { children.interruption().await })
        .await
}

/// Pages change while one writes: a browser asks each time.
async fn fresh(request: Request, next: Next) -> Response {
    let mut response = next.run(request).await;
    response
        .headers_mut()
        .insert(CACHE_CONTROL, HeaderValue::from_static("no-cache"));
    response
}

/// As long as no build was good, every page is the fault.
async fn fault_page(
    State(notices): State<watch::Receiver<Notice>>,
    request: Request,
    next: Next,
) -> Response {
    let words = {
        let notice = notices.borrow();
        if notice.build > 0 {
            None
        } else {
            notice.fault.clone()
        }
    };
    match words {
        None => next.run(request).await,
        Some(words) => {
            let page = format!(
                "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\"><meta http-equiv=\"refresh\" content=\"2\"><title>The course has faults</title><h1>The course has faults</h1><pre>{}</pre></html>",
                escape(&words)
            );
            (
                StatusCode::INTERNAL_SERVER_ERROR,
                [(CONTENT_TYPE, "text/html; charset=utf-8")],
                page,
            )
                .into_response()
        }
    }
}

#[derive(Clone)]
struct Streams {
    notices: watch::Receiver<Notice>,
    children: Children,
}

/// Tells a page of every build from now on.
async fn reload(
    State(streams): State<Streams>,
) -> Sse<impl Stream<Item = Result<Event, Infallible>>> {
    let stream = unfold((streams, true), |(mut streams, first)| async move {
        if first {
            // A page that opens after a bad build hears of it at once.
            let fault = streams.notices.borrow_and_update().fault.clone();
            let event = fault.map_or_else(
                || Event::default().comment("connected"),
                |fault| data("fault", &fault),
            );
            return Some((Ok(event), (streams, false)));
        }
        tokio::select! {
            changed = streams.notices.changed() => changed.ok()?,
            () = streams.children.interruption() => return None,
        }
        let notice = streams.notices.borrow_and_update().clone();
        let event = match notice.fault {
            Some(fault) => data("fault", &fault),
            None => data("reload", "built"),
        };
        Some((Ok(event), (streams, false)))
    });
    Sse::new(stream).keep_alive(KeepAlive::default())
}

fn data(name: &str, text: &str) -> Event {
    Event::default().event(name).data(text.replace('\r', ""))
}
