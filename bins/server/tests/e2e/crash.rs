//! kill -9 at random moments: every trip settles, none is lost or doubled.

use std::{collections::BTreeSet, net::TcpListener, time::Duration};

use btp_kernel::Entropy;
use btp_testkit::SeededEntropy;
use serde_json::{Value, json};

use crate::{
    database::Database,
    server::{Installation, Server, pause, settled},
    source::Source,
};

const ROUNDS: usize = 20;

#[tokio::test(flavor = "multi_thread")]
async fn sqlite() {
    play(1, &[]).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn postgresql() {
    let database = Database::new("crash_one");
    play(1, &[("DATABASE_URL", &database.url)]).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn two_servers_on_one_postgresql() {
    let database = Database::new("crash_two");
    play(2, &[("DATABASE_URL", &database.url)]).await;
}

/// Creates a trip a round, kills a server at a random moment of it, starts it again, asks again, and in the end counts.
async fn play(servers: usize, env: &[(&str, &str)]) {
    let source = Source::start().await;
    let listen = free_ports(servers);
    let base = format!("http://{}", listen[0]);
    let mut installation = Installation::new(env);
    installation.set("DEFAULT_URI", &base);
    installation.set("KOMOOT_URL", &source.base);
    installation.raise_limits();
    installation.ok(&["migrate"]);
    let start = |index: usize| installation.start(&["serve", "--listen", &listen[index]]);
    let mut running: Vec<Option<Server>> = (0..servers).map(|index| Some(start(index))).collect();
    let session = installation.agent(running[0].as_ref().unwrap(), "ann@example.org").await;

    let entropy = SeededEntropy::new(20);
    for round in 0..ROUNDS {
        let mut random = [0; 2];
        entropy.fill(&mut random);
        let victim = usize::from(random[1]) % servers;
        // Alike arguments are one creation, so asking again after a crash is safe.
        let arguments = json!({"sourceUrl": format!("https://www.komoot.com/tour/{}", 2_001_000 + round * 100), "title": format!("Trip {round}")});
        let asked = tokio::join!(session.call("create_trip", arguments.clone()), async {
            pause(Duration::from_millis(u64::from(random[0]) / 2)).await;
            running[victim].take().unwrap().kill();
        });
        running[victim] = Some(start(victim));
        let again = session.call("create_trip", arguments).await.unwrap();
        if let Ok(first) = asked.0 {
            assert_eq!(first["id"], again["id"], "round {round} made two trips");
        }
    }
    let list = session.call("list_trips", json!({"itemsPerPage": 30})).await.unwrap();
    assert_eq!(list["totalItems"], ROUNDS);
    let mut titles = BTreeSet::new();
    for trip in list["member"].as_array().unwrap() {
        let trip: Value = settled(&session, trip["id"].as_str().unwrap(), Duration::from_secs(100)).await;
        assert_eq!(trip["status"], "ready", "{trip}");
        assert!(titles.insert(trip["title"].as_str().unwrap().to_owned()));
    }
    // A crash costs at most one more fetch of each job in hand, of which there are four.
    let fetches = source.asked().len();
    assert!(fetches <= ROUNDS + 4 * ROUNDS, "{fetches} fetches");
}

/// Addresses that stay free while a server is down: below the range from which the system hands out ports by itself, and
/// begun at another place by each test process.
pub(crate) fn free_ports(count: usize) -> Vec<String> {
    let first = 20_000 + std::process::id() % 10_000;
    let candidates = (first..first + 2_000).map(|port| format!("127.0.0.1:{port}"));
    candidates.filter(|address| TcpListener::bind(address).is_ok()).take(count).collect()
}
