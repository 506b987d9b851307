//! Pages for people: signing in and out, trips.

use btp_domain::{CreateTrip, Settings};
use btp_kernel::{Principal, UserId};
use http::StatusCode;

use crate::world::{BASE, FORM, HTML, OURS, World};

async fn trip(world: &World, user: &UserId, title: &str) -> String {
    let scopes = world.authorization.every_scope();
    let principal = Principal { user: user.clone(), client: Principal::PERSON.into(), scopes };
    let command = CreateTrip {
        source_url: "https://www.komoot.com/tour/1".to_owned(),
        title: Some(title.to_owned()),
        settings: Settings::default(),
        key: None,
        arguments: title.to_owned(),
    };
    world.planner.create_trip(&principal, command).await.unwrap().trip.to_string()
}

#[tokio::test]
async fn signing_in_by_link_and_out_everywhere() {
    let world = World::new().await;
    world.accounts.add("ann@example.org", btp_accounts::Locale::Fr).await.unwrap();
    let link = world.accounts.sign_in_link("Ann@Example.org").await.unwrap().unwrap();
    let path = link.strip_prefix(BASE).unwrap();
    let token = path.strip_prefix("/auth/verify?token=").unwrap();
    assert!(token.starts_with("btl_") && token.len() == 47);
    for _ in 0..3 {
        let page = world.send("GET", path, &[HTML], "").await;
        assert!(page.status == 200 && page.text.contains(token), "looking spends nothing");
        assert!(page.text.contains("ann@example.org"), "and tells who would be signed in");
    }
    let form = format!("token={token}");
    let foreign = world.send("POST", "/auth/verify", &[FORM, ("origin", "https://evil.example")], &form).await;
    assert_eq!(foreign.status, 403, "nobody is signed in from another site");
    let signed = world.send("POST", "/auth/verify", &[FORM, OURS, HTML], &form).await;
    assert_eq!((signed.status, signed.header("location")), (StatusCode::SEE_OTHER, "/"));
    let cookie = signed.header("set-cookie");
    assert!(cookie.starts_with("refresh_token=bts_"), "{cookie}");
    assert!(cookie.ends_with("; Path=/; Max-Age=2592000; HttpOnly; SameSite=Lax; Secure"), "{cookie}");
    let cookie = cookie.split(';').next().unwrap();
    let again = world.send("POST", "/auth/verify", &[FORM, OURS, HTML], &form).await;
    assert_eq!((again.status.as_u16(), again.header("set-cookie")), (400, ""), "spent");

    let home = world.send("GET", "/", &[("cookie", cookie), HTML], "").await;
    assert!(home.text.contains("<html lang=\"fr\">") && home.text.contains("https://www.example.org/mcp"));
    assert!(home.text.contains("recommencez maintenant depuis l’agent"));
    let csrf = home.text.split("name=\"csrf\" value=\"").nth(1).unwrap().split('"').next().unwrap();
    let forged = world.send("POST", "/auth/logout", &[("cookie", cookie), FORM, OURS], "csrf=x").await;
    assert_eq!(forged.status, 403);
    let form = format!("csrf={csrf}");
    let out = world.send("POST", "/auth/logout", &[("cookie", cookie), FORM, OURS], &form).await;
    assert_eq!((out.status.as_u16(), out.header("location")), (303, "/login"));
    assert!(out.header("set-cookie").starts_with("refresh_token=; Path=/; Max-Age=0;"));
    let gone = world.send("GET", "/", &[("cookie", cookie), HTML], "").await;
    assert_eq!((gone.status.as_u16(), gone.header("location")), (303, "/login"));
}

#[tokio::test]
async fn the_sign_in_page_does_not_tell_who_has_an_account() {
    let world = World::new().await;
    world.accounts.add("ann@example.org", btp_accounts::Locale::En).await.unwrap();
    let post = async |form: &str| world.send("POST", "/login", &[FORM, OURS, HTML], form).await;
    let known = post("email=ann%40example.org").await;
    assert_eq!(known.status, 200);
    for form in ["email=eve%40example.org", "email=nonsense", "email=", ""] {
        assert_eq!(post(form).await.text, known.text, "{form}");
    }
    let foreign = world.send("POST", "/login", &[FORM, ("origin", "https://evil.example")], "email=a%40b").await;
    assert_eq!(foreign.status, 403);
}

#[tokio::test]
async fn a_person_sees_their_own_trips() {
    let world = World::new().await;
    let (ann, cookie) = world.cookie("ann@example.org").await;
    let (bob, _) = world.cookie("bob@example.org").await;
    let own = trip(&world, &ann.id, "<i>Round</i> the lake").await;
    let others = trip(&world, &bob.id, "Over the pass").await;
    let signed = ("cookie", cookie.as_str());
    let list = world.send("GET", "/trips", &[signed, HTML], "").await;
    assert!(list.text.contains("&#60;i&#62;Round&#60;/i&#62; the lake") && !list.text.contains("Over the pass"));
    assert!(list.text.contains(&format!("href=\"/trips/{own}\"")));
    let page = world.send("GET", &format!("/trips/{own}"), &[signed, HTML], "").await;
    assert!(page.status == 200 && page.text.contains("still being computed"), "{}", page.text);
    let foreign = world.send("GET", &format!("/trips/{others}"), &[signed, HTML], "").await;
    for unknown in ["unknown", "%ff", "%00"] {
        let unknown = world.send("GET", &format!("/trips/{unknown}"), &[signed, HTML], "").await;
        assert_eq!((foreign.status.as_u16(), &foreign.text), (404, &unknown.text));
    }
    let program = world.send("GET", "/trips/unknown", &[signed], "").await;
    assert_eq!(program.json()["error"], "not_found");
    for path in ["/", "/trips", "/trips/x", "/account", "/account/email?token=x", "/account/delete"] {
        let out = world.send("GET", path, &[HTML], "").await;
        assert_eq!((out.status.as_u16(), out.header("location")), (303, "/login"), "{path}");
    }
}

#[tokio::test]
async fn pages_load_one_stylesheet_and_nothing_else() {
    let world = World::new().await;
    let (ann, cookie) = world.cookie("ann@example.org").await;
    let own = trip(&world, &ann.id, "A trip").await;
    let paths =
        ["/", "/login", "/auth/verify?token=x", "/trips", "/trips?page=2", &format!("/trips/{own}"), "/trips/x"];
    for path in
        paths.into_iter().chain(["/account", "/account?done=email", "/account/delete", "/account/email?token=x"])
    {
        let page = world.send("GET", path, &[("cookie", &cookie), HTML], "").await;
        let policy = page.header("content-security-policy");
        let rest = "; base-uri 'none'; frame-ancestors 'none'";
        let expected = format!("default-src 'none'; style-src 'self'; img-src 'self'; form-action 'self'{rest}");
        assert_eq!(policy, expected, "{path}");
        assert_eq!((page.header("cache-control"), page.header("referrer-policy")), ("no-store", "no-referrer"));
        for inline in ["<script", "<style", " style=", " onclick", "http-equiv"] {
            assert!(!page.text.contains(inline), "{path}: {inline}");
        }
        assert_eq!(page.text.matches("<h1>").count(), 1, "{path}");
    }
    let style = world.send("GET", "/style.css", &[], "").await;
    assert_eq!((style.status.as_u16(), style.header("content-type")), (200, "text/css; charset=utf-8"));
    assert_eq!(style.header("cache-control"), "public, max-age=3600");
}

#[tokio::test]
async fn browsers_are_told_in_words_of_theirs_what_went_wrong() {
    let world = World::new().await;
    let large = format!("email={}", "x".repeat(70_000));
    let french = ("accept-language", "fr");
    for (method, path, body, status, says) in [
        ("POST", "/login", large.as_str(), 413, "Il est trop grand"),
        ("POST", "/account/language", &large, 413, "Il est trop grand"),
        ("GET", "/nothing", "", 404, "Il n’y a rien à cette adresse."),
        ("GET", "/account/language", "", 405, "Il n’y a rien à cette adresse."),
    ] {
        let page = world.send(method, path, &[FORM, OURS, HTML, french], body).await;
        assert_eq!((page.status.as_u16(), page.header("content-type")), (status, "text/html; charset=utf-8"), "{path}");
        assert!(page.text.contains(says), "{}", page.text);
        let machine = world.send(method, path, &[FORM, OURS], body).await;
        assert_eq!((machine.status.as_u16(), machine.header("content-type")), (status, "application/json"), "{path}");
        assert!(machine.json()["error_description"].is_string(), "{path}");
    }
    let form = world.send("GET", "/account/language", &[HTML], "").await;
    assert_eq!(form.header("allow"), "POST");
}
