//! `release-check`: what takes too long for every change.

use anyhow::Result;

use crate::{
    bench::{self, Bench},
    repo,
    run::{Report, announced},
    services::Services,
    test::{self, Profile},
};

/// How often the crash tests, which hit other moments each time, are repeated.
const CRASH_ROUNDS: u32 = 5;

/// Rounds of the races on codes, refresh tokens and revocations.
const STORM_ROUNDS: &str = "100";

/// Builds the embeddable crates outside the workspace, measures, lets other people's clients at the release build, and
/// kills servers again and again.
pub(crate) fn run(report: &mut Report) -> Result<()> {
    report.command(
        "package the embeddable crates",
        repo::cargo().args(["package", "--locked", "--allow-dirty", "-p", "btp-kernel", "-p", "btp-domain"]),
    );
    for bench in [Bench::Fetch, Bench::Mcp, Bench::Auth, Bench::Uploads] {
        bench::run(report, &bench)?;
    }
    let (tools, services) = (test::clients()?, Services::start()?);
    let binary = announced("release build", || test::build(Profile::Release))?;
    test::interop(report, &services, &tools, &binary)?;
    let mut storms = repo::cargo();
    storms.args(["test", "--locked", "-p", "btp-storage", "--test", "it", "storms"]);
    report.tests("races on tokens", storms.envs(services.env()).env("BTP_TEST_ROUNDS", STORM_ROUNDS));
    let mut races = repo::cargo();
    races.args(["test", "--locked", "-p", "btp-server", "--test", "e2e", "races"]);
    report.tests("races on tokens over HTTP", races.envs(services.env()).env("BTP_TEST_ROUNDS", STORM_ROUNDS));
    for round in 1..=CRASH_ROUNDS {
        let mut tests = repo::cargo();
        tests.args(["test", "--locked", "-p", "btp-server", "--test", "e2e", "crash"]);
        report.tests(&format!("kill -9, round {round} of {CRASH_ROUNDS}"), tests.envs(services.env()));
    }
    Ok(())
}
