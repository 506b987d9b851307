//! Running steps and counting how they end.

use std::{
    io::{BufRead, BufReader, Read, Write},
    process::{Command, ExitCode, Stdio},
    thread,
    time::Instant,
};

use anyhow::{Context, Result, bail, ensure};

/// What passed and what failed so far.
#[derive(Default)]
pub(crate) struct Report {
    tally: Tally,
    failures: Vec<String>,
}

/// How many of something passed and failed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Tally {
    passed: usize,
    failed: usize,
}

impl Report {
    /// Runs one step, which counts as one, and goes on whatever its end.
    pub(crate) fn step(&mut self, name: &str, step: impl FnOnce() -> Result<()>) {
        match announced(name, step) {
            Ok(()) => self.tally.passed += 1,
            Err(err) => self.fail(&format!("{name}: {err:#}")),
        }
    }

    /// Runs a step that is a command.
    pub(crate) fn command(&mut self, name: &str, command: &mut Command) {
        self.step(name, || succeed(command));
    }

    /// Runs a command that runs tests itself and says at its end how many passed; each of them counts.
    pub(crate) fn tests(&mut self, name: &str, command: &mut Command) {
        let outcome = announced(name, || {
            let (tally, success) = count(command)?;
            ensure!(tally != Tally::default(), "ran no test");
            Ok((tally, success))
        });
        match outcome {
            Ok((tally, success)) => {
                self.tally.passed += tally.passed;
                self.tally.failed += tally.failed;
                match (tally.failed, success) {
                    (0, true) => {}
                    (0, false) => self.fail(&format!("{name}: did not run to its end")),
                    (failed, _) => self.failures.push(format!("{name}: {failed} failed")),
                }
            }
            Err(err) => self.fail(&format!("{name}: {err:#}")),
        }
    }

    /// Counts a failure.
    pub(crate) fn fail(&mut self, what: &str) {
        println!("FAILED {what}");
        self.tally.failed += 1;
        self.failures.push(what.to_owned());
    }

    /// Prints the closing line; the process exits with 0 only when nothing failed.
    pub(crate) fn close(self) -> ExitCode {
        for failure in &self.failures {
            println!("FAILED {failure}");
        }
        println!("{} passed, {} failed", self.tally.passed, self.tally.failed);
        if self.tally.failed == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
    }
}

/// Says what starts, and how long it took.
#[expect(clippy::disallowed_methods, reason = "measures how long a step takes")]
pub(crate) fn announced<T>(name: &str, step: impl FnOnce() -> Result<T>) -> Result<T> {
    println!("==> {name}");
    let start = Instant::now();
    let done = step();
    println!(
        "    {name}: {} after {:.1} s",
        if done.is_ok() { "done" } else { "failed" },
        start.elapsed().as_secs_f32()
    );
    done
}

/// Runs a command that must succeed, its output shown.
pub(crate) fn succeed(command: &mut Command) -> Result<()> {
    let status = command.status().with_context(|| format!("cannot start {command:?}"))?;
    if status.success() { Ok(()) } else { bail!("{} ended with {status}", command.get_program().display()) }
}

/// Runs a command with its output shown, and reads the closing lines of its test runners.
fn count(command: &mut Command) -> Result<(Tally, bool)> {
    let mut child = command
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .with_context(|| format!("cannot start {command:?}"))?;
    let out = child.stdout.take().context("no standard output")?;
    let err = child.stderr.take().context("no standard error")?;
    let tally = thread::scope(|scope| -> Result<Tally> {
        let other = scope.spawn(|| forward(err, std::io::stderr()));
        let mut tally = forward(out, std::io::stdout())?;
        let more = other.join().map_err(|_| anyhow::anyhow!("the reader of standard error panicked"))??;
        tally.passed += more.passed;
        tally.failed += more.failed;
        Ok(tally)
    })?;
    Ok((tally, child.wait()?.success()))
}

fn forward(from: impl Read, mut to: impl Write) -> Result<Tally> {
    let mut tally = Tally::default();
    let mut lines = BufReader::new(from);
    let mut line = Vec::new();
    while lines.read_until(b'\n', &mut line)? > 0 {
        to.write_all(&line)?;
        if let Some(more) = closing(&String::from_utf8_lossy(&line)) {
            tally.passed += more.passed;
            tally.failed += more.failed;
        }
        line.clear();
    }
    Ok(tally)
}

/// The figures of a closing line of nextest, cargo test or the interop suite.
fn closing(line: &str) -> Option<Tally> {
    // Nextest alone indents its own, and shows the closing lines of failed tests a little deeper in.
    if !["     Summary [", "test result: ", "interop: "].iter().any(|start| line.starts_with(start)) {
        return None;
    }
    let words: Vec<&str> = line.trim().split([' ', ',', ';']).filter(|word| !word.is_empty()).collect();
    let before = |names: &[&str]| -> usize {
        words.windows(2).filter(|pair| names.contains(&pair[1])).filter_map(|pair| pair[0].parse::<usize>().ok()).sum()
    };
    Some(Tally { passed: before(&["passed"]), failed: before(&["failed", "timed", "exec"]) })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn closing_lines_are_read() {
        let tally = |passed, failed| Some(Tally { passed, failed });
        assert_eq!(closing("     Summary [   0.006s] 12 tests run: 12 passed, 3 skipped\n"), tally(12, 0));
        assert_eq!(
            closing("     Summary [   9.006s] 12 tests run: 9 passed (1 slow), 2 failed, 1 timed out, 0 skipped"),
            tally(9, 3)
        );
        assert_eq!(
            closing("test result: FAILED. 3 passed; 1 failed; 0 ignored; 0 measured; 0 filtered out"),
            tally(3, 1)
        );
        assert_eq!(closing("interop: 4 passed, 0 failed"), tally(4, 0));
        assert_eq!(closing("    test result: FAILED. 0 passed; 1 failed; 0 ignored"), None);
        assert_eq!(closing("3 passed, 1 failed"), None);
    }
}
