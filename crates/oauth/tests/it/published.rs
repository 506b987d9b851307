//! What a client may publish, and where: tables over the pure judges.

use btp_oauth::{
    Issuer, Policy,
    document::{AddressError, ClientAddress, ClientDocument, DOCUMENT_MAX, DocumentError},
};
use proptest::prelude::*;
use serde_json::{Value, json};

use crate::house::BASE;

const ID: &str = "https://agent.example.org/oauth/client.json";

fn issuer() -> Issuer {
    Issuer::parse(BASE).unwrap()
}

fn judged(body: &[u8]) -> Result<ClientDocument, DocumentError> {
    let address = ClientAddress::parse(ID, &issuer()).unwrap();
    ClientDocument::parse(body, &address, &issuer(), Policy::default())
}

fn good() -> Value {
    json!({"client_id": ID, "client_name": "An agent", "redirect_uris": ["https://agent.example.org/cb"]})
}

/// The good document with members replaced.
fn with(changes: &Value) -> Result<ClientDocument, DocumentError> {
    let mut document = good();
    document.as_object_mut().unwrap().extend(changes.as_object().unwrap().clone());
    judged(document.to_string().as_bytes())
}

// attack: 40, 43, 48, 50
#[test]
fn which_ids_name_a_document() {
    for good in [
        ID,
        "https://claude.ai/oauth/claude-code-client-metadata",
        "https://app.example.com:8443/c.json",
        "https://example.com/c?x=1",
        "https://example.com//",
        "https://xn--pple-43d.example/c",
        "https://notwww.example.org/c",
    ] {
        let address = ClientAddress::parse(good, &issuer()).unwrap_or_else(|err| panic!("{good}: {err}"));
        assert_eq!(address.url().as_str(), good);
    }
    let long = format!("https://a.example/{}", "x".repeat(500));
    for (bad, expected) in [
        ("http://a.example/c", AddressError::Scheme),
        ("ftp://a.example/c", AddressError::Scheme),
        ("javascript:alert(1)", AddressError::Scheme),
        ("https://a.example", AddressError::Spelling),
        ("https://a.example/", AddressError::Path),
        ("https://a.example/?x", AddressError::Path),
        ("https://a.example/c#f", AddressError::Fragment),
        ("https://a.example/c#", AddressError::Fragment),
        ("https://u@a.example/c", AddressError::Credentials),
        ("https://u:p@a.example/c", AddressError::Credentials),
        ("https://:p@a.example/c", AddressError::Credentials),
        ("https://a.example/../c", AddressError::Spelling),
        ("https://a.example/./c", AddressError::Spelling),
        ("https://a.example/x/..", AddressError::Spelling),
        ("https://a.example/%2e%2e/c", AddressError::Spelling),
        ("https://a.example/x%2e%2E/c", AddressError::Escaped),
        ("https://a.example/a%2fb", AddressError::Escaped),
        ("https://a.example/a%5Cb", AddressError::Escaped),
        ("https://a.example/a%00b", AddressError::Escaped),
        ("https://A.example/c", AddressError::Spelling),
        ("HTTPS://a.example/c", AddressError::Spelling),
        ("https://a.example:443/c", AddressError::Spelling),
        ("https://a.example:0443/c", AddressError::Spelling),
        ("https://a.example:99999/c", AddressError::Spelling),
        ("https://a.example./c", AddressError::Name),
        ("https://localhost/c", AddressError::Name),
        ("https://intranet/c", AddressError::Name),
        ("https://127.0.0.1/c", AddressError::Literal),
        ("https://1.1.1.1/c", AddressError::Literal),
        ("https://169.254.169.254/c", AddressError::Literal),
        ("https://[::1]/c", AddressError::Literal),
        ("https://[::ffff:7f00:1]/c", AddressError::Literal),
        ("https://[::ffff:127.0.0.1]/c", AddressError::Spelling),
        ("https://[fe80::1%25eth0]/c", AddressError::Spelling),
        ("https://2130706433/c", AddressError::Spelling),
        ("https://0x7f000001/c", AddressError::Spelling),
        ("https://0177.0.0.1/c", AddressError::Spelling),
        ("https://127.1/c", AddressError::Spelling),
        ("https://a.example\\@evil/c", AddressError::Spelling),
        ("https://a.example/\tc", AddressError::Spelling),
        (" https://a.example/c", AddressError::Spelling),
        ("https://a.example/c ", AddressError::Spelling),
        ("https://a.example/c d", AddressError::Spelling),
        ("https://a.example/c\u{0}", AddressError::Spelling),
        ("https://a.example/é", AddressError::Spelling),
        ("https://\u{430}pple.example/c", AddressError::Spelling),
        ("https:///c", AddressError::Spelling),
        ("https://www.example.org/c", AddressError::Own),
        ("https://www.example.org:8443/c", AddressError::Own),
        ("https://x.www.example.org/c", AddressError::Own),
        ("agent", AddressError::Spelling),
        ("", AddressError::Spelling),
        (&long, AddressError::TooLong),
    ] {
        assert_eq!(ClientAddress::parse(bad, &issuer()), Err(expected), "{bad:?}");
    }
}

// attack: 51, 52
#[test]
fn which_documents_are_legal() {
    assert_eq!(
        judged(good().to_string().as_bytes()),
        Ok(ClientDocument {
            name: "An agent".to_owned(),
            redirect_uris: vec!["https://agent.example.org/cb".to_owned()]
        })
    );
    for legal in [
        json!({"unknown": {"a": [[[[[1e300]]]]]}, "logo_uri": "javascript:x", "application_type": "web"}),
        json!({"grant_types": ["authorization_code", "refresh_token", "urn:ietf:params:oauth:grant-type:device_code"]}),
        json!({"token_endpoint_auth_method": "none"}),
        json!({"token_endpoint_auth_method": null, "jwks": null, "client_secret": null, "grant_types": null}),
        json!({"token_endpoint_auth_method": "private_key_jwt",
            "token_endpoint_auth_methods_supported": ["private_key_jwt", "none"]}),
        json!({"jwks": {"keys": [{"kty": "RSA", "n": "x", "e": "AQAB"}]}, "jwks_uri": "https://x.example/jwks"}),
        json!({"client_name": "é".repeat(128)}),
        json!({"redirect_uris": ["http://127.0.0.1:33418/", "http://[::1]/cb", "https://a.example", "https://a.example/?x=1"]}),
        json!({"redirect_uris": vec!["https://a.example/cb"; 10]}),
    ] {
        assert!(with(&legal).is_ok(), "{legal}: {:?}", with(&legal));
    }
    let key = |member: &str| json!({"jwks": {"keys": [{"kty": "RSA"}, {"kty": "RSA", member: "x"}]}});
    for (illegal, expected) in [
        (json!({"client_id": format!("{ID}/")}), DocumentError::OtherClient),
        (json!({"client_id": ID.to_uppercase()}), DocumentError::OtherClient),
        (json!({"client_id": "https://agent.example.org:443/oauth/client.json"}), DocumentError::OtherClient),
        (json!({"client_name": ""}), DocumentError::Name),
        (json!({"client_name": " \t"}), DocumentError::Name),
        (json!({"client_name": "\u{0}\u{202e}\u{200b}"}), DocumentError::Name),
        (json!({"client_name": "é".repeat(129)}), DocumentError::Name),
        (json!({"redirect_uris": []}), DocumentError::Redirects),
        (json!({"redirect_uris": vec!["https://a.example/cb"; 11]}), DocumentError::Redirects),
        (json!({"client_secret": "x"}), DocumentError::Secret),
        (json!({"client_secret": ""}), DocumentError::Secret),
        (json!({"client_secret_expires_at": 0}), DocumentError::Secret),
        (json!({"token_endpoint_auth_method": "client_secret_post"}), DocumentError::Secret),
        (json!({"token_endpoint_auth_methods_supported": ["none", "client_secret_basic"]}), DocumentError::Secret),
        (key("d"), DocumentError::Secret),
        (key("k"), DocumentError::Secret),
        (key("oth"), DocumentError::Secret),
        (json!({"token_endpoint_auth_method": "private_key_jwt"}), DocumentError::Authentication),
        (
            json!({"token_endpoint_auth_method": "tls_client_auth",
            "token_endpoint_auth_methods_supported": ["private_key_jwt"]}),
            DocumentError::Authentication,
        ),
        (json!({"grant_types": []}), DocumentError::GrantTypes),
        (json!({"grant_types": ["client_credentials"]}), DocumentError::GrantTypes),
    ] {
        assert_eq!(with(&illegal), Err(expected), "{illegal}");
    }
    for form in [
        json!({"client_id": null}),
        json!({"client_name": 5}),
        json!({"redirect_uris": "https://agent.example.org/cb"}),
        json!({"redirect_uris": [["https://agent.example.org/cb"]]}),
        json!({"grant_types": "authorization_code"}),
        json!({"jwks": {"keys": [5]}}),
    ] {
        assert!(matches!(with(&form), Err(DocumentError::Form { .. })), "{form}");
    }
}

// attack: 51
#[test]
fn what_is_no_document_at_all() {
    let good = good().to_string();
    let twice = |member: &str| good.replacen('{', &format!("{{{member},"), 1).into_bytes();
    let utf16: Vec<u8> = good.encode_utf16().flat_map(u16::to_le_bytes).collect();
    let bom = [b"\xef\xbb\xbf", good.as_bytes()].concat();
    let deep = [vec![b'['; DOCUMENT_MAX / 2], vec![b']'; DOCUMENT_MAX / 2]].concat();
    let array = format!(r#"["{ID}","An agent",["https://agent.example.org/cb"],null,null,null,null,null,null]"#);
    for body in [
        Vec::new(),
        b"   ".to_vec(),
        b"<!doctype html><title>Just a moment</title>".to_vec(),
        b"null".to_vec(),
        array.into_bytes(),
        format!("[{good}]").into_bytes(),
        format!("{good}{good}").into_bytes(),
        good.as_bytes()[..good.len() - 1].to_vec(),
        good.replace("An agent", "An\u{0}agent").into_bytes(),
        [good.as_bytes(), b"\xff"].concat(),
        twice(&format!(r#""client_id":"{ID}""#)),
        twice(r#""redirect_uris":["https://evil.example/cb"]"#),
        twice(r#""client_name":"Another""#),
        utf16,
        bom,
        deep,
    ] {
        assert!(matches!(judged(&body), Err(DocumentError::Form { .. })), "{:?}", String::from_utf8_lossy(&body));
    }
    assert!(judged(format!("\r\n {good}\n").as_bytes()).is_ok());
}

// attack: 4, 7
#[test]
fn where_a_document_may_have_codes_sent() {
    let localhost = Policy { localhost_redirects: true, ..Policy::default() };
    let address = ClientAddress::parse(ID, &issuer()).unwrap();
    let judge = |uri: &str, policy| {
        let mut document = good();
        document["redirect_uris"] = json!(["https://agent.example.org/cb", uri]);
        ClientDocument::parse(document.to_string().as_bytes(), &address, &issuer(), policy)
    };
    for legal in ["https://other.example/cb", "http://127.0.0.1", "http://127.0.0.1:1/?x", "http://[::1]:8080/cb"] {
        assert!(judge(legal, Policy::default()).is_ok(), "{legal}");
    }
    for illegal in [
        "javascript:alert(1)",
        "data:text/html,x",
        "app://callback",
        "http://a.example/cb",
        "http://127.0.0.1.evil.test/cb",
        "http://127.0.0.1@evil.test/cb",
        "http://127.0.0.2/cb",
        "http://127.1/cb",
        "http://[::ffff:127.0.0.1]/cb",
        "http://[::]/cb",
        "http://localhost.evil.test/cb",
        "https://u@a.example/cb",
        "https://a.example/cb#x",
        "https://A.example/cb",
        "https://a.example\\.evil.test/cb",
        "https:///cb",
        "https://www.example.org/cb",
        "https://www.example.org:8443/cb",
        "https://x.www.example.org/cb",
        "/cb",
        "",
    ] {
        for policy in [Policy::default(), localhost] {
            assert_eq!(judge(illegal, policy), Err(DocumentError::Redirect(2)), "{illegal}");
        }
    }
    for uri in ["http://localhost/callback", "http://localhost:8080/callback", "http://localhost"] {
        assert_eq!(judge(uri, Policy::default()), Err(DocumentError::Redirect(2)), "{uri}");
        assert!(judge(uri, localhost).is_ok(), "{uri}");
    }
}

#[test]
fn on_our_own_machine_a_client_may_answer_where_we_are() {
    let here = Issuer::parse("http://127.0.0.1:8080").unwrap();
    let address = ClientAddress::parse(ID, &here).unwrap();
    let mut document = good();
    document["redirect_uris"] = json!(["http://127.0.0.1/callback"]);
    assert!(ClientDocument::parse(document.to_string().as_bytes(), &address, &here, Policy::default()).is_ok());
}

// attack: 55
#[test]
fn a_name_is_shown_without_what_misleads_the_eye() {
    let shown = |name: &str| with(&json!({"client_name": name})).map(|document| document.name);
    for (name, expected) in [
        ("  Claude ", "Claude"),
        ("Cl\u{200b}au\u{ad}de\u{feff}", "Claude"),
        ("\u{202e}edualC\u{202c}", "edualC"),
        ("a\u{0}b\nc\td", "ab c d"),
        ("Claude\u{e0041}\u{fe0f}", "Claude"),
        ("<b>Claude</b>", "<b>Claude</b>"),
        ("Сlaude", "Сlaude"),
    ] {
        assert_eq!(shown(name).as_deref(), Ok(expected), "{name:?}");
    }
}

proptest! {
    /// Whatever is fetched as a document, judging it ends, and what passes holds the rules.
    #[test]
    fn no_document_gets_past_its_rules(
        name in ".{0,140}",
        uris in prop::collection::vec("(https?|javascript)://(a\\.example|127\\.0\\.0\\.1|localhost|www\\.example\\.org)(:[0-9]{1,5})?[/?#@a-z.]{0,8}", 0..12),
        more in ".{0,40}",
    ) {
        let body = json!({"client_id": ID, "client_name": name, "redirect_uris": uris, "more": more}).to_string();
        if let Ok(document) = judged(body.as_bytes()) {
            prop_assert!((1..=128).contains(&document.name.chars().count()));
            let unseen = |c: char| c.is_control() || matches!(c, '\u{202e}' | '\u{200b}');
            prop_assert!(!document.name.contains(unseen));
            prop_assert!((1..=10).contains(&document.redirect_uris.len()));
            for uri in &document.redirect_uris {
                let url = url::Url::parse(uri).unwrap();
                let loopback = url.scheme() == "http" && matches!(url.host_str(), Some("127.0.0.1" | "[::1]"));
                prop_assert!(url.scheme() == "https" || loopback, "{}", uri);
                prop_assert!(url.fragment().is_none() && url.username().is_empty());
                prop_assert!(loopback || url.host_str() != Some("www.example.org"));
            }
        }
    }

    /// An id that passes is asked at the very host it names, over TLS, by name.
    #[test]
    fn no_id_gets_past_its_rules(id in "(https|http|HTTPS)://[a-z0-9.@:\\[\\]%\\\\-]{0,24}/[a-z%0-9./?#\\\\]{0,12}") {
        if let Ok(address) = ClientAddress::parse(&id, &issuer()) {
            prop_assert_eq!(address.url().as_str(), &id);
            prop_assert!(id.starts_with("https://") && id[8..].starts_with(address.host()));
            prop_assert!(address.host().parse::<std::net::IpAddr>().is_err() && address.host().contains('.'));
        }
    }
}
