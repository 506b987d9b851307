//! The audit trail: one line (target `audit`) for whatever gives, takes or refuses access. The message is the event, a
//! stable word; no field is a secret. A client that is not known here is not named: its id is whatever somebody sent.

use btp_kernel::{ClientId, UserId};

/// Whom a line is about, as far as it is known.
#[derive(Clone, Copy, Default)]
pub(crate) struct Subject<'a> {
    pub(crate) user: Option<&'a UserId>,
    pub(crate) client: Option<&'a ClientId>,
    pub(crate) resource: Option<&'a str>,
    /// The sign-in: ties lines together, and is no secret.
    pub(crate) family: Option<&'a str>,
}

macro_rules! line {
    ($level:ident, $event:expr, $subject:expr, $reason:expr) => {
        tracing::$level!(
            target: "audit",
            {
                user.id = $subject.user.map(UserId::as_str),
                client.id = $subject.client.map(ClientId::as_str),
                resource = $subject.resource,
                family = $subject.family,
                reason = $reason,
            },
            "{}",
            $event
        )
    };
}

/// Access was given or taken, as somebody who may asked.
pub(crate) fn done(event: &'static str, subject: Subject<'_>) {
    line!(info, event, subject, None::<&str>);
}

/// Somebody was refused; `reason` is the operator's business and never the caller's.
pub(crate) fn refused(event: &'static str, subject: Subject<'_>, reason: &str) {
    line!(info, event, subject, Some(reason));
}

/// A secret was used by two: worth an alarm.
pub(crate) fn alarm(event: &'static str, subject: Subject<'_>) {
    line!(warn, event, subject, None::<&str>);
}
