//! Work on a thread that serves nobody.

use tokio::task::spawn_blocking;

/// What `work` gives: drawing or writing a long line takes a while.
///
/// # Panics
/// When `work` does.
pub(crate) async fn aside<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> T {
    spawn_blocking(work).await.unwrap_or_else(|err| std::panic::resume_unwind(err.into_panic()))
}
