//! The command line of the core lab: `check` runs the six checks, `serve` is the server that they start.

use std::process::ExitCode;

use clap::{Parser, Subcommand, ValueEnum};
use lab_client::process::ServerCommand;
use lab_exercises::checks::{Outcome, run_all};
use lab_exercises::exercises::Exercises;
use lab_exercises::solution::Solution;
use lab_exercises::starter::Starter;

#[derive(Parser)]
#[command(about = "The five exercises of the core lab and the six checks.")]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Runs the six checks; exit status 0 only if all hold.
    Check {
        /// Whose exercises.
        folder: Folder,
    },
    /// Serves exercise 1 over stdio; the checks start it as a child.
    Serve {
        /// Whose exercises.
        folder: Folder,
    },
}

#[derive(Clone, Copy, ValueEnum)]
enum Folder {
    /// As a learner finds them.
    Starter,
    /// Solved.
    Solution,
}

#[tokio::main]
async fn main() -> ExitCode {
    match Arguments::parse().command {
        Command::Check {
            folder: Folder::Starter,
        } => Box::pin(check::<Starter>()).await,
        Command::Check {
            folder: Folder::Solution,
        } => Box::pin(check::<Solution>()).await,
        Command::Serve {
            folder: Folder::Starter,
        } => serve::<Starter>().await,
        Command::Serve {
            folder: Folder::Solution,
        } => serve::<Solution>().await,
    }
}

async fn serve<E: Exercises>() -> ExitCode {
    let server = match E::server() {
        Ok(server) => server,
        Err(error) => {
            eprintln!("the server of {} cannot be made: {error}", E::FOLDER);
            return ExitCode::FAILURE;
        }
    };
    match lab_server::stdio::serve(server).await {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("the server of {} ended: {error}", E::FOLDER);
            ExitCode::FAILURE
        }
    }
}

async fn check<E: Exercises>() -> ExitCode {
    let program = match std::env::current_exe() {
        Ok(program) => program.to_string_lossy().into_owned(),
        Err(error) => {
            eprintln!("this program cannot find itself, so it cannot start the server: {error}");
            return ExitCode::FAILURE;
        }
    };
    let server = ServerCommand {
        program,
        args: vec!["serve".to_owned(), E::FOLDER.to_owned()],
        ..ServerCommand::default()
    };
    println!("Core lab, labs/exercises/{}:\n", E::FOLDER);
    let outcomes = run_all::<E>(&server).await;
    for outcome in &outcomes {
        print(outcome, E::FOLDER);
    }
    let held = outcomes
        .iter()
        .filter(|outcome| outcome.result.is_ok())
        .count();
    println!("\n{held} of {} checks hold.", outcomes.len());
    if held == outcomes.len() {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    }
}

fn print(outcome: &Outcome, folder: &str) {
    match &outcome.result {
        Ok(seen) => println!("  ✓ {}. {}\n       {seen}", outcome.number, outcome.title),
        Err(missing) => println!(
            "  ✗ {}. {}\n       {missing}\n       work on labs/exercises/{folder}/{}",
            outcome.number, outcome.title, outcome.file
        ),
    }
}
