//! The person's browser, as far as the journey needs one: cookies, redirects, and submitting the form of a page.

use std::collections::BTreeMap;

use anyhow::{Context, bail};
use reqwest::{Url, header};

use super::form;

/// A browser with one window.
pub struct Browser {
    http: reqwest::Client,
    cookies: BTreeMap<String, String>,
    page: Option<(Url, String)>,
}

impl Browser {
    /// A browser without cookies, over a client that follows no redirects.
    pub fn new(http: reqwest::Client) -> Self {
        Self { http, cookies: BTreeMap::new(), page: None }
    }

    /// Opens a page, following redirects on the same origin. `Some` is the address of another origin it was sent to.
    ///
    /// # Errors
    /// A transport error, or a page that is not a success.
    pub async fn open(&mut self, address: Url) -> anyhow::Result<Option<Url>> {
        let request = self.http.get(address.clone());
        self.follow(address, request).await
    }

    /// The page in the window.
    pub fn html(&self) -> &str {
        self.page.as_ref().map_or("", |(_, html)| html)
    }

    /// The cookies as a request header.
    pub fn cookie(&self) -> String {
        let cookies: Vec<_> = self.cookies.iter().map(|(name, value)| format!("{name}={value}")).collect();
        cookies.join("; ")
    }

    /// Submits the page's form (its first, or the one with a hidden field): hidden fields plus `fields`.
    ///
    /// # Errors
    /// No form; otherwise as [`Browser::open`].
    pub async fn submit(&mut self, fields: &[(&str, &str)]) -> anyhow::Result<Option<Url>> {
        let (address, html) = self.page.take().context("no page is open")?;
        let form_html = html
            .split("<form")
            .skip(1)
            .map(|form| form.split("</form>").next().unwrap_or_default())
            .find(|form| !form.contains("/auth/logout"))
            .with_context(|| format!("{} has no form", address.path()))?;
        let action = attribute(form_html.split('>').next().unwrap_or_default(), "action");
        let target = address.join(action.as_deref().unwrap_or(address.as_str()))?;
        let hidden: Vec<_> = form_html
            .split("<input")
            .skip(1)
            .map(|input| input.split('>').next().unwrap_or_default())
            .filter(|input| input.contains("type=\"hidden\""))
            .filter_map(|input| Some((attribute(input, "name")?, attribute(input, "value")?)))
            .collect();
        let pairs: Vec<_> =
            hidden.iter().map(|(name, value)| (name.as_str(), value.as_str())).chain(fields.iter().copied()).collect();
        let request = self
            .http
            .post(target.clone())
            .header(header::CONTENT_TYPE, "application/x-www-form-urlencoded")
            .header(header::ORIGIN, address.origin().ascii_serialization())
            .body(form(&pairs));
        self.follow(target, request).await
    }

    async fn follow(&mut self, mut address: Url, mut request: reqwest::RequestBuilder) -> anyhow::Result<Option<Url>> {
        for _ in 0..8 {
            let response =
                request.header(header::COOKIE, self.cookie()).header(header::ACCEPT, "text/html").send().await?;
            for cookie in response.headers().get_all(header::SET_COOKIE) {
                let pair = cookie.to_str().unwrap_or_default().split(';').next().unwrap_or_default();
                if let Some((name, value)) = pair.split_once('=') {
                    self.cookies.insert(name.to_owned(), value.to_owned());
                }
            }
            let location = response.headers().get(header::LOCATION).and_then(|value| value.to_str().ok());
            let Some(location) = location else {
                let status = response.status();
                let html = response.text().await?;
                if !status.is_success() {
                    bail!("{} answered {status}: {html}", address.path());
                }
                self.page = Some((address, html));
                return Ok(None);
            };
            let next = address.join(location)?;
            if next.origin() != address.origin() {
                return Ok(Some(next));
            }
            request = self.http.get(next.clone());
            address = next;
        }
        bail!("{} redirects for ever", address.path())
    }
}

/// The value of a double-quoted attribute.
fn attribute(tag: &str, name: &str) -> Option<String> {
    let value = tag.split(&format!(" {name}=\"")).nth(1)?.split('"').next()?;
    Some(value.replace("&#38;", "&").replace("&amp;", "&").replace("&#x2f;", "/"))
}
