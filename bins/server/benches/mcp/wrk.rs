//! Load by wrk.

use std::{
    fmt,
    path::{Path, PathBuf},
    process::Command,
};

const SECONDS: u32 = 8;

/// What wrk saw.
pub(crate) struct Seen {
    /// Requests a second.
    pub(crate) rate: f64,
    p50: String,
    p99: String,
}

impl fmt::Display for Seen {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{:.0}/s (p50 {}, p99 {})", self.rate, self.p50, self.p99)
    }
}

/// A tool call for wrk, sent to whoever answers to the name `host`.
pub(crate) fn script(folder: &Path, tool: &str, arguments: &str, token: &str, host: &str) -> PathBuf {
    let body = format!(
        r#"{{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{{"name":"{tool}","arguments":{arguments},"_meta":{{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{{}}}}}}}}"#
    );
    let lua = format!(
        "wrk.method = 'POST'\nwrk.body = [[{body}]]\nfor name, value in pairs({{['Host'] = '{host}', ['content-type'] = 'application/json', accept = 'application/json, text/event-stream', ['mcp-protocol-version'] = '2026-07-28', ['mcp-method'] = 'tools/call', ['mcp-name'] = '{tool}', authorization = 'Bearer {token}'}}) do wrk.headers[name] = value end\n"
    );
    let path = folder.join(format!("{tool}.lua"));
    std::fs::write(&path, lua).unwrap();
    path
}

/// Puts the address under load for a few seconds; every answer must be 200.
pub(crate) fn load(connections: u32, script: &Path, address: &str) -> Seen {
    let output = Command::new("wrk")
        .args(["-t1", &format!("-c{connections}"), &format!("-d{SECONDS}s"), "--latency", "-s"])
        .arg(script)
        .arg(address)
        .output()
        .expect("wrk should be installed (Debian: apt-get install wrk)");
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(!text.contains("Non-2xx"), "{text}");
    let after = |start: &str| {
        let line = text.lines().find_map(|line| line.trim().strip_prefix(start));
        line.unwrap_or_else(|| panic!("wrk printed no {start}: {text}")).trim().to_owned()
    };
    Seen { rate: after("Requests/sec:").parse().unwrap(), p50: after("50%"), p99: after("99%") }
}
