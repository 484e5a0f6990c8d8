//! How does a course become a folder? One straight line of stages.
//!
//! load → check → record → expand → render → finish → wasm → search. A build writes into a folder beside the output and
//! takes the output's place at the end, so that a failure leaves the last good site as it was.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Instant;

use serde_json::{Value, json};

use crate::check::{Checked, check};
use crate::children::Children;
use crate::expand::{Expanded, Material, expand};
use crate::fault::{self, Fault, Gravity};
use crate::finish::{Parts, finish, write};
use crate::highlight::Highlighter;
use crate::load::load;
use crate::model::{Lang, Transcript};
use crate::record::{ServerProgram, record_all};
use crate::render::render;
use crate::{search, wasm};

/// What to build, and where to.
#[derive(Clone, Debug)]
pub struct BuildOptions {
    /// The folder that holds `book/`.
    pub root: PathBuf,
    /// The folder to write.
    pub out: PathBuf,
    /// Where the published site will stand; overrides `site` of `book/course.toml`.
    pub site: Option<String>,
    /// Whether pages reload themselves; for `serve` alone.
    pub live: bool,
    /// What the build starts, and the word to end.
    pub children: Children,
}

/// Hears how far a build is.
pub trait Progress {
    /// A stage begins: its number from 1, how many there are, its name.
    fn stage(&self, number: usize, of: usize, name: &str);
}

/// Nobody hears it.
impl Progress for () {
    fn stage(&self, _: usize, _: usize, _: &str) {}
}

/// Why there is no new site.
#[derive(Debug, thiserror::Error)]
pub enum BuildError {
    /// The content has faults.
    #[error("{}", fault::render(.0))]
    Content(Vec<Fault>),
    /// A stage failed.
    #[error("{stage}: {reason}")]
    Stage {
        /// The stage.
        stage: &'static str,
        /// What happened.
        reason: String,
    },
}

/// What a build made.
#[derive(Clone, Debug)]
pub struct Summary {
    /// As it stands in `build.json`.
    pub figures: Value,
    /// What is not right and yet no reason to stop.
    pub warnings: Vec<Fault>,
}

const STAGES: [&str; 8] = [
    "load", "check", "record", "expand", "render", "finish", "wasm", "search",
];

/// The seconds of each stage.
struct Clock<'a> {
    progress: &'a dyn Progress,
    children: &'a Children,
    seconds: Vec<(&'static str, f64)>,
}

impl Clock<'_> {
    fn run<T, E: std::fmt::Display>(
        &mut self,
        stage: &'static str,
        work: impl FnOnce() -> Result<T, E>,
    ) -> Result<T, BuildError> {
        if self.children.interrupted() {
            return Err(BuildError::Stage {
                stage,
                reason: "interrupted".to_owned(),
            });
        }
        let number = self.seconds.len() + 1;
        self.progress.stage(number, STAGES.len(), stage);
        let start = Instant::now();
        let result = work();
        self.seconds.push((stage, start.elapsed().as_secs_f64()));
        result.map_err(|error| BuildError::Stage {
            stage,
            reason: error.to_string(),
        })
    }
}

/// The pages and what was recorded for them: everything up to and with mdBook.
#[derive(Debug)]
pub struct Content {
    /// The sound course.
    pub checked: Checked,
    /// What was recorded.
    pub transcripts: BTreeMap<String, Transcript>,
    /// Per language, the expanded pages.
    pub expanded: [BTreeMap<String, Expanded>; 2],
    /// Per language, the rendered pages.
    pub rendered: [BTreeMap<String, String>; 2],
    /// Faults that do not stop a build.
    pub warnings: Vec<Fault>,
}

/// Loads and checks.
///
/// # Errors
/// With every fault of the content.
pub fn checked(root: &Path) -> Result<(Checked, Vec<Fault>), BuildError> {
    let loaded = load(root);
    let report = check(loaded.course, loaded.faults);
    match report.checked {
        Some(checked) => Ok((checked, report.faults)),
        None => Err(BuildError::Content(report.faults)),
    }
}

/// Builds the site.
///
/// # Errors
/// When the content has faults or a stage fails; the output folder is untouched then.
pub fn build(
    options: &BuildOptions,
    program: &ServerProgram,
    progress: &dyn Progress,
) -> Result<Summary, BuildError> {
    let mut clock = Clock {
        progress,
        children: &options.children,
        seconds: Vec::new(),
    };
    let highlighter = Highlighter::default();
    let content = content(options, program, &highlighter, &mut clock)?;
    let course = content.checked.course();

    let aside = aside(&options.out)?;
    let site = options
        .site
        .as_deref()
        .or(course.config.site.as_deref())
        .map(|site| site.trim_end_matches('/'));
    clock.run("finish", || {
        finish(
            &Parts {
                course,
                expanded: &content.expanded,
                rendered: &content.rendered,
                transcripts: &content.transcripts,
                highlighter: &highlighter,
                site,
                live: options.live,
            },
            aside.path(),
        )
    })?;
    let wasm = clock.run("wasm", || {
        wasm::build(&options.root, &aside.path().join("wasm"), &options.children)
    })?;
    let search = clock.run("search", || search::index(aside.path()))?;

    let by_lang =
        |count: &dyn Fn(Lang) -> usize| json!({ "en": count(Lang::En), "zh": count(Lang::Zh) });
    let figures = json!({
        "chapters": by_lang(&|lang| course.books[lang as usize].pages().filter(|page| page.front.is_some()).count()),
        "pages": by_lang(&|lang| course.books[lang as usize].pages().count()),
        "questions": course.questions.len(),
        "interview": course.questions.iter().filter(|question| question.purpose == quiz::question::Purpose::Interview).count(),
        "scenarios": course.scenarios.len(),
        "exchanges": content.transcripts.len(),
        "wasm": wasm,
        "search": search,
        "bytes": size(aside.path()),
        "seconds": clock.seconds.iter().map(|(stage, seconds)| ((*stage).to_owned(), json!((seconds * 1000.0).round() / 1000.0))).collect::<serde_json::Map<_, _>>(),
    });
    write(
        &aside.path().join("build.json"),
        format!("{figures:#}\n").as_bytes(),
    )
    .map_err(|error| BuildError::Stage {
        stage: "finish",
        reason: error.to_string(),
    })?;
    swap(aside, &options.out)?;
    Ok(Summary {
        figures,
        warnings: content.warnings,
    })
}

/// The stages up to mdBook, without a clock: for the benchmark.
///
/// # Errors
/// As [`build`].
pub fn content_alone(
    options: &BuildOptions,
    program: &ServerProgram,
    progress: &dyn Progress,
) -> Result<Content, BuildError> {
    content(
        options,
        program,
        &Highlighter::default(),
        &mut Clock {
            progress,
            children: &options.children,
            seconds: Vec::new(),
        },
    )
}

fn content(
    options: &BuildOptions,
    program: &ServerProgram,
    highlighter: &Highlighter,
    clock: &mut Clock<'_>,
) -> Result<Content, BuildError> {
    let loaded = clock.run("load", || Ok::<_, String>(load(&options.root)))?;
    let report = clock.run("check", || {
        Ok::<_, String>(check(loaded.course, loaded.faults))
    })?;
    let Some(checked) = report.checked else {
        return Err(BuildError::Content(report.faults));
    };
    let warnings: Vec<Fault> = report
        .faults
        .into_iter()
        .filter(|fault| fault.gravity == Gravity::Warning)
        .collect();
    let course = checked.course();
    let transcripts = clock.run("record", || record_all(&course.exchanges, program))?;
    let expanded = clock.run("expand", || {
        let material = Material {
            checked: &checked,
            transcripts: &transcripts,
            highlighter,
        };
        let mut expanded = [BTreeMap::new(), BTreeMap::new()];
        for lang in Lang::ALL {
            for page in course.books[lang as usize].pages() {
                expanded[lang as usize].insert(page.stem.clone(), expand(&material, lang, page)?);
            }
        }
        Ok::<_, crate::expand::ExpandError>(expanded)
    })?;
    let rendered = clock.run("render", || {
        let [en, zh] = &course.books;
        // The languages share nothing, so the second is rendered beside the first.
        std::thread::scope(|scope| {
            let beside = scope.spawn(|| render(&course.root, zh, &expanded[1]));
            let en = render(&course.root, en, &expanded[0])?;
            match beside.join() {
                Ok(zh) => Ok::<_, crate::render::RenderError>([en, zh?]),
                Err(panic) => std::panic::resume_unwind(panic),
            }
        })
    })?;
    Ok(Content {
        checked,
        transcripts,
        expanded,
        rendered,
        warnings,
    })
}

/// A folder beside the output, on the same file system, so that taking its place is a rename.
fn aside(out: &Path) -> Result<tempfile::TempDir, BuildError> {
    let failed = |error: std::io::Error| BuildError::Stage {
        stage: "finish",
        reason: format!("no folder beside {}: {error}", out.display()),
    };
    refuse_foreign(out)?;
    let parent = out
        .parent()
        .filter(|parent| !parent.as_os_str().is_empty())
        .unwrap_or(Path::new("."));
    fs::create_dir_all(parent).map_err(failed)?;
    tempfile::Builder::new()
        .prefix(".course-")
        .tempdir_in(parent)
        .map_err(failed)
}

/// The output is replaced as a whole, so it must be a site, an empty folder, or nothing yet.
fn refuse_foreign(out: &Path) -> Result<(), BuildError> {
    let empty = || fs::read_dir(out).is_ok_and(|mut entries| entries.next().is_none());
    if !out.exists() || out.join("build.json").is_file() || (out.is_dir() && empty()) {
        return Ok(());
    }
    Err(BuildError::Stage {
        stage: "finish",
        reason: format!(
            "{} holds something that no build made; name another folder with --out, or delete it",
            out.display()
        ),
    })
}

/// The new site takes the old one's place.
fn swap(aside: tempfile::TempDir, out: &Path) -> Result<(), BuildError> {
    let failed = |error: std::io::Error| BuildError::Stage {
        stage: "finish",
        reason: format!("{} cannot be replaced: {error}", out.display()),
    };
    #[cfg(unix)]
    fs::set_permissions(
        aside.path(),
        std::os::unix::fs::PermissionsExt::from_mode(0o755),
    )
    .map_err(failed)?;
    let new = aside.keep();
    let old = new.with_extension("old");
    if out.exists() {
        fs::rename(out, &old).map_err(failed)?;
    }
    if let Err(error) = fs::rename(&new, out) {
        let _ = fs::rename(&old, out);
        return Err(failed(error));
    }
    if old.exists() {
        fs::remove_dir_all(&old).map_err(failed)?;
    }
    Ok(())
}

fn size(folder: &Path) -> u64 {
    walkdir::WalkDir::new(folder)
        .into_iter()
        .filter_map(Result::ok)
        .filter_map(|entry| entry.metadata().ok())
        .filter(std::fs::Metadata::is_file)
        .map(|metadata| metadata.len())
        .sum()
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::{aside, swap};

    #[test]
    fn a_folder_that_no_build_made_is_never_replaced() {
        let scratch = tempfile::tempdir().expect("a scratch folder");
        let out = scratch.path().join("home");
        fs::create_dir(&out).expect("a folder");
        fs::write(out.join("letter.txt"), "dear").expect("a file");
        let error = aside(&out).expect_err("it is refused");
        assert!(error.to_string().contains("--out"), "{error}");
        assert!(out.join("letter.txt").exists());
    }

    #[test]
    fn a_new_site_takes_the_place_of_the_old_one_and_leaves_nothing_beside_it() {
        let scratch = tempfile::tempdir().expect("a scratch folder");
        let out = scratch.path().join("dist");
        for text in ["one", "two"] {
            let new = aside(&out).expect("a folder beside");
            fs::write(new.path().join("build.json"), text).expect("a file");
            swap(new, &out).expect("the swap");
            assert_eq!(
                fs::read_to_string(out.join("build.json")).ok().as_deref(),
                Some(text)
            );
        }
        assert_eq!(fs::read_dir(scratch.path()).expect("a folder").count(), 1);
    }

    #[test]
    fn a_build_that_fails_leaves_the_old_site_and_nothing_beside_it() {
        let scratch = tempfile::tempdir().expect("a scratch folder");
        let out = scratch.path().join("dist");
        fs::create_dir(&out).expect("a folder");
        fs::write(out.join("build.json"), "old").expect("a file");
        drop(aside(&out).expect("a folder beside"));
        assert_eq!(
            fs::read_to_string(out.join("build.json")).ok().as_deref(),
            Some("old")
        );
        assert_eq!(fs::read_dir(scratch.path()).expect("a folder").count(), 1);
    }
}
