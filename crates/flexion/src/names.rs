//! Finding things by name as the engine does, and what to say on a miss.

/// How many spellings a miss suggests.
const SUGGESTIONS: usize = 3;

/// Similarity below which a name is not worth suggesting, from 0 (nothing alike) to 1.
const ALIKE: f64 = 0.7;

/// The numbers of all `names` that `wanted` addresses, without regard to ASCII case.
///
/// A name stands for every record that has it; `name#2` for the second of them alone. A record
/// whose own name is `name#2` comes first.
pub(crate) fn find<'a>(names: impl Iterator<Item = &'a str> + Clone, wanted: &str) -> Vec<usize> {
    let all = |wanted: &str| -> Vec<usize> {
        names
            .clone()
            .enumerate()
            .filter(|(_, name)| name.eq_ignore_ascii_case(wanted))
            .map(|(index, _)| index)
            .collect()
    };
    let whole = all(wanted);
    if !whole.is_empty() {
        return whole;
    }
    let Some((stem, number)) = wanted.rsplit_once('#') else {
        return whole;
    };
    let nth = number.parse::<usize>().ok().and_then(|n| n.checked_sub(1));
    nth.and_then(|n| all(stem).get(n).copied())
        .into_iter()
        .collect()
}

/// The names spelled most like `wanted`, the likeliest first.
pub(crate) fn nearest<'a>(names: impl Iterator<Item = &'a str>, wanted: &str) -> Vec<String> {
    let wanted = wanted.to_lowercase();
    let mut scored: Vec<(f64, &str)> = names
        .map(|name| (strsim::jaro_winkler(&name.to_lowercase(), &wanted), name))
        .filter(|(score, _)| *score >= ALIKE)
        .collect();
    scored.sort_by(|a, b| b.0.total_cmp(&a.0));
    scored.dedup_by(|a, b| a.1 == b.1);
    scored
        .into_iter()
        .take(SUGGESTIONS)
        .map(|(_, name)| name.to_owned())
        .collect()
}
