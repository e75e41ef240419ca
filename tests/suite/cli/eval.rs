//! Tables of poses in, tables of weights out.

use super::Workbench;

#[test]
fn eval_writes_weights_that_read_back() {
    let bench = Workbench::new();
    let table = bench.ok(&["eval", "face.mdl", "--poses", "poses.csv"]);
    let poses = bench.read("poses.csv").lines().count();
    assert_eq!(
        table.lines().count(),
        poses,
        "a header and a row for each pose"
    );
    let columns = table.lines().next().expect("a header").split(',').count();
    for row in table.lines().skip(1) {
        assert_eq!(row.split(',').count(), columns);
        assert!(
            row.split(',').all(|value| value.parse::<f32>().is_ok()),
            "{row}"
        );
    }
    bench.ok(&[
        "eval",
        "face.mdl",
        "--poses",
        "poses.csv",
        "-o",
        "weights.csv",
    ]);
    assert_eq!(
        bench.read("weights.csv"),
        table,
        "a file and stdout hold the same"
    );
}

#[test]
fn eval_takes_tables_as_people_write_them() {
    let bench = Workbench::new();
    bench.write("plain.csv", "jaw_drop\n0.25\n");
    let plain = bench.ok(&["eval", "face.mdl", "--poses", "plain.csv"]);
    // A byte order mark, Windows line ends, another case, blanks, labels, an empty cell at rest.
    bench.write(
        "messy.csv",
        "\u{feff}name, JAW_DROP ,blink,Time\r\nopen, 0.25 ,,0\r\n",
    );
    assert_eq!(
        bench.ok(&["eval", "face.mdl", "--poses", "messy.csv"]),
        plain
    );
    // Past the end of the range, clamped or not.
    bench.write("far.csv", "jaw_drop\n7\n");
    bench.write("end.csv", "jaw_drop\n1\n");
    let clamped = bench.ok(&["eval", "face.mdl", "--poses", "far.csv"]);
    assert_eq!(
        clamped,
        bench.ok(&["eval", "face.mdl", "--poses", "end.csv"])
    );
    assert_ne!(
        clamped,
        bench.ok(&["eval", "face.mdl", "--poses", "far.csv", "--raw"])
    );
}

#[test]
fn bad_tables_are_refused_with_their_line() {
    let bench = Workbench::new();
    let cases: [(&str, &[&str]); 8] = [
        ("", &["bad.csv", "empty"]),
        (
            "jaw_drpo\n1\n",
            &[
                "bad.csv line 1",
                "column 1",
                "jaw_drpo",
                "did you mean",
                "jaw_drop",
            ],
        ),
        (
            "jaw_drop,blink\n1,2\n1\n",
            &["bad.csv line 3", "1 fields where the header has 2"],
        ),
        (
            "jaw_drop\n1\nopen\n",
            &["bad.csv line 3", "jaw_drop", "\"open\" is not a number"],
        ),
        ("jaw_drop\nNaN\n", &["bad.csv line 2", "jaw_drop", "NaN"]),
        (
            "jaw_drop,jaw_drop\n1,1\n",
            &["bad.csv line 1", "column 2 repeats \"jaw_drop\""],
        ),
        ("jaw_drop,\n1,1\n", &["bad.csv line 1", "column 2"]),
        ("jaw_drop\n\"1\n2\n", &["bad.csv line 2"]),
    ];
    for (table, parts) in cases {
        bench.write("bad.csv", table);
        bench.fails(
            1,
            &["eval", "face.mdl", "--poses", "bad.csv", "-o", "out.csv"],
            parts,
        );
    }
    bench.write("bad.csv", b"jaw_drop\n\xff\n");
    let arguments = ["eval", "face.mdl", "--poses", "bad.csv", "-o", "out.csv"];
    bench.fails(1, &arguments, &["bad.csv line 2", "UTF-8"]);
}
