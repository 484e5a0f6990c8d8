//! `cargo course test`: every test there is, and what it takes to run them.
//!
//! Three parts: cargo's own tests in all crates, the site built as readers get it, and a real browser over that site and
//! over `serve`. What is missing is installed where the system allows it, else named in one line. Under `CI=true`
//! something missing is a failure; elsewhere the part that needs it is left out, and the end says so.

pub mod needs;

use std::fs;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};
use std::time::Instant;

use crate::children::{Children, Running, this_program};
use crate::command::build;

use needs::Needs;

/// Runs everything; exit status 0 only if all passed and nothing that CI needs was missing.
pub fn run(root: &Path, children: &Children) -> ExitCode {
    let start = Instant::now();
    let strict = std::env::var_os("CI").is_some_and(|value| value == "true");
    let mut left_out = Vec::new();

    println!("[1/3] the tests of all crates");
    if !cargo_tests(root, children) {
        eprintln!("the tests of the crates failed");
        return children.exit_code(ExitCode::FAILURE);
    }

    println!("[2/3] the site");
    if build::run(root, Path::new("dist"), None, children) != ExitCode::SUCCESS {
        return children.exit_code(ExitCode::FAILURE);
    }

    println!("[3/3] the site in a browser");
    match browser_tests(root, children) {
        Ok(true) => {}
        Ok(false) => {
            eprintln!("the browser tests failed");
            return children.exit_code(ExitCode::FAILURE);
        }
        Err(_) if children.interrupted() => return children.exit_code(ExitCode::FAILURE),
        Err(missing) => left_out.push(missing),
    }

    let seconds = start.elapsed().as_secs();
    for missing in &left_out {
        eprintln!("left out: {missing}");
    }
    if strict && !left_out.is_empty() {
        eprintln!("under CI=true nothing may be left out");
        return ExitCode::FAILURE;
    }
    println!(
        "all that ran passed, in {} min {:02} s",
        seconds / 60,
        seconds % 60
    );
    ExitCode::SUCCESS
}

/// The folder of the official schemas, absolute, so that every crate's tests find the same.
fn spec_dir(root: &Path) -> PathBuf {
    let dir =
        std::env::var_os("MCP_SPEC_DIR").map_or_else(|| root.join("../shared/spec"), PathBuf::from);
    fs::canonicalize(&dir).unwrap_or(dir)
}

/// In release, so that what was compiled for this program is used again.
fn cargo_tests(root: &Path, children: &Children) -> bool {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut tests = Command::new(cargo);
    tests
        .current_dir(root)
        .args(["test", "--release", "--workspace"])
        .env("MCP_SPEC_DIR", spec_dir(root));
    children
        .run(&mut tests)
        .is_ok_and(|status| status.success())
}

/// Whether the browser tests passed; what is missing where they could not run.
fn browser_tests(root: &Path, children: &Children) -> Result<bool, String> {
    let needs = Needs::meet(root, children)?;
    let program =
        this_program().map_err(|error| format!("this program cannot find itself: {error}"))?;
    let serve = Serve::start(root, &program, children)?;
    let tests = root.join("site-gen/tests/browser");
    let mut files: Vec<PathBuf> = fs::read_dir(&tests)
        .map_err(|error| format!("{}: {error}", tests.display()))?
        .filter_map(Result::ok)
        .map(|entry| entry.path())
        .filter(|path| path.to_string_lossy().ends_with(".test.mjs"))
        .collect();
    files.sort();
    let mut browser = Command::new(&needs.node);
    browser
        .current_dir(&tests)
        .args(["--test", "--test-concurrency=2", "--test-reporter=spec"])
        .args(&files)
        .env("COURSE_DIST", root.join("dist"))
        .env("COURSE_SERVE", &serve.address)
        .env("COURSE_SITE_GEN", &program)
        .env("COURSE_CHROMIUM", &needs.chromium)
        .env("COURSE_NODE_MODULES", &needs.node_modules);
    children
        .run(&mut browser)
        .map(|status| status.success())
        .map_err(|error| format!("{} cannot be started: {error}", needs.node.display()))
}

/// `cargo course serve` beside the tests, on a free port; it ends when this is dropped.
struct Serve {
    address: String,
    _running: Running,
}

impl Serve {
    fn start(root: &Path, program: &Path, children: &Children) -> Result<Self, String> {
        let mut running = children
            .start(
                Command::new(program)
                    .current_dir(root)
                    .args(["serve", "--port", "0"])
                    .stdin(Stdio::null())
                    .stdout(Stdio::piped())
                    .stderr(Stdio::null()),
            )
            .map_err(|error| format!("serve cannot be started: {error}"))?;
        let stdout = running.child.stdout.take().ok_or("serve has no stdout")?;
        let mut lines = BufReader::new(stdout).lines().map_while(Result::ok);
        let address = lines.find_map(|line| {
            let rest = line.strip_prefix("serving ")?;
            rest.split_whitespace().next().map(str::to_owned)
        });
        // Whatever it says later is read, so that it never waits for us.
        std::thread::spawn(move || lines.for_each(drop));
        Ok(Self {
            address: address.ok_or("serve ended before it served")?,
            _running: running,
        })
    }
}
