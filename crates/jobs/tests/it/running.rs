//! The loop: waking, several jobs at once, shutting down.

use std::{
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};

use btp_domain::Computation;
use tokio::time::Instant;

use crate::scene::{Does, Scene};

#[tokio::test(start_paused = true)]
async fn a_new_job_wakes_the_worker_at_once() {
    let scene = Scene::new();
    let (stop, worker) = scene.start();
    for _ in 0..50 {
        tokio::task::yield_now().await; // it has found nothing and waits
    }
    let before = Instant::now();
    let trip = scene.trip(1, Does::Answers).await;
    scene.source.was_asked.notified().await;
    assert_eq!(before.elapsed(), Duration::ZERO);
    assert_eq!(scene.settled(&trip).await.computations.route, Computation::Done);
    drop(stop);
    worker.await.unwrap();
}

#[tokio::test(start_paused = true)]
async fn four_at_once_and_a_stuck_one_blocks_nobody() {
    let scene = Scene::new();
    for number in 1..=3 {
        scene.trip(number, Does::NeverAnswers).await;
    }
    let (stop, worker) = scene.start();
    let behind = scene.trip(4, Does::Answers).await;
    assert_eq!(scene.settled(&behind).await.computations.route, Computation::Done);
    for number in 5..=6 {
        scene.trip(number, Does::NeverAnswers).await;
    }
    for _ in 0..200 {
        tokio::task::yield_now().await;
    }
    assert_eq!(scene.source.asked(), 5, "the sixth waits for a place");
    drop(stop);
    worker.await.unwrap();
}

#[tokio::test(start_paused = true)]
async fn panics_do_not_end_the_worker() {
    let scene = Scene::new();
    for number in 1..=5 {
        scene.trip(number, Does::Panics).await;
    }
    let (stop, worker) = scene.start();
    let sound = scene.trip(6, Does::Answers).await;
    assert_eq!(scene.settled(&sound).await.computations.route, Computation::Done);
    drop(stop);
    worker.await.unwrap();
}

#[tokio::test(start_paused = true)]
async fn shutdown_puts_back_what_does_not_finish() {
    let scene = Scene::new();
    let trip = scene.trip(1, Does::NeverAnswers).await;
    let (stop, worker) = scene.start();
    scene.source.was_asked.notified().await;
    let before = Instant::now();
    drop(stop);
    worker.await.unwrap();
    assert_eq!(before.elapsed(), Duration::from_secs(20));
    scene.now_does(1, Does::Answers);
    assert_eq!(scene.worker().drain().await, 1, "due at once");
    assert_eq!(scene.route(&trip).await, Computation::Done);
}

#[tokio::test(start_paused = true)]
async fn an_idle_worker_stops_at_once() {
    let (before, scene) = (Instant::now(), Scene::new());
    let (stop, worker) = scene.start();
    drop(stop);
    worker.await.unwrap();
    assert_eq!(before.elapsed(), Duration::ZERO);
}

#[tokio::test(start_paused = true)]
async fn the_chore_runs_at_the_start_and_every_hour_even_after_a_panic() {
    let scene = Scene::new();
    let runs = Arc::new(AtomicUsize::new(0));
    let counted = runs.clone();
    let worker = scene.worker().hourly(move || {
        let run = counted.fetch_add(1, Ordering::SeqCst);
        Box::pin(async move { assert_ne!(run, 0, "the first run panics, as the test wants it to") })
    });
    worker.run(tokio::time::sleep(Duration::from_secs(2 * 3600 + 60))).await;
    assert_eq!(runs.load(Ordering::SeqCst), 3);
}
