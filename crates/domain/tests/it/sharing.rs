//! Public links.

use btp_domain::{Confirmable, Refusal, Settings};
use jiff::civil::date;

use crate::world::{World, ann, bob, principal, refusal, route, tour};

#[tokio::test]
async fn one_link_at_a_time_and_another_after_it_is_revoked() {
    let world = World::new();
    let settings = Settings { start_date: Some(date(2026, 5, 31)), ..Settings::default() };
    let id = world.planned(btp_domain::CreateTrip { settings, ..tour(1) }).await;
    let planner = &world.planner;
    assert!(planner.is_locked(&world.trip(&id).await), "works on a locked trip");
    assert_eq!(refusal(planner.unshare_trip(&ann(), &id, None).await), Refusal::NotShared, "at the first call");

    let link = planner.share_trip(&ann(), &id).await.unwrap();
    assert!(link.code.len() == 8 && link.code.bytes().all(|b| b.is_ascii_alphanumeric() || b"-_".contains(&b)));
    world.pass(60);
    assert_eq!(planner.share_trip(&ann(), &id).await.unwrap(), link, "the same again");
    let whole = planner.whole_trip(&ann(), &id).await.unwrap();
    assert_eq!(
        (&whole.trip, whole.line, whole.link),
        (&world.trip(&id).await, Some(route(100.0).line), Some(link.clone()))
    );
    let shared = planner.shared_trip(&link.code).await.unwrap();
    assert_eq!((shared.trip, shared.line), (world.trip(&id).await, Some(route(100.0).line)));
    assert_eq!(world.trip(&id).await.version, 1, "sharing is no change");

    let Confirmable::Ask { token, impact } = planner.unshare_trip(&ann(), &id, None).await.unwrap() else { panic!() };
    assert!(impact.has_active_link && impact.action.contains("stops working at once"));
    planner.shared_trip(&link.code).await.unwrap();
    assert_eq!(planner.unshare_trip(&ann(), &id, Some(&token)).await.unwrap(), Confirmable::Done(()));
    assert_eq!(refusal(planner.shared_trip(&link.code).await), Refusal::NoTrip);
    assert_eq!(refusal(planner.unshare_trip(&ann(), &id, Some(&token)).await), Refusal::NotShared);
    let second = planner.share_trip(&ann(), &id).await.unwrap();
    assert_ne!(second.code, link.code);
    assert_eq!(refusal(planner.shared_trip(&link.code).await), Refusal::NoTrip, "for good");
    world.stores.trips.delete(&ann().user, &id).await.unwrap();
    assert_eq!(refusal(planner.shared_trip(&second.code).await), Refusal::NoTrip);
}

#[tokio::test]
async fn sharing_is_the_owners() {
    let world = World::new();
    let id = world.planned(tour(1)).await;
    let link = world.planner.share_trip(&ann(), &id).await.unwrap();
    let planner = &world.planner;
    for id in [&id, &"nowhere".into()] {
        assert_eq!(refusal(planner.share_trip(&bob(), id).await), Refusal::NoTrip);
        assert_eq!(refusal(planner.unshare_trip(&bob(), id, None).await), Refusal::NoTrip);
        assert_eq!(refusal(planner.whole_trip(&bob(), id).await), Refusal::NoTrip);
    }
    let (reader, writer) = (principal("ann", "trips:read"), principal("ann", "trips:write"));
    assert_eq!(refusal(planner.share_trip(&reader, &id).await), Refusal::Scope("trips:write"));
    assert_eq!(refusal(planner.unshare_trip(&reader, &id, None).await), Refusal::Scope("trips:write"));
    assert_eq!(refusal(planner.whole_trip(&writer, &id).await), Refusal::Scope("trips:read"));
    assert_eq!(planner.whole_trip(&reader, &id).await.unwrap().link, Some(link.clone()));
    for code in ["", "nowhere", "\0", &link.code.to_lowercase(), &format!("{} ", link.code)] {
        assert_eq!(refusal(planner.shared_trip(code).await), Refusal::NoTrip, "{code:?}");
    }
}
