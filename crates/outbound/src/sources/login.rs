//! Tells a page that asks to sign in from the one that was asked for.

use url::Url;

/// How far into a page a sign-in form is looked for, in bytes.
const LOOKED_AT: usize = 300_000;
const ADDRESSES: [&str; 8] = ["login", "log-in", "log_in", "signin", "sign-in", "sign_in", "auth", "sessions"];
const WORDS: [&str; 4] = ["log in", "login", "sign in", "signin"];

/// Whether the address is that of a sign-in page.
pub(super) fn is_login_address(url: &Url) -> bool {
    url.path().split('/').any(|segment| ADDRESSES.contains(&segment.to_ascii_lowercase().as_str()))
}

/// Whether the page is one to sign in: a password field, or a title or heading that says so. The link that pages have in
/// their menu does not count.
pub(super) fn is_login_page(html: &str) -> bool {
    let html = html[..html.floor_char_boundary(LOOKED_AT)].to_ascii_lowercase();
    let password = ["type=\"password\"", "type='password'", "type=password"].iter().any(|field| html.contains(field));
    let says = |text: &str| WORDS.iter().any(|word| text.contains(word));
    password || ["title", "h1", "h2"].iter().any(|tag| inner(&html, tag).is_some_and(says))
}

/// Whether the body is a page rather than data.
pub(super) fn is_html(text: &str) -> bool {
    let start = text.trim_start_matches('\u{feff}').trim_start();
    ["<!doctype html", "<html"]
        .iter()
        .any(|tag| start.get(..tag.len()).is_some_and(|head| head.eq_ignore_ascii_case(tag)))
}

/// What is between the first `<tag …>` and its end.
fn inner<'a>(html: &'a str, tag: &str) -> Option<&'a str> {
    let after = html.split_once(&format!("<{tag}"))?.1;
    after.split_once('>')?.1.split_once(&format!("</{tag}")).map(|(inner, _)| inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses() {
        let login = |path: &str| is_login_address(&Url::parse("https://www.strava.com").unwrap().join(path).unwrap());
        for yes in ["/login", "/signin?from=/routes/1", "/users/sign_in", "/Login/", "/account/login"] {
            assert!(login(yes), "{yes}");
        }
        for no in ["/routes/1", "/tour/1/login-less", "/", "/tour/1?next=/login"] {
            assert!(!login(no), "{no}");
        }
    }

    #[test]
    fn pages() {
        for yes in [
            "<html><head><title>Log In | Strava</title></head></html>",
            "<form><INPUT class=x TYPE='password'></form>",
            "<title>Komoot</title><h1 class=\"t\">Please <b>sign in</b></h1>",
        ] {
            assert!(is_login_page(yes), "{yes}");
        }
        for no in [
            "<title>Around the lake | Komoot</title><nav><a href=\"/login\">Log in</a></nav><h1>Around the lake</h1>",
            "",
            "<title>Log in",
        ] {
            assert!(!is_login_page(no), "{no}");
        }
        assert!(is_html("\u{feff}\n<!DOCTYPE HTML><html>") && is_html("<html lang=en>"));
        assert!(!is_html("<gpx/>") && !is_html("{}") && !is_html("é"));
    }
}
