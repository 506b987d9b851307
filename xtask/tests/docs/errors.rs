//! `docs/errors.md`: what a caller can be refused with, and what to do about it.

use std::fmt::Write;

use btp_domain::{FailureCode, Refusal, TripId};

use super::cell;

pub(crate) fn page() -> String {
    let mut page = String::from(
        "# Errors\n\n\
         ## HTTP\n\n\
         | status | `error` | when |\n|---|---|---|\n\
         | 400 | | The body is no JSON-RPC message (the JSON-RPC error says more). |\n\
         | 401 | `invalid_token` | No token, or one that is expired, revoked, of another issuer or for another resource. `WWW-Authenticate` names the resource metadata. |\n\
         | 403 | `insufficient_scope` | `Mcp-Name` names a tool that the token's scopes do not allow; `WWW-Authenticate` names the scope. |\n\
         | 403 | | `Host` or `Origin` is foreign. |\n\
         | 405 | | Another method than POST; see `Allow`. |\n\
         | 408 | | The body did not arrive in time. |\n\
         | 413 | | The body is longer than 64 KiB. |\n\
         | 415 | | The `Content-Type` is not `application/json`. |\n\
         | 429 | `rate_limited` | A limit counted per address is used up; `Retry-After` gives seconds. |\n\
         | 503 | `temporarily_unavailable` | Something behind the server fails just now; `Retry-After` gives seconds. |\n\n\
         On the OAuth endpoints:\n\n\
         | status | `error` | when |\n|---|---|---|\n\
         | 400 | `invalid_client` | The client is unknown or switched off, or its document cannot be had or breaks a rule (`docs/connect.md`; the log says which). |\n\
         | 400 | `invalid_scope` | The request names no scope that exists. |\n\
         | 400 | `invalid_target` | `resource` is not a protected resource of this server. |\n\
         | 400 | `invalid_grant` | The code or refresh token is unknown, used, expired, or was given to another client. |\n\
         | 400 | `server_error` | The account's address has more than 128 characters. |\n\
         | 429 | `rate_limited` | A limit of authorization or of tokens is used up; `Retry-After` gives seconds. |\n\n\
         ## JSON-RPC\n\n\
         | code | when |\n|---|---|\n\
         | -32700, -32600 | The message is no JSON, or no request. |\n\
         | -32601 | No such method. |\n\
         | -32000 | The token lacks the tool's scope, or there is no such tool (`data.error` is `insufficient_scope`); or a limit is used up (`rate_limited`, with `data.retryAfter` in seconds); or the token ended while its batch ran (`invalid_token`). |\n\
         | -32602 | The arguments do not match the tool's schema. |\n\
         | -32603 | A refusal, with a message to act on; or `Internal error.` |\n\n\
         ## Refusals\n\n\
         Messages of -32603, with example values:\n\n",
    );
    for refusal in refusals() {
        let _ = writeln!(page, "- {refusal}");
    }
    page.push_str(
        "- Unknown argument(s): \"…\". This tool accepts: …\n\
         - Unknown \"action\": \"…\". Send one of add, update, move, delete, rest_day.\n\
         - The \"move\" action needs a \"stageId\": send it with the others.\n\n\
         An edit is judged in this order: ownership, lock, whether there are days yet, version, day, the rule of the edit,\n\
         confirmation. On a trip whose route could not be had, an edit is refused with the message of its failure. What a\n\
         caller sent is quoted in at most 40 characters.\n\n\
         A trip or day of somebody else answers exactly as one that does not exist.\n\n\
         ## Failures of a route\n\n\
         A trip whose route could not be had settles at once: its list status is `failed`, and `get_trip` has `failure` with a\n\
         code, a message, and nothing running.\n\n\
         | code | what to do |\n|---|---|\n",
    );
    for code in FailureCode::ALL {
        let _ = writeln!(page, "| `{}` | {} |", code.as_str(), cell(what_to_do(*code)));
    }
    page
}

fn refusals() -> [Refusal; 9] {
    let trip = TripId::from("0197…");
    [
        Refusal::NoTrip,
        Refusal::NoStage,
        Refusal::Locked,
        Refusal::Computing,
        Refusal::NoVersion,
        Refusal::Moved { trip, edited: 3, current: 4 },
        Refusal::Confirmation,
        Refusal::KeyReused,
        Refusal::NotShared,
    ]
}

fn what_to_do(code: FailureCode) -> &'static str {
    match code {
        FailureCode::NotFound => "The source has no such route: check the address.",
        FailureCode::PrivateOrLoginRequired => {
            "Make the route public at its source or use its share link, then create the trip again; a route of Strava has to be exported as GPX and uploaded."
        }
        FailureCode::Gone => "The route was removed at its source; use another one.",
        FailureCode::RateLimited => {
            "The source is throttling this server: create the trip again after the time that the message names."
        }
        FailureCode::UpstreamChanged => "The source answers in a form this version does not know: tell the operator.",
        FailureCode::TooLarge => "The route has more data than is accepted: split it at its source.",
        FailureCode::NoTrackPoints => "The route has no line: fewer than two points, or no length.",
        FailureCode::Timeout => "The source did not answer within 15 seconds: create the trip again later.",
        FailureCode::RedirectedElsewhere => {
            "The source sent the request to another host, which is never followed: check the address."
        }
        FailureCode::BlockedAddress => "The source's name leads to an address that is not public: tell the operator.",
        FailureCode::SourceUnavailable => {
            "The source is down, cannot be reached, is left alone for a minute after several failures, or is switched off on this server: create the trip again later."
        }
        FailureCode::TooManyDays => "The settings cut the route into more than 366 days: raise maxDistancePerDay.",
        FailureCode::Internal => {
            "Something went wrong in this server: create the trip again, and tell the operator if it repeats."
        }
    }
}
