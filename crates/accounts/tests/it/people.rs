//! Who has an account.

use btp_accounts::{AccountError, Email, Locale, store::AccountStoreError};

use crate::house::house;

#[test]
fn addresses_are_compared_in_one_form() {
    let parse = |text: &str| text.parse::<Email>().map(|email| email.as_str().to_owned()).ok();
    assert_eq!(parse("  Ann@Example.ORG ").as_deref(), Some("ann@example.org"));
    assert_eq!(parse(&format!("{}@example.org", "a".repeat(168))).map(|text| text.len()), Some(180));
    for text in ["", "ann", "@example.org", "ann@", "a@b@c", "a b@c", "a@b\r\nBcc: x@y", "a<b@c", "\"a\"@b", "a@b,c@d"]
    {
        assert_eq!(parse(text), None, "{text}");
    }
    assert_eq!(parse(&format!("{}@example.org", "a".repeat(169))), None);
}

#[tokio::test]
async fn people_come_and_go() {
    let house = house();
    let ann = house.accounts.add("Ann@example.org", Locale::Fr).await.unwrap();
    assert_eq!((ann.email.as_str(), ann.locale), ("ann@example.org", Locale::Fr));
    let taken = house.accounts.add("ann@EXAMPLE.org", Locale::En).await;
    assert!(matches!(taken, Err(AccountError::Store(AccountStoreError::EmailTaken))));
    assert!(matches!(house.accounts.add("nonsense", Locale::En).await, Err(AccountError::Email(_))));
    house.accounts.set_locale(&ann.id, Locale::En).await.unwrap();
    let listed = house.accounts.list().await.unwrap();
    assert_eq!(listed.iter().map(|user| (&user.id, user.locale)).collect::<Vec<_>>(), [(&ann.id, Locale::En)]);
    assert!(house.accounts.delete("ANN@example.org").await.unwrap());
    assert!(!house.accounts.delete("ann@example.org").await.unwrap());
}
