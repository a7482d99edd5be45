use std::path::Path;

use table_examples::Outcome;

use crate::{DAYS, Place};

/// Reads `folder/wide/covid19_confirmed_daily.csv`: province, country, latitude, longitude, and a column for each day.
pub(crate) fn read(folder: &Path) -> Outcome<Vec<Place>> {
    let file = folder.join("wide/covid19_confirmed_daily.csv");
    let mut reader = csv::Reader::from_path(&file).map_err(|error| format!("{}: {error}", file.display()))?;
    let mut places = Vec::new();
    for line in reader.records() {
        let line = line?;
        let text = |column: usize| line.get(column).unwrap_or_default();
        let mut days = [None; DAYS];
        for (day, count) in days.iter_mut().zip(line.iter().skip(4)) {
            *day = Some(count.parse()?);
        }
        places.push(Place {
            province: text(0).to_owned(),
            country: text(1).to_owned(),
            latitude: text(2).parse().ok(),
            longitude: text(3).parse().ok(),
            days,
        });
    }
    Ok(places)
}

/// Generates three places with different waves.
pub(crate) fn made_up() -> Vec<Place> {
    let place = |country: &str, province: &str, waves: [usize; 3]| {
        let mut total = 0;
        let days = std::array::from_fn(|day| {
            let of_wave = |top: &usize| 900 / (1 + day.abs_diff(*top).pow(2) / 400);
            total += i32::try_from(waves.iter().map(of_wave).sum::<usize>()).unwrap_or(0);
            Some(total)
        });
        let (country, province) = (country.to_owned(), province.to_owned());
        Place { country, province, latitude: Some(48.2), longitude: Some(16.4), days }
    };
    vec![
        place("Ruritania", "Ruritania", [120, 330, 760]),
        place("Ruritania", "Strelsau (the City)", [90, 500, 1_050]),
        place("Graustark", "Graustark", [200, 420, 900]),
    ]
}

/// Returns the place with the most cases on the last day.
pub(crate) fn worst(places: &[Place]) -> Option<Place> {
    places.iter().max_by_key(|place| place.days.last().copied().flatten()).cloned()
}
