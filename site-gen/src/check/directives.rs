//! Does every directive name something that there is?

use std::ops::Range;

use crate::check::nearest::nearest;
use crate::check::{Checker, LAB_FALLBACK, LABS, QUIZZES};
use crate::directive::{Directive, KNOWN, directives, strays};
use crate::listing;
use crate::model::Page;
use crate::select::select;

impl Checker<'_> {
    pub(super) fn directives(&mut self, page: &Page) {
        for directive in directives(&page.markdown) {
            if let Some((message, hint)) = self.of_directive(page, &directive) {
                self.fault(page, directive.span, message, hint);
            }
        }
        for span in strays(&page.markdown) {
            self.stray(page, span);
        }
    }

    /// What is wrong with a directive, and what to do.
    fn of_directive(&mut self, page: &Page, directive: &Directive) -> Option<(String, String)> {
        let course = self.course;
        let argument = directive.argument.as_str();
        match directive.name.as_str() {
            "listing" => {
                let error = listing::cut(&course.root, argument).err()?;
                Some((
                    error.to_string(),
                    "Write labs/…/FILE.rs:ANCHOR, with // ANCHOR: and // ANCHOR_END: in the file."
                        .to_owned(),
                ))
            }
            "exchange" => {
                self.shown.insert(argument.to_owned());
                if course.exchanges.contains_key(argument) {
                    return None;
                }
                let hint = nearest(argument, course.exchanges.keys().map(String::as_str));
                Some((
                    format!("there is no exchange {argument:?}"),
                    format!("Add book/exchanges/{argument}.toml. {hint}"),
                ))
            }
            "lab" => {
                self.shown.insert(LAB_FALLBACK.to_owned());
                if !LABS.contains(&argument) {
                    return Some((
                        format!("there is no lab {argument:?}"),
                        format!("Known: {}.", LABS.join(", ")),
                    ));
                }
                (!course.exchanges.contains_key(LAB_FALLBACK)).then(|| {
                    (
                        "the lab has no exchange to stand in its place without JavaScript"
                            .to_owned(),
                        format!("Add book/exchanges/{LAB_FALLBACK}.toml."),
                    )
                })
            }
            "quiz" => (!QUIZZES.contains(&argument)).then(|| {
                (
                    format!("there is no quiz {argument:?}"),
                    format!("Known: {}.", QUIZZES.join(", ")),
                )
            }),
            "questions" => {
                let error = select(&course.questions, argument).err()?;
                Some((
                    error.to_string(),
                    "A filter is key=value, several with blanks between: chapter=03-wire use=retrieval."
                        .to_owned(),
                ))
            }
            "goals" => {
                let none = page
                    .front
                    .as_ref()
                    .is_none_or(|front| front.goals.is_empty());
                none.then(|| {
                    (
                        "this page has no goals".to_owned(),
                        "Add [[goals]] to its front matter, between lines of +++.".to_owned(),
                    )
                })
            }
            "chapters" => None,
            other => {
                let hint = nearest(other, KNOWN.into_iter());
                Some((
                    format!("there is no directive {other:?}"),
                    format!(
                        "{hint} Known: {}. A literal {{{{ is written \\{{{{.",
                        KNOWN.join(", ")
                    ),
                ))
            }
        }
    }

    fn stray(&mut self, page: &Page, span: Range<usize>) {
        self.fault(
            page,
            span,
            "these braces are no directive",
            "A directive is {{#name argument}} on one line. A literal {{ is written \\{{.",
        );
    }
}

#[cfg(test)]
mod tests {
    use crate::fixture::Fixture;

    fn with(directive: &str) -> Fixture {
        let fixture = Fixture::new();
        fixture.append_to_both("index", &format!("See {directive}\n"));
        fixture
    }

    #[test]
    fn an_unknown_directive_is_a_fault_with_the_nearest_name() {
        let fixture = with("{{#exchnge list}}");
        fixture.expect("book/en/index.md:3:5", "there is no directive \"exchnge\"");
        fixture.expect("book/zh/index.md:3:5", "Did you mean \"exchange\"?");
    }

    #[test]
    fn mdbooks_own_directives_are_not_let_through() {
        with("{{#include ../../Cargo.toml}}").expect("book/en/index.md:3:5", "include");
    }

    #[test]
    fn an_unknown_exchange_is_a_fault_with_the_nearest_name() {
        with("{{#exchange lists}}").expect("book/en/index.md:3:5", "Did you mean \"list\"?");
    }

    #[test]
    fn an_unknown_anchor_is_a_fault_that_names_those_there_are() {
        with("{{#listing labs/a.rs:g}}").expect(
            "book/en/index.md:3:5",
            "labs/a.rs has no anchor g; it has: f",
        );
    }

    #[test]
    fn a_listing_outside_the_code_is_a_fault() {
        for path in ["../a.rs", "/etc/passwd", "labs/../book/course.toml"] {
            with(&format!("{{{{#listing {path}}}}}"))
                .expect("book/en/index.md:3:5", "is not below labs/ or quiz/");
        }
    }

    #[test]
    fn an_unknown_filter_key_and_an_empty_choice_are_faults() {
        with("{{#questions colour=red}}").expect("book/en/index.md:3:5", "no key \"colour\"");
        with("{{#questions topic=none}}").expect("book/en/index.md:3:5", "no question fits");
    }

    #[test]
    fn an_unknown_lab_or_quiz_is_a_fault() {
        with("{{#lab shoe}}").expect("book/en/index.md:3:5", "no lab \"shoe\"");
        with("{{#lab shop}}").expect("book/en/index.md:3:5", "stand in its place");
        with("{{#quiz x}}").expect("book/en/index.md:3:5", "no quiz \"x\"");
    }

    #[test]
    fn goals_on_a_page_without_goals_are_a_fault() {
        with("{{#goals}}").expect("book/en/index.md:3:5", "no goals");
    }

    #[test]
    fn braces_that_do_not_close_or_have_no_name_are_faults() {
        with("{{#goals").expect("book/en/index.md:3:5", "no directive");
        with("{{#goals}\nand}}").expect("book/en/index.md:3:5", "no directive");
        with("{{ x }}").expect("book/en/index.md:3:5", "no directive");
    }

    #[test]
    fn escaped_braces_and_braces_in_code_are_none() {
        let fixture = with("\\{{#goals}}, \\{{ x }} and `{{ y }}`");
        assert_eq!(fixture.faults(), [""; 0]);
    }
}
