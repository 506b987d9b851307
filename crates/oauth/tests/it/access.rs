//! Access tokens: what they hold, and every way to forge one.

use std::time::Duration;

use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use btp_kernel::Clock;
use btp_oauth::{
    AccessError, Keys, keys,
    store::{GrantStore, ended},
};
use btp_testkit::SeededEntropy;
use jsonwebtoken::{Algorithm, EncodingKey, Header, encode};
use serde_json::{Value, json};

use crate::house::{BASE, GEAR, House, TRIPS};

fn part(token: &str, index: usize) -> Value {
    let part = token.split('.').nth(index).unwrap();
    serde_json::from_slice(&URL_SAFE_NO_PAD.decode(part).unwrap()).unwrap()
}

fn encoding_key(pem: &str) -> EncodingKey {
    EncodingKey::from_ed_pem(pem.as_bytes()).unwrap()
}

/// Header and claims as our own, for forging.
async fn genuine(house: &House) -> (Header, Value, String) {
    let token = house.tokens().await.access_token;
    let header = jsonwebtoken::decode_header(&token).unwrap();
    (header, part(&token, 1), token)
}

// oauth row: 3.4-9
#[tokio::test]
async fn a_token_as_rfc_9068_has_it() {
    let house = House::new().await;
    let (_, claims, token) = genuine(&house).await;
    let header = part(&token, 0);
    assert_eq!((&header["typ"], &header["alg"]), (&json!("at+jwt"), &json!("EdDSA")));
    assert_eq!(header.as_object().unwrap().len(), 3, "and the kid");
    let now = house.clock.now().as_seconds();
    assert_eq!((&claims["iss"], &claims["aud"], &claims["sub"]), (&json!(BASE), &json!(TRIPS), &json!("ann")));
    assert_eq!((&claims["iat"], &claims["exp"]), (&json!(now), &json!(now + 900)));
    assert_eq!((&claims["client_id"], &claims["scope"]), (&json!("agent"), &json!("trips:read trips:write")));
    assert_eq!(claims.as_object().unwrap().len(), 9, "with jti and sid, and nothing of the person: {claims}");
    let principal = house.server.principal(&token, TRIPS).await.unwrap();
    assert_eq!((principal.user.as_str(), principal.client.as_str()), ("ann", "agent"));
}

// attack: 36, 86
#[tokio::test]
async fn it_lives_fifteen_minutes_to_the_second() {
    let house = House::new().await;
    let (_, _, token) = genuine(&house).await;
    house.clock.advance(Duration::from_secs(899));
    assert!(house.scopes(&token).await.is_some());
    house.clock.advance(Duration::from_secs(1));
    assert_eq!(house.scopes(&token).await, None);
}

/// A new token's family is asked for while its signature is computed (docs/adr/0031): a living family vouches for nothing.
// attack: 30
#[tokio::test]
async fn a_living_family_does_not_make_up_for_a_signature() {
    let house = House::new().await;
    let (header, claims, token) = genuine(&house).await;
    let other = encoding_key(&keys::generate(&SeededEntropy::new(99)).unwrap());
    let forged = encode(&header, &claims, &other).unwrap();
    for _ in 0..2 {
        assert!(matches!(house.server.principal(&forged, TRIPS).await, Err(AccessError::Invalid)));
    }
    let fresh = house.with_keys(Keys::load(&[&house.pem]).unwrap());
    assert!(fresh.principal(&token, TRIPS).await.is_ok(), "new to this process");
    let family = claims["sid"].as_str().unwrap();
    house.grants.revoke_family(family, ended::REUSE, house.clock.now()).await.unwrap();
    let later = house.with_keys(Keys::load(&[&house.pem]).unwrap());
    for server in [&fresh, &later] {
        assert!(matches!(server.principal(&token, TRIPS).await, Err(AccessError::Invalid)), "new or seen");
    }
}

/// Whether it lives does not matter for a token that does nothing here by itself, nor can it be asked for.
// attack: 30, 35, 36
#[tokio::test]
async fn a_store_that_is_away_is_told_to_good_tokens_only() {
    let house = House::new().await;
    let (header, claims, token) = genuine(&house).await;
    let other = encoding_key(&keys::generate(&SeededEntropy::new(99)).unwrap());
    let forged = encode(&header, &claims, &other).unwrap();
    let fresh = house.with_keys(Keys::load(&[&house.pem]).unwrap());
    assert!(house.scopes(&token).await.is_some(), "seen by the one, new to the other");
    house.grants.go_away();
    for server in [&house.server, &fresh] {
        assert!(matches!(server.principal(&token, TRIPS).await, Err(AccessError::Failed(_))));
        assert!(matches!(server.principal(&forged, TRIPS).await, Err(AccessError::Invalid)));
        assert!(matches!(server.principal(&token, GEAR).await, Err(AccessError::Invalid)));
    }
    house.clock.advance(Duration::from_secs(900));
    let later = house.with_keys(Keys::load(&[&house.pem]).unwrap());
    for server in [&fresh, &later] {
        assert!(matches!(server.principal(&token, TRIPS).await, Err(AccessError::Invalid)), "expired");
    }
}

// attack: 35
#[tokio::test]
async fn it_is_for_one_resource() {
    let house = House::new().await;
    let (_, _, token) = genuine(&house).await;
    for other in [GEAR, BASE, "https://www.example.org/mcp/", "https://www.example.org/mc", ""] {
        let refusal = house.server.principal(&token, other).await;
        assert!(matches!(refusal, Err(AccessError::Invalid)), "{other}");
    }
}

// oauth row: 3.4-10
// attack: 35, 36, 86
#[tokio::test]
async fn forged_claims_are_refused_even_under_our_own_key() {
    let house = House::new().await;
    let (header, claims, _) = genuine(&house).await;
    let key = encoding_key(&house.pem);
    let now = house.clock.now().as_seconds();
    let forge = |name: &str, value: Value| {
        let mut claims = claims.clone();
        if value.is_null() {
            claims.as_object_mut().unwrap().remove(name);
        } else {
            claims[name] = value;
        }
        encode(&header, &claims, &key).unwrap()
    };
    assert!(house.scopes(&forge("jti", json!("other"))).await.is_some(), "the forger's tools work");
    assert!(house.scopes(&forge("aud", json!([GEAR, TRIPS]))).await.is_some(), "an array that holds us is us");
    for (name, value) in [
        ("aud", Value::Null),
        ("aud", json!(GEAR)),
        ("aud", json!([GEAR])),
        ("aud", json!([])),
        ("aud", json!("https://www.example.org/mcp/")),
        ("aud", json!("https://www.example.org/mc")),
        ("aud", json!("https://www.example.org")),
        ("iss", Value::Null),
        ("iss", json!("https://www.example.org/")),
        ("iss", json!("https://evil.example.org")),
        ("exp", Value::Null),
        ("exp", json!(now - 1)),
        ("exp", json!(now)),
        ("exp", json!((now + 900).to_string())),
        ("exp", json!(now as f64 + 900.5)),
        ("iat", json!(now + 60)),
        ("iat", Value::Null),
        ("sub", Value::Null),
        ("sub", json!("bob")),
        ("client_id", Value::Null),
        ("client_id", json!("other")),
        ("scope", Value::Null),
        ("sid", Value::Null),
        ("sid", json!("unknown")),
    ] {
        assert_eq!(house.scopes(&forge(name, value.clone())).await, None, "{name}: {value}");
    }
    let wider = forge("scope", json!("trips:read trips:write gear:read admin"));
    assert_eq!(house.scopes(&wider).await.as_deref(), Some("trips:read trips:write"), "never more than was granted");
}

// oauth row: 3.4-10
// attack: 30, 31, 33, 34
#[tokio::test]
async fn forged_headers_are_refused() {
    let house = House::new().await;
    let (header, claims, token) = genuine(&house).await;
    let key = encoding_key(&house.pem);
    let signed = |change: &dyn Fn(&mut Header)| {
        let mut header = header.clone();
        change(&mut header);
        encode(&header, &claims, &key).unwrap()
    };
    let kid = |kid: &str| signed(&|header| header.kid = Some(kid.to_owned()));
    let mut forged = vec![
        signed(&|header| header.typ = None),
        signed(&|header| header.typ = Some("JWT".to_owned())),
        signed(&|header| header.typ = Some("AT+JWT".to_owned())),
        signed(&|header| header.crit = Some(vec!["exp".to_owned()])),
        signed(&|header| header.kid = None),
        kid(""),
        kid("unknown"),
        kid("../../etc/passwd"),
        kid("' OR 1=1 --"),
    ];
    let own_kid = header.kid.clone().unwrap();
    let body = URL_SAFE_NO_PAD.encode(claims.to_string());
    let raw = |header: Value| URL_SAFE_NO_PAD.encode(header.to_string());
    for alg in ["none", "None", "HS256", "ES256", "RS256"] {
        let header = raw(json!({"alg": alg, "typ": "at+jwt", "kid": own_kid}));
        forged.push(format!("{header}.{body}."));
        forged.push(format!("{header}.{body}.{}", token.rsplit('.').next().unwrap()));
    }
    // the public key as an HMAC secret
    let public = aws_lc_rs::signature::KeyPair::public_key(
        &aws_lc_rs::signature::Ed25519KeyPair::from_pkcs8(key.as_bytes()).unwrap(),
    )
    .as_ref()
    .to_vec();
    let hmac = Header { alg: Algorithm::HS256, ..header.clone() };
    forged.push(encode(&hmac, &claims, &EncodingKey::from_secret(&public).unwrap()).unwrap());
    // another key of the same kind, as an app's session tokens have, all else matching; also with the key in the header
    let other = encoding_key(&keys::generate(&SeededEntropy::new(99)).unwrap());
    forged.push(encode(&header, &claims, &other).unwrap());
    for (name, value) in [
        ("jku", json!("https://evil.example.org/keys")),
        ("x5u", json!("https://evil.example.org/cert")),
        ("jwk", json!({"kty": "OKP", "crv": "Ed25519", "x": URL_SAFE_NO_PAD.encode(&public)})),
    ] {
        let mut header = serde_json::to_value(&header).unwrap();
        header[name] = value;
        forged.push(format!("{}.{body}.{}", raw(header), token.rsplit('.').next().unwrap()));
    }
    let (message, signature) = token.rsplit_once('.').unwrap();
    forged.extend([
        String::new(),
        "..".to_owned(),
        "btr_x".to_owned(),
        message.to_owned(),
        format!("{message}."),
        format!("{message}.{signature}x"),
        format!("{message}.{}", &signature[1..]),
        format!(" {token}"),
        format!("{token}.{signature}"),
    ]);
    for token in forged {
        assert_eq!(house.scopes(&token).await, None, "{token}");
    }
    assert!(house.scopes(&token).await.is_some());
}

// oauth row: 3.5-6
#[tokio::test]
async fn keys_are_exchanged_without_signing_anyone_out() {
    let (old, new) = (SeededEntropy::new(5), SeededEntropy::new(6));
    let (old, new) = (keys::generate(&old).unwrap(), keys::generate(&new).unwrap());
    let house = House::new().await;
    let (header, claims, _) = genuine(&house).await;
    let both = Keys::load(&[&new, &old]).unwrap();
    assert_ne!(format!("{both:?}"), format!("{:?}", Keys::load(&[&old]).unwrap()));
    assert!(!format!("{both:?}").contains("PRIVATE"));
    // a server whose second key is the house's still accepts what the house signed
    let rolled = house.with_keys(Keys::load(&[&new, &house.pem]).unwrap());
    let token = encode(&header, &claims, &encoding_key(&house.pem)).unwrap();
    assert!(rolled.principal(&token, TRIPS).await.is_ok());
    let dropped = house.with_keys(Keys::load(&[&new]).unwrap());
    assert!(dropped.principal(&token, TRIPS).await.is_err());
}
