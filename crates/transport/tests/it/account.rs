//! The account page: applications, language, another address, deletion; and the cookie that changes hands.

use std::{collections::BTreeMap, time::Duration};

use btp_oauth::store::{Client, Code, GrantStore, Refresh};
use http::StatusCode;

use crate::world::{BASE, FORM, HTML, OURS, Reply, World};

const HOUR: Duration = Duration::from_secs(3600);

/// A browser of a person who is signed in.
struct Browser<'a> {
    world: &'a World,
    cookie: String,
}

impl Browser<'_> {
    async fn get(&self, path: &str) -> Reply {
        self.world.send("GET", path, &[("cookie", &self.cookie), HTML], "").await
    }

    async fn post(&self, path: &str, fields: &[(&str, &str)]) -> Reply {
        let page = self.get("/account").await;
        let csrf = page.text.rsplit("name=\"csrf\" value=\"").next().unwrap().split('"').next().unwrap();
        self.post_as(path, csrf, fields).await
    }

    async fn post_as(&self, path: &str, csrf: &str, fields: &[(&str, &str)]) -> Reply {
        let form = form(csrf, fields);
        self.world.send("POST", path, &[("cookie", &self.cookie), FORM, OURS, HTML], &form).await
    }
}

fn form(csrf: &str, fields: &[(&str, &str)]) -> String {
    let mut form = url::form_urlencoded::Serializer::new(String::new());
    form.append_pair("csrf", csrf).extend_pairs(fields).finish()
}

async fn browser<'a>(world: &'a World, email: &str) -> Browser<'a> {
    Browser { cookie: world.cookie(email).await.1, world }
}

/// A token of the application `agent` for the person.
async fn authorized(world: &World, email: &str) -> String {
    let user = world.accounts.list().await.unwrap().into_iter().find(|user| user.email.as_str() == email).unwrap();
    let client = Client {
        id: "agent".into(),
        name: "<b>Agent</b>".to_owned(),
        redirect_uris: vec!["https://agent.example/callback".to_owned()],
        disabled: false,
        created_at: btp_kernel::Timestamp::from_seconds(0),
        document: None,
    };
    world.grants.put_client(&client).await.unwrap();
    let now = btp_kernel::Clock::now(&*world.clock);
    let family = format!("family of {email}");
    let code = Code {
        digest: format!("code of {email}"),
        user: user.id,
        client: client.id,
        resource: format!("{BASE}/mcp"),
        scopes: btp_kernel::Scopes::parse("trips:read"),
        redirect_uri: client.redirect_uris[0].clone(),
        challenge: String::new(),
        expires: now.plus(HOUR),
        used: false,
        details: None,
    };
    btp_testkit::conformance::authorized(&*world.grants, &code).await;
    let refresh = Refresh { digest: format!("refresh of {email}"), expires: now.plus(HOUR * 1000) };
    world.grants.redeem(&code.digest, &family, &refresh, now).await.unwrap();
    family
}

async fn lives(world: &World, family: &str) -> bool {
    world.grants.live(family).await.unwrap().is_some()
}

/// The path of the link in the only mail.
async fn mailed(world: &World, to: &str) -> String {
    let letters = world.letters.take().await;
    let [letter] = &letters[..] else { panic!("one mail: {letters:?}") };
    assert_eq!(letter.to, to);
    letter.link.as_ref().unwrap().strip_prefix(BASE).unwrap().to_owned()
}

// oauth row: 3.5-1
// attack: 82, 94
#[tokio::test]
async fn an_application_is_listed_and_revoked() {
    let world = World::new().await;
    let (ann, bob) = (browser(&world, "ann@example.org").await, browser(&world, "bob@example.org").await);
    assert!(ann.get("/account").await.text.contains("No application may act for you."));
    let (anns, bobs) = (authorized(&world, "ann@example.org").await, authorized(&world, "bob@example.org").await);
    let page = ann.get("/account").await.text;
    for said in ["&#60;b&#62;Agent&#60;/b&#62;", "agent.example", "2026-06-01", "never used"] {
        assert!(page.contains(said), "{said}: {page}");
    }
    world.grants.touch(&anns, btp_kernel::Clock::now(&*world.clock)).await.unwrap();
    assert!(!ann.get("/account").await.text.contains("never used"));

    let unknown = ann.post("/account/applications/revoke", &[("client", "other")]).await;
    assert_eq!(unknown.status, StatusCode::NOT_FOUND);
    let forged = ann.post_as("/account/applications/revoke", "x", &[("client", "agent")]).await;
    assert_eq!(forged.status, StatusCode::FORBIDDEN);
    assert!(lives(&world, &anns).await);
    let revoked = ann.post("/account/applications/revoke", &[("client", "agent")]).await;
    assert_eq!((revoked.status.as_u16(), revoked.header("location")), (303, "/account?done=revoked"));
    assert!(!lives(&world, &anns).await, "at once");
    assert!(lives(&world, &bobs).await, "another person's use of the application goes on");
    let page = ann.get("/account?done=revoked").await.text;
    assert!(page.contains("Its access has ended.") && page.contains("No application may act for you."));
    assert!(bob.get("/account").await.text.contains("agent.example"));
}

#[tokio::test]
async fn a_secret_used_twice_is_shown() {
    let world = World::new().await;
    let ann = browser(&world, "ann@example.org").await;
    let family = authorized(&world, "ann@example.org").await;
    let now = btp_kernel::Clock::now(&*world.clock);
    world.grants.revoke_family(&family, btp_oauth::store::ended::REUSE, now).await.unwrap();
    let page = ann.get("/account").await.text;
    assert!(page.contains("was used twice") && page.contains("agent.example"), "{page}");
}

#[tokio::test]
async fn the_language_of_pages_and_mails() {
    let world = World::new().await;
    let ann = browser(&world, "ann@example.org").await;
    let changed = ann.post("/account/language", &[("locale", "fr")]).await;
    assert_eq!((changed.status.as_u16(), changed.header("location")), (303, "/account?done=language"));
    let page = ann.get("/account?done=language").await.text;
    assert!(page.contains("<html lang=\"fr\">") && page.contains("La langue a été modifiée."));
    world.send("POST", "/login", &[FORM, OURS, HTML], "email=ann%40example.org").await;
    assert_eq!(world.letters.take().await[0].subject, "Votre lien de connexion");
    assert_eq!(ann.post("/account/language", &[("locale", "tlh")]).await.status, StatusCode::BAD_REQUEST);
}

// oauth row: 3.5-2
// attack: 79
#[tokio::test]
async fn another_address_is_confirmed_by_its_owner() {
    let world = World::new().await;
    let ann = browser(&world, "ann@example.org").await;
    let bob = browser(&world, "bob@example.org").await;
    let family = authorized(&world, "ann@example.org").await;
    let refused = ann.post("/account/email", &[("email", "nonsense")]).await;
    assert!(refused.status == 400 && refused.text.contains("This is no e-mail address."));
    for email in ["bob@example.org", "anna@example.org"] {
        let asked = ann.post("/account/email", &[("email", email)]).await;
        assert_eq!((asked.status.as_u16(), asked.header("location")), (303, "/account?done=mailed"), "{email}");
    }
    let path = mailed(&world, "anna@example.org").await;
    let token = path.strip_prefix("/account/email?token=").unwrap();
    for _ in 0..2 {
        let page = ann.get(&path).await;
        assert!(page.status == 200 && page.text.contains("anna@example.org"), "looking spends nothing");
    }
    assert_eq!(bob.get(&path).await.status, StatusCode::BAD_REQUEST);
    assert_eq!(bob.post("/account/email/confirm", &[("token", token)]).await.status, StatusCode::BAD_REQUEST);
    let out = world.send("GET", &path, &[HTML], "").await;
    assert_eq!((out.status.as_u16(), out.header("location")), (303, "/login"));
    assert!(lives(&world, &family).await);

    let done = ann.post("/account/email/confirm", &[("token", token)]).await;
    assert_eq!((done.status.as_u16(), done.header("location")), (303, "/account?done=email"));
    assert!(!lives(&world, &family).await, "every application has to ask again");
    let told = world.letters.take().await;
    assert_eq!((told[0].to.as_str(), told[0].subject), ("ann@example.org", "Your e-mail address was changed"));
    let page = ann.get("/account?done=email").await.text;
    assert!(page.contains("anna@example.org") && page.contains("Your e-mail address was changed."));
    assert_eq!(ann.post("/account/email/confirm", &[("token", token)]).await.status, StatusCode::BAD_REQUEST);
}

#[tokio::test]
async fn an_address_that_was_taken_meanwhile() {
    let world = World::new().await;
    let ann = browser(&world, "ann@example.org").await;
    ann.post("/account/email", &[("email", "anna@example.org")]).await;
    let path = mailed(&world, "anna@example.org").await;
    world.accounts.add("anna@example.org", btp_accounts::Locale::En).await.unwrap();
    let token = path.rsplit_once('=').unwrap().1;
    let taken = ann.post("/account/email/confirm", &[("token", token)]).await;
    assert!(taken.status == 409 && taken.text.contains("This address cannot be used."), "{}", taken.text);
}

// oauth row: 3.5-3
// attack: 80, 81
#[tokio::test]
async fn an_account_is_deleted_by_its_address() {
    let world = World::new().await;
    let (ann, bob) = (browser(&world, "ann@example.org").await, browser(&world, "bob@example.org").await);
    let family = authorized(&world, "ann@example.org").await;
    let ask = ann.get("/account/delete").await;
    assert!(ask.text.contains("Type the e-mail address of your account"));
    for email in ["", "bob@example.org"] {
        let refused = ann.post("/account/delete", &[("email", email)]).await;
        assert!(refused.status == 400 && refused.text.contains("aria-invalid"), "{email}");
    }
    let done = ann.post("/account/delete", &[("email", " Ann@example.org ")]).await;
    assert!(done.status == 200 && done.text.contains("Your account is deleted") && !done.text.contains("Signed in as"));
    assert!(done.header("set-cookie").starts_with("refresh_token=; Path=/; Max-Age=0;"));
    assert_eq!(ann.get("/account").await.header("location"), "/login");
    assert!(!lives(&world, &family).await);
    let told = world.letters.take().await;
    assert_eq!((told[0].to.as_str(), told[0].subject), ("ann@example.org", "Your account was deleted"));
    world.accounts.add("ann@example.org", btp_accounts::Locale::En).await.unwrap();
    assert!(!lives(&world, &family).await, "an address taken again inherits nothing");
    assert_eq!(ann.get("/account").await.header("location"), "/login");
    assert_eq!(bob.get("/account").await.status, StatusCode::OK);
}

#[tokio::test]
async fn every_form_is_of_the_session_and_the_site() {
    let world = World::new().await;
    let ann = browser(&world, "ann@example.org").await;
    let bob = browser(&world, "bob@example.org").await;
    let page = bob.get("/account").await.text;
    let bobs = page.rsplit("name=\"csrf\" value=\"").next().unwrap().split('"').next().unwrap();
    for path in ["applications/revoke", "language", "email", "email/confirm", "delete"] {
        let path = format!("/account/{path}");
        for csrf in ["", "x", bobs] {
            let reply = ann.post_as(&path, csrf, &[]).await;
            assert!(reply.status == 403 && reply.text.contains("does not belong to this session"), "{path}");
        }
        let out = world.send("POST", &path, &[FORM, OURS, HTML], "").await;
        assert_eq!((out.status.as_u16(), out.header("location")), (303, "/login"), "{path}");
        for origin in ["https://evil.example", "null", "https://app.example.org"] {
            let foreign = [("cookie", ann.cookie.as_str()), FORM, ("origin", origin)];
            assert_eq!(world.send("POST", &path, &foreign, "").await.status, StatusCode::FORBIDDEN, "{path} {origin}");
        }
    }
}

#[tokio::test]
async fn the_cookie_is_renewed_by_the_hour_and_an_old_one_ends_the_session() {
    let world = World::new().await;
    let ann = browser(&world, "ann@example.org").await;
    assert_eq!(ann.get("/trips").await.header("set-cookie"), "");
    world.clock.advance(HOUR);
    let page = ann.get("/account").await;
    let renewed = page.header("set-cookie").to_owned();
    assert!(renewed.starts_with("refresh_token=bts_"), "{renewed}");
    assert!(renewed.ends_with("; Path=/; Max-Age=2592000; HttpOnly; SameSite=Lax; Secure"), "{renewed}");
    for path in ["/", "/trips", "/api/trips", "/oauth/authorize"] {
        assert_eq!(ann.get(path).await.header("set-cookie"), renewed, "{path}: everyone is given the same");
    }
    assert_eq!(ann.get("/style.css").await.header("set-cookie"), "");
    let newer = Browser { world: &world, cookie: renewed.split(';').next().unwrap().to_owned() };
    let csrf = page.text.rsplit("name=\"csrf\" value=\"").next().unwrap().split('"').next().unwrap();
    let saved = newer.post_as("/account/language", csrf, &[("locale", "en")]).await;
    assert_eq!((saved.status.as_u16(), saved.header("set-cookie")), (303, ""), "forms of pages before stay good");
    assert_eq!(ann.get("/trips").await.status, StatusCode::OK, "a request that was under way");
    world.clock.advance(Duration::from_secs(30));
    assert_eq!(ann.get("/trips").await.header("location"), "/login");
    assert_eq!(newer.get("/trips").await.header("location"), "/login", "nobody knows which of the two is the thief");
}

#[tokio::test]
async fn signing_in_anew_ends_the_session_this_browser_had() {
    let world = World::new().await;
    let ann = browser(&world, "ann@example.org").await;
    let link = world.accounts.sign_in_link("ann@example.org").await.unwrap().unwrap();
    let form = format!("token={}", link.rsplit_once('=').unwrap().1);
    let signed = world.send("POST", "/auth/verify", &[("cookie", &ann.cookie), FORM, OURS, HTML], &form).await;
    assert_eq!(signed.status, StatusCode::SEE_OTHER);
    assert_eq!(ann.get("/account").await.header("location"), "/login");
}

// oauth row: 3.5-7
#[tokio::test]
async fn signing_out_stops_browsers_and_no_agent() {
    let world = World::new().await;
    let ann = browser(&world, "ann@example.org").await;
    let family = authorized(&world, "ann@example.org").await;
    assert_eq!(ann.post("/auth/logout", &[]).await.header("location"), "/login");
    assert_eq!(ann.get("/account").await.header("location"), "/login");
    assert!(lives(&world, &family).await);
}

#[tokio::test]
async fn asking_for_links_is_limited_by_address_of_the_network() {
    let world = World::with(BTreeMap::from([("mail_ip", (2, 900))]), &[]).await;
    world.accounts.add("ann@example.org", btp_accounts::Locale::En).await.unwrap();
    let ask = async |peer: &str, email: &str| {
        let form = format!("email={email}");
        world.send_from(peer, "POST", "/login", &[FORM, OURS, HTML], form).await
    };
    for email in ["ann%40example.org", "eve%40example.org"] {
        assert_eq!(ask("203.0.113.9", email).await.status, StatusCode::OK);
    }
    let refused = ask("203.0.113.9", "ann%40example.org").await;
    assert_eq!((refused.status.as_u16(), refused.header("retry-after")), (429, "900"));
    assert!(refused.text.contains("Links that were sent already still work."));
    assert_eq!(ask("203.0.113.10", "ann%40example.org").await.status, StatusCode::OK, "others may");
    assert_eq!(world.letters.take().await.len(), 2);
}

#[tokio::test]
async fn where_everyone_may_sign_up_the_link_makes_the_account() {
    let world = World::open().await;
    let page = world.send("GET", "/login", &[HTML], "").await.text;
    assert!(page.contains("If you have no account yet, the link makes one."));
    let form = [FORM, OURS, HTML, ("accept-language", "fr-FR,en;q=0.5")];
    world.send("POST", "/login", &form, "email=eve%40example.org").await;
    let path = mailed(&world, "eve@example.org").await;
    let page = world.send("GET", &path, &[HTML], "").await.text;
    assert!(page.contains("makes your account") && page.contains("eve@example.org"), "{page}");
    let form = format!("token={}", path.rsplit_once('=').unwrap().1);
    let signed = world.send("POST", "/auth/verify", &[FORM, OURS, HTML], &form).await;
    let cookie = signed.header("set-cookie").split(';').next().unwrap().to_owned();
    let account = Browser { world: &world, cookie }.get("/account").await.text;
    assert!(account.contains("<html lang=\"fr\">") && account.contains("eve@example.org"));
}
