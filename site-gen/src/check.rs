//! Is the content sound?
//!
//! Everything that can be known without starting a server. Every fault of every file in one run; only a course
//! without errors becomes [`Checked`], and only that goes on.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::path::{Path, PathBuf};

use pulldown_cmark::{Event, LinkType, Parser, Tag, TagEnd};

use crate::directive::{KNOWN, code_ranges, directives, markdown_options};
use crate::fault::{Fault, Gravity};
use crate::listing;
use crate::model::{Course, Lang, Page};
use crate::outline::headings;
use crate::select::select;

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
            checker.page(book.lang, page);
        }
    }
    checker.twins();
    checker.questions();
    checker.unshown();
    let mut faults = checker.faults;
    faults.sort_by(|a, b| (&a.path, a.line, a.column).cmp(&(&b.path, b.line, b.column)));
    let sound = faults.iter().all(|fault| fault.gravity == Gravity::Warning);
    Report {
        checked: sound.then_some(Checked(course)),
        faults,
    }
}

struct Checker<'a> {
    course: &'a Course,
    faults: Vec<Fault>,
    shown: BTreeSet<String>,
}

impl Checker<'_> {
    /// A fault at bytes of a page's Markdown.
    fn fault(
        &mut self,
        page: &Page,
        span: Range<usize>,
        message: impl Into<String>,
        hint: impl Into<String>,
    ) {
        let source = self.source(&page.path);
        let offset = source.len() - page.markdown.len();
        self.faults.push(Fault::at(
            &page.path,
            &source,
            span.start + offset..span.end + offset,
            message,
            hint,
        ));
    }

    fn source(&self, path: &Path) -> String {
        self.course.sources.get(path).cloned().unwrap_or_default()
    }

    fn page(&mut self, lang: Lang, page: &Page) {
        self.directives(page);
        self.links(lang, page);
        self.prose(lang, page);
    }

    fn directives(&mut self, page: &Page) {
        for directive in directives(&page.markdown) {
            let argument = directive.argument.as_str();
            let span = directive.span.clone();
            match directive.name.as_str() {
                "listing" => {
                    if let Err(error) = listing::cut(&self.course.root, argument) {
                        self.fault(page, span, error.to_string(), "Write labs/…/FILE.rs:ANCHOR, with // ANCHOR: and // ANCHOR_END: in the file.");
                    }
                }
                "exchange" => {
                    self.shown.insert(argument.to_owned());
                    if !self.course.exchanges.contains_key(argument) {
                        let hint =
                            closest(argument, self.course.exchanges.keys().map(String::as_str));
                        self.fault(
                            page,
                            span,
                            format!("there is no exchange {argument:?}"),
                            format!("Add book/exchanges/{argument}.toml. {hint}"),
                        );
                    }
                }
                "lab" => {
                    self.shown.insert(LAB_FALLBACK.to_owned());
                    if !LABS.contains(&argument) {
                        self.fault(
                            page,
                            span,
                            format!("there is no lab {argument:?}"),
                            format!("Known: {}.", LABS.join(", ")),
                        );
                    } else if !self.course.exchanges.contains_key(LAB_FALLBACK) {
                        self.fault(
                            page,
                            span,
                            "the lab has no exchange to stand in its place without JavaScript",
                            format!("Add book/exchanges/{LAB_FALLBACK}.toml."),
                        );
                    }
                }
                "quiz" if !QUIZZES.contains(&argument) => {
                    self.fault(
                        page,
                        span,
                        format!("there is no quiz {argument:?}"),
                        format!("Known: {}.", QUIZZES.join(", ")),
                    );
                }
                "questions" => {
                    if let Err(error) = select(&self.course.questions, argument) {
                        self.fault(page, span, error.to_string(), "A filter is key=value, several with blanks between: chapter=03-wire use=retrieval.");
                    }
                }
                "goals"
                    if page
                        .front
                        .as_ref()
                        .is_none_or(|front| front.goals.is_empty()) =>
                {
                    self.fault(
                        page,
                        span,
                        "this page has no goals",
                        "Add [[goals]] to its front matter, between lines of +++.",
                    );
                }
                "quiz" | "goals" | "chapters" => {}
                other => {
                    let hint = closest(other, KNOWN.into_iter());
                    self.fault(
                        page,
                        span,
                        format!("there is no directive {other:?}"),
                        format!(
                            "{hint} Known: {}. A literal {{{{ is written \\{{{{.",
                            KNOWN.join(", ")
                        ),
                    );
                }
            }
        }
    }

    fn links(&mut self, lang: Lang, page: &Page) {
        for (event, range) in Parser::new_ext(&page.markdown, markdown_options()).into_offset_iter()
        {
            let Event::Start(
                Tag::Link {
                    link_type,
                    dest_url,
                    ..
                }
                | Tag::Image {
                    link_type,
                    dest_url,
                    ..
                },
            ) = event
            else {
                continue;
            };
            if matches!(link_type, LinkType::Email)
                || dest_url.contains("://")
                || dest_url.starts_with("mailto:")
            {
                continue;
            }
            let (file, fragment) = dest_url
                .split_once('#')
                .map_or((dest_url.as_ref(), None), |(file, fragment)| {
                    (file, Some(fragment))
                });
            let book = &self.course.books[lang as usize];
            let target = if file.is_empty() {
                Some(page)
            } else {
                file.strip_suffix(".md").and_then(|stem| book.page(stem))
            };
            let Some(target) = target else {
                let hint = closest(
                    file.trim_end_matches(".md"),
                    book.pages().map(|page| page.stem.as_str()),
                );
                self.fault(
                    page,
                    range,
                    format!("the link leads to {file:?}, which is no page of this language"),
                    format!("Link to STEM.md of a page in SUMMARY.md. {hint}"),
                );
                continue;
            };
            let Some(fragment) = fragment else { continue };
            let ids: Vec<String> = headings(&target.markdown)
                .into_iter()
                .map(|heading| heading.id)
                .collect();
            if !ids.iter().any(|id| id == fragment) {
                let hint = closest(fragment, ids.iter().map(String::as_str));
                self.fault(
                    page,
                    range,
                    format!("{} has no heading with the id {fragment:?}", target.stem),
                    hint,
                );
            }
        }
    }

    /// What can be wrong with the words themselves.
    fn prose(&mut self, lang: Lang, page: &Page) {
        let mut in_code = false;
        let mut found: Vec<(Range<usize>, String, String)> = Vec::new();
        for (event, range) in Parser::new_ext(&page.markdown, markdown_options()).into_offset_iter()
        {
            match event {
                Event::Start(Tag::CodeBlock(_)) => in_code = true,
                Event::End(TagEnd::CodeBlock) => in_code = false,
                Event::Text(text) if !in_code => {
                    if let Some(at) = text.find("**") {
                        found.push((range.start + at..range.start + at + 2, "this emphasis is not closed as Markdown sees it".to_owned(),
                            "Between a full-width mark and a letter ** does not count: put the mark outside, **词**。".to_owned()));
                    }
                    if lang == Lang::Zh
                        && let Some(at) = half_width(&text)
                    {
                        found.push((
                            range.start + at..range.start + at + 1,
                            "half-width punctuation between Chinese characters".to_owned(),
                            "Use ，。：；？！（） in Chinese.".to_owned(),
                        ));
                    }
                    for (word, right) in self.avoided(lang) {
                        for (at, _) in text.match_indices(word) {
                            found.push((
                                range.start + at..range.start + at + word.len(),
                                format!("the glossary does not say {word:?}"),
                                format!("Write {right:?}."),
                            ));
                        }
                    }
                }
                _ => {}
            }
        }
        for (span, message, hint) in found {
            self.fault(page, span, message, hint);
        }
    }

    fn avoided(&self, lang: Lang) -> impl Iterator<Item = (&str, &str)> {
        self.course.glossary.iter().flat_map(move |term| {
            lang.pick(&term.en_avoid, &term.zh_avoid)
                .iter()
                .map(move |word| (word.as_str(), lang.pick(term.en.as_str(), term.zh.as_str())))
        })
    }

    /// Each page and each heading has its twin in the other language.
    fn twins(&mut self) {
        let [english, chinese] = &self.course.books;
        for (book, other) in [(english, chinese), (chinese, english)] {
            for page in book.pages() {
                if other.page(&page.stem).is_none() {
                    let path =
                        PathBuf::from(format!("book/{}/{}.md", other.lang.folder(), page.stem));
                    self.fault(
                        page,
                        0..0,
                        format!("this page has no twin in {}", other.lang.folder()),
                        format!("Write {} and put it into SUMMARY.md.", path.display()),
                    );
                }
            }
        }
        let order = |book: &crate::model::Book| {
            book.pages()
                .map(|page| page.stem.clone())
                .collect::<Vec<_>>()
        };
        if order(english) != order(chinese) && english.pages().count() == chinese.pages().count() {
            self.faults.push(Fault::of_file(
                Path::new("book/zh/SUMMARY.md"),
                "the pages do not stand in the same order as in book/en/SUMMARY.md",
                "Give both the same order.",
            ));
        }
        for page in english.pages() {
            if let Some(twin) = chinese.page(&page.stem) {
                self.twin(page, twin);
            }
        }
    }

    fn twin(&mut self, english: &Page, chinese: &Page) {
        let (ours, theirs) = (headings(&english.markdown), headings(&chinese.markdown));
        for (heading, twin) in ours.iter().zip(&theirs) {
            if heading.level != twin.level {
                self.fault(
                    chinese,
                    twin.span.clone(),
                    format!(
                        "this heading has level {}, its twin {:?} has {}",
                        twin.level, heading.text, heading.level
                    ),
                    "Twins have the same headings in the same order.",
                );
                return;
            }
            if heading.id != twin.id {
                self.fault(
                    chinese,
                    twin.span.clone(),
                    format!(
                        "the id of this heading is {:?}, that of its twin {:?} is {:?}",
                        twin.id, heading.text, heading.id
                    ),
                    format!("Write {{#{}}} behind the heading.", heading.id),
                );
            }
        }
        if ours.len() != theirs.len() {
            let (page, lonely) = if ours.len() > theirs.len() {
                (english, &ours[theirs.len()])
            } else {
                (chinese, &theirs[ours.len()])
            };
            self.fault(
                page,
                lonely.span.clone(),
                format!(
                    "the heading {:?} has no twin in the other language",
                    lonely.text
                ),
                "Write the section in both languages.",
            );
        }
        match (&english.front, &chinese.front) {
            (Some(front), Some(twin)) => {
                let ids = |front: &crate::model::Front| {
                    front
                        .goals
                        .iter()
                        .map(|goal| goal.id.clone())
                        .collect::<Vec<_>>()
                };
                if ids(front) != ids(twin) {
                    self.fault(
                        chinese,
                        0..0,
                        format!(
                            "the goals are {:?}, those of the twin {:?}",
                            ids(twin),
                            ids(front)
                        ),
                        "Give both the same ids in the same order.",
                    );
                }
                if (front.minutes, front.core) != (twin.minutes, twin.core) {
                    self.fault(
                        chinese,
                        0..0,
                        "minutes or core differ from the twin's",
                        "Give both the same.",
                    );
                }
            }
            (None, None) => {}
            _ => self.fault(
                chinese,
                0..0,
                "only one of the twins has front matter",
                "Give both the same goals and minutes.",
            ),
        }
        let used = |page: &Page| {
            let mut used: BTreeMap<(String, String), usize> = BTreeMap::new();
            for directive in directives(&page.markdown) {
                *used
                    .entry((directive.name, directive.argument))
                    .or_default() += 1;
            }
            used
        };
        let (here, there) = (used(english), used(chinese));
        for (directive, _) in here
            .iter()
            .filter(|(key, count)| there.get(*key) != Some(*count))
            .chain(there.iter().filter(|(key, _)| !here.contains_key(*key)))
        {
            self.fault(
                chinese,
                0..0,
                format!(
                    "{{{{#{} {}}}}} does not stand as often here as in the twin",
                    directive.0, directive.1
                ),
                "Show the same in both languages.",
            );
        }
    }

    fn questions(&mut self) {
        let mut seen: BTreeSet<&str> = BTreeSet::new();
        let stems: BTreeSet<&str> = self.course.books[0]
            .pages()
            .map(|page| page.stem.as_str())
            .collect();
        let mut found = Vec::new();
        for question in &self.course.questions {
            let id = question.id.as_str();
            if !seen.insert(id) {
                found.push((
                    id,
                    "this id is used twice".to_owned(),
                    "Give each question an id of its own; progress hangs on it.".to_owned(),
                ));
            }
            if !id
                .bytes()
                .all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-')
            {
                found.push((
                    id,
                    "an id is lower-case words joined by hyphens".to_owned(),
                    "Rename it.".to_owned(),
                ));
            }
            if !stems.contains(question.chapter.as_str()) {
                found.push((
                    id,
                    format!("its chapter {:?} does not exist", question.chapter),
                    closest(&question.chapter, stems.iter().copied()),
                ));
            }
            for revision in &question.revisions {
                if !REVISIONS.contains(&revision.as_str()) {
                    found.push((
                        id,
                        format!("there is no revision {revision:?}"),
                        format!("Known: {}.", REVISIONS.join(", ")),
                    ));
                }
            }
            for link in &question.spec {
                if !REVISIONS.iter().any(|revision| {
                    link.strip_prefix(revision)
                        .is_some_and(|rest| rest.starts_with('/'))
                }) {
                    found.push((
                        id,
                        format!("{link:?} is no page of the specification"),
                        "Write REVISION/page#fragment.".to_owned(),
                    ));
                }
            }
            for fault in question.faults() {
                found.push((
                    id,
                    fault.to_string(),
                    "Both languages stand in one entry.".to_owned(),
                ));
            }
        }
        for scenario in &self.course.scenarios {
            if self
                .course
                .scenarios
                .iter()
                .filter(|other| other.id == scenario.id)
                .count()
                > 1
            {
                found.push((
                    scenario.id.as_str(),
                    "this id is used twice".to_owned(),
                    "Give each scenario an id of its own.".to_owned(),
                ));
            }
        }
        let faults: Vec<Fault> = found
            .into_iter()
            .map(|(id, message, hint)| self.fault_of_entry(id, &message, &hint))
            .collect();
        self.faults.extend(faults);
        self.bank_words();
    }

    /// A fault of an entry of a TOML file, placed at its (last) `id = "…"`.
    fn fault_of_entry(&self, id: &str, message: &str, hint: &str) -> Fault {
        let needle = format!("id = \"{id}\"");
        let place = self
            .course
            .sources
            .iter()
            .filter(|(path, _)| {
                path.extension()
                    .is_some_and(|extension| extension == "toml")
            })
            .find_map(|(path, text)| text.rfind(&needle).map(|at| (path, text, at)));
        match place {
            Some((path, text, at)) => Fault::at(
                path,
                text,
                at..at + needle.len(),
                format!("{id}: {message}"),
                hint,
            ),
            None => Fault::of_file(Path::new("book"), format!("{id}: {message}"), hint),
        }
    }

    /// Glossary and punctuation in the bank and the scenarios, line by line.
    fn bank_words(&mut self) {
        let mut found = Vec::new();
        for (path, text) in &self.course.sources {
            let bank = path.starts_with("book/questions")
                || path.ends_with("scenarios.toml")
                || path.starts_with("book/exchanges");
            if !bank {
                continue;
            }
            let code = code_ranges(text);
            for term in &self.course.glossary {
                for word in &term.zh_avoid {
                    for (at, _) in text
                        .match_indices(word.as_str())
                        .filter(|(at, _)| !code.iter().any(|range| range.contains(at)))
                    {
                        found.push(Fault::at(
                            path,
                            text,
                            at..at + word.len(),
                            format!("the glossary does not say {word:?}"),
                            format!("Write {:?}.", term.zh),
                        ));
                    }
                }
            }
            if let Some(at) = half_width(text) {
                found.push(Fault::at(
                    path,
                    text,
                    at..at + 1,
                    "half-width punctuation between Chinese characters",
                    "Use ，。：；？！（） in Chinese.",
                ));
            }
        }
        self.faults.extend(found);
    }

    fn unshown(&mut self) {
        for name in self.course.exchanges.keys() {
            if !self.shown.contains(name) {
                let path = PathBuf::from(format!("book/exchanges/{name}.toml"));
                self.faults.push(
                    Fault::of_file(
                        &path,
                        "no page shows this exchange",
                        format!("Put {{{{#exchange {name}}}}} into a chapter, or delete the file."),
                    )
                    .warning(),
                );
            }
        }
    }
}

/// The revisions that the course speaks of.
pub const REVISIONS: [&str; 5] = [
    "2024-11-05",
    "2025-03-26",
    "2025-06-18",
    "2025-11-25",
    "2026-07-28",
];

fn is_han(character: char) -> bool {
    ('\u{4e00}'..='\u{9fff}').contains(&character)
}

/// The byte of the first `,` `;` `:` `?` `!` between two Chinese characters.
fn half_width(text: &str) -> Option<usize> {
    let characters: Vec<(usize, char)> = text.char_indices().collect();
    characters
        .windows(3)
        .find(|three| {
            is_han(three[0].1)
                && matches!(three[1].1, ',' | ';' | ':' | '?' | '!')
                && is_han(three[2].1)
        })
        .map(|three| three[1].0)
}

/// "Did you mean …?", where something known is near.
fn closest<'a>(word: &str, known: impl Iterator<Item = &'a str>) -> String {
    let near = known.map(|other| (distance(word, other), other)).min();
    match near {
        Some((distance, other)) if distance <= word.len().max(3) / 2 => {
            format!("Did you mean {other:?}?")
        }
        _ => String::new(),
    }
}

/// How many letters have to change (Levenshtein).
fn distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.chars().enumerate() {
        let mut corner = row[0];
        row[0] = i + 1;
        for (j, y) in b.iter().enumerate() {
            let next = (corner + usize::from(x != *y))
                .min(row[j] + 1)
                .min(row[j + 1] + 1);
            corner = row[j + 1];
            row[j + 1] = next;
        }
    }
    row[b.len()]
}
