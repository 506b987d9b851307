//! `docs/limits.md`: the table of `btp_kernel::limit`, and what holds for files beside it.

use std::fmt::Write;

use btp_kernel::limit;

use super::cell;

pub(crate) fn page() -> String {
    let mut page = String::from(
        "# Rate limits\n\n\
         Every limit is a true sliding window: in no span of its length are more calls let through than its count. A call\n\
         that a limit refuses is not counted by any. `LIMIT_<NAME>=<count>/<seconds>` changes one.\n\n\
         Processes count apart. With `REDIS_URL` (PostgreSQL only) they count together; while Redis does not answer each goes\n\
         on by itself from what it let through, and together again once it does. A client is its address: behind\n\
         `TRUSTED_PROXIES` the last one in `X-Forwarded-For` that is none of theirs, and of IPv6 the network of 64 bits.\n\n\
         | limit | at most | counted per | applies to | setting |\n|---|---|---|---|---|\n",
    );
    for limit in limit::ALL {
        let (name, setting) = (limit.name, limit.name.to_uppercase());
        let _ = writeln!(
            page,
            "| `{name}` | {} in {} | {} | {} | `LIMIT_{setting}` |",
            limit.count,
            span(limit.seconds),
            cell(limit.key),
            cell(limit.applies_to)
        );
    }
    page.push_str(
        "\n## Files\n\n\
         Sending a file, by the form of the trips page or `POST /api/trips/gpx-upload`, has limits that no setting changes. They\n\
         hold for each process.\n\n\
         | what | at most | beyond it |\n\
         |---|---|---|\n\
         | one file | 30 MB | 413 |\n\
         | the time for it to come | 240 seconds | 408 |\n\
         | files of one person at a time | 2; one from which nothing came for 10 seconds gives way | 429 |\n\
         | what has come of all files together | 240 MB | 503 after 5 seconds without room |\n\
         | waiting for a sender, while less than half of that room is free | 10 seconds; each Mbit that comes makes up for one | 503 |\n\n\
         Pages and files of trips are sent three at a time to whoever asks for them, an address or a person; more wait.\n",
    );
    page
}

fn span(seconds: u32) -> String {
    match seconds {
        60 => "a minute".to_owned(),
        3600 => "an hour".to_owned(),
        _ if seconds.is_multiple_of(60) => format!("{} minutes", seconds / 60),
        _ => format!("{seconds} seconds"),
    }
}
