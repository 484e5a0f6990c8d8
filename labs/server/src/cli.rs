//! Which server is started, and at which door?

use std::ffi::OsString;
use std::io;
use std::net::SocketAddr;
use std::process::ExitCode;
use std::time::Duration;

use axum::serve::ListenerExt;
use clap::{Parser, Subcommand};
use tokio::net::TcpListener;

use crate::dispatch::Dispatcher;
use crate::http::{self, Hosts, HttpOptions};
use crate::{sets, stdio};

#[derive(Parser)]
#[command(name = "lab-server", about = "The bundled MCP servers of the course.")]
struct Arguments {
    #[command(subcommand)]
    door: Door,
}

#[derive(Subcommand)]
enum Door {
    /// Speaks over stdin and stdout, until stdin ends.
    Stdio {
        /// Which server: shop.
        #[arg(long)]
        set: String,
    },
    /// Speaks over Streamable HTTP at /mcp, until Ctrl-C.
    Http {
        /// Where to listen; port 0 takes a free one.
        #[arg(long, default_value = "127.0.0.1:8080")]
        addr: SocketAddr,
        /// Which server: shop.
        #[arg(long)]
        set: String,
    },
}

/// Runs the command line; the first argument is the program's name.
pub async fn run(arguments: impl IntoIterator<Item = OsString>) -> ExitCode {
    let arguments = match Arguments::try_parse_from(arguments) {
        Ok(arguments) => arguments,
        Err(error) => {
            let _ = error.print();
            return if error.use_stderr() {
                ExitCode::from(2)
            } else {
                ExitCode::SUCCESS
            };
        }
    };
    let (Door::Stdio { set } | Door::Http { set, .. }) = &arguments.door;
    let dispatcher = match sets::dispatcher(set) {
        Ok(dispatcher) => dispatcher,
        Err(error) => {
            eprintln!("lab-server: {error}");
            return ExitCode::from(2);
        }
    };
    let outcome = match arguments.door {
        Door::Stdio { .. } => stdio::serve_dispatcher(&dispatcher).await,
        Door::Http { addr, .. } => listen(addr, dispatcher).await,
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("lab-server: {error}");
            ExitCode::FAILURE
        }
    }
}

/// How long requests that are being served may take after Ctrl-C.
const GRACE: Duration = Duration::from_secs(1);

async fn listen(addr: SocketAddr, dispatcher: Dispatcher) -> io::Result<()> {
    let listener = TcpListener::bind(addr).await.map_err(|error| {
        let words = format!("cannot listen on {addr}: {error}; choose another with --addr");
        io::Error::new(error.kind(), words)
    })?;
    let address = listener.local_addr()?;
    eprintln!("listening on http://{address}/mcp");
    let options = HttpOptions {
        // Who listens on every network has names that are not known here.
        hosts: if address.ip().is_loopback() {
            Hosts::Loopback
        } else {
            Hosts::Any
        },
        ..HttpOptions::default()
    };
    let listener = listener.tap_io(|connection| {
        // Answers are small and whole; waiting for more only makes them late.
        let _ = connection.set_nodelay(true);
    });
    let (ending, mut ended) = tokio::sync::watch::channel(());
    let serving = axum::serve(listener, http::router_with("/mcp", dispatcher, options))
        .with_graceful_shutdown(async move {
            let _ = ended.changed().await;
        });
    tokio::select! {
        outcome = serving => outcome,
        () = interrupted(ending) => Ok(()),
    }
}

/// Waits for Ctrl-C, says so, and gives what is being served a moment.
async fn interrupted(ending: tokio::sync::watch::Sender<()>) {
    if tokio::signal::ctrl_c().await.is_err() {
        // Without a handler for Ctrl-C the system ends the process, which is as good.
        std::future::pending::<()>().await;
    }
    let _ = ending.send(());
    tokio::time::sleep(GRACE).await;
}
