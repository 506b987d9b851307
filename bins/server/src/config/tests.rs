//! Configuration from maps.

use super::*;

fn env(pairs: &[(&str, &str)]) -> Env {
    pairs.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect()
}

fn problem(pairs: &[(&str, &str)]) -> String {
    Config::from_env(&env(pairs)).unwrap_err().to_string()
}

#[test]
fn nothing_set_serves_on_loopback() {
    let config = Config::from_env(&env(&[])).unwrap();
    assert_eq!(config.base.as_str(), "http://127.0.0.1:8080");
    assert_eq!(config.sqlite_file(), Some("./data/bike-trip-planner.sqlite".into()));
    assert!(config.is_sqlite() && config.limits.is_empty());
}

#[test]
fn the_domain_gives_the_base() {
    assert_eq!(
        Config::from_env(&env(&[("DOMAIN", "www.example.org")])).unwrap().base.as_str(),
        "https://www.example.org"
    );
    assert_eq!(
        Config::from_env(&env(&[("DOMAIN", "x.org"), ("DEFAULT_URI", "https://y.org:8443")])).unwrap().base.as_str(),
        "https://y.org:8443"
    );
    for domain in ["https://www.example.org", "www.example.org/"] {
        assert!(problem(&[("DOMAIN", domain)]).starts_with("DOMAIN: write a host name alone"), "{domain}");
    }
}

#[test]
fn an_ambiguous_base_is_refused() {
    for bad in [
        "www.example.org",
        "http://www.example.org",
        "https://www.example.org/",
        "https://www.example.org/app",
        "https://WWW.example.org",
        "https://www.example.org:443",
        "https://ann@www.example.org",
        "https://www.example.org?x",
        "ftp://www.example.org",
        "https://",
    ] {
        assert!(problem(&[("DEFAULT_URI", bad)]).starts_with("DEFAULT_URI: "), "{bad}");
    }
    for good in ["http://localhost:8080", "http://127.0.0.1:9", "http://[::1]:8080", "https://www.example.org"] {
        assert_eq!(Config::from_env(&env(&[("DEFAULT_URI", good)])).unwrap().base.as_str(), good);
    }
}

#[test]
fn each_problem_names_its_setting() {
    for (name, value) in [
        ("LISTEN", "8080"),
        ("METRICS_LISTEN", "9464"),
        ("NOMINATIM_URL", "on"),
        ("PHOTON_URL", "off"),
        ("DATABASE_URL", "mysql://x"),
        ("TRUSTED_PROXIES", "10.0.0.0/99"),
        ("ALLOWED_ORIGINS", "https://x.org/path"),
        ("SIGN_UP", "everyone"),
        ("MAILER_URL", "mail.example.org"),
        ("DATABASE_URL", "sqlite:"),
        ("DATABASE_URL", "sqlite::memory:"),
        ("DATABASE_URL", "sqlite:///x.sqlite?mode=memory"),
        ("DATABASE_URL", "sqlite://my%20trips.sqlite"),
        ("OAUTH_ALLOW_LOCALHOST_REDIRECTS", "please"),
        ("OAUTH_RESOURCE_ALIASES", "https://www.example.org"),
        ("KOMOOT_URL", "komoot"),
        ("SOURCES_DISABLED", "bikemap"),
        ("LIMIT_TRIP_CREATE", "10"),
        ("LIMIT_TRIP_CREATE", "10/0"),
        ("LIMIT_NOTHING", "1/1"),
        ("REDIS_URL", "redis://127.0.0.1"),
        ("OAUTH_REFRESH_GRACE_SECONDS", "soon"),
        ("OAUTH_REFRESH_GRACE_SECONDS", "601"),
    ] {
        assert!(problem(&[(name, value)]).starts_with(&format!("{name}: ")), "{name}={value}");
    }
    assert!(problem(&[("TLS_CERT", "c.pem")]).starts_with("TLS_KEY: "));
    assert!(problem(&[("LISTEN", "0.0.0.0:80")]).starts_with("DEFAULT_URI: "));
}

#[test]
fn decisions_about_oauth_are_as_published_unless_said_otherwise() {
    assert_eq!(Config::from_env(&env(&[])).unwrap().policy, Policy::default());
    let named = ["OAUTH_ALLOW_LOCALHOST_REDIRECTS", "OAUTH_RESOURCE_ALIASES"];
    let switched = |value| {
        let policy = Config::from_env(&env(&named.map(|name| (name, value)))).unwrap().policy;
        (policy.localhost_redirects, policy.resource_aliases)
    };
    assert_eq!(
        [switched("on"), switched("true"), switched("off"), switched("")].map(|on| on.0),
        [true, true, false, false]
    );
    assert_eq!((switched("1"), switched("0")), ((true, true), (false, false)));
}

#[test]
fn limits_are_overridden_by_name() {
    let config = Config::from_env(&env(&[("LIMIT_MCP_TOOL_CALL", "1000/60")])).unwrap();
    assert_eq!(config.limits, BTreeMap::from([("mcp_tool_call", (1000, 60))]));
    assert_eq!(config.limit_notes(), ["LIMIT_MCP_TOOL_CALL is 1000/60, published 60/60"]);
    assert!(Config::from_env(&env(&[("LIMIT_GEOCODE", "30/60")])).unwrap().limit_notes().is_empty());
}

#[test]
fn the_file_of_the_embedded_database() {
    let file = |url: &str| Config::from_env(&env(&[("DATABASE_URL", url)])).unwrap().sqlite_file();
    assert_eq!(file("sqlite:///var/lib/x.sqlite?mode=rwc"), Some("/var/lib/x.sqlite".into()));
    assert_eq!(file("sqlite:x%3F.sqlite"), Some("x?.sqlite".into()));
    assert_eq!(file("postgres://db/x"), None);
}

#[test]
fn mail_is_sent_by_a_server_and_from_somebody() {
    let server = ("MAILER_URL", "smtp://127.0.0.1:25");
    assert!(problem(&[server]).starts_with("MAILER_FROM: "));
    assert!(problem(&[server, ("MAILER_FROM", "nobody")]).starts_with("MAILER_FROM: "));
    assert!(problem(&[("MAILER_URL", "smtp://a:b@mail"), ("MAILER_FROM", "a@b.org")]).starts_with("MAILER_URL: "));
    let config = Config::from_env(&env(&[server, ("MAILER_FROM", "Trips <trips@example.org>")])).unwrap();
    assert_eq!(config.mail.unwrap().server, "smtp://127.0.0.1:25");
    assert_eq!(Config::from_env(&env(&[("SIGN_UP", "open")])).unwrap().sign_up, SignUp::Open);
}

#[test]
fn where_places_are_found() {
    let places = |pairs: &[(&str, &str)]| Config::from_env(&env(pairs)).unwrap().places;
    let base: url::Url = "http://10.0.0.5:8080/geo".parse().unwrap();
    assert_eq!(places(&[]), Some(PlaceService::PublicNominatim));
    assert_eq!(places(&[("NOMINATIM_URL", "off")]), None);
    assert_eq!(places(&[("NOMINATIM_URL", base.as_str())]), Some(PlaceService::Nominatim(base.clone())));
    let photon = Some(PlaceService::Photon(base.clone()));
    assert_eq!(places(&[("PHOTON_URL", base.as_str())]), photon);
    assert_eq!(places(&[("PHOTON_URL", base.as_str()), ("NOMINATIM_URL", "off")]), photon);
    assert!(problem(&[("PHOTON_URL", base.as_str()), ("NOMINATIM_URL", base.as_str())]).contains("not both"));
}

#[test]
fn redis_is_for_postgresql() {
    let postgres = ("DATABASE_URL", "postgres://127.0.0.1/trips");
    for url in ["redis://127.0.0.1", "rediss://:secret@redis.example.org:6380/1"] {
        let config = Config::from_env(&env(&[postgres, ("REDIS_URL", url)])).unwrap();
        assert_eq!(config.redis_url.as_deref(), Some(url));
    }
    for url in ["127.0.0.1:6379", "valkeys://127.0.0.1", "rediss://127.0.0.1/#insecure"] {
        assert!(problem(&[postgres, ("REDIS_URL", url)]).starts_with("REDIS_URL: "), "{url}");
    }
}

#[test]
fn the_grace_is_half_a_minute_unless_said_otherwise() {
    let grace = |pairs: &[(&str, &str)]| Config::from_env(&env(pairs)).unwrap().policy.refresh_grace.as_secs();
    assert_eq!(grace(&[]), 30);
    assert_eq!(grace(&[("OAUTH_REFRESH_GRACE_SECONDS", "0")]), 0);
    assert_eq!(grace(&[("OAUTH_REFRESH_GRACE_SECONDS", "600")]), 600);
}
