//! Certificate files built in.

use reqwest::{Certificate, Client};

use crate::server::Installation;

#[tokio::test(flavor = "multi_thread")]
async fn https_without_a_proxy() {
    let made = rcgen::generate_simple_self_signed(["127.0.0.1".to_owned()]).unwrap();
    let mut installation = Installation::new(&[]);
    let (cert, key) = (installation.path("cert.pem"), installation.path("key.pem"));
    std::fs::write(&cert, made.cert.pem()).unwrap();
    std::fs::write(&key, made.signing_key.serialize_pem()).unwrap();
    installation.set("TLS_CERT", cert.to_str().unwrap());
    installation.set("TLS_KEY", key.to_str().unwrap());
    let server = installation.serve();
    assert!(server.base.starts_with("https://"), "{}", server.base);
    let trusted = Certificate::from_pem(made.cert.pem().as_bytes()).unwrap();
    let http = Client::builder().no_proxy().tls_certs_only([trusted]).build().unwrap();
    let metadata = http.get(format!("{}/.well-known/oauth-authorization-server", server.base)).send().await.unwrap();
    assert!(metadata.text().await.unwrap().contains(&format!("\"issuer\":\"{}\"", server.base)));
    let login = http.get(format!("{}/login", server.base)).send().await.unwrap();
    assert_eq!(login.status(), 200);
}
