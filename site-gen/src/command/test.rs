//! `cargo course test`: every test there is, and what it takes to run them.
//!
//! Three parts: cargo's own tests in all crates, the site built as readers get it, and a real browser over that site and
//! over `serve`. What is missing is installed where the system allows it, else named in one line. Under `CI=true`
//! something missing is a failure; elsewhere the part that needs it is left out, and the end says so.

use std::fs;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitCode, Stdio};
use std::time::{Duration, Instant};

use crate::command::build;

/// Where Debian and others keep the browser.
const BROWSERS: [&str; 4] = [
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
];
/// The oldest Node that runs the browser tests.
const OLDEST_NODE: u32 = 20;
/// The Node that npm brings where the system's is older.
const NODE_PACKAGE: &str = "node@22.23.1";

/// Runs everything; exit status 0 only if all passed and nothing that CI needs was missing.
pub fn run(root: &Path) -> ExitCode {
    let start = Instant::now();
    let strict = std::env::var_os("CI").is_some_and(|value| value == "true");
    let mut left_out = Vec::new();

    println!("[1/3] the tests of all crates");
    if !cargo_tests(root) {
        eprintln!("the tests of the crates failed");
        return ExitCode::FAILURE;
    }

    println!("[2/3] the site");
    if build::run(root, Path::new("dist"), None) != ExitCode::SUCCESS {
        return ExitCode::FAILURE;
    }

    println!("[3/3] the site in a browser");
    match browser_tests(root) {
        Ok(true) => {}
        Ok(false) => {
            eprintln!("the browser tests failed");
            return ExitCode::FAILURE;
        }
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
fn cargo_tests(root: &Path) -> bool {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    Command::new(cargo)
        .current_dir(root)
        .args(["test", "--release", "--workspace"])
        .env("MCP_SPEC_DIR", spec_dir(root))
        .status()
        .is_ok_and(|status| status.success())
}

/// Whether the browser tests passed; what is missing where they could not run.
fn browser_tests(root: &Path) -> Result<bool, String> {
    let chromium = chromium()?;
    let folder = root.join("target/browser-tests");
    let node = node(&folder)?;
    packages(root, &folder)?;
    let program = std::env::current_exe()
        .map_err(|error| format!("this program cannot find itself: {error}"))?;
    let mut serve = Serve::start(root, &program)?;
    let tests = root.join("site-gen/tests/browser");
    let mut files: Vec<PathBuf> = fs::read_dir(&tests)
        .map_err(|error| format!("{}: {error}", tests.display()))?
        .filter_map(Result::ok)
        .map(|entry| entry.path())
        .filter(|path| path.to_string_lossy().ends_with(".test.mjs"))
        .collect();
    files.sort();
    let status = Command::new(&node)
        .current_dir(&tests)
        .args(["--test", "--test-concurrency=2", "--test-reporter=spec"])
        .args(&files)
        .env("COURSE_DIST", root.join("dist"))
        .env("COURSE_SERVE", &serve.address)
        .env("COURSE_SITE_GEN", &program)
        .env("COURSE_CHROMIUM", &chromium)
        .env("COURSE_NODE_MODULES", folder.join("node_modules"))
        .status();
    serve.end();
    status
        .map(|status| status.success())
        .map_err(|error| format!("{} cannot be started: {error}", node.display()))
}

/// `cargo course serve` beside the tests, on a free port.
struct Serve {
    child: Child,
    address: String,
}

impl Serve {
    fn start(root: &Path, program: &Path) -> Result<Self, String> {
        let failed = |error: std::io::Error| format!("serve cannot be started: {error}");
        let mut child = Command::new(program)
            .current_dir(root)
            .args(["serve", "--port", "0"])
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .map_err(failed)?;
        let mut lines = BufReader::new(child.stdout.take().ok_or("serve has no stdout")?).lines();
        let address = lines.by_ref().map_while(Result::ok).find_map(|line| {
            line.strip_prefix("serving ")
                .and_then(|rest| rest.split_whitespace().next().map(str::to_owned))
        });
        // Whatever it says later is read, so that it never waits for us.
        std::thread::spawn(move || lines.for_each(drop));
        if let Some(address) = address {
            return Ok(Self { child, address });
        }
        let _ = child.kill();
        let _ = child.wait();
        Err("serve ended before it served".to_owned())
    }

    fn end(&mut self) {
        #[cfg(unix)]
        if let Some(pid) = i32::try_from(self.child.id())
            .ok()
            .and_then(rustix::process::Pid::from_raw)
        {
            let _ = rustix::process::kill_process(pid, rustix::process::Signal::TERM);
        }
        let end = Instant::now() + Duration::from_secs(2);
        while Instant::now() < end {
            if matches!(self.child.try_wait(), Ok(Some(_))) {
                return;
            }
            std::thread::sleep(Duration::from_millis(50));
        }
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Drop for Serve {
    fn drop(&mut self) {
        if !matches!(self.child.try_wait(), Ok(Some(_))) {
            self.end();
        }
    }
}

/// A browser, installed with fonts for Chinese where the system's packages allow it.
fn chromium() -> Result<PathBuf, String> {
    let found = || {
        std::env::var_os("COURSE_CHROMIUM")
            .map(PathBuf::from)
            .filter(|path| path.is_file())
            .or_else(|| BROWSERS.iter().find_map(|name| which(name)))
    };
    let fonts = Path::new("/usr/share/fonts/opentype/noto/NotoSansCJK-Regular.ttc");
    if let Some(browser) = found()
        && (fonts.exists() || which("apt-get").is_none())
    {
        return Ok(browser);
    }
    install(&["chromium", "fonts-noto-cjk"]);
    found().ok_or_else(|| "no Chromium; install it (Debian: apt-get install chromium fonts-noto-cjk) or set COURSE_CHROMIUM".to_owned())
}

/// Node, the system's or npm's.
fn node(folder: &Path) -> Result<PathBuf, String> {
    if which("npm").is_none() {
        install(&["nodejs", "npm"]);
    }
    let new_enough = |program: &Path| {
        let output = Command::new(program).arg("--version").output().ok()?;
        let version = String::from_utf8_lossy(&output.stdout)
            .trim()
            .trim_start_matches('v')
            .to_owned();
        version
            .split('.')
            .next()?
            .parse::<u32>()
            .ok()
            .filter(|major| *major >= OLDEST_NODE)
    };
    if let Some(node) = which("node")
        && new_enough(&node).is_some()
    {
        return Ok(node);
    }
    if which("npm").is_some() {
        let _ = npm(
            folder,
            &["install", "--no-save", "--no-package-lock", NODE_PACKAGE],
        );
        let node = folder.join("node_modules/node/bin/node");
        if new_enough(&node).is_some() {
            return Ok(node);
        }
    }
    Err(format!(
        "no Node {OLDEST_NODE} or newer with npm; install both"
    ))
}

/// The npm packages of the browser tests, in the versions that `package.json` names.
fn packages(root: &Path, folder: &Path) -> Result<(), String> {
    let source = root.join("site-gen/tests/browser/package.json");
    let wanted = fs::read(&source).map_err(|error| format!("{}: {error}", source.display()))?;
    let copy = folder.join("package.json");
    let complete = ["playwright-core", "axe-core"]
        .iter()
        .all(|name| folder.join("node_modules").join(name).is_dir());
    if complete && fs::read(&copy).is_ok_and(|bytes| bytes == wanted) {
        return Ok(());
    }
    fs::create_dir_all(folder)
        .and_then(|()| fs::write(&copy, &wanted))
        .map_err(|error| format!("{}: {error}", folder.display()))?;
    if npm(
        folder,
        &["install", "--no-package-lock", "--no-audit", "--no-fund"],
    ) {
        Ok(())
    } else {
        Err("npm could not install playwright-core and axe-core".to_owned())
    }
}

fn npm(folder: &Path, arguments: &[&str]) -> bool {
    let made = fs::create_dir_all(folder).is_ok();
    made && Command::new("npm")
        .current_dir(folder)
        .args(arguments)
        .status()
        .is_ok_and(|status| status.success())
}

/// Debian's packages, as root or through a sudo that asks nothing.
fn install(packages: &[&str]) {
    if which("apt-get").is_none() {
        return;
    }
    let root = rustix::process::getuid().is_root();
    let apt = |arguments: &[&str]| {
        let mut command = if root {
            Command::new("apt-get")
        } else {
            let mut sudo = Command::new("sudo");
            sudo.args(["-n", "apt-get"]);
            sudo
        };
        command
            .args(arguments)
            .env("DEBIAN_FRONTEND", "noninteractive")
            .status()
            .is_ok_and(|status| status.success())
    };
    println!("installing {}", packages.join(", "));
    if apt(&["update", "-qq"]) {
        let mut arguments = vec!["install", "-y", "-qq", "--no-install-recommends"];
        arguments.extend(packages);
        let _ = apt(&arguments);
    }
}

fn which(name: &str) -> Option<PathBuf> {
    std::env::split_paths(&std::env::var_os("PATH")?)
        .map(|folder| folder.join(name))
        .find(|path| path.is_file())
}
