use std::net::Ipv4Addr;

use super::*;

fn connections(most: usize, of_network: usize, reserve: usize) -> Arc<Connections> {
    Arc::new(Connections::new(
        &Limits {
            connections: most,
            connections_per_address: of_network,
            reserved_connections: reserve,
            ..Limits::default()
        },
        None,
    ))
}

fn address(number: u32) -> IpAddr {
    Ipv4Addr::from_bits(number).into()
}

#[track_caller]
fn enter(connections: &Arc<Connections>, from: IpAddr) -> Place {
    match connections.admit(from) {
        Admission::Admitted(place) => place,
        other => panic!("{other:?}"),
    }
}

fn is_evicted(place: &Place) -> bool {
    let mut evicted = std::pin::pin!(place.presence.evicted());
    evicted.as_mut().poll(&mut std::task::Context::from_waker(std::task::Waker::noop())).is_ready()
}

#[test]
fn the_reserve_is_for_authenticated_connections() {
    let connections = connections(10, 10, 4);
    let places: Vec<_> = (0..6).map(|number| enter(&connections, address(number))).collect();
    let busy: Vec<_> = places.iter().map(|place| place.presence.begin()).collect();
    assert!(matches!(connections.admit(address(9)), Admission::Full));
    // Each authenticated connection frees a place for one that is not.
    for place in places.iter().take(4) {
        place.authenticated();
        place.authenticated();
        enter(&connections, address(9));
    }
    let more: Vec<_> = (0..4).map(|_| enter(&connections, address(9))).collect();
    let more_busy: Vec<_> = more.iter().map(|place| place.presence.begin()).collect();
    assert!(matches!(connections.admit(address(9)), Admission::Full));
    more[0].authenticated();
    assert!(matches!(connections.admit(address(9)), Admission::Full), "the reserve is used up");
    drop((busy, places, more_busy, more));
    let open = connections.open();
    assert_eq!((open.all.len(), open.by_network.len(), open.authenticated), (0, 0, 0));
}

#[test]
fn the_longest_wait_ends_first_and_authenticated_connections_last() {
    let connections = connections(4, 4, 0);
    let places: Vec<_> = (0..4).map(|number| enter(&connections, address(number))).collect();
    places[0].authenticated();
    // Its wait starts again after a request.
    drop(places[1].presence.begin());
    let mut newer = Vec::new();
    for evicted in [2, 3, 1, 0] {
        assert!(!is_evicted(&places[evicted]));
        newer.push(enter(&connections, address(9)));
        newer.last().unwrap().authenticated();
        assert!(is_evicted(&places[evicted]), "{evicted}");
    }
    let busy: Vec<_> = newer.iter().map(|place| place.presence.begin()).collect();
    assert!(matches!(connections.admit(address(9)), Admission::TooMany));
    assert!(matches!(connections.admit(address(10)), Admission::Full));
    assert!(newer.iter().all(|place| !is_evicted(place)), "busy connections were closed");
    drop(busy);
    drop(places);
    assert_eq!(connections.open().all.len(), 4, "a place was released twice");
}

#[test]
fn a_network_has_its_own_limit() {
    let connections = connections(100, 3, 0);
    let one: Vec<_> = (0..3).map(|_| enter(&connections, address(1))).collect();
    let other = enter(&connections, address(2));
    let busy = one[0].presence.begin();
    let next = enter(&connections, address(1));
    assert!(is_evicted(&one[1]) && !is_evicted(&one[2]) && !is_evicted(&other));
    let all_busy = [one[2].presence.begin(), next.presence.begin(), busy];
    assert!(matches!(connections.admit(address(1)), Admission::TooMany));
    enter(&connections, address(2));
    drop(all_busy);
    enter(&connections, address(1));
}

#[test]
fn networks_are_addresses_of_ipv4_and_64_bits_of_ipv6() {
    let of = |address: &str| Network::of(address.parse().unwrap());
    assert_ne!(of("192.0.2.1"), of("192.0.2.2"));
    assert_eq!(of("192.0.2.1"), of("::ffff:192.0.2.1"));
    assert_eq!(of("2001:db8:1:2::1"), of("2001:db8:1:2:ffff::2"));
    assert_ne!(of("2001:db8:1:2::1"), of("2001:db8:1:3::1"));
    assert_ne!(of("::1"), of("0.0.0.1"));
}

#[tokio::test(start_paused = true)]
async fn a_new_connection_waits_for_a_request_to_end() {
    let connections = connections(1, 9, 0);
    let place = enter(&connections, address(1));
    let busy = place.presence.begin();
    let waits = connections.enter(address(2));
    let end = async {
        tokio::time::sleep(RECHECK * 3).await;
        drop(busy);
    };
    assert!(tokio::join!(waits, end).0.is_some() && is_evicted(&place));
}
