//! Who may finish a job.

use std::time::Duration;

use btp_domain::Computation;
use btp_kernel::Clock;

use crate::scene::{Does, Scene};

/// The trip goes while its route is being fetched.
#[tokio::test(start_paused = true)]
async fn a_trip_that_is_gone_ends_its_job_quietly() {
    let scene = Scene::new();
    let trip = scene.trip(1, Does::NeverAnswers).await;
    let (stop, worker) = scene.start();
    scene.source.was_asked.notified().await;
    scene.delete(&trip).await;
    tokio::time::advance(Duration::from_secs(11)).await; // the next renewal finds no job
    let next = scene.trip(2, Does::Answers).await;
    assert_eq!(scene.settled(&next).await.computations.route, Computation::Done);
    assert!(!scene.has_job_in(Duration::from_secs(600)).await);
    drop(stop);
    worker.await.unwrap();
}

#[tokio::test(start_paused = true)]
async fn a_long_job_keeps_its_lease() {
    let scene = Scene::new();
    scene.trip(1, Does::NeverAnswers).await;
    let (stop, worker) = scene.start();
    scene.source.was_asked.notified().await;
    for _ in 0..12 {
        scene.clock.advance(Duration::from_secs(10));
        tokio::time::advance(Duration::from_secs(10)).await;
        for _ in 0..50 {
            tokio::task::yield_now().await;
        }
    }
    let taken = scene.jobs.claim("other", scene.clock.now(), Duration::ZERO).await.unwrap();
    assert_eq!(taken, None, "held for two minutes");
    assert_eq!(scene.source.asked(), 1);
    drop(stop);
    worker.await.unwrap();
}

#[tokio::test(start_paused = true)]
async fn a_worker_that_was_overtaken_writes_nothing() {
    let scene = Scene::new();
    let trip = scene.trip(1, Does::NeverAnswers).await;
    let (stop, slow) = scene.start();
    scene.source.was_asked.notified().await;
    scene.now_does(1, Does::Answers);
    scene.clock.advance(Duration::from_secs(31)); // as after a suspended machine: no renewal came in time
    assert_eq!(scene.worker().drain().await, 1);
    let done = scene.read(&trip).await;
    assert_eq!(done.computations.route, Computation::Done);
    tokio::time::advance(Duration::from_secs(11)).await;
    drop(stop);
    slow.await.unwrap();
    assert_eq!(scene.read(&trip).await, done);
    assert!(!scene.has_job_in(Duration::from_secs(600)).await);
}
