//! The sealed answer of a refresh: kept for its token, until the next one is rotated.

use btp_oauth::store::{GrantStore, Rotated};

use super::{super::accounts::at, family, refresh};

// oauth row: 3.3-5
pub(super) async fn ends_with_the_next_rotation(store: &dyn GrantStore) {
    family(store, "one").await;
    family(store, "two").await;
    let kept = async |token: &str| store.refresh(token).await.unwrap().unwrap().rotated.map(|it| (it.at, it.kept));
    let rotate = async |from: &str, to: &str, keep: Option<&[u8]>, seconds: u64| {
        store.rotate(from, &refresh(to), keep, at(seconds)).await.unwrap()
    };
    assert_eq!(kept("one-0").await, None);
    assert_eq!(rotate("one-0", "one-1", Some(b"\x00sealed\xff"), 10).await, Rotated::Fresh);
    assert_eq!(kept("one-0").await, Some((at(10), Some(b"\x00sealed\xff".to_vec()))));
    assert_eq!(rotate("one-0", "one-x", Some(b"loser"), 11).await, Rotated::Already);
    assert_eq!(kept("one-0").await, Some((at(10), Some(b"\x00sealed\xff".to_vec()))), "the first answer stays");
    assert_eq!(rotate("two-0", "two-1", None, 12).await, Rotated::Fresh);
    assert_eq!(kept("two-0").await, Some((at(12), None)), "nothing was to be kept");
    assert_eq!(rotate("two-1", "two-2", Some(b"other"), 12).await, Rotated::Fresh);

    assert_eq!(rotate("one-1", "one-2", Some(b"second"), 13).await, Rotated::Fresh);
    assert_eq!(kept("one-0").await, Some((at(10), None)), "somebody went on");
    assert_eq!(kept("one-1").await, Some((at(13), Some(b"second".to_vec()))));
    assert_eq!(kept("two-1").await, Some((at(12), Some(b"other".to_vec()))), "another family's");
}
