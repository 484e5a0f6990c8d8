//! How do `labs/web` and `quiz/web` become what a page can load?
//!
//! Cargo compiles them for wasm32 with the profile `wasm`, into a target folder of their own, so that an outer cargo is
//! not waited for; wasm-bindgen, as a library, writes the JavaScript beside them.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Command;

use flate2::Compression;
use flate2::write::GzEncoder;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use wasm_bindgen_cli_support::Bindgen;

use crate::children::Children;

/// The target that browsers run.
pub const TARGET: &str = "wasm32-unknown-unknown";
/// The packages, and the names of what they become.
const MODULES: [(&str, &str); 2] = [("lab-web", "lab_web"), ("quiz-web", "quiz_web")];

/// Why there is no WebAssembly.
#[derive(Debug, thiserror::Error)]
pub enum WasmError {
    /// The target is missing and could not be added.
    #[error("the Rust target {TARGET} is missing; run: rustup target add {TARGET}")]
    NoTarget,
    /// Cargo failed; it has said why.
    #[error("cargo could not compile labs/web and quiz/web for {TARGET}; its words stand above")]
    Cargo,
    /// wasm-bindgen failed.
    #[error("wasm-bindgen failed on {module}: {reason}")]
    Bindgen {
        /// The module.
        module: &'static str,
        /// What it said.
        reason: String,
    },
    /// A program or a file failed.
    #[error("{what}: {reason}")]
    Io {
        /// What was tried.
        what: String,
        /// Why it failed.
        reason: std::io::Error,
    },
}

/// Compiles both modules into `out`; gives their sizes in bytes.
///
/// # Errors
/// When a tool is missing or a crate does not compile.
pub fn build(root: &Path, out: &Path, children: &Children) -> Result<Value, WasmError> {
    add_target(children)?;
    let target = root.join("target/wasm");
    let mut cargo = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    cargo
        .current_dir(root)
        .args(["build", "--profile", "wasm", "--target", TARGET])
        .env("CARGO_TARGET_DIR", &target)
        // The outer build's own flags are not meant for this one.
        .env_remove("RUSTFLAGS")
        .env_remove("CARGO_ENCODED_RUSTFLAGS");
    for (package, _) in MODULES {
        cargo.args(["--package", package]);
    }
    let status = children.run(&mut cargo).map_err(|reason| WasmError::Io {
        what: "cargo cannot be started".to_owned(),
        reason,
    })?;
    if !status.success() {
        return Err(WasmError::Cargo);
    }
    let mut sizes = serde_json::Map::new();
    for (_, name) in MODULES {
        let input = target
            .join(TARGET)
            .join("wasm")
            .join(format!("{name}.wasm"));
        let folder = bind(&input, &target, name)?;
        for file in [format!("{name}.js"), format!("{name}_bg.wasm")] {
            let bytes = read(&folder.join(&file))?;
            fs::create_dir_all(out).map_err(|reason| failed(out, reason))?;
            fs::write(out.join(&file), &bytes).map_err(|reason| failed(out, reason))?;
        }
        let sizes_of_module = read(&folder.join("sizes.json"))?;
        sizes.insert(
            name.to_owned(),
            serde_json::from_slice(&sizes_of_module).unwrap_or(Value::Null),
        );
    }
    Ok(Value::Object(sizes))
}

/// Runs wasm-bindgen on a module, unless that was done for the same bytes before; gives the folder with the result.
fn bind(input: &Path, target: &Path, name: &'static str) -> Result<PathBuf, WasmError> {
    let bytes = read(input)?;
    let digest: String = Sha256::digest(&bytes)
        .iter()
        .take(16)
        .map(|byte| format!("{byte:02x}"))
        .collect();
    let folder = target.join("bindgen").join(format!("{name}-{digest}"));
    if folder.join("sizes.json").exists() && folder.join(format!("{name}.js")).exists() {
        return Ok(folder);
    }
    let failed_on = |reason: String| WasmError::Bindgen {
        module: name,
        reason,
    };
    let mut generator = Bindgen::new();
    generator
        .input_path(input)
        .web(true)
        .map_err(|error| failed_on(format!("{error:#}")))?
        .typescript(false)
        .remove_name_section(true)
        .remove_producers_section(true)
        .omit_default_module_path(false);
    generator
        .generate(&folder)
        .map_err(|error| failed_on(format!("{error:#}")))?;
    let wasm = read(&folder.join(format!("{name}_bg.wasm")))?;
    let js = read(&folder.join(format!("{name}.js")))?;
    let sizes = json!({
        "wasm": wasm.len(),
        "wasm_brotli": brotli_size(&wasm),
        "js_gzip": gzip_size(&js),
    });
    fs::write(folder.join("sizes.json"), sizes.to_string())
        .map_err(|reason| failed(&folder, reason))?;
    Ok(folder)
}

/// Adds the target through rustup where it is missing and rustup is there.
fn add_target(children: &Children) -> Result<(), WasmError> {
    let Ok(sysroot) = Command::new("rustc").args(["--print", "sysroot"]).output() else {
        return Err(WasmError::NoTarget);
    };
    let sysroot = PathBuf::from(String::from_utf8_lossy(&sysroot.stdout).trim());
    let library = sysroot.join("lib/rustlib").join(TARGET);
    if library.is_dir() {
        return Ok(());
    }
    eprintln!("adding the Rust target {TARGET}");
    match children.run(Command::new("rustup").args(["target", "add", TARGET])) {
        Ok(status) if status.success() && library.is_dir() => Ok(()),
        _ => Err(WasmError::NoTarget),
    }
}

/// The size after brotli at its best.
pub fn brotli_size(bytes: &[u8]) -> usize {
    let mut packed = Vec::new();
    let parameters = brotli::enc::BrotliEncoderParams {
        quality: 11,
        lgwin: 22,
        ..Default::default()
    };
    let mut reader = bytes;
    match brotli::BrotliCompress(&mut reader, &mut packed, &parameters) {
        Ok(_) => packed.len(),
        Err(_) => bytes.len(),
    }
}

/// The size after gzip at its best.
pub fn gzip_size(bytes: &[u8]) -> usize {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    match encoder.write_all(bytes).and_then(|()| encoder.finish()) {
        Ok(packed) => packed.len(),
        Err(_) => bytes.len(),
    }
}

fn read(path: &Path) -> Result<Vec<u8>, WasmError> {
    fs::read(path).map_err(|reason| failed(path, reason))
}

fn failed(path: &Path, reason: std::io::Error) -> WasmError {
    WasmError::Io {
        what: path.display().to_string(),
        reason,
    }
}
