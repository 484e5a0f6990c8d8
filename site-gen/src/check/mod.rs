//! Is the content sound?
//!
//! Everything that can be known without starting a server. Every fault of every file in one run; only a course
//! without errors becomes [`Checked`], and only that goes on. One file a subject: [`directives`], [`links`], [`prose`],
//! [`twins`], [`bank`], [`exchanges`].

pub mod bank;
pub mod directives;
pub mod exchanges;
pub mod links;
pub mod nearest;
pub mod prose;
pub mod twins;

use std::collections::BTreeSet;
use std::ops::Range;
use std::path::Path;

use crate::fault::{Fault, Gravity};
use crate::model::{Course, Page};

/// The exchange that stands in the lab's place where there is no JavaScript.
pub const LAB_FALLBACK: &str = "lab-shop";
/// The labs that there are.
pub const LABS: [&str; 1] = ["shop"];
/// The quizzes that there are.
pub const QUIZZES: [&str; 1] = ["should-use-mcp"];

/// A course that was found sound.
#[derive(Debug)]
pub struct Checked(Course);

impl Checked {
    /// The course.
    pub fn course(&self) -> &Course {
        &self.0
    }
}

/// What came of the checks.
#[derive(Debug)]
pub struct Report {
    /// The course, if nothing forbids to go on.
    pub checked: Option<Checked>,
    /// Errors and warnings, in the order of files and lines.
    pub faults: Vec<Fault>,
}

/// Checks a course. `faults` are those of loading.
pub fn check(course: Course, faults: Vec<Fault>) -> Report {
    let mut checker = Checker {
        course: &course,
        faults,
        shown: BTreeSet::new(),
    };
    for book in &course.books {
        for page in book.pages() {
            checker.directives(page);
            checker.links(book.lang, page);
        }
    }
    checker.prose();
    checker.twins();
    checker.bank();
    checker.exchanges();
    let mut faults = checker.faults;
    faults.sort_by(|a, b| {
        (&a.path, a.line, a.column, &a.message).cmp(&(&b.path, b.line, b.column, &b.message))
    });
    let sound = faults.iter().all(|fault| fault.gravity == Gravity::Warning);
    Report {
        checked: sound.then_some(Checked(course)),
        faults,
    }
}

/// What the checks share: the course, what was found, and which exchanges some page shows.
struct Checker<'a> {
    course: &'a Course,
    faults: Vec<Fault>,
    shown: BTreeSet<String>,
}

impl<'a> Checker<'a> {
    /// A fault at bytes of a page's Markdown.
    fn fault(
        &mut self,
        page: &Page,
        span: Range<usize>,
        message: impl Into<String>,
        hint: impl Into<String>,
    ) {
        let offset = self.source(&page.path).len() - page.markdown.len();
        self.fault_in_file(
            &page.path,
            span.start + offset..span.end + offset,
            message,
            hint,
        );
    }

    /// A fault at bytes of a file.
    fn fault_in_file(
        &mut self,
        path: &Path,
        span: Range<usize>,
        message: impl Into<String>,
        hint: impl Into<String>,
    ) {
        let fault = Fault::at(path, self.source(path), span, message, hint);
        self.faults.push(fault);
    }

    /// A fault at the first place of some words in a page's front matter; at its beginning where they are not.
    fn fault_in_front(
        &mut self,
        page: &Page,
        words: &str,
        message: impl Into<String>,
        hint: impl Into<String>,
    ) {
        let source = self.source(&page.path);
        let front = &source[..source.len() - page.markdown.len()];
        let at = front.find(words).map_or(0..0, |at| at..at + words.len());
        self.fault_in_file(&page.path, at, message, hint);
    }

    fn source(&self, path: &Path) -> &'a str {
        self.course.sources.get(path).map_or("", String::as_str)
    }
}

#[cfg(test)]
mod tests {
    use crate::check::check;
    use crate::fault::Gravity;
    use crate::fixture::Fixture;
    use crate::load::load;

    #[test]
    fn only_a_course_without_errors_goes_on() {
        let fixture = Fixture::new();
        let loaded = load(fixture.root());
        assert!(check(loaded.course, loaded.faults).checked.is_some());
        fixture.append_to_both("index", "{{#nothing}}\n");
        let loaded = load(fixture.root());
        assert!(check(loaded.course, loaded.faults).checked.is_none());
    }

    #[test]
    fn a_warning_does_not_stop_a_course() {
        let fixture = Fixture::new();
        let spec = fixture.read("book/exchanges/list.toml");
        fixture.write("book/exchanges/unseen.toml", &spec);
        let loaded = load(fixture.root());
        let report = check(loaded.course, loaded.faults);
        assert!(report.checked.is_some());
        assert_eq!(report.faults.len(), 1);
        assert_eq!(report.faults[0].gravity, Gravity::Warning);
    }

    #[test]
    fn faults_of_several_files_come_in_one_run_in_their_order() {
        let fixture = Fixture::new();
        fixture.append_to_both("index", "{{#nothing}}\n");
        fixture.replace("book/questions/wire.toml", "\"03-wire\"", "\"03-wires\"");
        let places: Vec<String> = fixture
            .faults()
            .iter()
            .filter_map(|fault| fault.split_once(' ').map(|(place, _)| place.to_owned()))
            .collect();
        assert_eq!(
            places,
            [
                "book/en/03-wire.md:20:1",
                "book/en/index.md:3:1",
                "book/questions/wire.toml:9:12",
                "book/zh/03-wire.md:20:1",
                "book/zh/index.md:3:1"
            ]
        );
    }
}
