//! Work that grows with the points of a line, done where no other call waits for the thread.

use std::sync::mpsc::sync_channel;

use async_trait::async_trait;
use btp_kernel::BoxError;

/// Lines with fewer points are worked on where the call is: it takes a millisecond or two.
const LONG: usize = 5_000;

/// Takes over work that keeps a thread busy: up to half a second for the longest line.
#[async_trait]
pub trait Aside: Send + Sync {
    /// Runs `work`, and returns when it is done or has panicked.
    async fn run(&self, work: Box<dyn FnOnce() + Send>);
}

/// Takes nothing over: for programs in which no call waits for another.
#[derive(Clone, Copy, Debug)]
pub struct AtOnce;

#[async_trait]
impl Aside for AtOnce {
    async fn run(&self, work: Box<dyn FnOnce() + Send>) {
        work();
    }
}

impl dyn Aside {
    /// What `work` on so many points gives.
    ///
    /// # Errors
    /// It panicked.
    pub(crate) async fn with<T: Send + 'static>(
        &self,
        points: usize,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, BoxError> {
        if points < LONG {
            return Ok(work());
        }
        let (give, take) = sync_channel(1);
        self.run(Box::new(move || drop(give.send(work())))).await;
        Ok(take.try_recv()?)
    }
}
