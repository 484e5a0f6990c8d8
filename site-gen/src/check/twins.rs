//! Has every page, heading, goal and directive its twin in the other language?

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use crate::check::Checker;
use crate::directive::{Directive, directives};
use crate::model::{Book, Front, Page};
use crate::outline::headings;

impl Checker<'_> {
    pub(super) fn twins(&mut self) {
        let [english, chinese] = &self.course.books;
        for (book, other) in [(english, chinese), (chinese, english)] {
            for page in book.pages() {
                self.goal_ids(page);
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
        self.order(english, chinese);
        for page in english.pages() {
            if let Some(twin) = chinese.page(&page.stem) {
                self.headings(page, twin);
                self.fronts(page, twin);
                self.shown_in_both(page, twin);
            }
        }
    }

    /// The pages that both have stand in the same order.
    fn order(&mut self, english: &Book, chinese: &Book) {
        let both = |book: &Book, other: &Book| -> Vec<String> {
            book.pages()
                .map(|page| page.stem.clone())
                .filter(|stem| other.page(stem).is_some())
                .collect()
        };
        let (here, there) = (both(english, chinese), both(chinese, english));
        if let Some((wanted, found)) = here.iter().zip(&there).find(|(a, b)| a != b) {
            let path = Path::new("book/zh/SUMMARY.md");
            let name = format!("{found}.md");
            let at = self.source(path).find(&name).unwrap_or(0);
            self.fault_in_file(
                path,
                at..at + name.len(),
                format!("here stands {found}, in book/en/SUMMARY.md {wanted}"),
                "Give both the same order.",
            );
        }
    }

    fn headings(&mut self, english: &Page, chinese: &Page) {
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
                // From here on each would be held against the wrong one.
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
    }

    fn goal_ids(&mut self, page: &Page) {
        let mut seen = BTreeSet::new();
        for goal in page.front.iter().flat_map(|front| &front.goals) {
            if !seen.insert(goal.id.as_str()) {
                self.fault_in_front(
                    page,
                    &goal.id,
                    format!("the goal {:?} stands here twice", goal.id),
                    "Give each goal an id of its own; a reader's ticks hang on it.",
                );
            }
        }
    }

    fn fronts(&mut self, english: &Page, chinese: &Page) {
        let (front, twin) = match (&english.front, &chinese.front) {
            (Some(front), Some(twin)) => (front, twin),
            (None, None) => return,
            _ => {
                self.fault_in_front(
                    chinese,
                    "",
                    "only one of the twins has front matter",
                    "Give both the same goals and minutes.",
                );
                return;
            }
        };
        let ids = |front: &Front| -> Vec<String> {
            front.goals.iter().map(|goal| goal.id.clone()).collect()
        };
        if ids(front) != ids(twin) {
            self.fault_in_front(
                chinese,
                "[[goals]]",
                format!(
                    "the goals are {:?}, those of the twin {:?}",
                    ids(twin),
                    ids(front)
                ),
                "Give both the same ids in the same order.",
            );
        }
        if front.minutes != twin.minutes {
            self.fault_in_front(
                chinese,
                "minutes",
                format!(
                    "minutes are {}, those of the twin {}",
                    twin.minutes, front.minutes
                ),
                "Give both the same.",
            );
        }
        if front.core != twin.core {
            self.fault_in_front(
                chinese,
                "core",
                format!("core is {}, that of the twin {}", twin.core, front.core),
                "Give both the same.",
            );
        }
        if front.next.is_some() != twin.next.is_some() {
            self.fault_in_front(
                chinese,
                "next",
                "only one of the twins says why the next page is worth reading",
                "Write `next` in both.",
            );
        }
    }

    /// Both show the same exchanges, listings and questions as often.
    fn shown_in_both(&mut self, english: &Page, chinese: &Page) {
        let (ours, theirs) = (directives(&english.markdown), directives(&chinese.markdown));
        for (page, here, there) in [(english, &ours, &theirs), (chinese, &theirs, &ours)] {
            let mut left: BTreeMap<(&str, &str), usize> = BTreeMap::new();
            for directive in there {
                *left.entry(key(directive)).or_default() += 1;
            }
            for directive in here {
                match left.get_mut(&key(directive)) {
                    Some(count) if *count > 0 => *count -= 1,
                    _ => self.fault(
                        page,
                        directive.span.clone(),
                        "the twin of this page does not show this",
                        "Show the same in both languages.",
                    ),
                }
            }
        }
    }
}

fn key(directive: &Directive) -> (&str, &str) {
    (&directive.name, &directive.argument)
}

#[cfg(test)]
mod tests {
    use crate::fixture::Fixture;

    #[test]
    fn a_page_without_its_twin_is_a_fault() {
        let fixture = Fixture::new();
        let summary = fixture.read("book/en/SUMMARY.md");
        fixture.write(
            "book/en/SUMMARY.md",
            &format!("{summary}- [More](more.md)\n"),
        );
        fixture.write("book/en/more.md", "# More\n");
        fixture.expect("book/en/more.md:1:1", "no twin in zh");
    }

    #[test]
    fn another_order_of_pages_is_a_fault_in_the_summary() {
        let fixture = Fixture::new();
        fixture.write(
            "book/zh/SUMMARY.md",
            "# S\n\n- [报文](03-wire.md)\n- [开始](index.md)\n",
        );
        fixture.expect("book/zh/SUMMARY.md:3:8", "here stands 03-wire");
    }

    #[test]
    fn a_heading_without_the_id_of_its_twin_is_a_fault() {
        let fixture = Fixture::new();
        fixture.replace("book/zh/03-wire.md", " {#kinds}", "");
        fixture.expect(
            "book/zh/03-wire.md:14:1",
            "Write {#kinds} behind the heading.",
        );
    }

    #[test]
    fn a_heading_of_another_level_is_a_fault_and_hides_nothing_else() {
        let fixture = Fixture::new();
        fixture.replace("book/zh/03-wire.md", "## 种类", "### 种类");
        fixture.replace("book/zh/03-wire.md", "minutes = 5", "minutes = 6");
        fixture.expect("book/zh/03-wire.md:14:1", "this heading has level 3");
        fixture.expect("book/zh/03-wire.md:2:1", "minutes are 6");
    }

    #[test]
    fn a_heading_that_only_one_language_has_is_a_fault() {
        let fixture = Fixture::new();
        fixture.replace("book/en/index.md", "# Start", "# Start\n\n## More");
        fixture.expect("book/en/index.md:3:1", "has no twin");
    }

    #[test]
    fn goals_minutes_and_core_must_agree() {
        let fixture = Fixture::new();
        fixture.replace("book/zh/03-wire.md", "'tell'", "'say'");
        fixture.replace("book/zh/03-wire.md", "core = true", "core = false");
        fixture.expect("book/zh/03-wire.md:5:1", "the goals are [\"say\"]");
        fixture.expect("book/zh/03-wire.md:3:1", "core is false");
    }

    #[test]
    fn a_goal_id_used_twice_is_a_fault() {
        let fixture = Fixture::new();
        let goal = "[[goals]]\nid = 'tell'\n";
        for lang in ["en", "zh"] {
            fixture.replace(
                &format!("book/{lang}/03-wire.md"),
                goal,
                &format!("{goal}text = 'x'\n\n{goal}"),
            );
        }
        fixture.expect("book/en/03-wire.md:6:7", "stands here twice");
    }

    #[test]
    fn front_matter_in_one_language_alone_is_a_fault() {
        let fixture = Fixture::new();
        fixture.replace(
            "book/en/index.md",
            "# Start",
            "+++\nminutes = 1\n+++\n# Start",
        );
        fixture.expect("book/zh/index.md:1:1", "only one of the twins");
    }

    #[test]
    fn what_only_one_language_shows_is_a_fault_where_it_is_shown() {
        let fixture = Fixture::new();
        fixture.replace(
            "book/en/index.md",
            "# Start",
            "# Start\n\n{{#exchange list}}",
        );
        fixture.expect(
            "book/en/index.md:3:1",
            "twin of this page does not show this",
        );
        assert_eq!(fixture.faults().len(), 1);
    }
}
