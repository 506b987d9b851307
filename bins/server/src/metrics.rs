//! Metrics, counted from the lines of the log: what is logged is what is measured, and no other part knows of metrics.

use std::{fmt, net::TcpListener, sync::Arc};

use axum::{Router, http::header, response::IntoResponse, routing::get};
use btp_kernel::chain;
use prometheus_client::{
    encoding::text::encode,
    metrics::{counter::Counter, family::Family, histogram::Histogram},
    registry::Registry,
};
use tracing::{
    Event, Metadata, Subscriber,
    field::{Field, Visit},
};
use tracing_subscriber::layer::{Context, Layer};

/// A line of the log that is counted. `docs/metrics.md` is checked against this table.
#[derive(Debug)]
pub struct Metric {
    /// Name, to which `_total` is added.
    pub name: &'static str,
    /// What is counted.
    pub help: &'static str,
    /// What the target of the line begins with.
    pub target: &'static str,
    /// The message of the line.
    pub message: &'static str,
    /// The fields by which it is counted.
    pub labels: &'static [&'static str],
    /// A histogram of the field `duration_us`, by one of the labels.
    pub times: Option<Times>,
}

/// How long what is counted took.
#[derive(Debug)]
pub struct Times {
    /// Name; in seconds.
    pub name: &'static str,
    /// The label.
    pub label: &'static str,
}

/// Every metric. None has a label whose values a caller makes up.
pub const METRICS: &[Metric] = &[
    Metric {
        name: "http_requests",
        help: "HTTP requests",
        target: "btp::request",
        message: "request",
        labels: &["method", "route", "status"],
        times: Some(Times { name: "http_request_duration_seconds", label: "route" }),
    },
    Metric {
        name: "tool_calls",
        help: "Calls of MCP tools; code 0 is an answer, -32000 a refusal by scope or limit",
        target: "btp::tool",
        message: "call",
        labels: &["tool", "code"],
        times: Some(Times { name: "tool_call_duration_seconds", label: "tool" }),
    },
    Metric {
        name: "route_fetches",
        help: "Routes asked of a source: fetched, kept from before, or the code of the failure",
        target: "btp_outbound",
        message: "route",
        labels: &["source", "outcome"],
        times: None,
    },
    Metric {
        name: "jobs",
        help: "Background jobs by how they ended",
        target: "btp_jobs",
        message: "job",
        labels: &["outcome"],
        times: None,
    },
];

/// Upper bounds in seconds.
const BUCKETS: [f64; 12] = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 5.0, 15.0];

type Labels = Vec<(&'static str, String)>;
type Durations = Family<Labels, Histogram, fn() -> Histogram>;

/// The counters of a process. Cheap to clone.
#[derive(Clone)]
pub struct Counters(Arc<Inner>);

struct Inner {
    registry: Registry,
    /// In the order of [`METRICS`].
    families: Vec<(Family<Labels, Counter>, Durations)>,
}

impl Default for Counters {
    fn default() -> Self {
        let mut registry = Registry::with_prefix("btp");
        let families = METRICS.iter().map(|metric| {
            let counts = Family::default();
            registry.register(metric.name, metric.help, counts.clone());
            let durations = Durations::new_with_constructor(|| Histogram::new(BUCKETS));
            if let Some(times) = &metric.times {
                registry.register(times.name, format!("{}: how long they took", metric.help), durations.clone());
            }
            (counts, durations)
        });
        let families = families.collect();
        Self(Arc::new(Inner { registry, families }))
    }
}

impl Counters {
    /// Whether lines like this one may be counted.
    pub(crate) fn counts(line: &Metadata<'_>) -> bool {
        METRICS.iter().any(|metric| line.target().starts_with(metric.target))
    }

    /// All counters in the text form of OpenMetrics, which Prometheus reads.
    pub fn text(&self) -> String {
        let mut text = String::new();
        // Writing to a string does not fail.
        let _ = encode(&mut text, &self.0.registry);
        text
    }
}

impl<S: Subscriber> Layer<S> for Counters {
    fn on_event(&self, event: &Event<'_>, _: Context<'_, S>) {
        let target = event.metadata().target();
        let Some(index) = METRICS.iter().position(|metric| target.starts_with(metric.target)) else { return };
        let metric = &METRICS[index];
        let mut line = Line { metric, matches: false, labels: Labels::new(), micros: None };
        event.record(&mut line);
        // A line of the same target that says something else lacks the message or a label.
        if !line.matches || line.labels.len() != metric.labels.len() {
            return;
        }
        let (counts, durations) = &self.0.families[index];
        if let (Some(times), Some(micros)) = (&metric.times, line.micros) {
            let by = line.labels.iter().filter(|(label, _)| *label == times.label).cloned().collect();
            durations.get_or_create(&by).observe(micros as f64 / 1e6);
        }
        counts.get_or_create(&line.labels).inc();
    }
}

/// What is needed of a line.
struct Line {
    metric: &'static Metric,
    matches: bool,
    labels: Labels,
    micros: Option<u64>,
}

impl Line {
    fn note(&mut self, field: &Field, value: impl fmt::Display) {
        if field.name() == "message" {
            self.matches = value.to_string() == self.metric.message;
        } else if self.metric.labels.contains(&field.name()) {
            self.labels.push((field.name(), value.to_string()));
        }
    }
}

impl Visit for Line {
    fn record_u64(&mut self, field: &Field, value: u64) {
        match field.name() {
            "duration_us" => self.micros = Some(value),
            _ => self.note(field, value),
        }
    }

    fn record_i64(&mut self, field: &Field, value: i64) {
        self.note(field, value);
    }

    fn record_str(&mut self, field: &Field, value: &str) {
        self.note(field, value);
    }

    fn record_debug(&mut self, field: &Field, value: &dyn fmt::Debug) {
        self.note(field, format_args!("{value:?}"));
    }
}

/// Shows `counters` on `listener` for as long as the process runs.
pub(crate) async fn serve(listener: TcpListener, counters: Counters) {
    let show = move || {
        let text = counters.text();
        async {
            ([(header::CONTENT_TYPE, "application/openmetrics-text; version=1.0.0; charset=utf-8")], text)
                .into_response()
        }
    };
    let router = Router::new().route("/metrics", get(show));
    if let Err(err) = btp_transport::serve(listener, router, None, std::future::pending()).await {
        tracing::error!(error = chain(&err), "metrics cannot be shown");
    }
}

#[cfg(test)]
mod tests {
    use tracing_subscriber::prelude::*;

    use super::*;

    fn counted(log: impl FnOnce()) -> String {
        let counters = Counters::default();
        tracing::subscriber::with_default(tracing_subscriber::registry().with(counters.clone()), log);
        counters.text()
    }

    #[test]
    fn lines_are_counted_by_their_fields() {
        let text = counted(|| {
            for _ in 0..2 {
                let method = "GET";
                tracing::info!(target: "btp::request", %method, route = "/trips/{id}", status = 200_u16, duration_us = 1_500_u64, "request");
            }
            tracing::info!(target: "btp::tool", tool = "get_trip", user.id = "ann", code = -32_603_i64, duration_us = 9_u64, "call");
            tracing::warn!(target: "btp_outbound::sources", source = "komoot_tour", outcome = "gone", host = "x", "route");
        });
        for line in [
            "btp_http_requests_total{method=\"GET\",route=\"/trips/{id}\",status=\"200\"} 2",
            "btp_http_request_duration_seconds_bucket{le=\"0.001\",route=\"/trips/{id}\"} 0",
            "btp_http_request_duration_seconds_bucket{le=\"0.0025\",route=\"/trips/{id}\"} 2",
            "btp_tool_calls_total{tool=\"get_trip\",code=\"-32603\"} 1",
            "btp_route_fetches_total{source=\"komoot_tour\",outcome=\"gone\"} 1",
        ] {
            assert!(text.lines().any(|given| given == line), "{line}\n{text}");
        }
        assert!(!text.contains("ann"), "only what is in the table is shown");
    }

    #[test]
    fn other_lines_are_not() {
        let text = counted(|| {
            tracing::error!(target: "btp::tool", tool = "get_trip", error = "x", "a tool failed");
            tracing::error!(target: "btp_jobs::worker", outcome = "x", "the job queue could not be read");
            tracing::info!(target: "elsewhere", method = "GET", route = "/", status = 200, "request");
        });
        assert!(!text.contains("} 1"), "{text}");
    }
}
