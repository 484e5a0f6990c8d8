//! How much does a reader fetch for a plain chapter, and for the lab?

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;

use super::figure::{Figure, Reach, Unit};
use crate::wasm::gzip_size;

/// Weighs the scripts and styles of a page of ours and of the same chapter by stock mdBook; the lab's WebAssembly was
/// weighed while it was built.
///
/// # Errors
/// When a file that a page names is not there.
pub fn measure(ours: &Path, stock: &Path, build: &Value) -> Result<Vec<Figure>, String> {
    let (our_page, stock_page) = (read(ours)?, read(stock)?);
    let our_scripts = weigh(with_imports(linked(ours, &our_page, "<script", "src"))?)?;
    let stock_scripts = weigh(linked(stock, &stock_page, "<script", "src"))?;
    let our_styles = weigh(linked(ours, &our_page, "rel=\"stylesheet\"", "href"))?;
    let stock_styles = weigh(linked(stock, &stock_page, "rel=\"stylesheet\"", "href"))?;
    let wasm = &build["wasm"]["lab_web"];
    let bytes = |name: &str| wasm[name].as_f64().unwrap_or(f64::NAN);
    Ok(vec![
        Figure {
            id: "chapter_js_gzip",
            what: "JavaScript of a plain chapter, gzip",
            unit: Unit::Bytes,
            reach: Reach::AtMost,
            limit: 20_000.0,
            measured: our_scripts,
            detail: Vec::new(),
        },
        Figure {
            id: "chapter_js_ratio",
            what: "the same against stock mdBook's",
            unit: Unit::Ratio,
            reach: Reach::AtMost,
            limit: 0.25,
            measured: our_scripts / stock_scripts,
            detail: vec![("ours (B)", our_scripts), ("stock (B)", stock_scripts)],
        },
        Figure {
            id: "css_gzip",
            what: "CSS, gzip",
            unit: Unit::Bytes,
            reach: Reach::AtMost,
            limit: 20_000.0,
            measured: our_styles,
            detail: vec![("stock (B)", stock_styles)],
        },
        Figure {
            id: "lab_wasm_brotli",
            what: "lab WebAssembly, brotli 11",
            unit: Unit::Bytes,
            reach: Reach::AtMost,
            limit: 150_000.0,
            measured: bytes("wasm_brotli"),
            detail: vec![("raw (B)", bytes("wasm"))],
        },
    ])
}

/// The files that a page names in `attribute` of tags that hold `mark`.
fn linked(page: &Path, html: &str, mark: &str, attribute: &str) -> BTreeSet<PathBuf> {
    let folder = page.parent().unwrap_or(Path::new("."));
    html.split('<')
        .map(|tag| format!("<{tag}"))
        .filter(|tag| tag.contains(mark))
        .filter_map(|tag| {
            let value = tag.split_once(&format!("{attribute}=\""))?.1;
            Some(folder.join(value.split_once('"')?.0))
        })
        .collect()
}

/// The modules too that these import, and those that they would, whenever that may be: an upper bound.
fn with_imports(entries: BTreeSet<PathBuf>) -> Result<BTreeSet<PathBuf>, String> {
    let mut found = BTreeSet::new();
    let mut open: Vec<PathBuf> = entries.into_iter().collect();
    while let Some(path) = open.pop() {
        let path =
            fs::canonicalize(&path).map_err(|error| format!("{}: {error}", path.display()))?;
        if !found.insert(path.clone()) {
            continue;
        }
        let folder = path.parent().unwrap_or(Path::new(".")).to_owned();
        let text = read(&path)?;
        open.extend(
            text.split('"')
                .filter(|word| {
                    word.starts_with("./")
                        && Path::new(word)
                            .extension()
                            .is_some_and(|extension| extension == "js")
                })
                .map(|word| folder.join(word)),
        );
    }
    Ok(found)
}

/// The bytes of all files, each one compressed by itself as a server would send it.
#[expect(clippy::cast_precision_loss, reason = "sizes of scripts are small")]
fn weigh(files: BTreeSet<PathBuf>) -> Result<f64, String> {
    let mut sum = 0;
    for file in files {
        let bytes = fs::read(&file).map_err(|error| format!("{}: {error}", file.display()))?;
        sum += gzip_size(&bytes);
    }
    Ok(sum as f64)
}

fn read(path: &Path) -> Result<String, String> {
    fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_page_loads_is_found_with_what_that_imports() {
        let folder = tempfile::tempdir().expect("a folder");
        let write = |name: &str, text: &str| fs::write(folder.path().join(name), text).expect(name);
        write("a.js", "import { b } from \"./b.js\";");
        write("b.js", "import(\"./c.js\"); import(\"./b.js\")");
        write("c.js", "");
        write("d.js", "");
        let html = "<script type=\"module\" src=\"a.js\"></script><script>1</script><link rel=\"stylesheet\" href=\"s.css\">";
        let page = folder.path().join("p.html");
        let scripts = linked(&page, html, "<script", "src");
        assert_eq!(scripts.len(), 1);
        let names: Vec<String> = with_imports(scripts)
            .expect("files")
            .iter()
            .filter_map(|path| Some(path.file_name()?.to_string_lossy().into_owned()))
            .collect();
        assert_eq!(names, ["a.js", "b.js", "c.js"]);
        let styles = linked(&page, html, "rel=\"stylesheet\"", "href");
        assert_eq!(styles.into_iter().next(), Some(folder.path().join("s.css")));
    }
}
