//! The report for people.

use std::fmt;
use std::io::Write;

use super::report::{COPY, MOVING, REFERENCE, Report, Row, Section};
use crate::failure::Failure;

type Done = Result<(), Failure>;

/// Width of the column with the names.
const NAMES: usize = 34;

/// Width of every other column.
const WIDTH: usize = 11;

pub(super) fn write(out: &mut dyn Write, report: &Report) -> Done {
    head(out, report)?;
    ready(out, report)?;
    let rules = ["a pose", "poses/s", "rules/s", "speedup", "copies"];
    let vertices = [
        "a pose",
        "poses/s",
        "a vertex",
        "vertices/s",
        "speedup",
        "copies",
    ];
    let sections = [
        ("rules", &rules[..], &report.rules_one_pose),
        ("rules", &rules, &report.rules_many_poses),
        ("vertices", &vertices, &report.vertices_one_pose),
        ("vertices", &vertices, &report.vertices_many_poses),
    ];
    for (title, columns, section) in sections {
        if let Some(section) = section {
            table(out, title, columns, section)?;
        }
    }
    foot(out, report)
}

fn head(out: &mut dyn Write, report: &Report) -> Done {
    let (model, machine) = (&report.model, &report.machine);
    writeln!(
        out,
        "{}: {} sliders, {} rules, {} weights; {} vertices, {} flexes of {} rows in {}",
        model.path,
        model.controllers,
        model.rules,
        model.descriptors,
        model.vertices,
        model.flexes,
        model.delta_rows,
        model.deltas,
    )?;
    writeln!(
        out,
        "{}, {} logical cores, {}; flexion {}, backend {} (of {})",
        machine.processor,
        machine.logical_cores,
        machine.system,
        machine.flexion,
        machine.backend,
        machine.backends.join(", "),
    )?;
    Ok(())
}

fn ready(out: &mut dyn Write, report: &Report) -> Done {
    let load = &report.load;
    writeln!(
        out,
        "\n{:NAMES$}{:>WIDTH$}   {:.0} MB/s, {} files, {:.2} MB in all",
        "open, files in memory",
        Time(load.milliseconds * 1e6).to_string(),
        load.megabytes_per_second,
        load.files,
        load.bytes as f64 / 1e6,
    )?;
    if let Some(compile) = &report.compile {
        writeln!(
            out,
            "{:NAMES$}{:>WIDTH$}   {} rules of {} ops, {} instructions",
            "compile",
            Time(compile.microseconds * 1e3).to_string(),
            compile.rules,
            compile.ops,
            compile.instructions,
        )?;
    }
    Ok(())
}

fn table(out: &mut dyn Write, title: &str, columns: &[&str], section: &Section) -> Done {
    let title = match section.poses {
        1 => format!("{title}, one pose"),
        poses => format!("{title}, {poses} poses at a time"),
    };
    // One pose has no copy to be compared with.
    let copied =
        |&&column: &&&str| column != "copies" || section.rows.iter().any(|r| r.copies.is_some());
    let columns: Vec<&str> = columns.iter().filter(copied).copied().collect();
    write!(out, "\n{title:NAMES$}")?;
    for column in &columns {
        write!(out, "{column:>WIDTH$}")?;
    }
    writeln!(out)?;
    for row in &section.rows {
        write!(out, "  {:width$}", name(row), width = NAMES - 2)?;
        for column in &columns {
            write!(out, "{:>WIDTH$}", cell(row, column))?;
        }
        writeln!(out)?;
    }
    Ok(())
}

fn name(row: &Row) -> String {
    let name = match row.name {
        REFERENCE => "slow reference",
        COPY => "copy of the same bytes",
        MOVING => "moving vertices only",
        name => name,
    };
    match (row.backend, row.threads) {
        (Some(backend), Some(threads)) if threads > 1 => {
            format!("{name}, {backend}, {threads} threads")
        }
        (Some(backend), _) => format!("{name}, {backend}"),
        _ => name.to_owned(),
    }
}

fn cell(row: &Row, column: &str) -> String {
    let rate = |rate: Option<f64>| rate.map(|rate| Rate(rate).to_string());
    let ratio = |ratio: Option<f64>| ratio.map(|ratio| format!("{}x", Digits(ratio)));
    let text = match column {
        "a pose" => Some(Time(row.ns_per_pose).to_string()),
        "a vertex" => row.ns_per_vertex.map(|time| Time(time).to_string()),
        "poses/s" => rate(Some(row.poses_per_second)),
        "rules/s" => rate(row.rules_per_second),
        "vertices/s" => rate(row.vertices_per_second),
        "speedup" => ratio(row.speedup),
        _ => ratio(row.copies),
    };
    text.unwrap_or_else(|| "-".to_owned())
}

fn foot(out: &mut dyn Write, report: &Report) -> Done {
    writeln!(out)?;
    for note in &report.notes {
        writeln!(out, "{note}")?;
    }
    writeln!(
        out,
        "Times are medians of rounds in which all take turns. Results were equal in every bit beforehand.
speedup: times as fast as the slow reference, which goes op by op and row by row as engines do.
copies: how many copies of the same bytes take as long (sliders and weights; positions and normals)."
    )?;
    Ok(())
}

/// Nanoseconds in the unit that suits them.
struct Time(f64);

impl fmt::Display for Time {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        scaled(f, self.0, &["ns", "µs", "ms", "s"])
    }
}

/// Something a second, in thousands, millions or billions.
struct Rate(f64);

impl fmt::Display for Rate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        scaled(f, self.0, &["", "k", "M", "G"])
    }
}

fn scaled(f: &mut fmt::Formatter<'_>, mut value: f64, units: &[&str]) -> fmt::Result {
    let mut unit = 0;
    while value >= 999.5 && unit + 1 < units.len() {
        value /= 1000.0;
        unit += 1;
    }
    write!(f, "{} {}", Digits(value), units[unit])
}

/// Three digits that count; more before the point if there are more.
struct Digits(f64);

impl fmt::Display for Digits {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let decimals = match self.0 {
            value if value >= 99.95 => 0,
            value if value >= 9.995 => 1,
            _ => 2,
        };
        write!(f, "{:.decimals$}", self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::{Digits, Rate, Time};

    #[test]
    fn numbers_have_three_digits() {
        let times = [0.5, 9.996, 99.96, 999.4, 999.6, 12_345.0, 2.5e9].map(|t| Time(t).to_string());
        assert_eq!(
            times,
            [
                "0.50 ns", "10.0 ns", "100 ns", "999 ns", "1.00 µs", "12.3 µs", "2.50 s"
            ]
        );
        let rates = [12.0, 5.1e5, 6.67e6, 3e13].map(|rate| Rate(rate).to_string());
        assert_eq!(rates, ["12.0 ", "510 k", "6.67 M", "30000 G"]);
        assert_eq!(Digits(1.0).to_string(), "1.00");
    }
}
