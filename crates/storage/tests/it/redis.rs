//! Limits that processes share, and a Redis that goes and comes.

use std::{
    io::{BufRead, BufReader},
    net::TcpListener,
    process::{Child, Command, Stdio},
    sync::{
        Arc,
        atomic::{AtomicU32, Ordering},
    },
    time::Duration,
};

use btp_kernel::{Figures, LimitError, Limiter, Timestamp, limit::TRIP_CREATE};
use btp_storage::RedisWindows;
use btp_testkit::{SeededEntropy, conformance};

use crate::samples::NOW;

/// The counters of one process.
fn process(url: &str, prefix: &str, figures: Figures) -> RedisWindows {
    static SEED: AtomicU32 = AtomicU32::new(0);
    let seed = SEED.fetch_add(1, Ordering::Relaxed);
    RedisWindows::new(url, prefix, figures, &SeededEntropy::new(u64::from(seed))).unwrap()
}

/// A prefix of one test.
fn prefix() -> String {
    static NEXT: AtomicU32 = AtomicU32::new(0);
    format!("btp-test-{}-{}", std::process::id(), NEXT.fetch_add(1, Ordering::Relaxed))
}

#[expect(clippy::disallowed_methods, reason = "the address of the test server can only come from outside")]
fn shared() -> String {
    std::env::var("BTP_TEST_REDIS").expect(
        "these tests need Redis: run `cargo xtask test`, which starts one, or set BTP_TEST_REDIS to the address of one, \
         for example redis://127.0.0.1:6379",
    )
}

/// A server of this test's own; killed when dropped.
struct Server {
    child: Child,
    port: u16,
}

impl Server {
    fn start(port: u16) -> Self {
        let port_text = port.to_string();
        let mut child = Command::new("redis-server")
            .args(["--port", &port_text, "--bind", "127.0.0.1", "--save", "", "--appendonly", "no", "--dir", "/"])
            .stdout(Stdio::piped())
            .spawn()
            .expect("redis-server should be installed");
        let lines = BufReader::new(child.stdout.take().unwrap()).lines();
        let is_ready = |line: &String| line.contains("Ready to accept connections");
        lines.map_while(Result::ok).find(is_ready).expect("redis-server should say that it is ready");
        Self { child, port }
    }

    fn on_a_free_port() -> Self {
        let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
        Self::start(port)
    }

    fn url(&self) -> String {
        format!("redis://127.0.0.1:{}", self.port)
    }

    /// Ends it; its port.
    fn kill(mut self) -> u16 {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
        self.port
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// How many of `calls` at `now` pass.
async fn passing(limiter: &RedisWindows, calls: u32, now: Timestamp) -> u32 {
    let mut passed = 0;
    for _ in 0..calls {
        match limiter.take(&[(&TRIP_CREATE, "ann")], now).await {
            Ok(()) => passed += 1,
            Err(LimitError::Exceeded(_)) => {}
            Err(other) => panic!("{other}"),
        }
    }
    passed
}

fn after(seconds: u64) -> Timestamp {
    NOW.plus(Duration::from_secs(seconds))
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn windows_in_redis_conform() {
    let url = shared();
    conformance::limiter(async |figures| Arc::new(process(&url, &prefix(), figures)) as _).await;
}

#[tokio::test]
async fn processes_count_together() {
    let (url, prefix) = (shared(), prefix());
    let one = process(&url, &prefix, Figures::default());
    let other = process(&url, &prefix, Figures::default());
    assert_eq!(passing(&one, 7, NOW).await, 7);
    assert_eq!(passing(&other, 7, NOW).await, 3);
    assert_eq!(passing(&one, 1, NOW).await, 0);
    assert_eq!(passing(&one, 20, after(60)).await, 10);
}

#[tokio::test]
async fn a_process_whose_redis_is_away_counts_by_itself_until_it_is_back() {
    let server = Server::on_a_free_port();
    let url = server.url();
    let one = process(&url, "btp", Figures::default());
    let other = process(&url, "btp", Figures::default());
    assert!(one.ping(NOW).await && other.ping(NOW).await);
    assert_eq!(passing(&one, 6, NOW).await, 6);

    let port = server.kill();
    assert!(!one.ping(NOW).await);
    assert_eq!(passing(&one, 20, after(1)).await, 4, "what it let through before counts on");
    assert_eq!(passing(&other, 20, after(1)).await, 10, "each process by itself");

    let server = Server::start(port);
    assert_eq!(server.url(), url);
    assert_eq!(passing(&one, 3, after(70)).await, 3);
    assert!(other.ping(after(70)).await);
    assert_eq!(passing(&other, 20, after(70)).await, 7, "together again");
}

#[tokio::test]
async fn a_redis_that_was_never_there_stops_nobody() {
    let closed = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let limiter = process(&format!("redis://127.0.0.1:{closed}"), "btp", Figures::default());
    assert!(!limiter.ping(NOW).await);
    assert_eq!(passing(&limiter, 20, NOW).await, 10);
}

#[test]
fn what_is_no_address_is_refused() {
    for url in ["", "127.0.0.1:6379", "http://127.0.0.1", "postgres://127.0.0.1/x"] {
        assert!(RedisWindows::new(url, "btp", Figures::default(), &SeededEntropy::default()).is_err(), "{url}");
    }
}
