//! Can every exchange be recorded, as far as its file tells, and does some page show it?

use std::path::{Path, PathBuf};

use lab_protocol::{Era, Revision};

use crate::check::Checker;
use crate::fault::Fault;
use crate::model::{EraName, ExchangeSpec, Step};

impl Checker<'_> {
    pub(super) fn exchanges(&mut self) {
        let course = self.course;
        for (name, spec) in &course.exchanges {
            let path = PathBuf::from(format!("book/exchanges/{name}.toml"));
            self.spec(&path, spec);
            if !self.shown.contains(name) {
                self.faults.push(
                    Fault::at(
                        &path,
                        self.source(&path),
                        0..0,
                        "no page shows this exchange",
                        format!("Put {{{{#exchange {name}}}}} into a chapter, or delete the file."),
                    )
                    .warning(),
                );
            }
        }
    }

    fn spec(&mut self, path: &Path, spec: &ExchangeSpec) {
        let source = self.source(path);
        let place = |words: &str, at: Option<usize>| at.map_or(0..0, |at| at..at + words.len());
        let first = |words: &str| place(words, source.find(words));
        let last = |words: &str| place(words, source.rfind(words));
        if let Err(error) = lab_server::sets::dispatcher(&spec.set) {
            self.fault_in_file(
                path,
                first("set"),
                error.to_string(),
                "Name a set of labs/server.",
            );
        }
        if let Some(name) = &spec.revision {
            let era = match spec.era {
                EraName::Session => Era::Session,
                EraName::Stateless => Era::Stateless,
            };
            let spoken = Revision::parse(name).is_some_and(|revision| revision.era() == era);
            if !spoken {
                self.fault_in_file(
                    path,
                    first("revision"),
                    format!("the revision {name:?} is not spoken in this era"),
                    "Leave it out for the newest of the era.",
                );
            }
        }
        if spec.steps.is_empty() {
            self.fault_in_file(
                path,
                0..0,
                "nothing happens in this exchange",
                "Add a [[step]].",
            );
        }
        if spec
            .steps
            .iter()
            .skip(1)
            .any(|step| matches!(step, Step::Connect { .. }))
        {
            self.fault_in_file(
                path,
                last("connect"),
                "`connect` can only be the first step",
                "Begin another exchange for another connection.",
            );
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::fixture::Fixture;

    const FILE: &str = "book/exchanges/list.toml";

    #[test]
    fn an_exchange_that_no_page_shows_is_a_warning() {
        let fixture = Fixture::new();
        let spec = fixture.read(FILE);
        fixture.write("book/exchanges/unseen.toml", &spec);
        fixture.expect("book/exchanges/unseen.toml:1:1", "no page shows");
    }

    #[test]
    fn a_server_set_that_there_is_not_is_a_fault() {
        let fixture = Fixture::new();
        fixture.replace(FILE, "\"shop\"", "\"shoe\"");
        fixture.expect("book/exchanges/list.toml:1:1", "shoe");
    }

    #[test]
    fn a_revision_of_the_other_era_is_a_fault() {
        let fixture = Fixture::new();
        fixture.replace(FILE, "[caption]", "revision = \"2025-11-25\"\n[caption]");
        fixture.expect("book/exchanges/list.toml:5:1", "not spoken in this era");
    }

    #[test]
    fn a_second_connection_is_a_fault() {
        let fixture = Fixture::new();
        let spec = fixture.read(FILE);
        fixture.write(FILE, &format!("{spec}\n[[step]]\nconnect = true\n"));
        fixture.expect("book/exchanges/list.toml:13:1", "first step");
    }
}
