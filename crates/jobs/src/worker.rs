//! The loop that takes jobs.

use std::{pin::pin, sync::Arc, time::Duration};

use btp_domain::{Background, store::JobQueue};
use btp_kernel::{Clock, Entropy, chain};
use futures_util::future::BoxFuture;
use tokio::{
    sync::watch,
    task::JoinSet,
    time::{interval, sleep, timeout},
};

use crate::desk::Desk;

/// Jobs at the same time. They wait for the network most of the time.
const AT_ONCE: usize = 4;
/// How long at most until jobs that came without a sign, or are due only now, are looked for.
const LOOK: Duration = Duration::from_secs(2);
/// How long after the queue could not be read it is asked again.
const PAUSE: Duration = Duration::from_secs(1);
/// How long jobs in hand may take to finish on shutdown.
const GRACE: Duration = Duration::from_secs(20);

type Chore = Box<dyn Fn() -> BoxFuture<'static, ()> + Send + Sync>;

/// Does background jobs, a few at a time.
pub struct Worker {
    desk: Arc<Desk>,
    hourly: Option<Chore>,
}

impl Worker {
    /// A worker of this queue.
    pub fn new(
        queue: Arc<dyn JobQueue>,
        background: Background,
        clock: Arc<dyn Clock>,
        entropy: Arc<dyn Entropy>,
    ) -> Self {
        Self { desk: Arc::new(Desk { queue, background, clock, entropy }), hourly: None }
    }

    /// Runs `chore` at the start and every hour, beside the jobs: for throwing away what has expired.
    #[must_use]
    pub fn hourly(mut self, chore: impl Fn() -> BoxFuture<'static, ()> + Send + Sync + 'static) -> Self {
        self.hourly = Some(Box::new(chore));
        self
    }

    /// Works until `shutdown` comes, then at most twenty seconds more.
    pub async fn run(self, shutdown: impl Future<Output = ()>) {
        let Self { desk, hourly } = self;
        let mut shutdown = pin!(shutdown);
        let mut chores = JoinSet::new(); // ends with this call
        hourly.map(|chore| chores.spawn(every_hour(chore)));
        let mut jobs = JoinSet::new();
        let (stop, stopped) = watch::channel(false);
        loop {
            // Never dropped halfway: a job that was claimed is also begun.
            while jobs.len() < AT_ONCE {
                match desk.claim().await {
                    Ok(Some(job)) => drop(jobs.spawn(desk.clone().perform(job, stopped.clone()))),
                    Ok(None) => break,
                    Err(err) => {
                        tracing::error!(error = chain(&err), "the job queue could not be read");
                        sleep(PAUSE).await;
                        break;
                    }
                }
            }
            tokio::select! {
                () = &mut shutdown => break,
                Some(_) = jobs.join_next() => {}
                () = desk.queue.wait(LOOK), if jobs.len() < AT_ONCE => {}
            }
        }
        if timeout(GRACE, finished(&mut jobs)).await.is_err() {
            stop.send_replace(true);
            finished(&mut jobs).await;
        }
    }

    /// Does every job that is due, one after the other, and says how many: for tests and short commands.
    pub async fn drain(&self) -> usize {
        let (_stop, stopped) = watch::channel(false);
        let mut done = 0;
        while let Ok(Some(job)) = self.desk.claim().await {
            self.desk.clone().perform(job, stopped.clone()).await;
            done += 1;
        }
        done
    }
}

async fn finished(jobs: &mut JoinSet<()>) {
    while jobs.join_next().await.is_some() {}
}

async fn every_hour(chore: Chore) {
    let mut hours = interval(Duration::from_secs(3600));
    loop {
        hours.tick().await;
        // In a task of its own, so that a panic costs this hour's run only.
        let _ = tokio::spawn(chore()).await;
    }
}
