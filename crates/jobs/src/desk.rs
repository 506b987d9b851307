//! One job from claim to end.

use std::{panic::AssertUnwindSafe, sync::Arc, time::Duration};

use btp_domain::{
    Background,
    store::{JobQueue, Lease, LeasedJob, StoreError},
};
use btp_kernel::{Clock, Entropy, chain, entropy::hex16};
use futures_util::FutureExt;
use tokio::{sync::watch, time::sleep};

use crate::run;

/// How long a claim or a renewal holds a job.
const HOLD: Duration = Duration::from_secs(30);
/// How often it is renewed while the job runs.
const RENEW: Duration = Duration::from_secs(10);
/// Attempts that end in an error before a job is given up.
const ATTEMPTS: u32 = 3;
/// Claims before a job is given up whose attempts never ended: the process died in each. More than of the others,
/// because a process mostly dies of something else than its job.
const CLAIMS: u32 = 25;
/// How long after the first failed attempt the next begins; five times as long after each further one.
const FIRST_DELAY: Duration = Duration::from_secs(2);

/// What jobs are done with.
pub(crate) struct Desk {
    pub(crate) queue: Arc<dyn JobQueue>,
    pub(crate) background: Background,
    pub(crate) clock: Arc<dyn Clock>,
    pub(crate) entropy: Arc<dyn Entropy>,
}

/// How an attempt ended.
enum Outcome {
    Settled(Result<(), StoreError>),
    LeaseLost,
    Stopped,
}

impl Desk {
    /// Takes the next job that is due.
    pub(crate) async fn claim(&self) -> Result<Option<LeasedJob>, StoreError> {
        self.queue.claim(&hex16(self.entropy.as_ref()), self.clock.now(), HOLD).await
    }

    /// Does the job, or puts it back, or gives it up. `stop` puts it back at once.
    #[tracing::instrument(name = "job", skip_all, fields(kind = run::kind(&leased.job), attempt = leased.attempt))]
    pub(crate) async fn perform(self: Arc<Self>, leased: LeasedJob, mut stop: watch::Receiver<bool>) {
        let LeasedJob { lease, attempt, job } = &leased;
        // The process died in each of the attempts so far: another one would hardly end otherwise.
        let worn_out = *attempt > CLAIMS;
        let outcome = tokio::select! {
            _ = stop.wait_for(|stop| *stop) => Outcome::Stopped,
            () = self.hold(lease) => Outcome::LeaseLost,
            result = caught(run::attempt(&self.background, job, lease)), if !worn_out => Outcome::Settled(result),
            result = caught(run::give_up(&self.background, job, lease)), if worn_out => Outcome::Settled(result),
        };
        let ended = match outcome {
            Outcome::Settled(Ok(())) => {
                tracing::info!(outcome = "done", "job");
                Ok(())
            }
            Outcome::Settled(Err(StoreError::Gone)) => self.queue.remove(lease).await,
            Outcome::Settled(Err(StoreError::LeaseLost)) | Outcome::LeaseLost => {
                tracing::info!(outcome = "lease_lost", "job");
                Ok(())
            }
            Outcome::Stopped => self.queue.put_back(lease, self.clock.now()).await,
            Outcome::Settled(Err(err)) => self.failed(&leased, &err).await,
        };
        if let Err(err) = ended {
            // The lease runs out by itself, and the job is taken again.
            tracing::error!(error = chain(&err), "a job was neither finished nor put back");
        }
    }

    async fn failed(&self, leased: &LeasedJob, err: &StoreError) -> Result<(), StoreError> {
        let LeasedJob { lease, attempt, job } = leased;
        if *attempt >= ATTEMPTS {
            tracing::error!(outcome = "given_up", error = chain(err), "job");
            match caught(run::give_up(&self.background, job, lease)).await {
                Ok(()) | Err(StoreError::LeaseLost) => return Ok(()),
                Err(StoreError::Gone) => return self.queue.remove(lease).await,
                Err(err) => tracing::error!(error = chain(&err), "a job could not be given up"),
            }
        } else {
            tracing::warn!(outcome = "put_back", error = chain(err), "job");
        }
        let delay = FIRST_DELAY * 5_u32.pow(attempt.saturating_sub(1).min(ATTEMPTS));
        self.queue.put_back(lease, self.clock.now().plus(delay)).await
    }

    /// Holds the job; returns when it is lost.
    async fn hold(&self, lease: &Lease) {
        loop {
            sleep(RENEW).await;
            match self.queue.renew(lease, self.clock.now(), HOLD).await {
                Ok(true) => {}
                Ok(false) => return,
                // The next renewal may succeed, and no write of a lost lease does.
                Err(err) => tracing::warn!(error = chain(&err), "a lease was not renewed"),
            }
        }
    }
}

/// A panic is one more way to fail.
async fn caught(work: impl Future<Output = Result<(), StoreError>>) -> Result<(), StoreError> {
    AssertUnwindSafe(work).catch_unwind().await.unwrap_or_else(|_| Err(StoreError::Failed("the job panicked".into())))
}
