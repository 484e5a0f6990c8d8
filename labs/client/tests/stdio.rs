//! Does the client stand up to real processes that misbehave, and does none outlive it?

#![cfg(unix)]

use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use lab_client::warning::StrayCause;
use lab_client::{
    Client, ClientError, Direction, Era, EraChoice, Options, ServerCommand, StdioTransport, Traced,
    TransportError, Warning,
};
use lab_protocol::content::ContentBlock;
use lab_protocol::{CallToolResult, Object};

const FAULTY: &str = env!("CARGO_BIN_EXE_faulty-server");

/// A server with a mark in its environment, so that whatever it starts can be found again.
struct Fixture {
    mark: String,
    command: ServerCommand,
}

impl Fixture {
    fn new(way: &str) -> Self {
        Self::command(FAULTY, &[way])
    }

    fn command(program: &str, args: &[&str]) -> Self {
        static NEXT: std::sync::atomic::AtomicU32 = std::sync::atomic::AtomicU32::new(0);
        let number = NEXT.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
        let mark = format!("LAB_MARK=test-{}-{number}-end", std::process::id());
        let (name, value) = mark.split_once('=').expect("a variable");
        Self {
            command: ServerCommand {
                program: program.to_owned(),
                args: args.iter().map(|arg| (*arg).to_owned()).collect(),
                env: vec![(name.to_owned(), value.to_owned())],
                folder: None,
            },
            mark,
        }
    }

    fn start(&self) -> StdioTransport {
        StdioTransport::start("shop", &self.command).expect("it starts")
    }

    async fn connect(&self) -> Client<StdioTransport> {
        Client::connect(self.start(), options())
            .await
            .expect("a connection")
    }

    /// The processes that bear the mark and are alive.
    fn alive(&self) -> Vec<String> {
        let mut alive = Vec::new();
        for entry in std::fs::read_dir("/proc").expect("/proc").flatten() {
            let environment = std::fs::read(entry.path().join("environ")).unwrap_or_default();
            let stat = std::fs::read_to_string(entry.path().join("stat")).unwrap_or_default();
            let zombie = stat
                .rsplit(')')
                .next()
                .is_some_and(|rest| rest.starts_with(" Z"));
            let marked = environment
                .split(|byte| *byte == 0)
                .any(|variable| variable == self.mark.as_bytes());
            if marked && !zombie {
                alive.push(stat);
            }
        }
        alive
    }

    async fn leaves_nothing(&self) {
        for _ in 0..20 {
            if self.alive().is_empty() {
                return;
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        panic!("still alive: {:?}", self.alive());
    }
}

fn options() -> Options {
    Options {
        timeout: Duration::from_secs(5),
        probe_timeout: Duration::from_secs(2),
        ..Options::default()
    }
}

type Kept<T> = Arc<Mutex<Vec<T>>>;

fn keeping_warnings() -> (Options, Kept<Warning>) {
    let kept = Kept::default();
    let sink = Arc::clone(&kept);
    let options = Options {
        reporter: Some(Arc::new(move |warning: &Warning| {
            sink.lock().expect("no panic").push(warning.clone());
        })),
        ..options()
    };
    (options, kept)
}

fn keeping_messages() -> (Options, Kept<(Direction, String)>) {
    let kept = Kept::default();
    let sink = Arc::clone(&kept);
    let options = Options {
        observer: Some(Arc::new(move |traced: &Traced<'_>| {
            let seen = (traced.direction, traced.raw.to_owned());
            sink.lock().expect("no panic").push(seen);
        })),
        ..options()
    };
    (options, kept)
}

fn words(result: &CallToolResult) -> &str {
    match result.content.first() {
        Some(ContentBlock::Text(text)) => &text.text,
        _ => "",
    }
}

#[tokio::test]
async fn stray_lines_are_reported_once_each_and_every_answer_arrives() {
    let server = Fixture::new("noisy");
    let (options, warnings) = keeping_warnings();
    let client = Client::connect(server.start(), options)
        .await
        .expect("a connection");
    let result = client
        .call_tool("t", Object::new())
        .await
        .expect("a result");
    assert_eq!(words(&result), "{}");
    client.close().await;
    let causes: Vec<_> = warnings
        .lock()
        .expect("no panic")
        .iter()
        .map(|warning| match warning {
            Warning::StrayLine {
                line, cause, text, ..
            } => {
                assert!(text.len() < 200, "shortened");
                (*line, *cause)
            }
            other => panic!("{other}"),
        })
        .collect();
    assert_eq!(
        causes,
        [
            (1, StrayCause::Text),
            (2, StrayCause::Colours),
            (3, StrayCause::Progress),
            (4, StrayCause::Empty),
            (5, StrayCause::Text),
            (6, StrayCause::OtherJson),
            (7, StrayCause::Colours),
            (9, StrayCause::Colours),
        ]
    );
    server.leaves_nothing().await;
}

#[tokio::test]
async fn an_answer_behind_a_progress_text_in_the_same_line_arrives() {
    let server = Fixture::new("behind-progress");
    let client = server.connect().await;
    let result = client
        .call_tool("t", Object::new())
        .await
        .expect("a result");
    assert!(words(&result).starts_with("call"));
    client.close().await;
    server.leaves_nothing().await;
}

#[tokio::test]
async fn a_server_that_ignores_the_end_of_its_stdin_is_ended_within_two_seconds() {
    for way in ["stays", "stays-and-ignores"] {
        let server = Fixture::new(way);
        let client = server.connect().await;
        let start = Instant::now();
        client.close().await;
        assert!(
            start.elapsed() < Duration::from_secs(2),
            "{way}: {:?}",
            start.elapsed()
        );
        server.leaves_nothing().await;
    }
}

#[tokio::test]
async fn a_wrapper_ends_with_its_server() {
    for way in ["good", "stays", "stays-and-ignores"] {
        let script = format!("{FAULTY} {way}; true");
        let server = Fixture::command("sh", &["-c", &script]);
        let client = server.connect().await;
        assert!(server.alive().len() >= 2, "the shell and the server");
        client.close().await;
        server.leaves_nothing().await;
    }
}

#[tokio::test]
async fn a_client_that_is_dropped_leaves_no_process() {
    let script = format!("{FAULTY} stays-and-ignores; true");
    let server = Fixture::command("sh", &["-c", &script]);
    drop(server.connect().await);
    server.leaves_nothing().await;
}

#[tokio::test]
async fn a_connection_that_fails_leaves_no_process() {
    let server = Fixture::new("session");
    let options = Options {
        era: EraChoice::Stateless,
        ..options()
    };
    let error = Client::connect(server.start(), options)
        .await
        .expect_err("the other era");
    assert!(matches!(error, ClientError::NotStateless { .. }), "{error}");
    server.leaves_nothing().await;
}

#[tokio::test]
async fn a_server_whose_client_is_killed_ends_because_its_stdin_closes() {
    let server = Fixture::command(
        env!("CARGO_BIN_EXE_lab-client"),
        &["call", "t", "--", FAULTY, "silent"],
    );
    let mut client = std::process::Command::new(&server.command.program)
        .args(&server.command.args)
        .envs(server.command.env.iter().cloned())
        .spawn()
        .expect("it starts");
    for _ in 0..40 {
        if server.alive().len() == 2 {
            break;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    assert_eq!(server.alive().len(), 2, "client and server");
    client.kill().expect("SIGKILL");
    client.wait().expect("the end");
    server.leaves_nothing().await;
}

#[tokio::test]
async fn a_server_that_dies_between_request_and_answer_is_named_with_its_last_words() {
    let server = Fixture::new("dies");
    let client = server.connect().await;
    let words = client
        .call_tool("t", Object::new())
        .await
        .expect_err("it died")
        .to_string();
    for part in ["shop", "exit status 101", "the store is corrupt"] {
        assert!(words.contains(part), "{part} is missing in: {words}");
    }
    let again = client
        .call_tool("t", Object::new())
        .await
        .expect_err("it is dead")
        .to_string();
    assert!(again.contains("exit status 101"), "{again}");
    client.close().await;
    server.leaves_nothing().await;
}

#[tokio::test]
async fn a_server_that_exits_at_once_is_named_with_its_last_words() {
    let server = Fixture::new("exits-at-once");
    let error = Client::connect(server.start(), options())
        .await
        .expect_err("it ended");
    let words = error.to_string();
    for part in ["shop", "exit status 1", "set SHOP_TOKEN"] {
        assert!(words.contains(part), "{part} is missing in: {words}");
    }
    server.leaves_nothing().await;
}

#[tokio::test]
async fn a_server_that_dies_while_something_holds_its_stdout_is_noticed_too() {
    let script = format!("setsid sleep 30 & exec {FAULTY} dies");
    let server = Fixture::command("sh", &["-c", &script]);
    let client = server.connect().await;
    let start = Instant::now();
    let error = client
        .call_tool("t", Object::new())
        .await
        .expect_err("it died");
    assert!(error.to_string().contains("exit status 101"), "{error}");
    assert!(start.elapsed() < Duration::from_secs(4));
    // What left the group on purpose is out of reach; the test cleans up after it.
    for stat in server.alive() {
        let pid = stat.split(' ').next().and_then(|pid| pid.parse().ok());
        let pid = pid
            .and_then(rustix::process::Pid::from_raw)
            .expect("a process");
        rustix::process::kill_process(pid, rustix::process::Signal::KILL).expect("the sleeper");
    }
    server.leaves_nothing().await;
}

#[tokio::test]
async fn a_command_that_does_not_exist_is_named() {
    let server = Fixture::command("/no/such/server", &[]);
    let error = StdioTransport::start("shop", &server.command).expect_err("no such command");
    assert!(matches!(error, TransportError::CannotStart { .. }));
    let words = error.to_string();
    assert!(
        words.contains("shop") && words.contains("/no/such/server"),
        "{words}"
    );
}

#[tokio::test]
async fn wrong_ids_and_unknown_notifications_disturb_no_call() {
    let server = Fixture::new("wrong-ids");
    let (options, warnings) = keeping_warnings();
    let client = Client::connect(server.start(), options)
        .await
        .expect("a connection");
    for _ in 0..2 {
        let result = client
            .call_tool("t", Object::new())
            .await
            .expect("a result");
        assert!(words(&result).starts_with("call"), "{}", words(&result));
    }
    client.close().await;
    assert!(warnings.lock().expect("no panic").len() >= 8);
    server.leaves_nothing().await;
}

#[tokio::test]
async fn calls_may_overlap() {
    let server = Fixture::new("slow");
    let client = server.connect().await;
    let (first, second) = tokio::join!(
        client.call_tool("t", Object::new()),
        client.call_tool("t", Object::new())
    );
    assert_ne!(
        words(&first.expect("a result")),
        words(&second.expect("a result"))
    );
    client.close().await;
    server.leaves_nothing().await;
}

#[tokio::test]
async fn a_call_that_waits_too_long_is_cancelled_and_the_connection_goes_on() {
    let server = Fixture::new("silent");
    let (options, seen) = keeping_messages();
    let options = Options {
        timeout: Duration::from_millis(200),
        ..options
    };
    let client = Client::connect(server.start(), options)
        .await
        .expect("a connection");
    let error = client
        .call_tool("t", Object::new())
        .await
        .expect_err("no answer");
    assert!(matches!(error, ClientError::TimedOut { .. }), "{error}");
    assert!(!client.list_tools().await.expect("a list").is_empty());
    client.close().await;
    let seen = seen.lock().expect("no panic").clone();
    let cancelled = seen
        .iter()
        .find(|(_, raw)| raw.contains("notifications/cancelled"))
        .expect("it was cancelled");
    assert!(cancelled.1.contains(r#""requestId":2"#), "{}", cancelled.1);
    server.leaves_nothing().await;
}

#[tokio::test]
async fn a_server_of_the_session_era_is_found_out_by_its_error_or_its_silence() {
    for way in ["session", "session-silent"] {
        let server = Fixture::new(way);
        let options = Options {
            probe_timeout: Duration::from_millis(300),
            ..options()
        };
        let client = Client::connect(server.start(), options)
            .await
            .expect("a connection");
        assert_eq!(client.era(), Era::Session, "{way}");
        assert_eq!(
            client.server_info().map(|info| info.name).as_deref(),
            Some("faulty")
        );
        client
            .call_tool("t", Object::new())
            .await
            .expect("a result");
        client.close().await;
        server.leaves_nothing().await;
    }
}

#[tokio::test]
async fn requests_of_a_session_server_are_answered() {
    let server = Fixture::new("asks");
    let client = server.connect().await;
    let result = client
        .call_tool("t", Object::new())
        .await
        .expect("a result");
    let answers = words(&result);
    assert!(
        answers.contains(r#"{"jsonrpc":"2.0","id":"p","result":{}}"#),
        "{answers}"
    );
    assert!(
        answers.contains(r#""id":"r","error":{"code":-32601"#),
        "{answers}"
    );
    client.close().await;
    server.leaves_nothing().await;
}

#[tokio::test]
async fn a_list_that_does_not_end_is_given_up() {
    for (way, reason) in [
        ("repeating-list", "came twice"),
        ("endless-list", "more than 1000 pages"),
    ] {
        let server = Fixture::new(way);
        let client = server.connect().await;
        let error = client.list_tools().await.expect_err("no end").to_string();
        assert!(error.contains(reason), "{error}");
        client.close().await;
        server.leaves_nothing().await;
    }
}

#[tokio::test]
async fn an_empty_cursor_leads_to_the_next_page() {
    let server = Fixture::new("empty-cursor");
    let client = server.connect().await;
    assert_eq!(client.list_tools().await.expect("a list").len(), 2);
    client.close().await;
    server.leaves_nothing().await;
}

#[tokio::test]
async fn a_raw_text_is_sent_as_it_is_and_its_reply_is_observed() {
    let server = Fixture::new("good");
    let (options, seen) = keeping_messages();
    let client = Client::connect(server.start(), options)
        .await
        .expect("a connection");
    let text = r#"{"jsonrpc":"2.0","id":"typed","method":"nobody/knows"}"#;
    client.send_raw(text).await.expect("it was sent");
    client.close().await;
    let seen = seen.lock().expect("no panic").clone();
    assert!(seen.contains(&(Direction::ToServer, text.to_owned())));
    let reply = seen.last().expect("messages");
    assert!(
        reply.1.contains(r#""id":"typed""#) && reply.1.contains("-32601"),
        "{}",
        reply.1
    );
    server.leaves_nothing().await;
}

#[tokio::test]
async fn a_message_of_five_megabytes_goes_both_ways() {
    let server = Fixture::new("good");
    let client = server.connect().await;
    let arguments = Object::from_iter([("text".to_owned(), "订".repeat(1_700_000).into())]);
    let result = client.call_tool("t", arguments).await.expect("a result");
    assert!(words(&result).len() > 5_000_000);
    client.close().await;
    server.leaves_nothing().await;
}

#[tokio::test]
async fn a_client_may_move_between_threads() {
    let server = Fixture::new("good");
    let transport = server.start();
    let task = tokio::spawn(async move {
        let client = Client::connect(transport, options())
            .await
            .expect("a connection");
        client
            .call_tool("t", Object::new())
            .await
            .expect("a result");
        client.close().await;
    });
    task.await.expect("no panic");
    server.leaves_nothing().await;
}
