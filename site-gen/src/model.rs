//! What is a course, once its files are read? The types that the stages hand on; no behaviour.

use std::collections::BTreeMap;
use std::path::PathBuf;

use quiz::question::Question;
use quiz::scenario::Scenario;
use serde::{Deserialize, Serialize};

/// A language of the course.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Deserialize, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Lang {
    /// English.
    En,
    /// Chinese.
    Zh,
}

impl Lang {
    /// Both, in the order in which they are built.
    pub const ALL: [Lang; 2] = [Lang::En, Lang::Zh];

    /// The folder below `book/` and in the address: `en` or `zh`.
    pub fn folder(self) -> &'static str {
        match self {
            Lang::En => "en",
            Lang::Zh => "zh",
        }
    }

    /// The value of `<html lang>`: `en` or `zh-CN`.
    pub fn tag(self) -> &'static str {
        match self {
            Lang::En => "en",
            Lang::Zh => "zh-CN",
        }
    }

    /// The other one.
    #[must_use]
    pub fn twin(self) -> Lang {
        match self {
            Lang::En => Lang::Zh,
            Lang::Zh => Lang::En,
        }
    }

    /// Picks the text of this language.
    pub fn pick<T>(self, en: T, zh: T) -> T {
        match self {
            Lang::En => en,
            Lang::Zh => zh,
        }
    }
}

/// Everything that the files of `book/` say.
#[derive(Clone, Debug)]
pub struct Course {
    /// The folder that holds `book/`, `labs/`, `quiz/`.
    pub root: PathBuf,
    /// `book/course.toml`.
    pub config: CourseConfig,
    /// One book a language, in the order of [`Lang::ALL`].
    pub books: [Book; 2],
    /// The question bank, in the order of the files' names and then of their entries.
    pub questions: Vec<Question>,
    /// The decision quiz.
    pub scenarios: Vec<Scenario>,
    /// `book/glossary.toml`.
    pub glossary: Vec<Term>,
    /// `book/exchanges/*.toml` by name.
    pub exchanges: BTreeMap<String, ExchangeSpec>,
    /// The text of every file that was read, by its path below the root; faults point into it.
    pub sources: BTreeMap<PathBuf, String>,
}

/// `book/course.toml`.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CourseConfig {
    /// Title by language.
    pub title: ByLang,
    /// One sentence on what this is, by language.
    pub description: ByLang,
    /// Where the published site stands, without a trailing slash; `--base-url` overrides it.
    #[serde(default)]
    pub site: Option<String>,
    /// Where the sources stand.
    #[serde(default)]
    pub repository: Option<String>,
}

/// A text in both languages.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct ByLang {
    /// English.
    pub en: String,
    /// Chinese.
    pub zh: String,
}

impl ByLang {
    /// The text in one language.
    pub fn get(&self, lang: Lang) -> &str {
        lang.pick(&self.en, &self.zh)
    }
}

/// The pages of one language in the order of its `SUMMARY.md`.
#[derive(Clone, Debug)]
pub struct Book {
    /// Which language.
    pub lang: Lang,
    /// Parts and pages.
    pub parts: Vec<Part>,
}

impl Book {
    /// The pages in order.
    pub fn pages(&self) -> impl DoubleEndedIterator<Item = &Page> {
        self.parts.iter().flat_map(|part| &part.pages)
    }

    /// The page with this stem.
    pub fn page(&self, stem: &str) -> Option<&Page> {
        self.pages().find(|page| page.stem == stem)
    }
}

/// A part of a book: the pages under one heading of `SUMMARY.md`.
#[derive(Clone, Debug)]
pub struct Part {
    /// The heading; none for what stands before the first.
    pub title: Option<String>,
    /// The pages.
    pub pages: Vec<Page>,
}

/// One Markdown file.
#[derive(Clone, Debug)]
pub struct Page {
    /// The file's stem, the same in both languages: `09-bridge`, `index`, `questions`.
    pub stem: String,
    /// The title as `SUMMARY.md` has it.
    pub title: String,
    /// The file.
    pub path: PathBuf,
    /// Front matter; pages that are no chapter may have none.
    pub front: Option<Front>,
    /// The Markdown after the front matter.
    pub markdown: String,
    /// The line of the file on which `markdown` begins, counted from 1.
    pub first_line: usize,
}

/// What stands between `+++` lines at the head of a chapter.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Front {
    /// Reading time in minutes.
    pub minutes: u32,
    /// Whether the chapter is on the core path.
    #[serde(default)]
    pub core: bool,
    /// One line on why the next page is worth reading; shown at the end of this one.
    #[serde(default)]
    pub next: Option<String>,
    /// What the reader can do afterwards.
    #[serde(default)]
    pub goals: Vec<Goal>,
}

/// A goal that can be ticked.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Goal {
    /// Stable name within the chapter, the same in both languages.
    pub id: String,
    /// The goal; inline Markdown.
    pub text: String,
}

/// A term of the glossary.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Term {
    /// English.
    pub en: String,
    /// Chinese, as the course writes it.
    pub zh: String,
    /// What a Chinese text must not say instead.
    #[serde(default)]
    pub zh_avoid: Vec<String>,
    /// What an English text must not say instead.
    #[serde(default)]
    pub en_avoid: Vec<String>,
    /// One line in each language on what it is.
    pub meaning: ByLang,
}

/// `book/exchanges/NAME.toml`: what the build records.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ExchangeSpec {
    /// The server set: `shop`.
    pub set: String,
    /// The era in which the client speaks.
    pub era: EraName,
    /// How the two are connected.
    pub transport: TransportName,
    /// The revision spoken; the newest of the era when absent.
    #[serde(default)]
    pub revision: Option<String>,
    /// What the exchange shows, by language: its caption.
    pub caption: ByLang,
    /// What the client does, in order.
    #[serde(rename = "step")]
    pub steps: Vec<Step>,
    /// A sentence at one message.
    #[serde(rename = "note", default)]
    pub notes: Vec<Note>,
}

/// `session` or `stateless`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum EraName {
    /// Up to 2025-11-25.
    Session,
    /// From 2026-07-28.
    Stateless,
}

/// `stdio` or `http`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum TransportName {
    /// A child process.
    Stdio,
    /// Streamable HTTP on loopback.
    Http,
}

/// One thing that the recording client does.
#[derive(Clone, Debug, Deserialize)]
#[serde(untagged, deny_unknown_fields)]
pub enum Step {
    /// `connect = true`: `initialize` and `notifications/initialized`, or `server/discover`.
    Connect {
        /// Always true.
        connect: bool,
    },
    /// `method = "tools/call"`, `params = { … }`: a request as our client makes it (id and `_meta` are its own).
    Request {
        /// The method.
        method: String,
        /// The parameters without `_meta`.
        #[serde(default)]
        params: toml::Table,
    },
    /// `raw = '…'`: one message, sent as it stands; for broken and hostile input.
    Raw {
        /// The text of the message.
        raw: String,
    },
}

/// A sentence that stands at one message of an exchange.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Note {
    /// The message, counted from 1 over all messages of the exchange.
    pub message: usize,
    /// Whether it marks a fault (red edge).
    #[serde(default)]
    pub fault: bool,
    /// English.
    pub en: String,
    /// Chinese.
    pub zh: String,
}

/// What was recorded; the form of `dist/exchanges/NAME.json`.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
pub struct Transcript {
    /// The era.
    pub era: EraName,
    /// The transport.
    pub transport: TransportName,
    /// The server set.
    pub set: String,
    /// The messages in the order in which they crossed.
    pub messages: Vec<TranscriptMessage>,
}

/// One message of a [`Transcript`].
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
pub struct TranscriptMessage {
    /// Where it went.
    pub direction: Direction,
    /// Its text, exactly as it crossed.
    pub raw: String,
    /// Over HTTP: what stood around it (request line and MCP headers, or the status).
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub http: Vec<String>,
}

/// Where a message went.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Direction {
    /// Client to server.
    ToServer,
    /// Server to client.
    ToClient,
    /// The server's stderr.
    Stderr,
}

/// A piece of code that a page shows.
#[derive(Clone, Debug)]
pub struct Listing {
    /// The directive's argument: `labs/bridge/src/openai.rs:to_function_tool`.
    pub name: String,
    /// One or more codes, one a programming language.
    pub codes: Vec<Code>,
}

/// The code of a [`Listing`] in one programming language.
#[derive(Clone, Debug)]
pub struct Code {
    /// `rust`, `javascript`, `python`, `java`, `swift`.
    pub language: String,
    /// The file, relative to the root, for the caption.
    pub path: String,
    /// The first line in the file, counted from 1.
    pub first_line: usize,
    /// The text without anchors, outdented.
    pub text: String,
    /// The text as highlighted HTML (spans with classes).
    pub html: String,
}
