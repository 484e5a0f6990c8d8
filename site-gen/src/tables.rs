//! How does TOML become values, without stopping at the first fault?
//!
//! Each function gives what could be read and the place of everything that could not. A list of entries is read entry by
//! entry, so that one bad question does not hide the other forty.

use std::ops::Range;

use serde::de::DeserializeOwned;
use toml::Spanned;
use toml::de::{DeTable, DeValue, Error, ValueDeserializer};

use crate::model::Lang;

/// Something that cannot be read, at bytes of the text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TableFault {
    /// Where.
    pub span: Range<usize>,
    /// What is wrong.
    pub message: String,
}

impl From<Error> for TableFault {
    fn from(error: Error) -> Self {
        Self {
            span: error.span().unwrap_or(0..0),
            message: error.message().to_owned(),
        }
    }
}

/// The text as one value.
pub fn value<T: DeserializeOwned>(text: &str) -> Result<T, Vec<TableFault>> {
    let table = table(text)?;
    let span = table.span();
    let whole = Spanned::new(span, DeValue::Table(table.into_inner()));
    T::deserialize(ValueDeserializer::from(whole)).map_err(|error| vec![error.into()])
}

/// The entries `[[key]]` of a file that holds nothing else.
pub fn entries<T: DeserializeOwned>(text: &str, key: &str) -> (Vec<T>, Vec<TableFault>) {
    let table = match table(text) {
        Ok(table) => table.into_inner(),
        Err(faults) => return (Vec::new(), faults),
    };
    let mut read = Vec::new();
    let mut faults = Vec::new();
    for (name, value) in table {
        let span = name.span();
        if name.get_ref().as_ref() != key {
            faults.push(TableFault {
                span,
                message: format!(
                    "unknown field `{}`, expected `[[{key}]]`",
                    name.into_inner()
                ),
            });
            continue;
        }
        let DeValue::Array(array) = value.into_inner() else {
            faults.push(TableFault {
                span,
                message: format!("an entry is written `[[{key}]]`"),
            });
            continue;
        };
        for entry in array {
            match T::deserialize(ValueDeserializer::from(entry)) {
                Ok(entry) => read.push(entry),
                Err(error) => faults.push(error.into()),
            }
        }
    }
    (read, faults)
}

/// A string of a table whose language its keys tell.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Words {
    /// The language, from the nearest key `en` or `zh` above.
    pub lang: Lang,
    /// The words, without quotes.
    pub text: String,
    /// Where they stand in the file, without the quotes; the whole value where escapes make the two differ.
    pub span: Range<usize>,
}

/// Every string below a key `en` or `zh`.
pub fn words(text: &str) -> Vec<Words> {
    let mut found = Vec::new();
    if let Ok(table) = table(text) {
        collect_table(text, table.get_ref(), None, &mut found);
    }
    found
}

/// Every string under a key of that name, whatever stands above it.
pub fn strings_named(text: &str, names: &[&str], lang: Lang) -> Vec<Words> {
    let mut found = Vec::new();
    if let Ok(table) = table(text) {
        named(text, table.get_ref(), names, lang, &mut found);
    }
    found
}

fn named(text: &str, table: &DeTable<'_>, names: &[&str], lang: Lang, found: &mut Vec<Words>) {
    for (key, value) in table {
        match value.get_ref() {
            DeValue::String(words) if names.contains(&key.get_ref().as_ref()) => {
                found.push(placed(text, words, value.span(), lang));
            }
            DeValue::Table(table) => named(text, table, names, lang, found),
            DeValue::Array(array) => {
                for entry in array {
                    if let DeValue::Table(table) = entry.get_ref() {
                        named(text, table, names, lang, found);
                    }
                }
            }
            _ => {}
        }
    }
}

fn collect_table(text: &str, table: &DeTable<'_>, lang: Option<Lang>, found: &mut Vec<Words>) {
    for (key, value) in table {
        let lang = match key.get_ref().as_ref() {
            "en" => Some(Lang::En),
            "zh" => Some(Lang::Zh),
            _ => lang,
        };
        collect(text, value, lang, found);
    }
}

fn collect(text: &str, value: &Spanned<DeValue<'_>>, lang: Option<Lang>, found: &mut Vec<Words>) {
    match (value.get_ref(), lang) {
        (DeValue::String(words), Some(lang)) => {
            found.push(placed(text, words, value.span(), lang));
        }
        (DeValue::Table(table), _) => collect_table(text, table, lang, found),
        (DeValue::Array(array), _) => {
            for entry in array {
                collect(text, entry, lang, found);
            }
        }
        _ => {}
    }
}

fn placed(text: &str, words: &str, span: Range<usize>, lang: Lang) -> Words {
    let inner = text.get(span.clone()).and_then(|raw| raw.find(words));
    Words {
        lang,
        text: words.to_owned(),
        span: match inner {
            Some(at) => span.start + at..span.start + at + words.len(),
            None => span,
        },
    }
}

fn table(text: &str) -> Result<Spanned<DeTable<'_>>, Vec<TableFault>> {
    let (table, errors) = DeTable::parse_recoverable(text);
    if errors.is_empty() {
        Ok(table)
    } else {
        Err(errors.into_iter().map(TableFault::from).collect())
    }
}

#[cfg(test)]
mod tests {
    use serde::Deserialize;

    use super::{entries, value, words};
    use crate::model::Lang;

    #[derive(Debug, Deserialize, PartialEq)]
    #[serde(deny_unknown_fields)]
    struct Entry {
        id: String,
    }

    #[test]
    fn one_bad_entry_does_not_hide_the_others() {
        let text = "[[entry]]\nid = \"a\"\n\n[[entry]]\nid = 3\n\n[[entry]]\nid = \"c\"\nhint = \"x\"\n\n[[entry]]\nid = \"d\"\n";
        let (read, faults) = entries::<Entry>(text, "entry");
        let ids: Vec<&str> = read.iter().map(|entry| entry.id.as_str()).collect();
        assert_eq!(ids, ["a", "d"]);
        assert_eq!(faults.len(), 2, "{faults:?}");
        assert_eq!(&text[faults[0].span.clone()], "3");
        assert!(faults[1].message.contains("hint"), "{faults:?}");
        assert_eq!(&text[faults[1].span.clone()], "hint");
    }

    #[test]
    fn a_table_of_another_name_is_a_fault_at_its_name() {
        let text = "[[entry]]\nid = \"a\"\n\n[[entri]]\nid = \"b\"\n";
        let (read, faults) = entries::<Entry>(text, "entry");
        assert_eq!(read.len(), 1);
        assert_eq!(&text[faults[0].span.clone()], "entri");
    }

    #[test]
    fn every_syntax_error_is_told() {
        let faults = value::<Entry>("id = \nnext = ]\n").expect_err("no TOML");
        assert!(faults.len() >= 2, "{faults:?}");
    }

    #[test]
    fn words_are_found_by_language_with_their_place() {
        let text = "[[q]]\nid = \"x\"\n[q.en]\npoints = [\"one\", \"two\"]\n[q.zh]\nanswer = \"\"\"\n好\n\"\"\"\n";
        let found = words(text);
        assert_eq!(found.len(), 3);
        assert_eq!((found[1].lang, found[1].text.as_str()), (Lang::En, "two"));
        assert_eq!(&text[found[1].span.clone()], "two");
        assert_eq!((found[2].lang, found[2].text.as_str()), (Lang::Zh, "好\n"));
        assert_eq!(&text[found[2].span.clone()], "好\n");
    }
}
