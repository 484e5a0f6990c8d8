//! How does a search find English and Chinese words without a server?
//!
//! Pagefind, as a library, reads the finished pages and writes an index in small pieces; a page loads the pieces that
//! hold a reader's words. It cuts Chinese into words, which mdBook's own search does not.

use std::path::{Path, PathBuf};

use pagefind::api::PagefindIndex;
use pagefind::options::PagefindServiceConfig;
use serde_json::{Value, json};

use crate::model::Lang;

/// Why there is no index.
#[derive(Debug, thiserror::Error)]
pub enum SearchError {
    /// Pagefind says why.
    #[error("pagefind failed: {0}")]
    Pagefind(String),
    /// A file failed.
    #[error("{path}: {reason}")]
    Io {
        /// The file.
        path: PathBuf,
        /// Why.
        reason: std::io::Error,
    },
}

/// What Pagefind offers and our pages do not use.
const UNUSED: [&str; 5] = [
    "pagefind-ui",
    "pagefind-modular-ui",
    "pagefind-component-ui",
    "pagefind-highlight",
    "playground",
];

/// Reads the pages below `out` and writes `out/pagefind`.
///
/// # Errors
/// When a page cannot be read or the index cannot be written.
pub fn index(out: &Path) -> Result<Value, SearchError> {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build()
        .map_err(|reason| SearchError::Io {
            path: out.to_owned(),
            reason,
        })?;
    let said = |error: &dyn std::fmt::Display| SearchError::Pagefind(format!("{error:#}"));
    let (pages, files) = runtime.block_on(async {
        let config = PagefindServiceConfig::builder()
            .keep_index_url(true)
            .build();
        let mut index = PagefindIndex::new(Some(config)).map_err(|error| said(&error))?;
        let mut pages = 0;
        // One by one and in order, so that the same pages give the same index.
        for path in html_files(out)? {
            let html = std::fs::read_to_string(&path).map_err(|reason| SearchError::Io {
                path: path.clone(),
                reason,
            })?;
            let relative = path
                .strip_prefix(out)
                .unwrap_or(&path)
                .to_string_lossy()
                .into_owned();
            index
                .add_html_file(Some(relative), None, html)
                .await
                .map_err(|error| said(&error))?;
            pages += 1;
        }
        let files = index.get_files().await.map_err(|error| said(&error))?;
        Ok::<_, SearchError>((pages, files))
    })?;
    let mut bytes = 0;
    let mut kept = 0;
    for file in files {
        let name = file.filename.to_string_lossy().into_owned();
        if UNUSED.iter().any(|unused| name.contains(unused)) {
            continue;
        }
        let path = out.join("pagefind").join(&file.filename);
        let write = |path: &Path| {
            if let Some(folder) = path.parent() {
                std::fs::create_dir_all(folder)?;
            }
            std::fs::write(path, &file.contents)
        };
        write(&path).map_err(|reason| SearchError::Io {
            path: path.clone(),
            reason,
        })?;
        bytes += file.contents.len();
        kept += 1;
    }
    Ok(json!({ "pages": pages, "files": kept, "bytes": bytes }))
}

fn html_files(out: &Path) -> Result<Vec<PathBuf>, SearchError> {
    let mut files = Vec::new();
    for lang in Lang::ALL {
        let folder = out.join(lang.folder());
        let entries = std::fs::read_dir(&folder).map_err(|reason| SearchError::Io {
            path: folder.clone(),
            reason,
        })?;
        files.extend(
            entries
                .filter_map(Result::ok)
                .map(|entry| entry.path())
                .filter(|path| {
                    path.extension()
                        .is_some_and(|extension| extension == "html")
                }),
        );
    }
    files.sort();
    Ok(files)
}
