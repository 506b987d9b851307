//! `docs/metrics.md`: the metrics table of the server.

use std::fmt::Write;

use btp_server::metrics::METRICS;

use super::cell;

pub(crate) fn page() -> String {
    let mut page = String::from(
        "# Metrics\n\n\
         `METRICS_LISTEN` (off by default) opens a listener of its own, for `serve` and `worker` alike, that answers\n\
         `GET /metrics` in the text form of OpenMetrics, which Prometheus reads. The counters belong to one process and begin\n\
         with it. They are counted from lines of the log (`docs/logging.md`), whatever `LOG` keeps out of it, by the fields\n\
         of the same names.\n\n\
         | counter | what | by | in seconds |\n|---|---|---|---|\n",
    );
    for metric in METRICS {
        let labels: Vec<_> = metric.labels.iter().map(|label| format!("`{label}`")).collect();
        let times = metric.times.as_ref();
        let times = times.map_or(String::new(), |times| format!("`btp_{}` by `{}`", times.name, times.label));
        let _ = writeln!(
            page,
            "| `btp_{}_total` | {} | {} | {} |",
            metric.name,
            cell(metric.help),
            labels.join(", "),
            cell(&times)
        );
    }
    page.push_str(
        "\nWorth an alarm: no `fetched` or `kept` of a source in a day with failures of it; any `upstream_changed` or\n\
         `blocked_address`; any `given_up` job; a rising share of status 5xx.\n",
    );
    page
}
