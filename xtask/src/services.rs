//! The servers that tests talk to: started on free ports in a throw-away folder, stopped when dropped.
//!
//! Each is tied to this process: the kernel ends it should we die without cleaning up.

use std::{
    ffi::OsStr,
    io::{BufRead, BufReader, Read},
    net::TcpListener,
    os::unix::fs::chown,
    path::Path,
    process::{Child, Command, Stdio},
    thread,
};

use anyhow::{Context, Result, bail};
use tempfile::TempDir;

use crate::{
    provision::{is_root, postgres_bin},
    run::succeed,
};

/// What runs for the tests.
pub(crate) struct Services {
    postgres: Child,
    postgres_url: String,
    redis: Child,
    redis_url: String,
    /// Outlives the processes: fields are dropped after [`Services::drop`] has ended them.
    _dir: TempDir,
}

impl Services {
    /// Starts them all and waits until they answer.
    pub(crate) fn start() -> Result<Self> {
        // Not below the checkout: the account that runs PostgreSQL may have no way into it.
        let dir = tempfile::Builder::new().prefix("btp-services-").tempdir()?;
        let (postgres, postgres_url) = postgres(dir.path()).context("PostgreSQL")?;
        let (redis, redis_url) = redis(dir.path()).context("Redis")?;
        Ok(Self { postgres, postgres_url, redis, redis_url, _dir: dir })
    }

    /// The environment that tells tests where they are.
    pub(crate) fn env(&self) -> [(&'static str, &str); 2] {
        [("BTP_TEST_POSTGRES", &self.postgres_url), ("BTP_TEST_REDIS", &self.redis_url)]
    }
}

impl Drop for Services {
    fn drop(&mut self) {
        let asked = Command::new("kill").args(["-INT", &self.postgres.id().to_string()]).status();
        if !asked.is_ok_and(|status| status.success()) {
            let _ = self.postgres.kill();
        }
        let _ = self.postgres.wait();
        let _ = self.redis.kill();
        let _ = self.redis.wait();
    }
}

/// A command that the kernel ends with us.
pub(crate) fn tied(program: impl AsRef<OsStr>) -> Command {
    let mut command = Command::new("setpriv");
    command.args(["--pdeathsig", "TERM"]).arg(program);
    command
}

/// A command tied to us that runs as the account `user`, or as ourselves when we are not root (PostgreSQL refuses root).
fn tied_as(user: &str, program: &Path) -> Command {
    let mut command = Command::new("setpriv");
    if is_root() {
        command.args(["--reuid", user, "--regid", user, "--clear-groups"]);
    }
    command.args(["--pdeathsig", "INT"]).arg(program);
    command
}

fn postgres(dir: &Path) -> Result<(Child, String)> {
    let bin = postgres_bin().context("it is not installed")?;
    let user = "postgres";
    if is_root() {
        let (uid, gid) = account(user)?;
        chown(dir, Some(uid), Some(gid))?;
    }
    let data = dir.join("postgres");
    succeed(
        tied_as(user, &bin.join("initdb"))
            .args(["--auth=trust", "--encoding=UTF8", "--locale=C.UTF-8", "--no-sync", "--username", user])
            .arg("--pgdata")
            .arg(&data)
            .current_dir(dir)
            .stdout(Stdio::null()),
    )?;
    let port = free_port()?;
    let mut server = tied_as(user, &bin.join("postgres"))
        .arg("-D")
        .arg(&data)
        .arg("-k")
        .arg(dir)
        .args(["-p", &port.to_string(), "-c", "listen_addresses=127.0.0.1", "-c", "max_connections=300"])
        .args(["-c", "fsync=off", "-c", "synchronous_commit=off", "-c", "full_page_writes=off"])
        .current_dir(dir)
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()?;
    until_ready(server.stderr.take(), "ready to accept connections")?;
    Ok((server, format!("postgres://{user}@127.0.0.1:{port}/postgres")))
}

/// A Redis that keeps nothing.
fn redis(dir: &Path) -> Result<(Child, String)> {
    let port = free_port()?;
    let mut server = tied("redis-server")
        .args(["--port", &port.to_string(), "--bind", "127.0.0.1", "--save", "", "--appendonly", "no", "--dir"])
        .arg(dir)
        .stdout(Stdio::piped())
        .spawn()?;
    until_ready(server.stdout.take(), "Ready to accept connections")?;
    Ok((server, format!("redis://127.0.0.1:{port}")))
}

/// Reads a server's log until it says `ready`, and goes on reading so that the server never waits for us.
fn until_ready(log: Option<impl Read + Send + 'static>, ready: &str) -> Result<()> {
    let mut lines = BufReader::new(log.context("it has no log")?).lines();
    let mut last = String::new();
    loop {
        match lines.next().transpose()? {
            Some(line) if line.contains(ready) => break,
            Some(line) => last = line,
            None => bail!("it ended at once: {last}"),
        }
    }
    thread::spawn(move || lines.for_each(drop));
    Ok(())
}

fn free_port() -> Result<u16> {
    Ok(TcpListener::bind("127.0.0.1:0")?.local_addr()?.port())
}

/// User and group id of an account.
fn account(name: &str) -> Result<(u32, u32)> {
    let accounts = std::fs::read_to_string("/etc/passwd")?;
    let fields = accounts
        .lines()
        .map(|line| line.split(':').collect::<Vec<_>>())
        .find(|fields| fields.first() == Some(&name))
        .with_context(|| format!("there is no account {name}"))?;
    match fields[..] {
        [_, _, uid, gid, ..] => Ok((uid.parse()?, gid.parse()?)),
        _ => bail!("the entry of {name} in /etc/passwd is not readable"),
    }
}
