//! What do the files of `book/` say?
//!
//! Loading never stops at the first fault: it gives what could be read and every fault that was found, so that an
//! author mends all of them at once.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Component, Path, PathBuf};

use mdbook_summary::SummaryItem;
use quiz::question::{Question, QuestionFile};
use quiz::scenario::ScenarioFile;
use serde::Deserialize;
use serde::de::DeserializeOwned;

use crate::fault::Fault;
use crate::model::{Book, Course, CourseConfig, ExchangeSpec, Front, Lang, Page, Part, Term};

/// What could be read, and what could not.
#[derive(Debug)]
pub struct Loaded {
    /// The course; none where the fundamentals are missing.
    pub course: Option<Course>,
    /// Everything that is wrong.
    pub faults: Vec<Fault>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct GlossaryFile {
    #[serde(rename = "term", default)]
    terms: Vec<Term>,
}

struct Loader {
    root: PathBuf,
    faults: Vec<Fault>,
    sources: BTreeMap<PathBuf, String>,
}

/// Reads the course below `root`, the folder that holds `book/`.
pub fn load(root: &Path) -> Loaded {
    let mut loader = Loader {
        root: root.to_owned(),
        faults: Vec::new(),
        sources: BTreeMap::new(),
    };
    let config: Option<CourseConfig> = loader.toml("book/course.toml");
    let glossary: Option<GlossaryFile> = loader.toml("book/glossary.toml");
    let scenarios: Option<ScenarioFile> = loader.toml("book/scenarios.toml");
    let mut questions: Vec<Question> = Vec::new();
    for path in loader.list("book/questions", "toml") {
        if let Some(file) = loader.toml::<QuestionFile>(&path) {
            questions.extend(file.questions);
        }
    }
    let mut exchanges = BTreeMap::new();
    for path in loader.list("book/exchanges", "toml") {
        if let Some(spec) = loader.toml::<ExchangeSpec>(&path) {
            exchanges.insert(stem(Path::new(&path)), spec);
        }
    }
    let books = Lang::ALL.map(|lang| loader.book(lang));
    let course = config.map(|config| Course {
        root: root.to_owned(),
        config,
        books,
        questions,
        scenarios: scenarios.map(|file| file.scenarios).unwrap_or_default(),
        glossary: glossary.map(|file| file.terms).unwrap_or_default(),
        exchanges,
        sources: loader.sources,
    });
    Loaded {
        course,
        faults: loader.faults,
    }
}

fn stem(path: &Path) -> String {
    path.file_stem()
        .unwrap_or_default()
        .to_string_lossy()
        .into_owned()
}

impl Loader {
    /// Reads a file as text; a fault where it is missing or no UTF-8.
    fn text(&mut self, path: &str) -> Option<String> {
        let bytes = match fs::read(self.root.join(path)) {
            Ok(bytes) => bytes,
            Err(error) => {
                let fault = Fault::of_file(
                    Path::new(path),
                    format!("cannot be read: {error}"),
                    "Create the file, or take it out of SUMMARY.md.",
                );
                self.faults.push(fault);
                return None;
            }
        };
        match String::from_utf8(bytes) {
            Ok(text) => {
                let text = text.replace("\r\n", "\n");
                self.sources.insert(PathBuf::from(path), text.clone());
                Some(text)
            }
            Err(error) => {
                let valid =
                    String::from_utf8_lossy(&error.as_bytes()[..error.utf8_error().valid_up_to()])
                        .into_owned();
                let at = valid.len();
                self.faults.push(Fault::at(
                    Path::new(path),
                    &format!("{valid}\u{fffd}"),
                    at..at,
                    "is not UTF-8 from here on",
                    "Save the file as UTF-8.",
                ));
                None
            }
        }
    }

    fn toml<T: DeserializeOwned>(&mut self, path: &str) -> Option<T> {
        let text = self.text(path)?;
        match toml::from_str(&text) {
            Ok(value) => Some(value),
            Err(error) => {
                let span = error.span().unwrap_or(0..0);
                self.faults.push(Fault::at(Path::new(path), &text, span, error.message().to_owned(), "The fields are those of the type in quiz/src or site-gen/src/model.rs; README shows an example."));
                None
            }
        }
    }

    /// The files of a folder, sorted by name, as paths below the root.
    fn list(&mut self, folder: &str, extension: &str) -> Vec<String> {
        let entries = match fs::read_dir(self.root.join(folder)) {
            Ok(entries) => entries,
            Err(error) => {
                self.faults.push(Fault::of_file(
                    Path::new(folder),
                    format!("cannot be read: {error}"),
                    "Create the folder.",
                ));
                return Vec::new();
            }
        };
        let mut names: Vec<String> = entries
            .filter_map(Result::ok)
            .map(|entry| entry.file_name().to_string_lossy().into_owned())
            .filter(|name| {
                Path::new(name)
                    .extension()
                    .is_some_and(|found| found == extension)
            })
            .collect();
        names.sort();
        names
            .into_iter()
            .map(|name| format!("{folder}/{name}"))
            .collect()
    }

    fn book(&mut self, lang: Lang) -> Book {
        let folder = format!("book/{}", lang.folder());
        let summary_path = format!("{folder}/SUMMARY.md");
        let mut parts = vec![Part {
            title: None,
            pages: Vec::new(),
        }];
        let Some(text) = self.text(&summary_path) else {
            return Book { lang, parts };
        };
        let summary = match mdbook_summary::parse_summary(&text) {
            Ok(summary) => summary,
            Err(error) => {
                self.faults.push(Fault::at(
                    Path::new(&summary_path),
                    &text,
                    0..0,
                    format!("cannot be read: {error:#}"),
                    "The form is mdBook's: a list of links under part titles.",
                ));
                return Book { lang, parts };
            }
        };
        let items = summary
            .prefix_chapters
            .into_iter()
            .chain(summary.numbered_chapters)
            .chain(summary.suffix_chapters);
        for item in items {
            match item {
                SummaryItem::PartTitle(title) => parts.push(Part {
                    title: Some(title),
                    pages: Vec::new(),
                }),
                SummaryItem::Link(link) => {
                    let Some(location) = &link.location else {
                        continue;
                    };
                    if !link.nested_items.is_empty() {
                        self.summary_fault(
                            &summary_path,
                            &text,
                            location,
                            "has chapters below it",
                            "This course has one level; take the indentation away.",
                        );
                    }
                    if let Some(page) =
                        self.page(&folder, &summary_path, &text, &link.name, location)
                        && let Some(part) = parts.last_mut()
                    {
                        part.pages.push(page);
                    }
                }
                _ => {}
            }
        }
        parts.retain(|part| !part.pages.is_empty());
        Book { lang, parts }
    }

    fn summary_fault(
        &mut self,
        path: &str,
        text: &str,
        location: &Path,
        message: &str,
        hint: &str,
    ) {
        let needle = location.to_string_lossy();
        let start = text.find(needle.as_ref()).unwrap_or(0);
        self.faults.push(Fault::at(
            Path::new(path),
            text,
            start..start + needle.len(),
            format!("{needle} {message}"),
            hint,
        ));
    }

    fn page(
        &mut self,
        folder: &str,
        summary_path: &str,
        summary: &str,
        title: &str,
        location: &Path,
    ) -> Option<Page> {
        let plain = location
            .components()
            .all(|part| matches!(part, Component::Normal(_)))
            && location.components().count() == 1
            && location
                .extension()
                .is_some_and(|extension| extension == "md");
        if !plain {
            self.summary_fault(
                summary_path,
                summary,
                location,
                "leads out of its folder",
                "A chapter stands beside SUMMARY.md: [Title](STEM.md).",
            );
            return None;
        }
        let path = format!("{folder}/{}", location.display());
        let text = self.text(&path)?;
        let (front, start) = self.front(&path, &text)?;
        Some(Page {
            stem: stem(location),
            title: title.to_owned(),
            path: PathBuf::from(&path),
            front,
            first_line: text[..start].matches('\n').count() + 1,
            markdown: text[start..].to_owned(),
        })
    }

    /// The front matter, if there is one, and the byte at which the Markdown begins.
    fn front(&mut self, path: &str, text: &str) -> Option<(Option<Front>, usize)> {
        let Some(rest) = text.strip_prefix("+++\n") else {
            return Some((None, 0));
        };
        let Some(length) = rest.find("\n+++\n") else {
            self.faults.push(Fault::at(
                Path::new(path),
                text,
                0..3,
                "the front matter does not end",
                "Close it with a line of +++.",
            ));
            return None;
        };
        match toml::from_str(&rest[..=length]) {
            Ok(front) => Some((Some(front), 4 + length + 5)),
            Err(error) => {
                let span = error.span().unwrap_or(0..0);
                self.faults.push(Fault::at(
                    Path::new(path),
                    text,
                    span.start + 4..span.end + 4,
                    error.message().to_owned(),
                    "Front matter has minutes, core, next and goals with id and text.",
                ));
                None
            }
        }
    }
}
