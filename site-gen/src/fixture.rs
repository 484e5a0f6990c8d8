//! What is the smallest course? Two pages in two languages, one question, one exchange; each test breaks one thing in it.

use std::fs;
use std::path::Path;

use crate::check::{Checked, check};
use crate::load::load;

pub struct Fixture(tempfile::TempDir);

const PAGE_EN: &str = r"+++
minutes = 5
core = true

[[goals]]
id = 'tell'
text = 'I can tell.'
+++

# Wire

{{#goals}}

## Kinds

{{#exchange list}}

{{#listing labs/a.rs:f}}

{{#questions chapter=03-wire}}
";

const PAGE_ZH: &str = r"+++
minutes = 5
core = true

[[goals]]
id = 'tell'
text = '我会说。'
+++

# 报文 {#wire}

{{#goals}}

## 种类 {#kinds}

{{#exchange list}}

{{#listing labs/a.rs:f}}

{{#questions chapter=03-wire}}
";

const QUESTION: &str = r#"[[question]]
id = "who-answers"
use = "retrieval"
form = "explain"
level = "basic"
market = "both"
topics = ["wire"]
revisions = ["2026-07-28"]
chapter = "03-wire"
spec = ["2026-07-28/basic/index#notifications"]

[question.en]
question = "Who answers a notification?"
answer = "Nobody."
points = ["nobody"]

[question.zh]
question = "谁来回通知？"
answer = "没有人。"
points = ["没有人"]
"#;

const EXCHANGE: &str = r#"set = "shop"
era = "stateless"
transport = "stdio"

[caption]
en = "A list."
zh = "一张清单。"

[[step]]
method = "tools/list"
"#;

const GLOSSARY: &str = r#"[[term]]
en = "server"
zh = "服务器"
zh_avoid = ["伺服器"]
en_avoid = ["JSON RPC"]
meaning = { en = "A program.", zh = "一个程序。" }
"#;

const CONFIG: &str = r#"title = { en = "T", zh = "题" }
description = { en = "D.", zh = "述。" }
"#;

const SCENARIO: &str = r#"[[scenario]]
id = "one"
criteria = { several_hosts = true, other_maintainer = false, changes_without_release = false }
en = { title = "a", story = "b", reasons = "c", costs = "d" }
zh = { title = "甲", story = "乙", reasons = "丙", costs = "丁" }
"#;

impl Fixture {
    pub fn new() -> Self {
        let fixture = Self(tempfile::tempdir().expect("a scratch folder"));
        for (path, text) in [
            ("book/course.toml", CONFIG),
            ("book/glossary.toml", GLOSSARY),
            ("book/scenarios.toml", SCENARIO),
            ("book/questions/wire.toml", QUESTION),
            ("book/exchanges/list.toml", EXCHANGE),
            (
                "book/en/SUMMARY.md",
                "# Summary\n\n[Start](index.md)\n- [Wire](03-wire.md)\n",
            ),
            (
                "book/zh/SUMMARY.md",
                "# Summary\n\n[开始](index.md)\n- [报文](03-wire.md)\n",
            ),
            ("book/en/index.md", "# Start\n"),
            ("book/zh/index.md", "# 开始 {#start}\n"),
            ("book/en/03-wire.md", PAGE_EN),
            ("book/zh/03-wire.md", PAGE_ZH),
            (
                "labs/a.rs",
                "// ANCHOR: f\nfn f() {\n\n    // {{ text }}\n}\n// ANCHOR_END: f\n",
            ),
        ] {
            fixture.write(path, text);
        }
        fixture
    }

    pub fn root(&self) -> &Path {
        self.0.path()
    }

    pub fn write_bytes(&self, path: &str, bytes: &[u8]) {
        let path = self.root().join(path);
        fs::create_dir_all(path.parent().expect("a folder")).expect("the folder is made");
        fs::write(path, bytes).expect("the file is written");
    }

    pub fn write(&self, path: &str, text: &str) {
        self.write_bytes(path, text.as_bytes());
    }

    pub fn read(&self, path: &str) -> String {
        fs::read_to_string(self.root().join(path)).expect("the file is read")
    }

    pub fn replace(&self, path: &str, from: &str, to: &str) {
        let text = self.read(path);
        assert!(text.contains(from), "{path} holds no {from:?}");
        self.write(path, &text.replacen(from, to, 1));
    }

    /// Appends the same to both twins of a page.
    pub fn append_to_both(&self, stem: &str, text: &str) {
        for lang in ["en", "zh"] {
            let path = format!("book/{lang}/{stem}.md");
            let page = self.read(&path);
            self.write(&path, &format!("{page}\n{text}"));
        }
    }

    /// `path:line:column message · hint` of every fault.
    pub fn faults(&self) -> Vec<String> {
        let loaded = load(self.root());
        check(loaded.course, loaded.faults)
            .faults
            .iter()
            .map(|fault| {
                format!(
                    "{}:{}:{} {} · {}",
                    fault.path.display(),
                    fault.line,
                    fault.column,
                    fault.message,
                    fault.hint
                )
            })
            .collect()
    }

    pub fn expect(&self, place: &str, words: &str) {
        let faults = self.faults();
        assert!(
            faults
                .iter()
                .any(|fault| fault.starts_with(place) && fault.contains(words)),
            "no fault at {place} about {words:?} in {faults:#?}"
        );
    }

    pub fn checked(&self) -> Checked {
        let loaded = load(self.root());
        let report = check(loaded.course, loaded.faults);
        report
            .checked
            .unwrap_or_else(|| panic!("{:#?}", report.faults))
    }
}
