//! Links, and the sessions that begin with them.

use std::sync::Arc;

use btp_accounts::{
    Email, Locale, User,
    store::{AccountStore, Purpose, SignedIn},
};
use btp_kernel::UserId;
use tokio::task::JoinSet;

use super::{RACERS, at, person, sessions, signed_in};

/// What ends sessions, done by the racer in the middle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum End {
    Address,
    Person,
}

/// A link that signs `user` in.
pub(super) fn of(user: &User) -> Purpose {
    Purpose::SignIn(user.id.clone(), user.email.clone())
}

fn newcomer(number: usize) -> UserId {
    UserId(format!("0197a000-0000-7000-9000-{number:012}"))
}

pub(super) async fn links(store: &dyn AccountStore) {
    let (ann, bob) = (person("ann"), person("bob"));
    store.add_user(&ann).await.unwrap();
    store.add_user(&bob).await.unwrap();
    let change = Purpose::ChangeEmail(bob.id.clone(), "robert@example.org".parse().unwrap());
    let purposes =
        [of(&ann), of(&ann), Purpose::SignUp("eve@example.org".parse().unwrap(), Locale::Fr), change.clone()];
    for (number, purpose) in purposes.iter().enumerate() {
        store.put_link(&number.to_string(), purpose, at(60)).await.unwrap();
    }
    let enter = async |digest: &str, seconds| {
        let session = sessions::since(&format!("by {digest}"), at(seconds));
        store.sign_in(digest, &session, &newcomer(0)).await.unwrap()
    };
    for (number, purpose) in purposes.iter().enumerate() {
        let digest = number.to_string();
        assert_eq!(store.link(&digest, at(60)).await.unwrap(), None, "dead from its expiry on");
        assert_eq!(enter(&digest, 60).await, None, "then it signs nobody in");
        for _ in 0..2 {
            let found = store.link(&digest, at(59)).await.unwrap();
            assert_eq!(found.as_ref(), Some(purpose), "looking spends nothing, nor do other links");
        }
        if *purpose == change {
            assert_eq!(enter(&digest, 59).await, None, "it is for something else");
            assert!(store.link(&digest, at(59)).await.unwrap().is_some(), "which spends nothing");
            continue;
        }
        let signed = enter(&digest, 59).await.unwrap();
        assert_eq!(signed.is_new, number == 2);
        let session = store.session(&format!("by {digest}"), at(59)).await.unwrap().unwrap();
        assert_eq!((session.user, session.since), (signed.user, at(59)));
        assert_eq!(enter(&digest, 59).await, None, "spent");
        assert_eq!(store.link(&digest, at(1)).await.unwrap(), None);
    }
    assert_eq!(enter("unknown", 1).await, None);
    assert_eq!(store.session("by unknown", at(1)).await.unwrap(), None);
}

pub(super) async fn newcomers(store: &dyn AccountStore) {
    let email: Email = "eve@example.org".parse().unwrap();
    for (link, locale) in [("first", Locale::Fr), ("second", Locale::En)] {
        store.put_link(link, &Purpose::SignUp(email.clone(), locale), at(60)).await.unwrap();
    }
    let eve = User { id: newcomer(1), email, locale: Locale::Fr, created_at: at(1) };
    let enter =
        async |link: &str, number| store.sign_in(link, &sessions::since(link, at(1)), &newcomer(number)).await.unwrap();
    assert_eq!(enter("first", 1).await, Some(SignedIn { user: eve.clone(), is_new: true }));
    assert_eq!(enter("second", 2).await, Some(SignedIn { user: eve.clone(), is_new: false }), "it is her mailbox");
    assert_eq!(store.users().await.unwrap(), [eve]);
}

// attack: 95
/// A link that is stored just after the address changed, by someone who had looked before.
pub(super) async fn former_addresses(store: &dyn AccountStore) {
    let ann = person("ann");
    store.add_user(&ann).await.unwrap();
    let former = Purpose::SignIn(ann.id, "former@example.org".parse().unwrap());
    store.put_link("link", &former, at(60)).await.unwrap();
    assert_eq!(store.sign_in("link", &sessions::new("key"), &newcomer(0)).await.unwrap(), None);
    assert_eq!(store.session("key", at(1)).await.unwrap(), None);
}

pub(super) async fn one_spender_a_link(store: Arc<dyn AccountStore>) {
    let ann = person("ann");
    store.add_user(&ann).await.unwrap();
    for (link, purpose) in
        [("sign-in", of(&ann)), ("sign-up", Purpose::SignUp("eve@example.org".parse().unwrap(), Locale::En))]
    {
        store.put_link(link, &purpose, at(60)).await.unwrap();
        let mut race = JoinSet::new();
        for racer in 0..RACERS {
            let store = Arc::clone(&store);
            race.spawn(async move {
                let key = format!("{link} {racer}");
                let signed = store.sign_in(link, &sessions::new(&key), &newcomer(racer)).await.unwrap();
                (key, signed.is_some())
            });
        }
        let mut spenders = 0;
        for (key, signed) in race.join_all().await {
            assert_eq!(store.session(&key, at(1)).await.unwrap().is_some(), signed, "{key}");
            spenders += usize::from(signed);
        }
        assert_eq!(spenders, 1, "{link}");
    }
    assert_eq!(store.users().await.unwrap().len(), 2, "one account for all of them");
}

// attack: 95
/// Whoever signs in while the address changes or the person is deleted comes before it, and is signed out by it, or after
/// it, and is not signed in.
pub(super) async fn ends_with(end: End, store: Arc<dyn AccountStore>) {
    let ann = person("ann");
    store.add_user(&ann).await.unwrap();
    signed_in(&*store, &ann.id, &sessions::new("here")).await;
    for racer in 0..RACERS {
        store.put_link(&format!("link {racer}"), &of(&ann), at(60)).await.unwrap();
    }
    let to = Purpose::ChangeEmail(ann.id.clone(), "anna@example.org".parse().unwrap());
    store.put_link("change", &to, at(60)).await.unwrap();
    let mut race = JoinSet::new();
    for racer in 0..RACERS {
        let (store, ann) = (Arc::clone(&store), ann.id.clone());
        race.spawn(async move {
            match end {
                _ if racer != RACERS / 2 => {
                    let session = sessions::new(&format!("session {racer}"));
                    store.sign_in(&format!("link {racer}"), &session, &newcomer(racer)).await.unwrap();
                }
                End::Address => {
                    assert!(store.change_email("change", &ann, Some("here"), at(1)).await.unwrap().is_some());
                }
                End::Person => assert!(store.delete_user(&ann).await.unwrap()),
            }
        });
    }
    race.join_all().await;
    for racer in 0..RACERS {
        assert_eq!(store.link(&format!("link {racer}"), at(1)).await.unwrap(), None, "{end:?}");
        assert_eq!(store.session(&format!("session {racer}"), at(1)).await.unwrap(), None, "{end:?}: {racer}");
    }
    assert_eq!(store.session("here", at(1)).await.unwrap().is_some(), end == End::Address);
}
