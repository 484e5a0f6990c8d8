//! How is a message shown over several lines without changing anything but blanks?
//!
//! A parser that writes again what it read may change an escape or a number. This one only puts line breaks and blanks
//! between tokens; strings pass through byte by byte. What is no JSON comes out as it is.

/// The text with line breaks and indentation where it is JSON, else unchanged.
pub fn pretty(raw: &str) -> String {
    if serde_json::from_str::<serde::de::IgnoredAny>(raw).is_err() {
        return raw.to_owned();
    }
    let mut out = String::with_capacity(raw.len() * 2);
    let mut depth = 0;
    let mut characters = raw.chars().peekable();
    while let Some(character) = characters.next() {
        match character {
            '"' => {
                out.push('"');
                let mut escaped = false;
                for inner in characters.by_ref() {
                    out.push(inner);
                    if inner == '"' && !escaped {
                        break;
                    }
                    escaped = inner == '\\' && !escaped;
                }
            }
            '{' | '[' => {
                out.push(character);
                let close = if character == '{' { '}' } else { ']' };
                while characters.peek().is_some_and(char::is_ascii_whitespace) {
                    characters.next();
                }
                if characters.peek() == Some(&close) {
                    characters.next();
                    out.push(close);
                } else {
                    depth += 1;
                    line(&mut out, depth);
                }
            }
            '}' | ']' => {
                depth -= 1;
                line(&mut out, depth);
                out.push(character);
            }
            ',' => {
                out.push(',');
                line(&mut out, depth);
            }
            ':' => out.push_str(": "),
            blank if blank.is_ascii_whitespace() => {}
            other => out.push(other),
        }
    }
    out
}

fn line(out: &mut String, depth: usize) {
    out.push('\n');
    out.extend(std::iter::repeat_n("  ", depth));
}

#[cfg(test)]
mod tests {
    use super::pretty;

    #[test]
    fn only_blanks_change() {
        let raw = r#"{"a":[1.0,-0,"\u001b{\"x\": 1}\\"],"b":{},"c":[]}"#;
        let shown = pretty(raw);
        assert_eq!(
            shown,
            "{\n  \"a\": [\n    1.0,\n    -0,\n    \"\\u001b{\\\"x\\\": 1}\\\\\"\n  ],\n  \"b\": {},\n  \"c\": []\n}"
        );
    }

    #[test]
    fn what_is_no_json_stays() {
        assert_eq!(pretty("got SO20260901"), "got SO20260901");
    }
}
