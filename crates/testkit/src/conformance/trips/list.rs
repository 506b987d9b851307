//! Lists: order, pages, filters.

use btp_domain::{Computation, Computations, Trip, store::TripQuery};
use jiff::civil::{Date, date};

use super::{
    Stores, ann, bob,
    sample::{full, ids, new, next, trip},
};

const ALL: TripQuery = TripQuery { page: 1, per_page: 30, title: None, start: None, end: None };

async fn listed(stores: &Stores, query: TripQuery) -> Vec<String> {
    let page = stores.trips.list(&ann(), &query).await.unwrap();
    assert_eq!(page.total, page.trips.len() as u64, "all fit on one page");
    ids(&page.trips).into_iter().map(str::to_owned).collect()
}

pub(super) async fn newest_first_by_pages(stores: &Stores) {
    assert_eq!(stores.trips.list(&ann(), &ALL).await.unwrap().total, 0);
    for (id, second) in [("a", 5), ("b", 9), ("c", 9), ("d", 1), ("e", 7)] {
        stores.trips.create(new(&trip(&ann(), id, second))).await.unwrap();
    }
    stores.trips.create(new(&trip(&bob(), "z", 6))).await.unwrap();
    let mut seen = Vec::new();
    for page in 1..=4 {
        let page = stores.trips.list(&ann(), &TripQuery { page, per_page: 2, ..ALL }).await.unwrap();
        assert_eq!(page.total, 5, "the total counts every page, and the caller's trips only");
        seen.push(ids(&page.trips).join(""));
    }
    assert_eq!(seen, ["cb", "ea", "d", ""], "newest first, then the greater id");
    let far = stores.trips.list(&ann(), &TripQuery { page: u32::MAX, ..ALL }).await.unwrap();
    assert_eq!((far.total, far.trips.len()), (5, 0));
}

pub(super) async fn titles_are_searched_literally(stores: &Stores) {
    let titles = ["100% Loire", "100 km LOIRE", "a_b", "aXb", "Été à Besançon", r"back\slash 'quote'", "ΟΔΟΣ"];
    for (index, title) in titles.into_iter().enumerate() {
        let titled = Trip { title: Some(title.to_owned()), ..trip(&ann(), &index.to_string(), -(index as i64)) };
        stores.trips.create(new(&titled)).await.unwrap();
    }
    stores.trips.create(new(&trip(&ann(), "untitled", -100))).await.unwrap();
    for (text, expected) in [
        ("loire", "0 1"),
        ("0% l", "0"),
        ("%", "0"),
        ("_", "2"),
        ("A_B", "2"),
        ("É", "4"),
        ("éTÉ", "4"),
        ("besanÇON", "4"),
        (r"\", "5"),
        ("'", "5"),
        ("δο", "6"),
        ("nowhere", ""),
    ] {
        let query = TripQuery { title: Some(text.to_owned()), ..ALL };
        assert_eq!(listed(stores, query).await.join(" "), expected, "titles that contain {text:?}");
    }
}

pub(super) async fn dates_bound(stores: &Stores) {
    let dated = |id: &str, second, start: Option<Date>, end: Option<Date>| {
        let mut trip = trip(&ann(), id, second);
        (trip.settings.start_date, trip.settings.end_date) = (start, end);
        trip
    };
    let (june, july) = (date(2026, 6, 30), date(2026, 7, 1));
    for made in [
        dated("undated", 4, None, None),
        dated("june", 3, Some(june), Some(june)),
        dated("across", 2, Some(june), Some(july)),
        dated("july", 1, Some(july), None),
    ] {
        stores.trips.create(new(&made)).await.unwrap();
    }
    // Three days from 1 July on: the shown end is 3 July, whatever was sent.
    let mut cut = Trip { version: 1, ..full(&ann(), "cut") };
    (cut.settings.start_date, cut.settings.end_date) = (Some(july), Some(june));
    stores.trips.create(new(&Trip { stages: Vec::new(), ..cut.clone() })).await.unwrap();
    stores.trips.commit(next(&cut)).await.unwrap();

    let query = |start, end| TripQuery { start, end, ..ALL };
    assert_eq!(listed(stores, query(Some(july), None)).await, ["july", "cut"]);
    assert_eq!(listed(stores, query(Some(june), None)).await, ["june", "across", "july", "cut"]);
    assert_eq!(listed(stores, query(None, Some(june))).await, ["june"]);
    assert_eq!(listed(stores, query(None, Some(date(2026, 7, 2)))).await, ["june", "across"]);
    assert_eq!(listed(stores, query(None, Some(date(2026, 7, 3)))).await, ["june", "across", "cut"]);
    assert_eq!(listed(stores, query(Some(june), Some(july))).await, ["june", "across"]);
    assert_eq!(listed(stores, query(Some(july), Some(june))).await, [""; 0]);
}

pub(super) async fn a_line_tells_the_state(stores: &Stores) {
    let whole = full(&ann(), "full");
    stores.trips.create(new(&Trip { stages: Vec::new(), ..whole.clone() })).await.unwrap();
    stores.trips.commit(next(&whole)).await.unwrap();
    let failed = Trip { computations: Computations { route: Computation::Failed }, ..trip(&ann(), "failed", -1) };
    stores.trips.create(new(&failed)).await.unwrap();
    stores.trips.create(new(&trip(&ann(), "young", -2))).await.unwrap();

    let page = stores.trips.list(&ann(), &ALL).await.unwrap();
    for (line, trip) in page.trips.iter().zip([&whole, &failed, &trip(&ann(), "young", -2)]) {
        assert_eq!(line.id, trip.id);
        assert_eq!(line.title, trip.title);
        assert_eq!((line.start_date, line.end_date), (trip.settings.start_date, trip.end_date()));
        assert!((line.distance - trip.distance()).abs() < 1e-6, "{} is not {}", line.distance, trip.distance());
        assert_eq!(line.stage_count, trip.ridden().count(), "rest days are not counted");
        assert_eq!((line.created_at, line.updated_at), (trip.created_at, trip.updated_at));
        assert_eq!(line.status, trip.list_status());
    }
    assert_eq!(page.trips.len(), 3);
}

pub(super) async fn all_at_once(stores: &Stores) {
    assert_eq!(stores.trips.all(&ann()).await.unwrap(), []);
    for trip in [&trip(&ann(), "a", 5), &trip(&bob(), "z", 6)] {
        stores.trips.create(new(trip)).await.unwrap();
    }
    let whole = full(&ann(), "b");
    stores.trips.create(new(&Trip { stages: Vec::new(), ..whole.clone() })).await.unwrap();
    stores.trips.commit(next(&whole)).await.unwrap();
    let all = stores.trips.all(&ann()).await.unwrap();
    let listed = stores.trips.list(&ann(), &ALL).await.unwrap();
    assert_eq!(ids(&listed.trips), all.iter().map(|trip| trip.id.as_str()).collect::<Vec<_>>());
    assert!(all.iter().any(|trip| trip.stages.len() == whole.stages.len()));
    for trip in all {
        assert_eq!(stores.trips.find(&ann(), &trip.id).await.unwrap(), Some(trip), "with its days");
    }
}
