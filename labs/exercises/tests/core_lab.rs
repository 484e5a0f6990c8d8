//! Do the checks say what holds and what is missing, and do they leave no server behind?

use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

const PROGRAM: &str = env!("CARGO_BIN_EXE_lab-exercises");

fn check(folder: &str) -> (Output, String) {
    let output = Command::new(PROGRAM)
        .args(["check", folder])
        .output()
        .expect("the program starts");
    let text = String::from_utf8(output.stdout.clone()).expect("UTF-8");
    (output, text)
}

/// The lines of one check: its own and those below it.
fn part(text: &str, number: usize) -> String {
    text.lines()
        .skip_while(|line| !line.contains(&format!(" {number}. ")))
        .enumerate()
        .take_while(|(place, line)| *place == 0 || line.starts_with("       "))
        .map(|(_, line)| format!("{line}\n"))
        .collect()
}

#[test]
fn the_starter_passes_the_first_check_alone_and_says_what_is_missing_where() {
    let (output, text) = check("starter");
    assert_eq!(output.status.code(), Some(1), "{text}");
    assert!(part(&text, 1).contains('✓'), "{text}");
    for (number, file) in [
        (2, "exercise_1.rs"),
        (3, "exercise_2.rs"),
        (4, "exercise_3.rs"),
        (5, "exercise_4.rs"),
        (6, "exercise_5.rs"),
    ] {
        let part = part(&text, number);
        assert!(part.contains('✗'), "{number}: {text}");
        assert!(
            part.contains(&format!("labs/exercises/starter/{file}")),
            "{number}: {part}"
        );
    }
    assert!(text.contains("1 of 6 checks hold"));
}

#[test]
fn the_solution_passes_all_six() {
    let (output, text) = check("solution");
    assert!(output.status.success(), "{text}");
    assert!(text.contains("6 of 6 checks hold"), "{text}");
    assert!(part(&text, 4).contains("已发货"), "{text}");
    assert!(
        part(&text, 5).contains("SO20260910") && part(&text, 5).contains("SO20260901"),
        "{text}"
    );
}

#[cfg(target_os = "linux")]
fn runs(id: u32) -> bool {
    std::fs::read_to_string(format!("/proc/{id}/stat")).is_ok_and(|stat| !stat.contains(") Z "))
}

#[cfg(target_os = "linux")]
#[test]
fn a_check_that_is_killed_leaves_no_server() {
    let mut found = Vec::new();
    let mut checking: Child = Command::new(PROGRAM)
        .args(["check", "solution"])
        .stdout(Stdio::null())
        .spawn()
        .expect("the program starts");
    let limit = Instant::now() + Duration::from_secs(10);
    while found.is_empty() && Instant::now() < limit {
        found = children_of(checking.id());
    }
    checking.kill().expect("it can be killed");
    checking.wait().expect("it ends");
    assert!(!found.is_empty(), "no server was seen");
    let limit = Instant::now() + Duration::from_secs(2);
    while found.iter().any(|id| runs(*id)) {
        assert!(Instant::now() < limit, "a server is left: {found:?}");
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// The processes that `parent` has started, from whichever of its threads.
#[cfg(target_os = "linux")]
fn children_of(parent: u32) -> Vec<u32> {
    std::fs::read_dir(format!("/proc/{parent}/task"))
        .into_iter()
        .flatten()
        .filter_map(Result::ok)
        .filter_map(|thread| std::fs::read_to_string(thread.path().join("children")).ok())
        .flat_map(|text| {
            text.split_whitespace()
                .filter_map(|id| id.parse().ok())
                .collect::<Vec<u32>>()
        })
        .collect()
}
