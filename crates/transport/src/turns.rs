//! Turns for pages and files of trips: a long line takes seventy megabytes while it is drawn or written, and twenty until
//! it is sent. Each caller has three at a time and waits for more; nobody waits for another.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, PoisonError, Weak},
};

use axum::{
    body::{Body, HttpBody},
    response::Response,
};
use http::header;
use http_body_util::BodyExt;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// Turns of one caller at a time.
pub(crate) const EACH: usize = 3;

/// Who has turns, or waits for one.
#[derive(Default)]
pub(crate) struct Turns(Mutex<HashMap<String, Weak<Semaphore>>>);

/// A turn; over when dropped. It goes where the line goes: a request that is given up frees nothing before the work on its
/// line has ended.
pub(crate) struct Turn {
    _held: Option<OwnedSemaphorePermit>,
}

impl Turns {
    /// A turn of this caller, once one is free.
    pub(crate) async fn take(&self, caller: &str) -> Turn {
        Turn { _held: self.of(caller).acquire_owned().await.ok() }
    }

    fn of(&self, caller: &str) -> Arc<Semaphore> {
        let mut callers = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        callers.retain(|_, turns| turns.strong_count() > 0);
        callers.get(caller).and_then(Weak::upgrade).unwrap_or_else(|| {
            let turns = Arc::new(Semaphore::new(EACH));
            callers.insert(caller.to_owned(), Arc::downgrade(&turns));
            turns
        })
    }
}

impl Turn {
    /// The response, with which the turn is over once it is sent, or nobody wants it any more.
    pub(crate) fn until_sent(self, response: Response) -> Response {
        let (mut parts, body) = response.into_parts();
        if let Some(length) = body.size_hint().exact() {
            parts.headers.insert(header::CONTENT_LENGTH, length.into());
        }
        let body = body.map_frame(move |frame| {
            let _held = &self;
            frame
        });
        Response::from_parts(parts, Body::new(body))
    }
}

#[cfg(test)]
mod tests {
    use std::{
        pin::pin,
        task::{Context, Waker},
    };

    use super::*;

    #[tokio::test]
    async fn three_at_a_time_until_they_are_sent() {
        let turns = Turns::default();
        let mut sent = Vec::new();
        for _ in 0..EACH {
            sent.push(turns.take("ann").await.until_sent(Response::new("abc".into())));
        }
        turns.take("bob").await;
        let mut fourth = pin!(turns.take("ann"));
        assert!(fourth.as_mut().poll(&mut Context::from_waker(Waker::noop())).is_pending());
        let first = sent.remove(0);
        assert_eq!(first.headers()["content-length"], "3");
        assert_eq!(first.into_body().collect().await.unwrap().to_bytes(), "abc");
        drop(fourth.await);
        sent.clear();
        turns.take("carol").await;
        assert_eq!(turns.0.lock().unwrap().len(), 1, "who has none is not remembered");
    }
}
