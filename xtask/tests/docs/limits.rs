//! `docs/limits.md`: the table of `btp_kernel::limit`.

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
