//! What stands around a chapter? Bar, navigation, contents, the way on; from templates in `book/theme/`.

use std::fs;
use std::path::{Path, PathBuf};

use handlebars::Handlebars;
use serde_json::{Value, json};

use crate::fragments::words::words;
use crate::model::{Book, CourseConfig, Lang, Page};
use crate::outline::Heading;

/// What the browser is told that pages may load. No host but their own.
pub const POLICY: &str = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; img-src 'self' data:; connect-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'";

/// Why a page could not be made.
#[derive(Debug, thiserror::Error)]
pub enum ShellError {
    /// A template is missing.
    #[error("{path} cannot be read: {reason}")]
    Unreadable {
        /// The template.
        path: PathBuf,
        /// Why.
        reason: std::io::Error,
    },
    /// A template is wrong.
    #[error("the template {name} is wrong: {reason}")]
    Template {
        /// The template.
        name: &'static str,
        /// What is wrong.
        reason: String,
    },
}

/// Everything that a page needs besides its chapter.
#[derive(Debug)]
pub struct PageContext<'a> {
    /// The language.
    pub lang: Lang,
    /// The page.
    pub page: &'a Page,
    /// The book it belongs to.
    pub book: &'a Book,
    /// The course.
    pub config: &'a CourseConfig,
    /// The chapter.
    pub content: &'a str,
    /// Its headings.
    pub headings: &'a [Heading],
    /// Where the published site stands, without a slash at the end.
    pub site: Option<&'a str>,
    /// Whether the page reloads itself when the course was built anew.
    pub live: bool,
}

/// The templates.
#[derive(Debug)]
pub struct Shell {
    templates: Handlebars<'static>,
    styles: Vec<String>,
}

/// The templates by name; each is a file of the theme.
const TEMPLATES: [&str; 3] = ["page", "language-choice", "not-found"];

impl Shell {
    /// Reads the theme.
    ///
    /// # Errors
    /// When a template is missing or wrong.
    pub fn load(theme: &Path) -> Result<Self, ShellError> {
        let mut templates = Handlebars::new();
        templates.set_strict_mode(true);
        for name in TEMPLATES {
            let path = theme.join(format!("{name}.hbs"));
            let text = fs::read_to_string(&path)
                .map_err(|reason| ShellError::Unreadable { path, reason })?;
            templates
                .register_template_string(name, text)
                .map_err(|error| ShellError::Template {
                    name,
                    reason: error.to_string(),
                })?;
        }
        let folder = theme.join("css");
        let mut styles: Vec<String> = fs::read_dir(&folder)
            .map_err(|reason| ShellError::Unreadable {
                path: folder,
                reason,
            })?
            .filter_map(Result::ok)
            .map(|entry| entry.file_name().to_string_lossy().into_owned())
            .filter(|name| {
                Path::new(name)
                    .extension()
                    .is_some_and(|extension| extension == "css")
            })
            .collect();
        styles.sort();
        Ok(Self { templates, styles })
    }

    /// A whole page.
    ///
    /// # Errors
    /// When the template asks for what there is not.
    pub fn page(&self, context: &PageContext<'_>) -> Result<String, ShellError> {
        let lang = context.lang;
        let file = format!("{}.html", context.page.stem);
        let twin = format!("../{}/{file}", lang.twin().folder());
        let address = |lang: Lang| match context.site {
            Some(site) => format!("{site}/{}/{file}", lang.folder()),
            None => format!("../{}/{file}", lang.folder()),
        };
        let pages: Vec<&Page> = context.book.pages().collect();
        let place = pages
            .iter()
            .position(|page| page.stem == context.page.stem)
            .unwrap_or(0);
        let next = pages.get(place + 1);
        let link =
            |page: &&Page| json!({ "href": format!("{}.html", page.stem), "title": page.title });
        let parts: Vec<Value> = context.book.parts.iter().map(|part| {
            let pages: Vec<Value> = part.pages.iter().map(|page| {
                let goals = page.front.as_ref().map_or(0, |front| front.goals.len());
                json!({ "href": format!("{}.html", page.stem), "title": page.title, "stem": page.stem,
                        "here": page.stem == context.page.stem, "goals": goals })
            }).collect();
            json!({ "title": part.title.clone().unwrap_or_default(), "pages": pages })
        }).collect();
        let contents: Vec<Value> = context.headings.iter().filter(|heading| (2..=3).contains(&heading.level))
            .map(|heading| json!({ "id": heading.id, "text": heading.text, "sub": heading.level == 3 })).collect();
        let title = context
            .headings
            .first()
            .map_or(context.page.title.as_str(), |heading| heading.text.as_str());
        let site_title = context.config.title.get(lang);
        let start = context.page.stem == "index";
        let data = json!({
            "lang": lang.tag(),
            "twin_lang": lang.twin().tag(),
            "twin_name": lang.pick("中文", "English"),
            "twin": twin,
            "w": words(lang),
            "alternates": Lang::ALL.map(|lang| json!({ "lang": lang.tag(), "href": address(lang) })),
            "canonical": context.site.map(|_| address(lang)).unwrap_or_default(),
            "title": if start { site_title.to_owned() } else { format!("{title} · {site_title}") },
            "site_title": site_title,
            "description": context.config.description.get(lang),
            "policy": POLICY,
            "root": "../",
            "stem": context.page.stem,
            "start": start,
            "styles": self.styles,
            "content": context.content,
            "parts": parts,
            "contents": contents,
            "has_contents": contents.len() > 1,
            "next": next.map(link),
            "next_line": context.page.front.as_ref().and_then(|front| front.next.clone()).unwrap_or_default(),
            "modules": modules(context.content),
            "live": context.live,
        });
        self.render("page", &data)
    }

    /// The page at the root, which leads to a language.
    ///
    /// # Errors
    /// When the template asks for what there is not.
    pub fn language_choice(&self, config: &CourseConfig) -> Result<String, ShellError> {
        self.render("language-choice", &self.both(config))
    }

    /// The page for addresses that lead nowhere.
    ///
    /// # Errors
    /// When the template asks for what there is not.
    pub fn not_found(&self, config: &CourseConfig) -> Result<String, ShellError> {
        self.render("not-found", &self.both(config))
    }

    fn both(&self, config: &CourseConfig) -> Value {
        json!({
            "en": { "title": config.title.en, "description": config.description.en },
            "zh": { "title": config.title.zh, "description": config.description.zh },
            "policy": POLICY,
            "styles": self.styles,
        })
    }

    fn render(&self, name: &'static str, data: &Value) -> Result<String, ShellError> {
        self.templates
            .render(name, data)
            .map_err(|error| ShellError::Template {
                name,
                reason: error.to_string(),
            })
    }
}

/// The scripts that a page needs, by what stands in it.
fn modules(content: &str) -> Vec<&'static str> {
    let mut modules = vec!["page.js"];
    for (mark, module) in [
        ("data-exchange=", "exchange.js"),
        ("data-goal=", "goals.js"),
        ("data-tabs", "listing-tabs.js"),
        ("<mcp-lab", "mcp-lab.js"),
        ("<decision-quiz", "decision-quiz.js"),
        ("<question-filter", "question-filter.js"),
    ] {
        if content.contains(mark) {
            modules.push(module);
        }
    }
    modules
}
