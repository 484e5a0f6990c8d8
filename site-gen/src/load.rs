//! What do the files of `book/` say?
//!
//! Loading never stops at the first fault: it gives what could be read and every fault that was found, so that an
//! author mends all of them at once.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Component, Path, PathBuf};

use mdbook_summary::SummaryItem;
use quiz::question::Question;
use serde::de::DeserializeOwned;

use crate::fault::Fault;
use crate::model::{Book, ByLang, Course, CourseConfig, ExchangeSpec, Front, Lang, Page, Part};
use crate::tables::{self, TableFault};

/// What could be read, and what could not.
#[derive(Debug)]
pub struct Loaded {
    /// The course, as far as it could be read.
    pub course: Course,
    /// Everything that is wrong.
    pub faults: Vec<Fault>,
}

/// Where the fields of a TOML file are described.
const FIELDS: &str = "The fields are those of the type in quiz/src or site-gen/src/model.rs; README shows an example.";

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
    let config = loader.value("book/course.toml").unwrap_or_else(unnamed);
    let glossary = loader.entries("book/glossary.toml", "term");
    let scenarios = loader.entries("book/scenarios.toml", "scenario");
    let mut questions: Vec<Question> = Vec::new();
    for path in loader.list("book/questions", "toml") {
        questions.extend(loader.entries(&path, "question"));
    }
    let mut exchanges = BTreeMap::new();
    for path in loader.list("book/exchanges", "toml") {
        if let Some(spec) = loader.value::<ExchangeSpec>(&path) {
            exchanges.insert(stem(Path::new(&path)), spec);
        }
    }
    let books = Lang::ALL.map(|lang| loader.book(lang));
    Loaded {
        course: Course {
            root: root.to_owned(),
            config,
            books,
            questions,
            scenarios,
            glossary,
            exchanges,
            sources: loader.sources,
        },
        faults: loader.faults,
    }
}

/// Stands for a configuration that could not be read, so that the rest is looked at all the same.
fn unnamed() -> CourseConfig {
    let nothing = || ByLang {
        en: String::new(),
        zh: String::new(),
    };
    CourseConfig {
        title: nothing(),
        description: nothing(),
        site: None,
        repository: None,
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
                // Some editors begin a file with a mark of their own and end lines with two characters.
                let text = text.trim_start_matches('\u{feff}').replace("\r\n", "\n");
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

    /// A file as one value.
    fn value<T: DeserializeOwned>(&mut self, path: &str) -> Option<T> {
        let text = self.text(path)?;
        match tables::value(&text) {
            Ok(value) => Some(value),
            Err(faults) => {
                self.table_faults(path, &text, 0, faults, FIELDS);
                None
            }
        }
    }

    /// The entries of a file; those that cannot be read are faults.
    fn entries<T: DeserializeOwned>(&mut self, path: &str, key: &str) -> Vec<T> {
        let Some(text) = self.text(path) else {
            return Vec::new();
        };
        let (entries, faults) = tables::entries(&text, key);
        self.table_faults(path, &text, 0, faults, FIELDS);
        entries
    }

    fn table_faults(
        &mut self,
        path: &str,
        text: &str,
        offset: usize,
        faults: Vec<TableFault>,
        hint: &str,
    ) {
        for fault in faults {
            self.faults.push(Fault::at(
                Path::new(path),
                text,
                fault.span.start + offset..fault.span.end + offset,
                fault.message,
                hint,
            ));
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
                let words = format!("{error:#}");
                let at = place_in(&words, &text);
                self.faults.push(Fault::at(
                    Path::new(&summary_path),
                    &text,
                    at..at,
                    format!("cannot be read: {words}"),
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
                        self.summary_fault(
                            &summary_path,
                            &text,
                            Path::new(&link.name),
                            "leads to no file",
                            "A page stands in SUMMARY.md once it is written: [Title](STEM.md).",
                        );
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
        let start = text.rfind(needle.as_ref()).unwrap_or(0);
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
        if !self.root.join(&path).is_file() {
            self.summary_fault(
                summary_path,
                summary,
                location,
                "does not exist",
                &format!("Write {path}, or take the line away."),
            );
            return None;
        }
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
        match tables::value(&rest[..=length]) {
            Ok(front) => Some((Some(front), OPEN + length + CLOSE)),
            Err(faults) => {
                self.table_faults(
                    path,
                    text,
                    OPEN,
                    faults,
                    "Front matter has minutes, core, next and goals with id and text.",
                );
                None
            }
        }
    }
}

/// The bytes of the lines that open and close front matter.
const OPEN: usize = "+++\n".len();
const CLOSE: usize = "\n+++\n".len();

/// The byte of "line L, column C", or of the last mention of a quoted file, in what mdBook says about a summary.
fn place_in(words: &str, text: &str) -> usize {
    let number = |name: &str| -> Option<usize> {
        let after = words.split_once(name)?.1;
        let end = after
            .find(|character: char| !character.is_ascii_digit())
            .unwrap_or(after.len());
        after[..end].parse().ok()
    };
    let (Some(line), Some(column)) = (number("line "), number("column ")) else {
        let quoted = words.split('"').nth(1);
        return quoted.and_then(|file| text.rfind(file)).unwrap_or(0);
    };
    let start: usize = text
        .split_inclusive('\n')
        .take(line.saturating_sub(1))
        .map(str::len)
        .sum();
    let in_line = text[start..].char_indices().nth(column.saturating_sub(1));
    in_line.map_or(start, |(at, _)| start + at)
}

#[cfg(test)]
mod tests {
    use crate::fixture::Fixture;

    #[test]
    fn a_sound_course_loads_without_a_fault() {
        assert_eq!(Fixture::new().faults(), [""; 0]);
    }

    #[test]
    fn a_page_that_is_not_utf8_is_a_fault_at_the_first_wrong_byte() {
        let fixture = Fixture::new();
        fixture.write_bytes("book/zh/index.md", b"# ok {#start}\n\nab\xff\n");
        fixture.expect("book/zh/index.md:3:3", "is not UTF-8");
    }

    #[test]
    fn a_chapter_outside_its_folder_is_a_fault_in_the_summary() {
        let fixture = Fixture::new();
        let summary = fixture.read("book/en/SUMMARY.md");
        for path in ["../../secret.md", "/etc/hostname.md", "sub/x.md"] {
            fixture.write("book/en/SUMMARY.md", &format!("{summary}- [X]({path})\n"));
            fixture.expect("book/en/SUMMARY.md:5:7", "leads out of its folder");
        }
    }

    #[test]
    fn a_missing_chapter_is_a_fault_in_the_summary() {
        let fixture = Fixture::new();
        let summary = fixture.read("book/en/SUMMARY.md");
        fixture.write(
            "book/en/SUMMARY.md",
            &format!("{summary}- [X](none.md)\n- [Z]()\n"),
        );
        fixture.expect("book/en/SUMMARY.md:5:7", "none.md does not exist");
        fixture.expect("book/en/SUMMARY.md:6:4", "leads to no file");
    }

    #[test]
    fn a_repeated_chapter_is_a_fault_at_the_second_place() {
        let fixture = Fixture::new();
        let summary = fixture.read("book/en/SUMMARY.md");
        fixture.write(
            "book/en/SUMMARY.md",
            &format!("{summary}- [Y](03-wire.md)\n"),
        );
        fixture.expect("book/en/SUMMARY.md:5:7", "Duplicate file");
    }

    #[test]
    fn a_summary_that_mdbook_cannot_read_is_a_fault_at_its_line() {
        let fixture = Fixture::new();
        fixture.write(
            "book/en/SUMMARY.md",
            "# S\n\n- [A](index.md)\n\n[B](03-wire.md)\n\n- [C](c.md)\n",
        );
        fixture.expect("book/en/SUMMARY.md:7:", "Suffix chapters");
    }

    #[test]
    fn front_matter_with_an_unknown_field_is_a_fault_at_the_field() {
        let fixture = Fixture::new();
        fixture.replace("book/en/03-wire.md", "minutes = 5", "minutes = 5\nmoon = 1");
        fixture.expect("book/en/03-wire.md:3:1", "moon");
    }

    #[test]
    fn front_matter_without_an_end_is_a_fault_at_its_beginning() {
        let fixture = Fixture::new();
        fixture.write("book/en/03-wire.md", "+++\nminutes = 5\n\n# Wire\n");
        fixture.expect("book/en/03-wire.md:1:1", "does not end");
    }

    #[test]
    fn a_question_without_chinese_and_one_with_an_unknown_field_are_both_told() {
        let fixture = Fixture::new();
        let good = fixture.read("book/questions/wire.toml");
        let (lonely, _) = good.split_once("[question.zh]").expect("Chinese");
        let lonely = lonely.replace("who-answers", "second");
        let odd = good
            .replace("who-answers", "third")
            .replace("level =", "weight = 3\nlevel =");
        fixture.write(
            "book/questions/wire.toml",
            &format!("{good}\n{lonely}\n{odd}"),
        );
        fixture.expect("book/questions/wire.toml:22:1", "missing field `zh`");
        fixture.expect("book/questions/wire.toml:43:1", "weight");
    }

    #[test]
    fn a_broken_configuration_does_not_hide_what_else_is_wrong() {
        let fixture = Fixture::new();
        fixture.write("book/course.toml", "title = 3\n");
        fixture.replace("book/en/index.md", "# Start", "# Start\n\n[x](none.md)");
        fixture.expect("book/course.toml:1:9", "");
        fixture.expect("book/en/index.md:3:1", "none.md");
    }

    #[test]
    fn windows_line_ends_and_a_byte_order_mark_do_no_harm() {
        let fixture = Fixture::new();
        let page = fixture.read("book/en/03-wire.md").replace('\n', "\r\n");
        fixture.write("book/en/03-wire.md", &format!("\u{feff}{page}"));
        assert_eq!(fixture.faults(), [""; 0]);
    }
}
