//! `cargo course`: one command line for building, serving, checking and testing the course.

use std::ffi::OsString;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Parser, Subcommand, ValueEnum};
use site_gen::children::Children;
use site_gen::command;

#[derive(Parser)]
#[command(
    name = "cargo course",
    about = "Builds, serves, checks and tests the course."
)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Builds everything and serves it on 127.0.0.1; rebuilds on change.
    Serve {
        /// The port.
        #[arg(long, default_value_t = 3000)]
        port: u16,
    },
    /// Writes the static site.
    Build {
        /// The folder to write.
        #[arg(long, default_value = "dist")]
        out: PathBuf,
        /// Where the site will stand, for the links that must be absolute.
        #[arg(long)]
        base_url: Option<String>,
    },
    /// Checks the content; fast.
    Check,
    /// Runs every test, real browser included.
    Test,
    /// Runs the six checks on the exercises.
    Lab {
        /// Whose exercises.
        #[arg(default_value = "starter")]
        folder: Folder,
    },
    /// Measures, as ratios against peers in the same run.
    Bench {
        /// Where to write the figures as JSON.
        #[arg(long)]
        json: Option<PathBuf>,
    },
    /// Expands directives for stock mdBook.
    Preprocess {
        /// What mdBook asks first: `supports RENDERER`.
        #[arg(num_args = 0..=2, trailing_var_arg = true)]
        question: Vec<String>,
    },
    /// One of the servers of the labs; recordings start it.
    #[command(hide = true, disable_help_flag = true)]
    LabServer {
        /// Its own arguments.
        #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
        arguments: Vec<OsString>,
    },
    /// The bare handler that the benchmark compares with.
    #[command(hide = true)]
    BenchPeer,
}

#[derive(Clone, Copy, ValueEnum)]
enum Folder {
    /// As a learner finds them.
    Starter,
    /// Solved.
    Solution,
}

fn main() -> ExitCode {
    let command = match Arguments::parse().command {
        Command::LabServer { arguments } => return command::lab_server(arguments),
        Command::BenchPeer => return command::bench::calls::peer(),
        command => command,
    };
    let root = match command::root() {
        Ok(root) => root,
        Err(words) => {
            eprintln!("{words}");
            return ExitCode::FAILURE;
        }
    };
    let children = match Children::until_interrupted() {
        Ok(children) => children,
        Err(error) => {
            eprintln!("Ctrl-C cannot be listened for: {error}");
            return ExitCode::FAILURE;
        }
    };
    match command {
        Command::Serve { port } => command::serve::run(&root, port, &children),
        Command::Build { out, base_url } => command::build::run(&root, &out, base_url, &children),
        Command::Check => command::check::run(&root),
        Command::Test => command::test::run(&root, &children),
        Command::Lab { folder } => command::lab::run(
            &root,
            match folder {
                Folder::Starter => "starter",
                Folder::Solution => "solution",
            },
            &children,
        ),
        Command::Bench { json } => command::bench::run(&root, json.as_deref(), &children),
        Command::Preprocess { question } => command::preprocess::run(&root, &question),
        Command::LabServer { .. } | Command::BenchPeer => ExitCode::FAILURE,
    }
}
