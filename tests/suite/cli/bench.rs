//! `flexion bench`: every figure is there, for every model, and wrong usage is refused. How large the figures are is
//! the machine's business.

use std::process::Output;

use flexion_simd::Backend;
use serde_json::Value;

use super::{Workbench, binary};

/// As short as it gets: a few rounds each.
const QUICK: [&str; 4] = ["--seconds", "0.001", "--threads", "2"];

const SECTIONS: [&str; 4] = [
    "rules_one_pose",
    "rules_many_poses",
    "vertices_one_pose",
    "vertices_many_poses",
];

fn quick(arguments: &[&'static str]) -> Vec<&'static str> {
    [&["bench"], arguments, &QUICK].concat()
}

fn json(bench: &Workbench, arguments: &[&'static str]) -> Value {
    let printed = bench.ok(&[&quick(arguments)[..], &["--json"]].concat());
    serde_json::from_str(&printed).expect("one JSON object")
}

fn rows(section: &Value) -> &Vec<Value> {
    section["rows"].as_array().expect("rows")
}

/// Every number of a report is above 0, wherever it stands.
fn assert_positive(value: &Value, place: &str) {
    match value {
        Value::Number(number) => {
            let number = number.as_f64().expect("a number");
            assert!(number.is_finite() && number > 0.0, "{place}: {number}");
        }
        Value::Array(items) => items.iter().for_each(|item| assert_positive(item, place)),
        Value::Object(fields) => fields
            .iter()
            .for_each(|(name, field)| assert_positive(field, &format!("{place}/{name}"))),
        _ => {}
    }
}

#[test]
fn json_has_every_figure_and_every_backend() {
    let bench = Workbench::new();
    let report = json(&bench, &["face.mdl", "--poses", "40"]);
    assert_positive(&report, "");
    assert_eq!(report["notes"].as_array().map(Vec::len), Some(0));
    assert_eq!(report["settings"]["poses"], 40);
    assert_eq!(report["settings"]["threads"], 2);
    assert_eq!(report["load"]["files"], 3);
    assert!(report["load"]["milliseconds"].is_number());
    assert!(report["compile"]["microseconds"].is_number());
    let bytes = ["face.mdl", "face.vvd", "face.dx90.vtx"].map(|name| {
        let file = std::fs::metadata(bench.path(name)).expect("a file");
        file.len()
    });
    assert_eq!(report["load"]["bytes"], bytes.iter().sum::<u64>());

    let available: Vec<&str> = Backend::available()
        .into_iter()
        .map(Backend::name)
        .collect();
    let of = |section: &str, way: &str, threads: u64| -> Vec<String> {
        let rows = rows(&report[section]).iter();
        let named = rows.filter(|row| row["name"] == way && row["threads"] == threads);
        named
            .map(|row| row["backend"].as_str().expect("a name").to_owned())
            .collect()
    };
    assert_eq!(of("rules_many_poses", "rows", 1), available);
    assert_eq!(of("rules_many_poses", "in place", 1), available);
    assert_eq!(of("vertices_many_poses", "batch", 1), available);
    assert_eq!(of("rules_many_poses", "rows", 2).len(), 1);
    assert_eq!(of("vertices_many_poses", "batch", 2).len(), 1);
    assert_eq!(
        report["machine"]["backends"].as_array().map(Vec::len),
        Some(available.len())
    );

    for section in SECTIONS {
        let rate = match section.starts_with("rules") {
            true => "rules_per_second",
            false => "vertices_per_second",
        };
        for row in rows(&report[section]) {
            assert!(row["poses_per_second"].is_number(), "{section}: {row}");
            let copy = row["name"] == "copy";
            assert_eq!(row["speedup"].is_number(), !copy, "{section}: {row}");
            assert_eq!(row[rate].is_number(), !copy, "{section}: {row}");
        }
        let reference = &rows(&report[section])[0];
        assert_eq!(reference["name"], "reference");
        assert_eq!(reference["speedup"], 1.0);
    }
}

#[test]
fn text_names_the_machine_and_all_that_was_measured() {
    let bench = Workbench::new();
    let text = bench.ok(&quick(&["face.mdl", "--poses", "40"]));
    for part in [
        "logical cores",
        concat!("flexion ", env!("CARGO_PKG_VERSION_MAJOR"), "."),
        "open, files in memory",
        "compile",
        "rules, one pose",
        "rules, 40 poses at a time",
        "vertices, one pose",
        "vertices, 40 poses at a time",
        "slow reference",
        "copy of the same bytes",
        "2 threads",
        "medians",
    ] {
        assert!(text.contains(part), "{part} is not in {text}");
    }
    assert!(!text.contains('\x1b'), "{text}");
}

#[test]
fn one_backend_and_one_thread_are_all_there_is() {
    let bench = Workbench::new();
    let printed = bench.ok(&[
        "bench",
        "face.mdl",
        "--backend",
        "scalar",
        "--threads",
        "1",
        "--poses",
        "1",
        "--seconds",
        "0.001",
        "--json",
    ]);
    let report: Value = serde_json::from_str(&printed).expect("one JSON object");
    assert_positive(&report, "");
    assert_eq!(report["machine"]["backend"], "scalar");
    for section in SECTIONS {
        for row in rows(&report[section]) {
            let backend = row["backend"].as_str().unwrap_or("scalar");
            let threads = row["threads"].as_u64().unwrap_or(1);
            assert_eq!((backend, threads), ("scalar", 1), "{section}: {row}");
        }
    }
}

#[test]
fn what_a_model_lacks_is_left_out_and_said() {
    let bench = Workbench::new();
    std::fs::copy(bench.path("face.mdl"), bench.path("alone.mdl")).expect("a copy");
    let report = json(&bench, &["alone.mdl", "--poses", "20"]);
    assert_eq!(report["load"]["files"], 1);
    assert!(report["rules_many_poses"].is_object());
    assert!(report["vertices_one_pose"].is_null() && report["vertices_many_poses"].is_null());
    assert!(
        report["notes"][0]
            .as_str()
            .expect("a note")
            .contains(".vvd")
    );
    let text = bench.ok(&quick(&["alone.mdl", "--poses", "20"]));
    assert!(text.contains("vertices were left out"), "{text}");
    assert!(!text.contains("vertices, one pose"), "{text}");

    let mut mdl = std::fs::read(bench.path("face.mdl")).expect("a file");
    // numflexrules in studiohdr_t: a face whose weights all stay 0.
    mdl[0x114..0x118].copy_from_slice(&[0; 4]);
    bench.write("face.mdl", &mdl);
    let report = json(&bench, &["face.mdl", "--poses", "20"]);
    assert!(report["compile"].is_null() && report["rules_one_pose"].is_null());
    assert!(report["vertices_many_poses"].is_object());
    assert!(
        report["notes"][0]
            .as_str()
            .expect("a note")
            .contains("no rules")
    );
}

#[test]
fn wrong_usage_is_refused() {
    let bench = Workbench::new();
    let cases: [(&[&str], &[&str]); 9] = [
        (&[], &["MODEL"]),
        (&["face.mdl", "--poses", "0"], &["--poses", "0"]),
        (&["face.mdl", "--poses", "many"], &["--poses", "many"]),
        (
            &["face.mdl", "--poses", "4000000000"],
            &["--poses 4000000000", "GiB"],
        ),
        (&["face.mdl", "--threads", "0"], &["--threads", "0"]),
        (&["face.mdl", "--threads", "5000"], &["--threads", "5000"]),
        (
            &["face.mdl", "--backend", "mmx"],
            &["--backend", "mmx", "unknown backend"],
        ),
        (&["face.mdl", "--seconds", "0"], &["--seconds", "above 0"]),
        (&["face.mdl", "--seconds", "NaN"], &["--seconds", "above 0"]),
    ];
    for (arguments, parts) in cases {
        bench.fails(2, &[&["bench"], arguments].concat(), parts);
    }
    let missing = match cfg!(target_arch = "x86_64") {
        true => "neon",
        false => "avx2",
    };
    let arguments = ["bench", "face.mdl", "--backend", missing];
    bench.fails(2, &arguments, &[missing, "does not have it"]);
}

#[test]
fn bad_models_are_failed_work() {
    let bench = Workbench::new();
    bench.fails(1, &["bench", "missing.mdl"], &["missing.mdl"]);
    bench.write("text.mdl", "not a model at all");
    bench.fails(1, &["bench", "text.mdl"], &["text.mdl", "@0x0"]);
}

#[test]
fn the_variable_is_a_flag_that_is_set_elsewhere() {
    let bench = Workbench::new();
    let run = |backend: &str, arguments: &[&str]| -> Output {
        std::process::Command::new(binary())
            .args(arguments)
            .current_dir(bench.path(""))
            .env("FLEXION_BACKEND", backend)
            .output()
            .expect("the command runs")
    };
    for arguments in [&["inspect", "face.mdl"][..], &["bench", "face.mdl"]] {
        let output = run("mmx", arguments);
        let message = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {message}");
        assert!(
            message.contains("FLEXION_BACKEND") && message.contains("mmx"),
            "{message}"
        );
        assert_eq!(message.lines().count(), 1, "{message}");
        assert_eq!(output.stdout, b"", "{arguments:?}");
    }
    let arguments = [&quick(&["face.mdl", "--poses", "5"])[..], &["--json"]].concat();
    let output = run("scalar", &arguments);
    let report: Value = serde_json::from_slice(&output.stdout).expect("one JSON object");
    assert_eq!(report["machine"]["backend"], "scalar");
}
