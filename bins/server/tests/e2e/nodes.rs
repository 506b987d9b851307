//! Two servers on one PostgreSQL and one Redis behind TLS: what one does holds at the other, and Redis may go and come.

use std::{
    io::{BufRead, BufReader},
    net::TcpListener,
    process::{Child, Command, Stdio},
    time::Duration,
};

use crate::{
    crash::free_ports,
    database::Database,
    flow::{Flow, VERIFIER},
    server::{Installation, pause},
};

const ALLOWED: usize = 15;

struct Redis(Child);

impl Redis {
    /// With the certificate and key in `cert.pem` and `key.pem` of the installation.
    fn start(port: u16, installation: &Installation) -> Self {
        let mut child = Command::new("redis-server")
            .args(["--port", "0", "--tls-port", &port.to_string(), "--tls-auth-clients", "no", "--bind", "127.0.0.1"])
            .arg("--tls-cert-file")
            .arg(installation.path("cert.pem"))
            .arg("--tls-key-file")
            .arg(installation.path("key.pem"))
            .args(["--save", "", "--appendonly", "no", "--dir", "/"])
            .stdout(Stdio::piped())
            .spawn()
            .expect("redis-server should be installed");
        let mut lines = BufReader::new(child.stdout.take().unwrap()).lines().map_while(Result::ok);
        lines.find(|line| line.contains("Ready to accept connections")).expect("it should say that it is ready");
        Self(child)
    }
}

impl Drop for Redis {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// How many token requests pass, turn by turn at each of the nodes, before both have refused.
async fn passing(flow: &Flow, nodes: &[String]) -> usize {
    let mut passed = 0;
    let mut refused = 0;
    while refused < nodes.len() {
        refused = 0;
        for node in nodes {
            let reply = flow.refresh(node, "btr_unknown").await;
            match reply.status {
                400 => passed += 1,
                429 => refused += 1,
                other => panic!("{other}: {}", reply.json),
            }
        }
    }
    passed
}

#[tokio::test(flavor = "multi_thread")]
async fn limits_single_use_and_revocation_hold_across_servers() {
    let database = Database::new("nodes");
    let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let made = rcgen::generate_simple_self_signed(["127.0.0.1".to_owned()]).unwrap();
    let listen = free_ports(2);
    let nodes: Vec<_> = listen.iter().map(|address| format!("http://{address}")).collect();
    let mut installation = Installation::new(&[("DATABASE_URL", &database.url), ("DEFAULT_URI", &nodes[0])]);
    let (cert, key) = (installation.path("cert.pem"), installation.path("key.pem"));
    std::fs::write(&cert, made.cert.pem()).unwrap();
    std::fs::write(&key, made.signing_key.serialize_pem()).unwrap();
    installation.set("REDIS_URL", &format!("rediss://127.0.0.1:{port}"));
    installation.set("SSL_CERT_FILE", cert.to_str().unwrap());
    let redis = Redis::start(port, &installation);
    installation.set("LIMIT_OAUTH_TOKEN", &format!("{ALLOWED}/3600"));
    installation.raise_limits();
    installation.ok(&["migrate"]);
    let servers: Vec<_> = listen.iter().map(|address| installation.start(&["serve", "--listen", address])).collect();
    let mut flow = Flow::signed_in(&installation, &servers[0], "ann@example.org").await;
    for node in &nodes {
        assert_eq!(flow.ready(node).await.text("status"), "ready");
    }

    // single use: five requests
    let code = flow.code().await;
    let stolen = flow.redeem(&nodes[0], &code, VERIFIER).await.text("access_token");
    assert_eq!(flow.call(&nodes[1], &stolen).await, 200);
    assert_eq!(flow.redeem(&nodes[1], &code, VERIFIER).await.text("error"), "invalid_grant");
    assert_eq!(flow.call(&nodes[0], &stolen).await, 401);
    let code = flow.code().await;
    let first = flow.redeem(&nodes[1], &code, VERIFIER).await;
    let once = flow.refresh(&nodes[0], &first.text("refresh_token")).await;
    let again = flow.refresh(&nodes[1], &first.text("refresh_token")).await;
    assert_eq!(once.text("refresh_token"), again.text("refresh_token"), "one answer, whichever node is asked");

    assert_eq!(passing(&flow, &nodes).await, ALLOWED - 5, "counted together");

    drop(redis);
    for node in &nodes {
        let ready = flow.ready(node).await;
        assert_eq!((ready.status, ready.text("status")), (200, "degraded".to_owned()));
        assert!(ready.json["checks"]["redis"].as_str().unwrap().starts_with("redis does not answer"));
        assert_eq!(flow.call(node, &once.text("access_token")).await, 200, "nobody is turned away");
    }
    // Each node had let a part of them through, and goes on from there.
    assert_eq!(passing(&flow, &nodes).await, ALLOWED, "two windows of which {ALLOWED} were used");

    let _redis = Redis::start(port, &installation);
    for node in &nodes {
        let mut tries = 0;
        while flow.ready(node).await.text("status") != "ready" {
            tries += 1;
            assert!(tries < 100, "{node} should find Redis again");
            pause(Duration::from_millis(50)).await;
        }
    }
    let revoked = flow.post(&nodes[1], "/oauth/revoke", &[("token", &once.text("refresh_token"))]).await;
    assert_eq!(revoked.status, 200);
    assert_eq!(flow.call(&nodes[0], &once.text("access_token")).await, 401, "at the next call, anywhere");
    assert_eq!(passing(&flow, &nodes).await, ALLOWED - 1, "together again, from what the new Redis knows");
}
