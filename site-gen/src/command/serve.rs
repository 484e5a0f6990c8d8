//! `cargo course serve`: builds everything, serves it with the live servers beside it, and rebuilds on change.
//!
//! A fault in the content ends nothing: the last good site stays, and the fault appears in the terminal and in the page.

use std::convert::Infallible;
use std::io::BufRead;
use std::net::{Ipv4Addr, SocketAddr};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::mpsc::{Receiver, Sender, channel};
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
use notify_debouncer_full::notify::{EventKind, RecursiveMode};
use notify_debouncer_full::{DebounceEventResult, new_debouncer};
use tokio::net::TcpListener;
use tokio::sync::watch;
use tower_http::services::ServeDir;

use crate::command::{Bar, build};
use crate::fault;
use crate::highlight::escape;
use crate::pipeline::{self, BuildOptions};
use crate::record::ServerProgram;

/// The folders whose changes matter.
const WATCHED: [&str; 3] = ["book", "labs", "quiz"];
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
pub fn run(root: &Path, port: u16) -> ExitCode {
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
    // Ctrl-C during a build ends the whole process group at once, cargo included; afterwards it ends the server.
    let builder = Builder {
        options: BuildOptions {
            root: root.to_owned(),
            out: root.join("target/serve"),
            site: None,
            live: true,
        },
        program,
    };
    let (notices, watcher) = watch::channel(Notice::default());
    builder.build(&notices);

    let (wake, woken) = channel();
    let debouncer = watch_sources(root, &wake);
    let rebuilder = std::thread::spawn({
        let notices = notices.clone();
        move || builder.rebuild_when(&woken, &notices)
    });
    drop(rebuilder);
    rebuild_on_enter(wake);

    let shown = listener.local_addr().unwrap_or(address);
    println!("serving http://{shown}  (Ctrl-C ends)");
    println!(
        "watching {}; press Enter to rebuild by hand",
        WATCHED.join("/, ") + "/"
    );
    let outcome = runtime.block_on(serve(listener, root.join("target/serve"), watcher));
    drop(debouncer);
    // Streams of open pages and running builds are not waited for.
    runtime.shutdown_timeout(Duration::from_millis(200));
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
            Err(error) => {
                eprintln!("{error}");
                notices.send_modify(|notice| notice.fault = Some(error.to_string()));
            }
        }
    }

    fn rebuild_when(&self, woken: &Receiver<()>, notices: &watch::Sender<Notice>) {
        while woken.recv().is_ok() {
            // What came meanwhile is in this build too.
            while woken.try_recv().is_ok() {}
            self.build(notices);
        }
    }
}

/// Wakes the builder when a source changes. Where the system cannot watch, Enter still works.
fn watch_sources(root: &Path, wake: &Sender<()>) -> Option<impl Sized + use<>> {
    let wake = wake.clone();
    let handler = move |result: DebounceEventResult| {
        let Ok(events) = result else { return };
        if events
            .iter()
            .any(|event| !matches!(event.kind, EventKind::Access(_)))
        {
            let _ = wake.send(());
        }
    };
    let failed = |error: &dyn std::fmt::Display| {
        eprintln!("changes cannot be noticed here ({error}); press Enter to rebuild by hand");
    };
    let mut debouncer = match new_debouncer(Duration::from_millis(300), None, handler) {
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

fn rebuild_on_enter(wake: Sender<()>) {
    std::thread::spawn(move || {
        for line in std::io::stdin().lock().lines() {
            if line.is_err() || wake.send(()).is_err() {
                return;
            }
        }
    });
}

async fn serve(
    listener: TcpListener,
    out: PathBuf,
    watcher: watch::Receiver<Notice>,
) -> std::io::Result<()> {
    let (ending, ended) = watch::channel(false);
    let mut router = Router::new()
        .route("/healthz", get(|| async { "ok" }))
        .route("/__reload", get(reload))
        .with_state(Streams {
            notices: watcher.clone(),
            ended,
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
        .with_graceful_shutdown(async move {
            interrupted().await;
            let _ = ending.send(true);
        })
        .await
}

/// Ctrl-C, or the word that a supervisor sends.
async fn interrupted() {
    #[cfg(unix)]
    {
        use tokio::signal::unix::{SignalKind, signal};
        if let Ok(mut terminate) = signal(SignalKind::terminate()) {
            tokio::select! {
                _ = tokio::signal::ctrl_c() => {}
                _ = terminate.recv() => {}
            }
            return;
        }
    }
    let _ = tokio::signal::ctrl_c().await;
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
    ended: watch::Receiver<bool>,
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
            _ = streams.ended.wait_for(|ended| *ended) => return None,
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
