//! The limit of the storage, which all entities share: a price of storage at which the cheapest design meets it.

use super::{Designed, Figures, GIB, Options, unlimited};
use crate::Model;
use table_designs::schema::Workload;

/// A price of a GiB per month at which the cheapest design has the least storage.
const DEAR: f64 = 1e6;
/// The maximum number of prices.
const PRICES: usize = 20;

/// Returns a design with at most some GiB in tables, the cheapest among those that some price of storage makes the
/// cheapest. Its bound also holds for all others.
pub(super) fn within(workload: &Workload, options: &Options, limit: f64) -> Option<Designed> {
    let mut nodes = 0;
    let mut priced = |price: f64| {
        let left = Options { nodes: options.nodes.saturating_sub(nodes), ..*options };
        let designed = at_price(workload, &left, price)?;
        nodes += designed.nodes;
        Some(designed)
    };
    let cheapest = priced(0.0)?;
    if cheapest.figures.storage_gib <= limit {
        return Some(cheapest);
    }
    let mut large = cheapest.figures;
    let mut small = priced(DEAR).filter(|designed| designed.figures.storage_gib <= limit)?;
    let mut bound = cheapest.bound;
    for _ in 0..PRICES {
        let price = (small.figures.usd - large.usd) / (large.storage_gib - small.figures.storage_gib);
        let Some(middle) = Some(price).filter(|price| *price > 0.0).and_then(&mut priced) else { break };
        bound = bound.max(middle.bound + price * (middle.figures.storage_gib - limit));
        let sum = |figures: &Figures| figures.usd + price * figures.storage_gib;
        if sum(&middle.figures) >= sum(&small.figures) * (1.0 - 1e-9) {
            break;
        }
        if middle.figures.storage_gib <= limit {
            small = middle;
        } else {
            large = middle.figures;
        }
    }
    let usd = small.figures.usd;
    Some(Designed { cheapest: usd, bound: bound.min(usd), nodes, ..small })
}

/// Returns the cheapest design if storage costs more, with its true costs.
fn at_price(workload: &Workload, options: &Options, price: f64) -> Option<Designed> {
    let mut dear = workload.clone();
    dear.content.prices.get_or_insert_default().storage_gb_month += price;
    let mut designed = unlimited(&dear, &Options { slack: 0.0, ..*options }).0?;
    designed.schema.prices.clone_from(&workload.content.prices);
    designed.figures = Figures::of(&designed.schema, &designed.origins);
    let lines = Model::new(&designed.schema).costs().lines;
    let schema = &designed.schema;
    for (entity, _, point) in &mut designed.points {
        let is_own = |what: &str| {
            let name = what.split('.').next().unwrap_or_default();
            let of = schema.entity(name).into_iter().flat_map(|owner| &owner.totals);
            name == entity || of.map(|total| &total.entity).any(|source| source == entity)
        };
        let own = lines.iter().filter(|line| is_own(&line.what));
        point.cost -= price * own.map(|line| line.rows * line.bytes_each).sum::<f64>() / GIB;
    }
    let paid = price * designed.figures.storage_gib;
    designed.added_up -= paid;
    designed.cheapest -= paid;
    designed.bound -= paid;
    designed.is_small = price > 0.0;
    Some(designed)
}
