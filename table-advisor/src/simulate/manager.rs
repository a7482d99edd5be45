//! The partition manager: relieves overloaded servers and merges idle ranges.

use super::{
    Parameters,
    range::{Cluster, Range},
    real::{real, whole},
};

/// The actions of the manager in a cycle.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Actions {
    pub splits: usize,
    pub moves: usize,
    pub merges: usize,
}

/// Evaluates the cycle that ends now.
pub(super) fn cycle(cluster: &mut Cluster, now: usize, parameters: &Parameters) -> Actions {
    cluster.measure(parameters.cycle);
    let mut left = whole(parameters.actions * real(cluster.servers), usize::MAX).max(1);
    let mut done = Actions::default();
    relieve(cluster, now, parameters, &mut left, &mut done);
    join(cluster, now, parameters, left, &mut done);
    cluster.forget();
    done
}

/// Relieves overloaded servers in descending order of their initial load. Loads are updated after each action.
fn relieve(cluster: &mut Cluster, now: usize, parameters: &Parameters, left: &mut usize, done: &mut Actions) {
    let mut loads = cluster.loads();
    let mut order: Vec<(usize, f64)> = loads.iter().copied().enumerate().collect();
    order.sort_by(|one, other| other.1.total_cmp(&one.1));
    let at = |loads: &[f64], server: usize| loads.get(server).copied().unwrap_or_default();
    for (server, before) in order {
        let Some(idle) = least(&loads) else { break };
        if *left == 0 || before <= parameters.high * parameters.server_rate || server == idle {
            break;
        }
        let room = parameters.place * parameters.server_rate - at(&loads, idle);
        let moved = match hottest_that_fits(cluster, server, room) {
            Some(range) => {
                range.server = idle;
                range.paused_until = now + parameters.pause_move;
                done.moves += 1;
                range.load
            }
            None => match split(cluster, server, idle, now, parameters) {
                Some(moved) => {
                    done.splits += 1;
                    moved
                }
                None => continue,
            },
        };
        *left -= 1;
        if let Some(load) = loads.get_mut(server) {
            *load -= moved;
        }
        if let Some(load) = loads.get_mut(idle) {
            *load += moved;
        }
    }
}

/// Returns the server with the least load, or the first of several.
fn least(loads: &[f64]) -> Option<usize> {
    let by_load = |one: &(usize, &f64), other: &(usize, &f64)| one.1.total_cmp(other.1);
    loads.iter().enumerate().min_by(by_load).map(|(server, _)| server)
}

/// Returns the hottest range of a server that fits into `room`, if the server has several ranges.
fn hottest_that_fits(cluster: &mut Cluster, server: usize, room: f64) -> Option<&mut Range> {
    let mut its: Vec<&mut Range> = cluster.ranges.iter_mut().filter(|range| range.server == server).collect();
    if its.len() < 2 {
        return None;
    }
    its.sort_by(|one, other| other.load.total_cmp(&one.load));
    its.into_iter().find(|range| range.load <= room && range.load > 0.0)
}

/// Splits the hottest divisible range of a server and returns the moved load.
fn split(
    cluster: &mut Cluster,
    server: usize,
    idle: usize,
    now: usize,
    parameters: &Parameters,
) -> Option<f64> {
    let enough = parameters.split_at * parameters.server_rate;
    let can = |range: &Range| range.server == server && range.cells.len() > 1 && range.load > enough;
    let mut hottest: Option<(usize, f64)> = None;
    for (place, range) in cluster.ranges.iter().enumerate().filter(|(_, range)| can(range)) {
        if hottest.is_none_or(|(_, load)| range.load > load) {
            hottest = Some((place, range.load));
        }
    }
    let (place, _) = hottest?;
    let range = cluster.ranges.get_mut(place)?;
    let upper = range.cells.split_off(border(range));
    let moved: f64 = upper.iter().map(|cell| cell.load).sum();
    range.load -= moved;
    range.paused_until = now + parameters.pause_split;
    range.born = now;
    let upper = Range {
        table: range.table,
        server: idle,
        cells: upper,
        paused_until: now + parameters.pause_move,
        born: now,
        load: moved,
    };
    cluster.ranges.insert(place + 1, upper);
    Some(moved)
}

/// Returns the cell border that is nearest to half of the load. The candidates are the two borders of the cell that
/// contains the half. If both are equally near, the later border is returned.
fn border(range: &Range) -> usize {
    let half = range.load / 2.0;
    let (mut below, mut place) = (0.0, 0);
    for cell in &range.cells {
        let above = below + cell.load;
        if above >= half {
            place += usize::from(above - half <= half - below);
            break;
        }
        below = above;
        place += 1;
    }
    place.clamp(1, range.cells.len() - 1)
}

/// Merges adjacent ranges that are old and idle.
fn join(cluster: &mut Cluster, now: usize, parameters: &Parameters, left: usize, done: &mut Actions) {
    let age = parameters.merge_age * parameters.cycle;
    let enough = parameters.ranges_low * real(cluster.servers);
    for _ in 0..left.min(parameters.merges) {
        if real(cluster.ranges.len()) <= enough {
            return;
        }
        let old = |range: &Range| now - range.born > age;
        let idle = |one: &Range, next: &Range| {
            one.load + next.load < parameters.merge_below * parameters.server_rate
        };
        let pair = cluster.ranges.windows(2).position(|pair| match pair {
            [one, next] => one.table == next.table && old(one) && old(next) && idle(one, next),
            _ => false,
        });
        let Some(place) = pair else { return };
        let next = cluster.ranges.remove(place + 1);
        let Some(one) = cluster.ranges.get_mut(place) else { return };
        one.cells.extend(next.cells);
        one.load += next.load;
        one.born = now;
        one.paused_until = now + parameters.pause_split;
        done.merges += 1;
    }
}
