//! The command line of the servers.

use std::ffi::OsString;
use std::net::SocketAddr;
use std::process::ExitCode;

use clap::{Parser, Subcommand};
use tokio::net::TcpListener;

use crate::{http, sets, stdio};

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

async fn listen(addr: SocketAddr, dispatcher: crate::Dispatcher) -> std::io::Result<()> {
    let listener = TcpListener::bind(addr).await?;
    eprintln!("listening on http://{}/mcp", listener.local_addr()?);
    axum::serve(listener, http::router("/mcp", dispatcher))
        .with_graceful_shutdown(async {
            // Without a handler for Ctrl-C the system ends the process, which is as good.
            let _ = tokio::signal::ctrl_c().await;
        })
        .await
}
