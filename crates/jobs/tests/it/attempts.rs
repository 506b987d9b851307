//! How often a job is tried, and how it ends.

use std::time::Duration;

use btp_domain::{Computation, FailureCode};

use crate::scene::{Does, Scene};

const LONG: Duration = Duration::from_secs(60);

#[tokio::test(start_paused = true)]
async fn a_job_is_done_once() {
    let scene = Scene::new();
    let trip = scene.trip(1, Does::Answers).await;
    assert_eq!(scene.worker().drain().await, 1);
    assert_eq!(scene.route(&trip).await, Computation::Done);
    assert!(!scene.has_job_in(LONG).await);
    assert_eq!(scene.source.asked(), 1);
}

#[tokio::test(start_paused = true)]
async fn a_panic_is_an_attempt_and_the_third_is_the_last() {
    let scene = Scene::new();
    let (broken, sound) = (scene.trip(1, Does::Panics).await, scene.trip(2, Does::Answers).await);
    let worker = scene.worker();
    for attempt in 1..=3 {
        worker.drain().await;
        assert_eq!(worker.drain().await, 0, "attempt {} is not due yet", attempt + 1);
        assert_eq!(scene.route(&sound).await, Computation::Done);
        assert_eq!(scene.read(&broken).await.is_partial(), attempt < 3);
        scene.clock.advance(LONG);
    }
    let failure = scene.read(&broken).await.failure.unwrap();
    assert_eq!(failure.code, FailureCode::Internal);
    assert!(!scene.has_job_in(LONG).await);
    assert_eq!(scene.source.asked(), 4);
}

#[tokio::test(start_paused = true)]
async fn a_later_attempt_may_succeed() {
    let scene = Scene::new();
    let trip = scene.trip(1, Does::Panics).await;
    let worker = scene.worker();
    worker.drain().await;
    scene.now_does(1, Does::Answers);
    scene.clock.advance(LONG);
    assert_eq!(worker.drain().await, 1);
    assert_eq!(scene.route(&trip).await, Computation::Done);
}

/// Processes that die take their attempts with them.
#[tokio::test(start_paused = true)]
async fn a_job_that_kills_its_workers_is_given_up_untried() {
    let scene = Scene::new();
    let trip = scene.trip(1, Does::Answers).await;
    for _ in 0..25 {
        assert!(scene.has_job_in(LONG).await, "claimed, and never heard of again");
    }
    assert_eq!(scene.worker().drain().await, 1);
    assert_eq!(scene.read(&trip).await.failure.unwrap().code, FailureCode::Internal);
    assert_eq!(scene.source.asked(), 0);
    assert!(!scene.has_job_in(LONG).await);
}
