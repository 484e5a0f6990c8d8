//! What if a server's tool has a name that the model's service forbids?
//!
//! MCP recommends up to 128 of the characters `A-Z a-z 0-9 _ - .` (server/tools, from 2025-11-25) and forbids
//! nothing. The services want `^[a-zA-Z0-9_-]{1,64}$`. So the host keeps a table, one to one, and looks calls up in it.

/// The most characters that a function's name may have at the services.
pub const LONGEST: usize = 64;

/// Names for the model and names for the servers, one to one.
#[derive(Clone, Debug, Default)]
pub struct NameMap {
    /// The server's name and the model's. They are few, so that a lookup looks at one after the other.
    pairs: Vec<(String, String)>,
}

impl NameMap {
    /// Finds a name for each tool. Names that fit stay; the others are cleaned, and numbered where two become one.
    pub fn new<'a>(names: impl IntoIterator<Item = &'a str>) -> Self {
        // In the order of the alphabet, so that the numbers do not depend on the order of the list.
        let mut sorted: Vec<&str> = Vec::new();
        for name in names {
            if let Err(place) = sorted.binary_search(&name) {
                sorted.insert(place, name);
            }
        }
        let mut map = Self::default();
        // Names that fit go first, so that no cleaned name takes theirs.
        for name in sorted.iter().copied().filter(|name| fits(name)) {
            map.pairs.push((name.to_owned(), name.to_owned()));
        }
        for name in sorted.iter().copied().filter(|name| !fits(name)) {
            let clean = clean(name);
            let mut candidate = clean.clone();
            let mut number = 2;
            while map.to_server(&candidate).is_some() {
                let suffix = format!("_{number}");
                // `clean` is ASCII, so that cutting at a byte is cutting at a character.
                candidate = format!(
                    "{}{suffix}",
                    &clean[..clean.len().min(LONGEST - suffix.len())]
                );
                number += 1;
            }
            map.pairs.push((name.to_owned(), candidate));
        }
        map
    }

    /// The name that the model sees; the name itself for one that is not in the table.
    pub fn to_model<'a>(&'a self, name: &'a str) -> &'a str {
        let pair = self.pairs.iter().find(|(server, _)| server == name);
        pair.map_or(name, |(_, model)| model)
    }

    /// The name that the server knows; `None` where the model made one up.
    pub fn to_server(&self, name: &str) -> Option<&str> {
        let pair = self.pairs.iter().find(|(_, model)| model == name);
        pair.map(|(server, _)| server.as_str())
    }
}

fn allowed(character: char) -> bool {
    character.is_ascii_alphanumeric() || matches!(character, '_' | '-')
}

fn fits(name: &str) -> bool {
    !name.is_empty() && name.len() <= LONGEST && name.chars().all(allowed)
}

fn clean(name: &str) -> String {
    let clean: String = name
        .chars()
        .map(|character| if allowed(character) { character } else { '_' })
        .take(LONGEST)
        .collect();
    if clean.is_empty() {
        "tool".to_owned()
    } else {
        clean
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::{ProptestConfig, proptest};

    use super::{NameMap, fits};

    #[test]
    fn a_name_that_fits_stays() {
        let map = NameMap::new(["query_order", "query.order"]);
        assert_eq!(map.to_model("query_order"), "query_order");
        assert_eq!(map.to_model("query.order"), "query_order_2");
        assert_eq!(map.to_server("query_order_2"), Some("query.order"));
    }

    #[test]
    fn a_name_that_the_model_made_up_is_not_found() {
        assert_eq!(NameMap::new(["query_order"]).to_server("refund"), None);
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(200))]
        #[test]
        fn every_name_finds_its_way_there_and_back(names in proptest::collection::btree_set(".{0,200}|[a-b./查]{1,3}", 0..40)) {
            let map = NameMap::new(names.iter().map(String::as_str));
            for name in &names {
                let model = map.to_model(name);
                assert!(fits(model), "{model:?}");
                assert_eq!(map.to_server(model), Some(name.as_str()));
            }
        }
    }
}
