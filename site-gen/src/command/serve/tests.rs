//! What does a browser get from the server, before and after a good build, and at the end?

use std::time::{Duration, Instant};

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::task::JoinHandle;
use tokio::time::timeout;

use super::*;

/// A server over a folder with one page.
struct Site {
    address: SocketAddr,
    notices: watch::Sender<Notice>,
    telling: watch::Sender<bool>,
    serving: JoinHandle<std::io::Result<()>>,
    _folder: tempfile::TempDir,
}

impl Site {
    async fn new(notice: Notice) -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        for (name, text) in [("index.html", "<p>good</p>"), ("404.html", "<p>none</p>")] {
            std::fs::write(folder.path().join(name), text).expect("a page");
        }
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))
            .await
            .expect("a port");
        let address = listener.local_addr().expect("an address");
        let (notices, watcher) = watch::channel(notice);
        let (telling, children) = Children::by_hand();
        let out = folder.path().to_owned();
        let serving = tokio::spawn(async move { serve(listener, out, watcher, children).await });
        Self {
            address,
            notices,
            telling,
            serving,
            _folder: folder,
        }
    }

    async fn ask(&self, path: &str) -> TcpStream {
        let mut stream = TcpStream::connect(self.address).await.expect("a server");
        let request = format!(
            "GET {path} HTTP/1.1\r\nHost: {}\r\nConnection: close\r\n\r\n",
            self.address
        );
        stream
            .write_all(request.as_bytes())
            .await
            .expect("a request");
        stream
    }

    async fn get(&self, path: &str) -> String {
        let mut text = String::new();
        let mut stream = self.ask(path).await;
        stream.read_to_string(&mut text).await.expect("an answer");
        text
    }
}

/// Reads until `wanted` has come.
async fn hear(stream: &mut TcpStream, wanted: &str) {
    let mut heard = String::new();
    let mut part = [0; 1024];
    let listening = async {
        while !heard.contains(wanted) {
            let count = stream.read(&mut part).await.expect("a stream");
            assert!(count > 0, "the stream ended: {heard}");
            heard.push_str(&String::from_utf8_lossy(&part[..count]));
        }
    };
    let in_time = timeout(Duration::from_secs(5), listening).await;
    assert!(in_time.is_ok(), "{wanted:?} did not come");
}

fn fault(build: u64, words: &str) -> Notice {
    Notice {
        build,
        fault: Some(words.to_owned()),
    }
}

fn good(build: u64) -> Notice {
    Notice { build, fault: None }
}

#[tokio::test]
async fn without_a_good_build_every_page_is_the_fault() {
    let site = Site::new(fault(0, "line 3: <b>")).await;
    let page = site.get("/index.html").await;
    assert!(page.starts_with("HTTP/1.1 500"), "{page}");
    assert!(page.contains("line 3: &lt;b&gt;"), "{page}");
    assert!(site.get("/healthz").await.starts_with("HTTP/1.1 200"));
    site.notices.send_replace(good(1));
    assert!(site.get("/index.html").await.contains("<p>good</p>"));
}

#[tokio::test]
async fn the_last_good_page_stays_when_a_fault_comes() {
    let site = Site::new(fault(1, "line 3")).await;
    let page = site.get("/").await;
    assert!(page.contains("<p>good</p>"), "{page}");
    assert!(page.contains("cache-control: no-cache"), "{page}");
    let page = site.get("/nowhere.html").await;
    assert!(page.starts_with("HTTP/1.1 404"), "{page}");
    assert!(page.contains("<p>none</p>"), "{page}");
}

#[tokio::test]
async fn an_open_page_hears_of_faults_and_of_new_builds() {
    let site = Site::new(fault(1, "line 3\nline 4")).await;
    let mut page = site.ask("/__reload").await;
    hear(&mut page, "event: fault\ndata: line 3\ndata: line 4\n").await;
    site.notices.send_replace(good(2));
    hear(&mut page, "event: reload").await;
    site.notices.send_replace(fault(2, "line 5"));
    hear(&mut page, "data: line 5").await;
}

#[tokio::test]
async fn an_open_page_does_not_hold_the_end_back() {
    let site = Site::new(good(1)).await;
    let mut page = site.ask("/__reload").await;
    hear(&mut page, "connected").await;
    let start = Instant::now();
    site.telling.send(true).expect("a listener");
    let ended = timeout(Duration::from_secs(2), site.serving).await;
    assert!(matches!(ended, Ok(Ok(Ok(())))), "{:?}", start.elapsed());
}

#[tokio::test]
async fn the_shop_is_served_live() {
    let site = Site::new(good(1)).await;
    let answer = site.get("/mcp/shop").await;
    // This server streams nothing, and says so.
    assert!(answer.starts_with("HTTP/1.1 405"), "{answer}");
}
