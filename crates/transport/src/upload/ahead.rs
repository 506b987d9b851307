//! How far a form is read ahead of what is handed on of it. Its reader looks through all that it has for the end of a part's
//! head; of a head without end it would keep megabytes that nobody counts, and look through them again with every byte more.

use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicUsize, Ordering},
    },
    task::{Poll, ready},
};

use axum::{BoxError, body::Body};
use futures_util::{StreamExt, stream};

/// Bytes after which nothing more is read before something is handed on: more than any head has.
const MOST: usize = 64 * 1024;

/// What was read since something was handed on.
#[derive(Clone, Default)]
pub(super) struct Ahead(Arc<Read>);

#[derive(Default)]
struct Read {
    bytes: AtomicUsize,
    is_told: AtomicBool,
}

/// There is no end to a part's head.
#[derive(Debug, thiserror::Error)]
#[error("a part of the form begins with more than 64 KiB that are not of it")]
struct Endless;

impl Ahead {
    /// Something was handed on.
    pub(super) fn handed_on(&self) {
        self.0.bytes.store(0, Ordering::Relaxed);
        self.0.is_told.store(false, Ordering::Relaxed);
    }

    /// The body, which says once that there is nothing more for now, and then ends with an error.
    pub(super) fn of(&self, body: Body) -> Body {
        let (read, mut data) = (Arc::clone(&self.0), body.into_data_stream());
        Body::from_stream(stream::poll_fn(move |context| {
            if read.bytes.load(Ordering::Relaxed) >= MOST {
                if read.is_told.swap(true, Ordering::Relaxed) {
                    return Poll::Ready(Some(Err(BoxError::from(Endless))));
                }
                context.waker().wake_by_ref();
                return Poll::Pending;
            }
            let next = ready!(data.poll_next_unpin(context));
            if let Some(Ok(bytes)) = &next {
                read.bytes.fetch_add(bytes.len(), Ordering::Relaxed);
            }
            Poll::Ready(next.map(|read| read.map_err(Into::into)))
        }))
    }
}
