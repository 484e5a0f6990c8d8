//! `lab-server stdio --set SET` and `lab-server http --addr ADDR --set SET`.

use std::process::ExitCode;

#[tokio::main]
async fn main() -> ExitCode {
    lab_server::cli::run(std::env::args_os()).await
}
