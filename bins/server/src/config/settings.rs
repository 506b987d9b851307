//! The settings as a table; the manual is generated from it.

/// One setting.
#[derive(Debug)]
pub struct Setting {
    /// Name of the environment variable.
    pub name: &'static str,
    /// What holds without it.
    pub default: &'static str,
    /// What it does.
    pub text: &'static str,
}

/// Every setting of this version, in the order of the manual.
pub const SETTINGS: &[Setting] = &[
    Setting {
        name: "DEFAULT_URI",
        default: "`https://DOMAIN`, else the address of `LISTEN`",
        text: "Public base address, without a trailing slash. It is the OAuth issuer, the start of every address the server prints, and its host is the only `Host` accepted. Plain http is accepted for loopback hosts only.",
    },
    Setting { name: "DOMAIN", default: "", text: "Host name from which `DEFAULT_URI` derives as `https://DOMAIN`." },
    Setting { name: "LISTEN", default: "`127.0.0.1:8080`", text: "Address and port to listen on." },
    Setting {
        name: "METRICS_LISTEN",
        default: "off",
        text: "Address and port to show metrics on, apart from everything else: `GET /metrics` in the text form of Prometheus (`docs/metrics.md`). They hold no secret, but are for operators: do not publish the port.",
    },
    Setting { name: "DATA_DIR", default: "`./data`", text: "Folder of the SQLite file and the signing keys." },
    Setting {
        name: "DATABASE_URL",
        default: "SQLite file in `DATA_DIR`",
        text: "`sqlite://FILE` (one serving process) or `postgres://USER:PASSWORD@HOST/NAME` (any number of `serve` and `worker` processes).",
    },
    Setting {
        name: "REDIS_URL",
        default: "none: limits count per process",
        text: "`redis://:PASSWORD@HOST:PORT/DATABASE`, or `rediss://…` for TLS with a certificate that the system trusts; with PostgreSQL only: limits count for all processes together. While it does not answer each process counts apart, and `/readyz` says `degraded`.",
    },
    Setting {
        name: "TLS_CERT",
        default: "",
        text: "PEM file with the certificate chain, to serve https without a reverse proxy; together with `TLS_KEY`.",
    },
    Setting { name: "TLS_KEY", default: "", text: "PEM file with the certificate's private key." },
    Setting {
        name: "TRUSTED_PROXIES",
        default: "none",
        text: "Networks of reverse proxies, separated by commas. Only they may say whose request they pass on (`X-Forwarded-For`, read from the right).",
    },
    Setting {
        name: "ALLOWED_ORIGINS",
        default: "none",
        text: "Browser origins, beside the server's own, that may call the MCP endpoint, separated by commas.",
    },
    Setting {
        name: "SIGN_UP",
        default: "`invite`",
        text: "Who gets an account. `invite`: whom `user add` adds. `open`: whoever opens the link that the sign-in page mails.",
    },
    Setting {
        name: "MAILER_URL",
        default: "none: sign-in links on standard error",
        text: "Mail server: `smtps://USER:PASSWORD@HOST`, or `smtp://HOST:PORT`, with `?tls=required` for STARTTLS, without which no password is accepted but on loopback.",
    },
    Setting {
        name: "MAILER_FROM",
        default: "",
        text: "Sender of mails, for example `Bike Trips <trips@example.org>`; together with `MAILER_URL`.",
    },
    Setting {
        name: "OAUTH_SIGNING_KEYS",
        default: "`DATA_DIR/keys/oauth.pem`",
        text: "Ed25519 PEM files, separated by commas. The first signs access tokens, all verify them. The default is made on first start.",
    },
    Setting {
        name: "SESSION_SIGNING_KEYS",
        default: "`DATA_DIR/keys/session.pem`",
        text: "Ed25519 PEM files for the tokens of apps; the first signs, all verify. A key that is also in `OAUTH_SIGNING_KEYS` is refused.",
    },
    Setting {
        name: "OAUTH_ALLOW_LOCALHOST_REDIRECTS",
        default: "`off`",
        text: "`on` accepts client documents that name `http://localhost` addresses, which the published rules refuse: anyone's, where a preset (`client add --preset`) accepts one agent's. Without port such an address matches on any.",
    },
    Setting {
        name: "OAUTH_REFRESH_GRACE_SECONDS",
        default: "`30`",
        text: "For how long a client that repeats a refresh gets the same tokens again, up to 600; `0` makes every repetition end the sign-in.",
    },
    Setting {
        name: "OAUTH_RESOURCE_ALIASES",
        default: "`off`",
        text: "`on` takes a `resource` with a trailing slash, and the bare `DEFAULT_URI`, for the MCP endpoint. Tokens carry its one address all the same.",
    },
    Setting {
        name: "KOMOOT_URL",
        default: "`https://www.komoot.com`",
        text: "Base address to fetch Komoot routes from. A value counts as a trusted internal address.",
    },
    Setting {
        name: "RIDEWITHGPS_URL",
        default: "`https://ridewithgps.com`",
        text: "Base address to fetch RideWithGPS routes from. A value counts as a trusted internal address.",
    },
    Setting {
        name: "STRAVA_URL",
        default: "`https://www.strava.com`",
        text: "Base address to fetch Strava routes from. A value counts as a trusted internal address.",
    },
    Setting {
        name: "SOURCES_DISABLED",
        default: "none",
        text: "Route sources that are switched off: any of `komoot`, `ridewithgps`, `strava`, separated by commas.",
    },
    Setting {
        name: "NOMINATIM_URL",
        default: "`https://nominatim.openstreetmap.org`",
        text: "Base address of the Nominatim that finds places; `off` asks nobody. The default is asked once a second at most, over all users; a value counts as a trusted internal address and is asked as often as wanted. While it is busy or away, and when it is off, the built-in index of towns answers.",
    },
    Setting {
        name: "PHOTON_URL",
        default: "",
        text: "Base address of a Photon that finds places instead of Nominatim. A value counts as a trusted internal address.",
    },
    Setting {
        name: "LIMIT_<NAME>",
        default: "as published",
        text: "`count/seconds` for one of the limits in `docs/limits.md`, for example `LIMIT_MCP_ENVELOPE=300/60`. Start-up and `doctor` name each limit that differs.",
    },
    Setting { name: "LOG", default: "`info`", text: "Log filter, for example `info,btp_outbound=debug`." },
];
