//! Which known name did the author mean?

/// "Did you mean …?", where something known is near.
pub fn nearest<'a>(word: &str, known: impl Iterator<Item = &'a str>) -> String {
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

#[cfg(test)]
mod tests {
    use super::{distance, nearest};

    #[test]
    fn a_near_name_is_offered_and_a_far_one_is_not() {
        assert_eq!(distance("kitten", "sitting"), 3);
        assert_eq!(
            nearest("exchnge", ["lab", "exchange"].into_iter()),
            "Did you mean \"exchange\"?"
        );
        assert_eq!(nearest("zzzz", ["lab"].into_iter()), "");
    }
}
