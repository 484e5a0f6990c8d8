//! What do the browser tests need, and how is it got where it is missing?
//!
//! Through the system's package manager where it may be used without asking, through npm for what is pinned; else the
//! error is one line that says what to install.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::children::Children;

/// Names under which the browser is installed.
const BROWSERS: [&str; 4] = [
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
];
/// Where Debian puts the fonts for Chinese.
const FONTS: &str = "/usr/share/fonts/opentype/noto/NotoSansCJK-Regular.ttc";
/// The oldest Node that runs the browser tests.
const OLDEST_NODE: u32 = 20;
/// The Node that npm brings where the system's is older.
const NODE_PACKAGE: &str = "node@22.23.1";
/// What `package.json` of the browser tests pins.
const PACKAGES: [&str; 2] = ["playwright-core", "axe-core"];

/// What the browser tests need.
#[derive(Debug)]
pub struct Needs {
    /// The browser.
    pub chromium: PathBuf,
    /// Node.
    pub node: PathBuf,
    /// The folder with the pinned packages.
    pub node_modules: PathBuf,
}

impl Needs {
    /// Finds everything, and installs what is missing where that is allowed.
    ///
    /// # Errors
    /// With one line that says what to install.
    pub fn meet(root: &Path, children: &Children) -> Result<Self, String> {
        let folder = root.join("target/browser-tests");
        let chromium = chromium(children)?;
        let node = node(&folder.join("node"), children)?;
        packages(root, &folder, children)?;
        Ok(Self {
            chromium,
            node,
            node_modules: folder.join("node_modules"),
        })
    }
}

/// A browser, with fonts for Chinese.
fn chromium(children: &Children) -> Result<PathBuf, String> {
    let found = || {
        std::env::var_os("COURSE_CHROMIUM")
            .map(PathBuf::from)
            .filter(|path| path.is_file())
            .or_else(|| BROWSERS.iter().find_map(|name| which(name)))
    };
    let debian = which("apt-get").is_some();
    if let Some(browser) = found()
        && (!debian || Path::new(FONTS).exists())
    {
        return Ok(browser);
    }
    install(&["chromium", "fonts-noto-cjk"], children);
    found().ok_or_else(|| {
        "no Chromium; install it (Debian: apt-get install chromium fonts-noto-cjk) or set COURSE_CHROMIUM"
            .to_owned()
    })
}

/// Node, the system's or npm's.
fn node(folder: &Path, children: &Children) -> Result<PathBuf, String> {
    if which("npm").is_none() {
        install(&["nodejs", "npm"], children);
    }
    if let Some(node) = which("node")
        && new_enough(&node)
    {
        return Ok(node);
    }
    let node = folder.join("node_modules/node/bin/node");
    if !new_enough(&node) {
        // In a folder of its own: npm would remove it from one whose package.json does not name it.
        npm(folder, &["install", "--no-save", NODE_PACKAGE], children);
    }
    if new_enough(&node) {
        Ok(node)
    } else {
        Err(format!(
            "no Node {OLDEST_NODE} or newer with npm; install both (Debian: apt-get install nodejs npm)"
        ))
    }
}

fn new_enough(program: &Path) -> bool {
    Command::new(program)
        .arg("--version")
        .output()
        .ok()
        .and_then(|output| major(&String::from_utf8_lossy(&output.stdout)))
        .is_some_and(|major| major >= OLDEST_NODE)
}

/// The first number of what `node --version` prints.
fn major(version: &str) -> Option<u32> {
    let version = version.trim().trim_start_matches('v');
    version.split('.').next()?.parse().ok()
}

/// The npm packages of the browser tests, in the versions that `package.json` names.
fn packages(root: &Path, folder: &Path, children: &Children) -> Result<(), String> {
    let source = root.join("site-gen/tests/browser/package.json");
    let wanted = fs::read(&source).map_err(|error| format!("{}: {error}", source.display()))?;
    let copy = folder.join("package.json");
    let complete = PACKAGES
        .iter()
        .all(|name| folder.join("node_modules").join(name).is_dir());
    if complete && fs::read(&copy).is_ok_and(|bytes| bytes == wanted) {
        return Ok(());
    }
    fs::create_dir_all(folder)
        .and_then(|()| fs::write(&copy, &wanted))
        .map_err(|error| format!("{}: {error}", folder.display()))?;
    if npm(folder, &["install"], children) {
        Ok(())
    } else {
        Err(format!(
            "npm could not install {}; is the registry within reach?",
            PACKAGES.join(" and ")
        ))
    }
}

fn npm(folder: &Path, arguments: &[&str], children: &Children) -> bool {
    let quietly = ["--no-package-lock", "--no-audit", "--no-fund"];
    let mut npm = Command::new("npm");
    npm.current_dir(folder).args(arguments).args(quietly);
    fs::create_dir_all(folder).is_ok()
        && children.run(&mut npm).is_ok_and(|status| status.success())
}

/// Debian's packages, as root or through a sudo that asks nothing.
fn install(packages: &[&str], children: &Children) {
    if which("apt-get").is_none() {
        return;
    }
    let apt = |arguments: &[&str]| {
        let mut command = if rustix::process::getuid().is_root() {
            Command::new("apt-get")
        } else {
            let mut sudo = Command::new("sudo");
            sudo.args(["-n", "apt-get"]);
            sudo
        };
        // A list that cannot be refreshed may still do; whether the package came is looked at afterwards.
        let _ = children.run(
            command
                .args(arguments)
                .env("DEBIAN_FRONTEND", "noninteractive"),
        );
    };
    println!("installing {}", packages.join(", "));
    apt(&["update", "-qq"]);
    let mut arguments = vec!["install", "-y", "-qq", "--no-install-recommends"];
    arguments.extend(packages);
    apt(&arguments);
}

fn which(name: &str) -> Option<PathBuf> {
    std::env::split_paths(&std::env::var_os("PATH")?)
        .map(|folder| folder.join(name))
        .find(|path| path.is_file())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_version_of_node_is_read() {
        assert_eq!(major("v22.23.1\n"), Some(22));
        assert_eq!(major("18.0.0"), Some(18));
        assert_eq!(major("none"), None);
    }
}
