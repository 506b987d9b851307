//! `docs/configuration.md`: the settings table of the server.

use std::fmt::Write;

use btp_server::config::SETTINGS;

use super::cell;

pub(crate) fn page() -> String {
    let mut page = String::from(
        "# Configuration\n\n\
         Settings are environment variables. Commands beside a running server need the settings that it has: its\n\
         database is in `DATA_DIR` or at `DATABASE_URL`, and addresses that they print begin with `DEFAULT_URI`.\n\
         A setting that cannot work ends the process with exit code 78 and one sentence that names it; `doctor` checks\n\
         them all.\n\n\
         | setting | default | what it does |\n|---|---|---|\n",
    );
    for setting in SETTINGS {
        let _ = writeln!(page, "| `{}` | {} | {} |", setting.name, cell(setting.default), cell(setting.text));
    }
    page
}
