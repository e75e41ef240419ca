//! Timing: ways to do the same work go in, the median time of each comes out.
//!
//! All of them take turns, round after round, so that whatever else the machine does hits them alike. A turn is a call
//! that is not timed, which wakes threads and fills caches as in the middle of long work, and as many calls as fill the
//! turn's share of the budget; the first calls of all tell how many that is.
//!
//! Two ways of 1 ms and 2 ms a call, a budget of 1 s and 9 rounds: a turn has 55 ms, which is 55 and 27 calls.

use std::time::{Duration, Instant};

use flexion::Backend;

/// Rounds that a budget is meant for.
///
/// Few and long: in 25 rounds a turn of a large model was a single call, whose pages and caches were those of the turns
/// between.
const ROUNDS: u32 = 9;

/// Rounds that are made in any case, for there to be a median.
const LEAST_ROUNDS: usize = 5;

/// What a line of the report is called.
#[derive(Clone, Copy, Debug)]
pub(super) struct Label {
    pub(super) name: &'static str,
    pub(super) backend: Option<Backend>,
    pub(super) threads: Option<usize>,
    /// How many vertices it makes, if not all of them.
    pub(super) vertices: Option<usize>,
}

/// One way to do the work.
pub(super) struct Contestant<'a> {
    pub(super) label: Label,
    /// How much of the work a call does.
    poses: usize,
    call: Box<dyn FnMut() -> Result<(), flexion::Error> + 'a>,
}

impl<'a> Contestant<'a> {
    /// A way whose calls do `poses` poses each.
    pub(super) fn new(
        name: &'static str,
        poses: usize,
        call: impl FnMut() -> Result<(), flexion::Error> + 'a,
    ) -> Contestant<'a> {
        Contestant {
            label: Label {
                name,
                backend: None,
                threads: None,
                vertices: None,
            },
            poses,
            call: Box::new(call),
        }
    }

    /// The same, named after its backend and threads.
    pub(super) fn on(self, backend: Backend, threads: usize) -> Contestant<'a> {
        let label = Label {
            backend: Some(backend),
            threads: Some(threads),
            ..self.label
        };
        Contestant { label, ..self }
    }

    /// The same, which makes only so many vertices.
    pub(super) fn of_vertices(self, vertices: usize) -> Contestant<'a> {
        let label = Label {
            vertices: Some(vertices),
            ..self.label
        };
        Contestant { label, ..self }
    }

    /// How long so many calls take, after one that does not count.
    fn time(&mut self, calls: u32) -> Result<Duration, flexion::Error> {
        (self.call)()?;
        let start = Instant::now();
        for _ in 0..calls {
            (self.call)()?;
        }
        Ok(start.elapsed())
    }
}

/// The median time of each, in nanoseconds a pose.
pub(super) fn medians(
    contestants: &mut [Contestant<'_>],
    budget: Duration,
) -> Result<Vec<f64>, flexion::Error> {
    let start = Instant::now();
    let turn = budget / (ROUNDS * contestants.len().max(1) as u32);
    let mut calls = Vec::with_capacity(contestants.len());
    for contestant in contestants.iter_mut() {
        let one = contestant.time(1)?.max(Duration::from_nanos(1));
        calls.push((turn.as_nanos() / one.as_nanos()).clamp(1, 1 << 20) as u32);
    }
    let mut samples = vec![Vec::new(); contestants.len()];
    let mut rounds = 0;
    while rounds < LEAST_ROUNDS || start.elapsed() < budget {
        for ((contestant, &calls), samples) in contestants.iter_mut().zip(&calls).zip(&mut samples)
        {
            let work = f64::from(calls) * contestant.poses as f64;
            samples.push(contestant.time(calls)?.as_nanos() as f64 / work);
        }
        rounds += 1;
    }
    Ok(samples.into_iter().map(median).collect())
}

/// The middle one; of an even number the mean of the middle two.
fn median(mut samples: Vec<f64>) -> f64 {
    samples.sort_by(f64::total_cmp);
    let middle = samples.len() / 2;
    match samples.len() % 2 {
        1 => samples[middle],
        _ => (samples[middle - 1] + samples[middle]) / 2.0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_median_is_in_the_middle() {
        assert_eq!(median(vec![9.0, 1.0, 2.0]), 2.0);
        assert_eq!(median(vec![4.0, 9.0, 1.0, 2.0]), 3.0);
    }

    #[test]
    fn longer_work_takes_longer() {
        let sleep = |time: u64| {
            move || {
                std::thread::sleep(Duration::from_millis(time));
                Ok(())
            }
        };
        let mut contestants = [
            Contestant::new("short", 1, sleep(1)),
            Contestant::new("long", 1, sleep(4)),
            Contestant::new("long, of many poses", 4, sleep(4)),
        ];
        let times = medians(&mut contestants, Duration::from_millis(1)).expect("nothing fails");
        assert!(times[0] >= 1e6 && times[2] >= 1e6, "{times:?}");
        assert!(times[1] >= 4e6 && times[2] < times[1], "{times:?}");
    }

    #[test]
    fn a_failure_ends_it() {
        let mut contestants = [Contestant::new("none", 1, || {
            Err(flexion::Error::NoVertices)
        })];
        assert!(medians(&mut contestants, Duration::ZERO).is_err());
    }
}
