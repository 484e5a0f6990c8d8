//! Are questions and scenarios complete, and is each reached under one id?

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::path::Path;

use crate::check::Checker;
use crate::check::links::inner_links;
use crate::check::nearest::nearest;
use crate::tables;

/// The revisions that the course speaks of.
pub const REVISIONS: [&str; 5] = [
    "2024-11-05",
    "2025-03-26",
    "2025-06-18",
    "2025-11-25",
    "2026-07-28",
];

/// An entry of a file, found by its line `id = "…"`.
struct Place<'a> {
    path: &'a Path,
    id: Range<usize>,
    entry: Range<usize>,
}

impl<'a> Checker<'a> {
    pub(super) fn bank(&mut self) {
        self.questions();
        self.scenarios();
        self.links_of_the_bank();
    }

    fn questions(&mut self) {
        let course = self.course;
        let mut places = self.places("book/questions");
        let stems: BTreeSet<&str> = course.books[0]
            .pages()
            .map(|page| page.stem.as_str())
            .collect();
        let mut seen: BTreeSet<&str> = BTreeSet::new();
        for question in &course.questions {
            let id = question.id.as_str();
            // Entries with the same id are met in the order of their places.
            let place = places.get_mut(id).and_then(|places| match places.len() {
                0 => None,
                _ => Some(places.remove(0)),
            });
            let mut fault = |words: &str, message: String, hint: String| {
                self.fault_of_entry(place.as_ref(), words, format!("{id}: {message}"), hint);
            };
            if !seen.insert(id) {
                fault(
                    "",
                    "this id is used twice".to_owned(),
                    "Give each question an id of its own; progress hangs on it.".to_owned(),
                );
            }
            if !is_name(id) {
                fault(
                    "",
                    "an id is lower-case words joined by hyphens".to_owned(),
                    "Rename it.".to_owned(),
                );
            }
            if !stems.contains(question.chapter.as_str()) {
                fault(
                    &question.chapter,
                    format!("its chapter {:?} does not exist", question.chapter),
                    format!(
                        "Name the stem of a chapter. {}",
                        nearest(&question.chapter, stems.iter().copied())
                    ),
                );
            }
            for revision in &question.revisions {
                if !REVISIONS.contains(&revision.as_str()) {
                    fault(
                        revision,
                        format!("there is no revision {revision:?}"),
                        format!("Known: {}.", REVISIONS.join(", ")),
                    );
                }
            }
            for link in &question.spec {
                if !is_specification(link) {
                    fault(
                        link,
                        format!("{link:?} is no page of the specification"),
                        "Write REVISION/page#fragment, as in 2026-07-28/basic/index#requests."
                            .to_owned(),
                    );
                }
            }
            for wrong in question.faults() {
                fault(
                    "",
                    wrong.to_string(),
                    "Both languages stand in one entry, with as many points and follow-ups; a choice has right and wrong options."
                        .to_owned(),
                );
            }
        }
    }

    fn scenarios(&mut self) {
        let mut places = self.places("book/scenarios.toml");
        let mut seen = BTreeSet::new();
        for scenario in &self.course.scenarios {
            let place = places
                .get_mut(&scenario.id)
                .filter(|places| !places.is_empty())
                .map(|places| places.remove(0));
            if !seen.insert(scenario.id.as_str()) {
                self.fault_of_entry(
                    place.as_ref(),
                    "",
                    format!("{}: this id is used twice", scenario.id),
                    "Give each scenario an id of its own.",
                );
            }
        }
    }

    /// An entry is shown on several pages; a link between pages would lead elsewhere from each.
    fn links_of_the_bank(&mut self) {
        let course = self.course;
        for path in course.sources.keys() {
            if !(path.starts_with("book/questions") || path.ends_with("scenarios.toml")) {
                continue;
            }
            for words in tables::words(self.source(path)) {
                for (target, span) in inner_links(&words.text) {
                    let span = if words.span.len() == words.text.len() {
                        words.span.start + span.start..words.span.start + span.end
                    } else {
                        words.span.clone()
                    };
                    self.fault_in_file(
                        path,
                        span,
                        format!("a link to {target:?} does not work in the bank"),
                        "Name the chapter in words; its link is made from `chapter`.",
                    );
                }
            }
        }
    }

    /// A fault at some words of an entry, at its id where they do not stand there as such.
    fn fault_of_entry(
        &mut self,
        place: Option<&Place<'_>>,
        words: &str,
        message: String,
        hint: impl Into<String>,
    ) {
        let Some(place) = place else {
            self.fault_in_file(Path::new("book"), 0..0, message, hint);
            return;
        };
        let entry = &self.source(place.path)[place.entry.clone()];
        let quoted = format!("\"{words}\"");
        let span = match entry.find(&quoted) {
            Some(at) if !words.is_empty() => {
                let start = place.entry.start + at + 1;
                start..start + words.len()
            }
            _ => place.id.clone(),
        };
        self.fault_in_file(place.path, span, message, hint);
    }

    /// The entries of a file or folder by id, each in the order of files and lines.
    fn places(&self, under: &str) -> BTreeMap<String, Vec<Place<'a>>> {
        let mut found: BTreeMap<String, Vec<Place<'a>>> = BTreeMap::new();
        for (path, text) in &self.course.sources {
            if !path.starts_with(under) {
                continue;
            }
            let mut starts: Vec<usize> = Vec::new();
            let mut ids: Vec<(String, Range<usize>)> = Vec::new();
            let mut at = 0;
            for line in text.split_inclusive('\n') {
                let value = line
                    .strip_prefix("id")
                    .and_then(|rest| rest.trim_start().strip_prefix('='));
                if let Some(value) = value {
                    let id = value.trim().trim_matches(['"', '\'']);
                    ids.push((id.to_owned(), at..at + line.trim_end().len()));
                }
                if line.starts_with("[[question]]") || line.starts_with("[[scenario]]") {
                    starts.push(at);
                }
                at += line.len();
            }
            for (id, span) in ids {
                let start = starts.iter().rev().find(|start| **start <= span.start);
                let end = starts.iter().find(|start| **start > span.start);
                found.entry(id).or_default().push(Place {
                    path,
                    entry: start.copied().unwrap_or(0)..end.copied().unwrap_or(text.len()),
                    id: span,
                });
            }
        }
        found
    }
}

fn is_name(id: &str) -> bool {
    !id.is_empty()
        && id
            .bytes()
            .all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-')
}

/// `REVISION/page`, with or without `#fragment`.
fn is_specification(link: &str) -> bool {
    let Some((revision, rest)) = link.split_once('/') else {
        return false;
    };
    let (page, fragment) = rest.split_once('#').unwrap_or((rest, "x"));
    let plain = |part: &str| {
        !part.is_empty()
            && part
                .bytes()
                .all(|byte| byte.is_ascii_alphanumeric() || b"-_/.".contains(&byte))
    };
    REVISIONS.contains(&revision)
        && plain(page)
        && plain(fragment)
        && page.split('/').all(|part| !part.is_empty() && part != "..")
}

#[cfg(test)]
mod tests {
    use super::is_specification;
    use crate::fixture::Fixture;

    const FILE: &str = "book/questions/wire.toml";

    #[test]
    fn a_duplicate_id_is_a_fault_at_the_second_entry() {
        let fixture = Fixture::new();
        let text = fixture.read(FILE);
        fixture.write("book/questions/zz.toml", &text);
        fixture.expect("book/questions/zz.toml:2:1", "used twice");
        assert_eq!(fixture.faults().len(), 1);
    }

    #[test]
    fn a_chapter_that_there_is_not_is_a_fault_at_its_name() {
        let fixture = Fixture::new();
        fixture.replace(FILE, "chapter = \"03-wire\"", "chapter = \"03-wires\"");
        fixture.expect("book/questions/wire.toml:9:12", "Did you mean \"03-wire\"?");
    }

    #[test]
    fn an_unknown_revision_and_a_wrong_link_are_faults_at_their_words() {
        let fixture = Fixture::new();
        fixture.replace(
            FILE,
            "revisions = [\"2026-07-28\"]",
            "revisions = [\"2026-07-29\"]",
        );
        fixture.replace(FILE, "2026-07-28/basic/index", "https://x.org/basic");
        fixture.expect("book/questions/wire.toml:8:15", "2026-07-29");
        fixture.expect(
            "book/questions/wire.toml:10:10",
            "no page of the specification",
        );
    }

    #[test]
    fn a_link_of_the_specification_has_one_form() {
        for right in ["2026-07-28/basic/index#requests", "2025-11-25/schema"] {
            assert!(is_specification(right), "{right}");
        }
        for wrong in [
            "2026-07-28",
            "2026-07-28/",
            "2026-07-28/a#",
            "2026-07-28/../a",
            "/a",
            "2020-01-01/a",
        ] {
            assert!(!is_specification(wrong), "{wrong}");
        }
    }

    #[test]
    fn different_numbers_of_points_and_an_empty_answer_are_faults() {
        let fixture = Fixture::new();
        fixture.replace(
            FILE,
            "points = [\"没有人\"]",
            "points = [\"没有人\", \"多\"]",
        );
        fixture.replace(FILE, "\"Nobody.\"", "\" \"");
        fixture.expect("book/questions/wire.toml:2:1", "points");
        assert_eq!(fixture.faults().len(), 2);
    }

    #[test]
    fn a_choice_without_a_right_option_is_a_fault() {
        let fixture = Fixture::new();
        fixture.replace(FILE, "\"explain\"", "\"choose\"");
        fixture.replace(FILE, "[question.en]", "[[question.options]]\nright = false\nen = { text = \"A.\", why = \"b\" }\nzh = { text = \"甲。\", why = \"乙\" }\n\n[question.en]");
        fixture.expect("book/questions/wire.toml:2:1", "right");
    }

    #[test]
    fn an_id_that_is_no_name_is_a_fault() {
        let fixture = Fixture::new();
        fixture.replace(FILE, "who-answers", "Who Answers");
        fixture.expect("book/questions/wire.toml:2:1", "lower-case");
    }

    #[test]
    fn a_link_between_pages_is_a_fault_in_the_bank() {
        let fixture = Fixture::new();
        fixture.replace(FILE, "\"Nobody.\"", "\"See [3](03-wire.md).\"");
        fixture.expect("book/questions/wire.toml:14:15", "03-wire.md");
    }

    #[test]
    fn a_scenario_id_used_twice_is_a_fault_at_the_second() {
        let fixture = Fixture::new();
        let text = fixture.read("book/scenarios.toml");
        fixture.write("book/scenarios.toml", &format!("{text}\n{text}"));
        fixture.expect("book/scenarios.toml:8:1", "used twice");
    }
}
