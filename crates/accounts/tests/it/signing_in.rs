//! Links: what they are worth, to whom they are sent, and that nobody is locked out.

use std::time::Duration;

use btp_accounts::{
    AccountError, Invitation, Locale, SignUp,
    store::{AccountStore, Purpose},
};
use btp_kernel::{Clock, secret};

use crate::house::{House, house, house_of};

const MINUTE: Duration = Duration::from_secs(60);

async fn ask(house: &House, email: &str) -> Result<(), AccountError> {
    house.accounts.request_link(email, Locale::Fr).await
}

#[tokio::test]
async fn a_link_works_once_within_thirty_minutes_and_beside_others() {
    let house = house();
    house.accounts.add("ann@example.org", Locale::En).await.unwrap();
    let (first, second) = (house.link("ann@example.org").await, house.link("ann@example.org").await);
    assert!(second.starts_with("btl_") && second.len() == 47);
    assert!(house.accounts.sign_in("btl_guessed").await.unwrap().is_none());
    assert!(house.accounts.sign_in(&first).await.unwrap().is_some(), "a later link does not replace it");
    assert!(house.accounts.sign_in(&first).await.unwrap().is_none(), "spent");
    house.clock.advance(MINUTE * 30 - Duration::from_secs(1));
    let ann = Invitation { email: "ann@example.org".parse().unwrap(), is_new: false };
    assert_eq!(house.accounts.invitation(&second).await.unwrap(), Some(ann));
    assert!(house.accounts.sign_in(&second).await.unwrap().is_some());
    let late = house.link("ann@example.org").await;
    house.clock.advance(MINUTE * 30);
    assert_eq!(house.accounts.invitation(&late).await.unwrap(), None);
    assert!(house.accounts.sign_in(&late).await.unwrap().is_none());
    assert_eq!(house.accounts.sign_in_link("eve@example.org").await.unwrap(), None);
}

#[tokio::test]
async fn mail_goes_to_people_with_an_account_only() {
    let house = house();
    house.accounts.add("ann@example.org", Locale::En).await.unwrap();
    ask(&house, "eve@example.org").await.unwrap();
    ask(&house, "Ann@example.org").await.unwrap();
    let sent = house.post.take();
    let [mail] = &sent[..] else { panic!("one mail: {sent:?}") };
    assert_eq!((mail.to.as_str(), mail.subject.as_str()), ("ann@example.org", "Your sign-in link"));
    assert!(house.accounts.sign_in(mail.token()).await.unwrap().is_some());
    assert!(matches!(ask(&house, "nonsense").await, Err(AccountError::Email(_))));
}

/// A stranger who asks without end fills no mailbox, and whenever the owner comes, the mailbox holds a link that works.
#[tokio::test]
async fn a_stranger_cannot_keep_the_owner_out() {
    let house = house();
    house.accounts.add("ann@example.org", Locale::En).await.unwrap();
    let mut mailbox = Vec::new();
    for minute in 0..120 {
        let asked = ask(&house, "ann@example.org").await;
        assert!(matches!(asked, Ok(()) | Err(AccountError::Limited(_))), "{asked:?}");
        mailbox.extend(house.post.take().into_iter().map(|mail| (minute, mail)));
        let (_, newest) = mailbox.last().unwrap();
        assert!(house.accounts.invitation(newest.token()).await.unwrap().is_some(), "minute {minute}");
        let recent = mailbox.iter().filter(|(sent, _)| sent + 15 > minute).count();
        assert!(recent <= 3, "{recent} mails in the quarter before minute {minute}");
        house.clock.advance(MINUTE);
    }
    assert_eq!(mailbox.len(), 24);
    ask(&house, "bob@example.org").await.unwrap();
}

#[tokio::test]
async fn a_mail_that_is_not_sent_is_an_error() {
    let house = house();
    house.accounts.add("ann@example.org", Locale::En).await.unwrap();
    house.post.strike();
    assert!(matches!(ask(&house, "ann@example.org").await, Err(AccountError::Mail(_))));
}

#[tokio::test]
async fn whoever_has_a_mailbox_may_sign_up_where_that_is_open() {
    let house = house_of(SignUp::Open);
    ask(&house, "Eve@example.org").await.unwrap();
    ask(&house, "eve@example.org").await.unwrap();
    assert!(house.accounts.list().await.unwrap().is_empty(), "typing an address makes no account");
    let sent = house.post.take();
    assert_eq!(sent[0].subject, "Votre compte sur Bike Trip Planner", "in the language of who asks");
    let eve = Invitation { email: "eve@example.org".parse().unwrap(), is_new: true };
    assert_eq!(house.accounts.invitation(sent[0].token()).await.unwrap(), Some(eve));
    let first = house.accounts.sign_in(sent[0].token()).await.unwrap().unwrap();
    assert_eq!((first.user.email.as_str(), first.user.locale), ("eve@example.org", Locale::Fr));
    let second = house.accounts.sign_in(sent[1].token()).await.unwrap().unwrap();
    assert_eq!(second.user.id, first.user.id, "the second link finds the account that the first made");
    ask(&house, "eve@example.org").await.unwrap();
    assert_eq!(house.post.take()[0].subject, "Votre lien de connexion");
}

/// Someone asks for a link while the address changes: what they had looked up is stored when it holds no more.
#[tokio::test]
async fn a_link_to_a_former_address_signs_nobody_in() {
    let house = house();
    let ann = house.accounts.add("ann@example.org", Locale::En).await.unwrap();
    for (token, email, lives) in [("btl_one", "former@example.org", false), ("btl_two", "ann@example.org", true)] {
        let purpose = Purpose::SignIn(ann.id.clone(), email.parse().unwrap());
        let expires = house.clock.now().plus(MINUTE);
        house.people.put_link(&secret::digest(token), &purpose, expires).await.unwrap();
        assert_eq!(house.accounts.invitation(token).await.unwrap().is_some(), lives, "{email}");
        assert_eq!(house.accounts.sign_in(token).await.unwrap().is_some(), lives, "{email}");
    }
}
