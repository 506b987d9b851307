//! Clients that an operator adds by name alone.
//!
//! Agents whose own document the published rules refuse, or that have none. A stored client wins over a fetch, so one with
//! an address as id is never fetched. Addresses on `localhost` without port match on any port.

/// A client that is known by name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Preset {
    /// What the operator types.
    pub name: &'static str,
    /// Its client id: the address of its document where it has one, for that is what it sends.
    pub id: &'static str,
    /// Its name on the consent page.
    pub title: &'static str,
    /// Where codes may be sent.
    pub redirect_uris: &'static [&'static str],
}

const BOTH_LOOPBACKS: &[&str] = &["http://127.0.0.1/callback", "http://localhost/callback"];

/// Every preset.
pub const PRESETS: &[Preset] = &[
    Preset {
        name: "claude-code",
        id: "https://claude.ai/oauth/claude-code-client-metadata",
        title: "Claude Code",
        redirect_uris: BOTH_LOOPBACKS,
    },
    Preset {
        name: "codex",
        id: "https://chatgpt.com/oauth/codex/client.json",
        title: "Codex",
        redirect_uris: BOTH_LOOPBACKS,
    },
    Preset {
        name: "opencode",
        id: "https://opencode.ai/oauth/opencode/client.json",
        title: "opencode",
        redirect_uris: BOTH_LOOPBACKS,
    },
    Preset {
        name: "mcpc",
        id: "https://apify.github.io/mcpc/client-metadata.json",
        title: "mcpc",
        redirect_uris: BOTH_LOOPBACKS,
    },
    Preset {
        name: "cursor",
        id: "cursor",
        title: "Cursor",
        redirect_uris: &["http://localhost:8787/callback", "https://www.cursor.com/agents/mcp/oauth/callback"],
    },
    Preset {
        name: "gemini",
        id: "gemini",
        title: "Gemini CLI",
        redirect_uris: &["http://localhost/oauth/callback", "http://127.0.0.1/oauth/callback"],
    },
    Preset {
        name: "mcp-inspector",
        id: "mcp-inspector",
        title: "MCP Inspector",
        redirect_uris: &[
            "http://localhost:6274/oauth/callback",
            "http://localhost:6274/oauth/callback/debug",
            "http://127.0.0.1/oauth/callback",
            "http://127.0.0.1/oauth/callback/debug",
        ],
    },
    Preset {
        name: "mcp-remote",
        id: "mcp-remote",
        title: "mcp-remote",
        redirect_uris: &["http://127.0.0.1/oauth/callback", "http://localhost/oauth/callback"],
    },
];

impl Preset {
    /// The preset of this name.
    pub fn named(name: &str) -> Option<&'static Self> {
        PRESETS.iter().find(|preset| preset.name == name)
    }
}
