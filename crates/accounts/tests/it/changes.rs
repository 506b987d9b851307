//! Another address, no account.

use std::time::Duration;

use btp_accounts::{AccountError, EmailChange, Locale, store::AccountStoreError};

use crate::house::{House, house};

async fn token_for(house: &House, session: &btp_accounts::Session, email: &str) -> String {
    house.accounts.request_email_change(session, email).await.unwrap();
    let sent = house.post.take();
    let [mail] = &sent[..] else { panic!("one mail: {sent:?}") };
    assert_eq!((mail.to.as_str(), mail.subject.as_str()), (email, "Confirm your new e-mail address"));
    assert!(mail.link.as_ref().unwrap().starts_with("https://www.example.org/account/email?token=btl_"));
    mail.token().to_owned()
}

// attack: 79
#[tokio::test]
async fn the_new_address_confirms_and_the_old_one_is_told() {
    let house = house();
    let (here, there) = (house.signed_in("ann@example.org").await, house.signed_in("ann@example.org").await);
    let old_link = house.link("ann@example.org").await;
    let token = token_for(&house, &here, "anna@example.org").await;
    assert!(house.accounts.sign_in(&token).await.unwrap().is_none(), "it signs nobody in");
    let offered = house.accounts.offered_email(&here, &token).await.unwrap();
    assert_eq!(offered, Some("anna@example.org".parse().unwrap()));

    let bob = house.signed_in("bob@example.org").await;
    assert_eq!(house.accounts.offered_email(&bob, &token).await.unwrap(), None);
    assert_eq!(house.accounts.change_email(&bob, &token).await.unwrap(), EmailChange::NoLink, "not bob's to spend");

    assert_eq!(house.accounts.change_email(&here, &token).await.unwrap(), EmailChange::Done);
    assert_eq!(house.accounts.change_email(&here, &token).await.unwrap(), EmailChange::NoLink, "spent");
    let told = house.post.take();
    assert_eq!((told[0].to.as_str(), told[0].subject.as_str()), ("ann@example.org", "Your e-mail address was changed"));
    assert_eq!(house.session(&here.token()).await.unwrap().user.email.as_str(), "anna@example.org");
    assert!(house.session(&there.token()).await.is_none(), "other browsers are signed out");
    assert!(house.accounts.sign_in(&old_link).await.unwrap().is_none(), "links to the old address are dead");
    assert_eq!(house.accounts.sign_in_link("ann@example.org").await.unwrap(), None);
}

#[tokio::test]
async fn an_address_that_someone_has_is_not_given_and_not_told() {
    let house = house();
    let ann = house.signed_in("ann@example.org").await;
    house.accounts.add("bob@example.org", Locale::En).await.unwrap();
    house.accounts.request_email_change(&ann, "bob@example.org").await.unwrap();
    house.accounts.request_email_change(&ann, "ann@example.org").await.unwrap();
    assert_eq!(house.post.take(), []);
    let token = token_for(&house, &ann, "eve@example.org").await;
    let eve = house.accounts.add("eve@example.org", Locale::En).await.unwrap();
    assert_eq!(house.accounts.change_email(&ann, &token).await.unwrap(), EmailChange::Taken);
    assert_eq!(house.session(&ann.token()).await.unwrap().user.email.as_str(), "ann@example.org");
    assert_ne!(eve.id, ann.user.id);
    let late = token_for(&house, &ann, "anna@example.org").await;
    house.clock.advance(Duration::from_secs(30 * 60));
    assert_eq!(house.accounts.change_email(&ann, &late).await.unwrap(), EmailChange::NoLink);
}

/// Whoever is signed out everywhere changes nothing any more, not even by a request that was under way.
#[tokio::test]
async fn a_session_that_has_ended_changes_no_address() {
    let house = house();
    let ann = house.signed_in("ann@example.org").await;
    let token = token_for(&house, &ann, "anna@example.org").await;
    house.accounts.sign_out(&ann.user.id).await.unwrap();
    assert_eq!(house.accounts.change_email(&ann, &token).await.unwrap(), EmailChange::NoLink);
    let again = house.signed_in("ann@example.org").await;
    assert_eq!(house.accounts.change_email(&again, &token).await.unwrap(), EmailChange::Done, "nothing was spent");
}

/// Somebody at a browser that was left open made the account theirs.
#[tokio::test]
async fn the_operator_gives_an_account_back() {
    let house = house();
    let left_open = house.signed_in("ann@example.org").await;
    let token = token_for(&house, &left_open, "eve@example.org").await;
    assert_eq!(house.accounts.change_email(&left_open, &token).await.unwrap(), EmailChange::Done);
    let eves = house.link("eve@example.org").await;
    house.post.take();

    assert!(!house.accounts.readdress("nobody@example.org", "ann@example.org").await.unwrap());
    assert!(house.accounts.readdress("eve@example.org", "nonsense").await.is_err());
    house.accounts.add("bob@example.org", Locale::En).await.unwrap();
    let taken = house.accounts.readdress("eve@example.org", "bob@example.org").await;
    assert!(matches!(taken, Err(AccountError::Store(AccountStoreError::EmailTaken))), "{taken:?}");
    assert!(house.session(&left_open.token()).await.is_some(), "what is refused ends nothing");

    assert!(house.accounts.readdress("eve@example.org", "ann@example.org").await.unwrap());
    let told = house.post.take();
    assert_eq!((told[0].to.as_str(), told[0].subject.as_str()), ("eve@example.org", "Your e-mail address was changed"));
    assert!(house.session(&left_open.token()).await.is_none(), "no session is kept");
    assert!(house.accounts.sign_in(&eves).await.unwrap().is_none());
    assert_eq!(house.signed_in("ann@example.org").await.user.id, left_open.user.id, "with all that was hers");
}

#[tokio::test]
async fn nobody_is_flooded_by_changes_of_address() {
    let house = house();
    let ann = house.signed_in("ann@example.org").await;
    for _ in 0..3 {
        token_for(&house, &ann, "eve@example.org").await;
    }
    assert!(house.accounts.request_email_change(&ann, "eve@example.org").await.is_err());
    assert_eq!(house.post.take(), []);
    house.accounts.request_link("ann@example.org", Locale::En).await.unwrap();
    assert_eq!(house.post.take().len(), 1, "signing in is counted apart");
}

#[tokio::test]
async fn a_deleted_account_is_gone_and_says_so_by_mail() {
    let house = house();
    let (ann, phone) = (house.signed_in("ann@example.org").await, house.signed_in("ann@example.org").await);
    let link = house.link("ann@example.org").await;
    house.post.strike();
    let bob = house.signed_in("bob@example.org").await;
    house.accounts.delete_own(&bob).await.unwrap();
    assert!(house.session(&bob.token()).await.is_none(), "a post on strike keeps nobody's account");

    let house_of_mail = self::house();
    let eve = house_of_mail.signed_in("eve@example.org").await;
    house_of_mail.accounts.delete_own(&eve).await.unwrap();
    house_of_mail.accounts.delete_own(&eve).await.unwrap();
    let sent = house_of_mail.post.take();
    assert_eq!(sent.len(), 1);
    assert_eq!((sent[0].to.as_str(), sent[0].subject.as_str()), ("eve@example.org", "Your account was deleted"));

    house.accounts.delete_own(&ann).await.unwrap();
    for token in [ann.token(), phone.token()] {
        assert!(house.session(&token).await.is_none());
    }
    assert!(house.accounts.sign_in(&link).await.unwrap().is_none());
    assert!(house.accounts.list().await.unwrap().is_empty());
}
