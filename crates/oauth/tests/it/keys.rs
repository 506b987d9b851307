//! Key files.

use base64::{Engine, engine::general_purpose::STANDARD};
use btp_oauth::{KeyError, Keys, keys};
use btp_testkit::SeededEntropy;

fn new(seed: u64) -> String {
    keys::generate(&SeededEntropy::new(seed)).unwrap()
}

// attack: 39
#[test]
fn equal_keys_are_found_whatever_the_file_looks_like() {
    let one = new(1);
    let body: String = one.lines().filter(|line| !line.starts_with('-')).collect();
    let der = STANDARD.decode(body).unwrap();
    let pair = aws_lc_rs::signature::Ed25519KeyPair::from_pkcs8(&der).unwrap();
    let version_2 = STANDARD.encode(pair.to_pkcs8().unwrap());
    let (left, right) = version_2.split_at(64);
    let same = format!("\n-----BEGIN PRIVATE KEY-----\r\n{left}\r\n{right}\r\n-----END PRIVATE KEY-----\r\n\r\n");
    assert_ne!(one.trim(), same.trim());
    let load = |pems: &[&str]| Keys::load(pems).unwrap();
    assert!(load(&[&one]).shares_a_key_with(&load(&[&same])));
    assert!(load(&[&new(2), &one]).shares_a_key_with(&load(&[&new(3), &same])));
    assert!(!load(&[&one]).shares_a_key_with(&load(&[&new(2)])));
}

#[test]
fn other_files_are_refused() {
    let none: [&str; 0] = [];
    assert_eq!(Keys::load(&none).unwrap_err(), KeyError::None);
    let public = new(1).replace("PRIVATE", "PUBLIC");
    let two = format!("{}{}", new(1), new(2));
    for text in ["", "text", &public, &two, "-----BEGIN PRIVATE KEY-----\n!\n-----END PRIVATE KEY-----"] {
        assert_eq!(Keys::load(&[text]).unwrap_err(), KeyError::NotPem, "{text}");
    }
    let junk = "-----BEGIN PRIVATE KEY-----\nMAA=\n-----END PRIVATE KEY-----";
    assert_eq!(Keys::load(&[junk]).unwrap_err(), KeyError::NotEd25519);
}
