//! The built binary as a process, and a person and an agent of it.

use std::{
    fs::File,
    io::{BufRead, BufReader},
    path::{Path, PathBuf},
    process::{Child, ChildStdout, Command, Output, Stdio},
    time::Duration,
};

use btp_server::{
    agent::{self, Session},
    system::SystemEntropy,
};
use serde_json::{Value, json};
use tempfile::TempDir;

/// Settings of one installation, and the folder they live in.
pub(crate) struct Installation {
    folder: TempDir,
    env: Vec<(String, String)>,
}

impl Installation {
    /// On SQLite, with these settings besides.
    pub(crate) fn new(env: &[(&str, &str)]) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let mut all = vec![("DATA_DIR".to_owned(), folder.path().join("data").display().to_string())];
        all.extend(env.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())));
        Self { folder, env: all }
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub(crate) fn set(&mut self, name: &str, value: &str) {
        self.env.push((name.to_owned(), value.to_owned()));
    }

    /// Ceilings that nothing here reaches; the limiters stay on.
    pub(crate) fn raise_limits(&mut self) {
        for name in ["MCP_ENVELOPE", "MCP_TOOL_CALL", "MCP_MUTATION", "TRIP_CREATE"] {
            self.set(&format!("LIMIT_{name}"), "100000000/60");
        }
    }

    /// The binary with an environment of its own.
    pub(crate) fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_bike-trip-planner"));
        command.env_clear().envs(self.env.iter().cloned()).args(arguments).stdin(Stdio::null());
        command
    }

    /// Runs a short command.
    pub(crate) fn run(&self, arguments: &[&str]) -> Output {
        self.command(arguments).output().unwrap()
    }

    /// Runs a short command that must succeed; what it printed.
    pub(crate) fn ok(&self, arguments: &[&str]) -> String {
        let output = self.run(arguments);
        assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).unwrap().trim().to_owned()
    }

    /// Starts a long command and waits until it says that it listens (or works).
    pub(crate) fn start(&self, arguments: &[&str]) -> Server {
        self.start_logging(arguments, Stdio::inherit())
    }

    /// Starts `serve` on a free port, with its log in a file.
    pub(crate) fn serve_logging_to(&self, log: &Path) -> Server {
        self.start_logging(&["serve", "--listen", "127.0.0.1:0"], File::create(log).unwrap().into())
    }

    /// The same as [`Self::start`], with the log going there.
    pub(crate) fn start_logging(&self, arguments: &[&str], log: Stdio) -> Server {
        let mut child = self.command(arguments).stdout(Stdio::piped()).stderr(log).spawn().unwrap();
        let said = BufReader::new(child.stdout.take().unwrap());
        let mut server = Server { child, said, base: String::new() };
        server.base = server.says();
        server
    }

    /// Starts `serve` on a free port.
    pub(crate) fn serve(&self) -> Server {
        self.start(&["serve", "--listen", "127.0.0.1:0"])
    }

    /// A new person and an agent that they authorized.
    pub(crate) async fn agent(&self, server: &Server, email: &str) -> Session {
        self.ok(&["user", "add", email]);
        if !self.ok(&["client", "list"]).contains("test-agent") {
            self.ok(&[
                "client",
                "add",
                "--name",
                "Test agent",
                "--id",
                "test-agent",
                "--redirect-uri",
                agent::REDIRECT,
            ]);
        }
        let link = self.link(server, email);
        let mcp = format!("{}/mcp", server.base).parse().unwrap();
        agent::sign_in(&mcp, "test-agent", &link, &SystemEntropy, &|_| {}).await.unwrap()
    }

    /// A sign-in address on this server (the command's own base may carry another port).
    pub(crate) fn link(&self, server: &Server, email: &str) -> String {
        let link = self.ok(&["sign-in-link", email]);
        let path = link.split_once("/auth/").expect("a link to /auth/…").1;
        format!("{}/auth/{path}", server.base)
    }
}

/// A running process; killed when dropped.
pub(crate) struct Server {
    /// The process.
    pub(crate) child: Child,
    said: BufReader<ChildStdout>,
    /// Its base address.
    pub(crate) base: String,
}

impl Server {
    /// Last word of the next line that it prints.
    pub(crate) fn says(&mut self) -> String {
        let mut line = String::new();
        self.said.read_line(&mut line).expect("the server should say something");
        line.split_whitespace().last().expect("the server should say that it is ready").to_owned()
    }

    /// SIGKILL.
    pub(crate) fn kill(mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Waits: the process under test has its own clock.
pub(crate) async fn pause(span: Duration) {
    tokio::time::sleep(span).await;
}

/// The trip once it is settled.
pub(crate) async fn settled(session: &Session, id: &str, within: Duration) -> Value {
    let step = Duration::from_millis(50);
    for _ in 0..within.as_millis() / step.as_millis() {
        let trip = session.call("get_trip", json!({"id": id})).await.unwrap();
        if trip["partial"] == false {
            return trip;
        }
        pause(step).await;
    }
    panic!("trip {id} did not settle within {within:?}");
}
