//! Real sockets.

use std::net::TcpListener;

use serde_json::json;
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
    sync::oneshot,
};

use crate::world::{HOST, World, call};

#[tokio::test]
async fn it_serves_until_told_to_stop() {
    let world = World::new().await;
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    let (stop, stopped) = oneshot::channel::<()>();
    let shutdown = async move {
        let _ = stopped.await;
    };
    let server = tokio::spawn(btp_transport::serve(listener, world.router.clone(), None, shutdown));
    let mut stream = TcpStream::connect(address).await.unwrap();
    for _ in 0..2 {
        stream.write_all(format!("GET /healthz HTTP/1.1\r\nHost: {HOST}\r\n\r\n").as_bytes()).await.unwrap();
        let mut answer = vec![0; 4096];
        let read = stream.read(&mut answer).await.unwrap();
        let answer = String::from_utf8_lossy(&answer[..read]).into_owned();
        assert!(answer.starts_with("HTTP/1.1 200 OK") && answer.ends_with("{\"status\":\"ok\"}"), "{answer}");
    }
    stop.send(()).unwrap();
    server.await.unwrap().unwrap();
    assert_eq!(stream.read(&mut [0; 16]).await.unwrap(), 0, "the idle connection is closed");
}

/// A client that never finishes its request head is cut off, and holds nothing up.
#[tokio::test(start_paused = true)]
async fn slow_heads_are_cut_off() {
    let world = World::new().await;
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    tokio::spawn(btp_transport::serve(listener, world.router.clone(), None, std::future::pending()));
    let mut slow = TcpStream::connect(address).await.unwrap();
    slow.write_all(b"GET /healthz HTTP/1.1\r\nHost: ").await.unwrap();
    let began = tokio::time::Instant::now();
    let mut answer = Vec::new();
    slow.read_to_end(&mut answer).await.unwrap();
    let head = String::from_utf8_lossy(&answer);
    assert!(head.is_empty() || head.starts_with("HTTP/1.1 408"), "{head}");
    assert!(began.elapsed().as_secs() <= 11);
}

/// Small answers must not wait for the acknowledgement of the ones before (Nagle with delayed ACK: 40 ms each).
#[tokio::test]
async fn answers_are_not_held_back() {
    let world = World::with([("mcp_envelope", (1000, 60)), ("mcp_tool_call", (1000, 60))].into(), &[]).await;
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    tokio::spawn(btp_transport::serve(listener, world.router.clone(), None, std::future::pending()));
    let mut stream = TcpStream::connect(address).await.unwrap();
    let body = call(1, "list_trips", &json!({}));
    for accept in ["application/json", "text/event-stream"] {
        let request = format!(
            "POST /mcp HTTP/1.1\r\nHost: {HOST}\r\nAuthorization: Bearer r\r\nAccept: {accept}\r\n\
             Content-Type: application/json\r\nContent-Length: {}\r\n\r\n{body}",
            body.len()
        );
        let mut times = Vec::new();
        for _ in 0..50 {
            let began = tokio::time::Instant::now();
            stream.write_all(request.as_bytes()).await.unwrap();
            let mut answer = Vec::new();
            while !answer.ends_with(b"}") && !answer.ends_with(b"}\n\n") {
                stream.read_buf(&mut answer).await.unwrap();
            }
            times.push(began.elapsed());
        }
        times.sort();
        assert!(times[25].as_millis() < 30, "{accept}: {:?} in the middle of {times:?}", times[25]);
    }
}
