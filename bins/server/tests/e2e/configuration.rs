//! A wrong configuration ends with 78 and one sentence that names the setting.

use std::os::unix::fs::PermissionsExt;

use crate::server::Installation;

fn refused(installation: &Installation, arguments: &[&str]) -> String {
    let output = installation.run(arguments);
    let words = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(78), "{arguments:?}: {words}");
    assert_eq!(words.trim().lines().count(), 1, "{words}");
    words
}

#[test]
fn a_wrong_setting() {
    for (name, value) in [
        ("DEFAULT_URI", "http://www.example.org"),
        ("DEFAULT_URI", "https://www.example.org/"),
        ("DATABASE_URL", "mysql://nobody"),
        ("DATABASE_URL", "postgres://nobody@127.0.0.1:1/none"),
        ("DATABASE_URL", "sqlite:///proc/none/such.sqlite"),
        ("LIMIT_TRIP_CREATE", "many"),
        ("OAUTH_SIGNING_KEYS", "/nowhere/key.pem"),
        ("TLS_CERT", "/nowhere/cert.pem"),
        ("REDIS_URL", "redis://127.0.0.1"),
        ("METRICS_LISTEN", "203.0.113.1:9"),
    ] {
        let mut installation = Installation::new(&[(name, value)]);
        if name == "TLS_CERT" {
            installation.set("TLS_KEY", "/nowhere/key.pem");
        }
        let words = refused(&installation, &["serve", "--listen", "127.0.0.1:0"]);
        assert!(words.contains(name), "{name}={value}: {words}");
    }
}

#[test]
fn equal_keys() {
    let mut installation = Installation::new(&[]);
    installation.ok(&["keys", "generate"]);
    let key = installation.path("data/keys/oauth.pem");
    installation.set("SESSION_SIGNING_KEYS", key.to_str().unwrap());
    let words = refused(&installation, &["serve", "--listen", "127.0.0.1:0"]);
    assert!(words.contains("OAUTH_SIGNING_KEYS") && words.contains("SESSION_SIGNING_KEYS"), "{words}");
}

#[test]
fn a_second_serve_on_one_file() {
    let installation = Installation::new(&[]);
    let server = installation.serve();
    let words = refused(&installation, &["serve", "--listen", "127.0.0.1:0"]);
    assert!(words.contains("DATABASE_URL") || words.contains("DATA_DIR"), "{words}");
    // Short commands may open the file beside it.
    installation.ok(&["user", "add", "ann@example.org"]);
    drop(server);
    installation.serve();
}

#[test]
fn the_doctor_finds_what_serve_would_refuse_and_nothing_else() {
    let mut installation = Installation::new(&[("NOMINATIM_URL", "off")]);
    let told = installation.ok(&["doctor"]);
    assert!(told.starts_with("note: the next start applies") && told.ends_with("Everything is well."), "{told}");
    installation.ok(&["user", "list"]);
    assert_eq!(installation.ok(&["doctor"]), "Everything is well.");
    installation.set("TLS_CERT", "/nowhere/cert.pem");
    installation.set("TLS_KEY", "/nowhere/key.pem");
    let output = installation.run(&["doctor"]);
    let told = String::from_utf8(output.stdout).unwrap();
    assert!(output.status.code() == Some(1) && told.starts_with("TLS_CERT: "), "{told}");
}

#[test]
fn a_worker_beside_sqlite() {
    assert!(refused(&Installation::new(&[]), &["worker"]).contains("DATABASE_URL"));
}

#[test]
fn clients_that_are_known_by_name() {
    let installation = Installation::new(&[]);
    for _ in 0..2 {
        assert_eq!(
            installation.ok(&["client", "add", "--preset", "codex"]),
            "https://chatgpt.com/oauth/codex/client.json"
        );
    }
    installation.ok(&["client", "add", "--preset", "cursor"]);
    installation.ok(&["client", "disable", "cursor"]);
    let list = installation.ok(&["client", "list"]);
    let ids: Vec<_> = list.lines().map(|line| line.split_whitespace().take(3).collect::<Vec<_>>()).collect();
    let codex = ["enabled", "operator", "https://chatgpt.com/oauth/codex/client.json"];
    assert_eq!(ids, [["disabled", "operator", "cursor"], codex]);

    let failed = |arguments: &[&str]| {
        let output = installation.run(arguments);
        assert_eq!(output.status.code(), Some(1), "{arguments:?}");
        String::from_utf8(output.stderr).unwrap()
    };
    assert!(failed(&["client", "add", "--preset", "cursor"]).contains("`client enable cursor`"));
    assert!(installation.ok(&["client", "list"]).contains("disabled  operator  cursor"));
    installation.ok(&["client", "enable", "cursor"]);
    installation.ok(&["client", "add", "--preset", "cursor"]);
    assert!(installation.ok(&["client", "list"]).contains("enabled   operator  cursor"));
    assert!(failed(&["client", "enable", "nobody"]).contains("there is no client nobody"));
}

#[test]
fn wrong_arguments_end_with_64() {
    let installation = Installation::new(&[]);
    for arguments in [
        &["sevre"][..],
        &[],
        &["user", "add"],
        &["user", "add", "ann"],
        &["user", "add", "ann@example.org", "--locale", "de"],
        &["sign-in-link", "ann"],
        &["client", "add", "--name", "x", "--redirect-uri", "http://www.example.org/"],
        &["client", "add", "--name", "x", "--redirect-uri", "https://www.example.org/cb", "--id", "a b"],
        &["client", "add", "--name", "", "--redirect-uri", "https://www.example.org/cb"],
        &["client", "add", "--name", "x"],
        &["client", "add", "--preset", "netscape"],
        &["client", "add", "--preset", "cursor", "--redirect-uri", "https://www.example.org/cb"],
        &["serve", "--listen", "nowhere"],
    ] {
        assert_eq!(installation.run(arguments).status.code(), Some(64), "{arguments:?}");
    }
    assert_eq!(installation.run(&["sign-in-link", "nobody@example.org"]).status.code(), Some(1));
    assert_eq!(installation.run(&["--help"]).status.code(), Some(0));
}

#[test]
fn what_is_kept_is_for_nobody_else() {
    let installation = Installation::new(&[]);
    let _server = installation.serve();
    for (name, mode) in [
        ("data", 0o700),
        ("data/keys", 0o700),
        ("data/keys/oauth.pem", 0o600),
        ("data/keys/session.pem", 0o600),
        ("data/bike-trip-planner.sqlite", 0o600),
        ("data/bike-trip-planner.sqlite-wal", 0o600),
    ] {
        let found = std::fs::metadata(installation.path(name)).unwrap().permissions().mode();
        assert_eq!(found & 0o777, mode, "{name}");
    }
}
