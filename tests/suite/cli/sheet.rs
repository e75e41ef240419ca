//! `flexion sheet`: tiles and labels, by controller, descriptor or pose.

use std::fs::File;
use std::io::BufReader;

use flexion_mdl::mdl::Controller;

use super::{Workbench, binary};

struct Picture {
    width: usize,
    pixels: Vec<u8>,
}

fn read(bench: &Workbench, name: &str) -> Picture {
    let file = BufReader::new(File::open(bench.path(name)).expect("a file"));
    let mut reader = png::Decoder::new(file).read_info().expect("a PNG");
    let mut pixels = vec![0; reader.output_buffer_size().expect("a size")];
    let info = reader.next_frame(&mut pixels).expect("pixels");
    assert_eq!(info.color_type, png::ColorType::Rgb);
    Picture {
        width: info.width as usize,
        pixels,
    }
}

impl Picture {
    fn height(&self) -> usize {
        self.pixels.len() / (3 * self.width)
    }

    /// The pixels of a box.
    fn part(&self, [left, top]: [usize; 2], [width, height]: [usize; 2]) -> Vec<&[u8]> {
        let row = |y: usize| &self.pixels[3 * (y * self.width + left)..][..3 * width];
        (top..top + height).map(row).collect()
    }
}

const TILE: usize = 48;
/// Tiles of 48 pixels have labels of 12.
const STEP: usize = TILE + 12;
const SMALL: [&str; 2] = ["--tile", "48x48"];

#[test]
fn each_end_of_each_slider_has_its_tile_and_label() {
    let sliders = flexion_sample::face().mdl.controllers;
    let ends = |slider: &Controller| {
        let rest = 0.0f32.clamp(slider.min, slider.max);
        [slider.min, slider.max]
            .into_iter()
            .filter(|&end| end != rest)
            .count()
    };
    let tiles = 1 + sliders.iter().map(ends).sum::<usize>();
    assert!(tiles > sliders.len() + 1, "some slider has two ends");
    // So many that the last row is not full.
    let columns = (3..).find(|columns| tiles % columns != 0).expect("one");

    let bench = Workbench::new();
    let wide = columns.to_string();
    bench.ok(&[
        &["sheet", "face.mdl", "-o", "sheet.png", "--columns", &wide],
        &SMALL[..],
    ]
    .concat());
    let sheet = read(&bench, "sheet.png");
    let rows = tiles.div_ceil(columns);
    assert_eq!(
        (sheet.width, sheet.height()),
        (columns * TILE, rows * STEP),
        "{tiles} tiles"
    );
    let corner = |number: usize| [number % columns * TILE, number / columns * STEP];
    let tile = |number: usize| sheet.part(corner(number), [TILE, TILE]);
    let label = |number: usize| {
        let [left, top] = corner(number);
        sheet.part([left, top + TILE], [TILE, 12]).concat()
    };
    let ink = |number: usize| label(number).iter().filter(|&&part| part > 150).count();
    // Neutral, then eyes_updown at both ends.
    assert_ne!(tile(0), tile(1));
    assert_ne!(tile(1), tile(2));
    assert_ne!(label(0), label(1));
    for number in 0..tiles {
        assert!(ink(number) > 20, "tile {number}: {}", ink(number));
    }
    for number in tiles..rows * columns {
        assert_eq!(ink(number), 0, "empty place {number} has no label");
    }
}

#[test]
fn descriptors_and_poses_have_sheets_too() {
    let bench = Workbench::new();
    bench.ok(&[
        &["sheet", "face.mdl", "--by", "descriptor", "-o", "d.png"],
        &SMALL[..],
    ]
    .concat());
    let descriptors = read(&bench, "d.png");
    assert!(descriptors.height() >= 5 * STEP);
    let poses = [
        "sheet",
        "face.mdl",
        "--poses",
        "poses.csv",
        "--columns",
        "100",
        "-o",
        "p.png",
    ];
    bench.ok(&[&poses[..], &SMALL].concat());
    let sheet = read(&bench, "p.png");
    let rows = bench.read("poses.csv").lines().count() - 1;
    assert_eq!(
        (sheet.width, sheet.height()),
        (rows * TILE, STEP),
        "one row of all poses"
    );
    let tiles: std::collections::BTreeSet<_> = (0..rows)
        .map(|tile| sheet.part([tile * TILE, 0], [TILE, TILE]))
        .collect();
    assert_eq!(tiles.len(), rows, "no two expressions are alike");
}

#[test]
fn a_sheet_does_not_depend_on_the_threads() {
    let bench = Workbench::new();
    let made = ["1", "2", "5"].map(|threads| {
        let output = std::process::Command::new(binary())
            .args([&["sheet", "face.mdl", "-o", "-"], &SMALL[..]].concat())
            .env("RAYON_NUM_THREADS", threads)
            .current_dir(bench.path("."))
            .output()
            .expect("the command runs");
        assert!(output.status.success());
        output.stdout
    });
    assert!(made[0].starts_with(b"\x89PNG"));
    assert!(made.iter().all(|sheet| *sheet == made[0]));
}

#[test]
fn wrong_sheets_are_refused() {
    let bench = Workbench::new();
    bench.write("empty.csv", "name,jaw_drop\n");
    let sheet = |more: &[&'static str]| [&["sheet", "face.mdl", "-o", "x.png"], more].concat();
    bench.fails(2, &sheet(&["--columns", "0"]), &["--columns"]);
    bench.fails(2, &sheet(&["--tile", "8192x2048"]), &["tiles", "pixels"]);
    bench.fails(2, &sheet(&["--tile", "9000x1"]), &["9000x1"]);
    bench.fails(2, &sheet(&["--by", "pose"]), &["--poses"]);
    bench.fails(
        2,
        &sheet(&["--by", "descriptor", "--poses", "poses.csv"]),
        &["--by pose"],
    );
    bench.fails(
        1,
        &sheet(&["--poses", "empty.csv"]),
        &["empty.csv", "no pose"],
    );
    bench.fails(2, &["sheet", "face.mdl", "-o", "face.mdl"], &["overwrite"]);
}

#[test]
fn bad_data_is_told_by_file_and_name() {
    let bench = Workbench::new();
    bench.write("no.png", "no picture");
    for file in ["face.mdl", "face.vvd"] {
        std::fs::copy(bench.path(file), bench.path(&file.replace("face", "bare"))).expect("a copy");
    }
    let sheet = |more: &[&'static str]| [&["sheet", "face.mdl", "-o", "x.png"], more].concat();
    let texture = |texture: &'static str| sheet(&["--texture", texture]);
    bench.fails(1, &texture("hair=no.png"), &["no.png", "cannot be read"]);
    bench.fails(1, &texture("hair=gone.png"), &["gone.png"]);
    bench.write("poses.png", png(&[1, 2, 3]));
    bench.fails(2, &texture("hiar=poses.png"), &["hiar", "\"hair\""]);
    bench.fails(1, &["sheet", "bare.mdl", "-o", "x.png"], &[".vtx"]);
    bench.fails(1, &["sheet", "gone.mdl", "-o", "x.png"], &["gone.mdl"]);
    bench.write("nan.csv", "name,jaw_drop\nodd,nan\n");
    bench.fails(
        1,
        &sheet(&["--poses", "nan.csv"]),
        &["nan.csv line 2", "jaw_drop"],
    );
    // As it is asked for it is drawn, whatever comes of it.
    bench.ok(&[&sheet(&["--poses", "nan.csv", "--raw"])[..], &SMALL].concat());
    assert_eq!(read(&bench, "x.png").width, TILE);
}

/// A PNG of one pixel.
fn png(pixel: &[u8; 3]) -> Vec<u8> {
    let mut file = Vec::new();
    let mut encoder = png::Encoder::new(&mut file, 1, 1);
    encoder.set_color(png::ColorType::Rgb);
    let mut writer = encoder.write_header().expect("a header");
    writer.write_image_data(pixel).expect("pixels");
    writer.finish().expect("an end");
    file
}

#[test]
fn labels_say_which_end_of_a_slider() {
    let bench = Workbench::new();
    let names = |[min, max]: [f32; 2]| {
        let mut sample = flexion_sample::face();
        let mdl = &mut sample.mdl;
        let jaw = |controller: &Controller<'_>| controller.name.as_bytes() == b"jaw_drop";
        mdl.controllers.retain(jaw);
        (mdl.controllers[0].min, mdl.controllers[0].max) = (min, max);
        mdl.controller_uis.clear();
        mdl.rules.clear();
        for (name, bytes) in sample.files() {
            bench.write(&name.replace("face", "one"), bytes);
        }
        let sheet = ["sheet", "one.mdl", "-o", "one.png", "--columns", "3"];
        bench.ok(&[&sheet[..], &["--tile", "96x96"]].concat());
        let sheet = read(&bench, "one.png");
        let label = |tile: usize| sheet.part([96 * tile, 96], [96, 12]).concat();
        (1..sheet.width / 96).map(label).collect::<Vec<_>>()
    };
    let (up, down, both) = (names([0.0, 1.0]), names([-1.0, 0.0]), names([-1.0, 1.0]));
    assert_eq!([up.len(), down.len(), both.len()], [1, 1, 2]);
    // "jaw_drop", "jaw_drop -1", and "jaw_drop -1" beside "jaw_drop 1".
    assert_ne!(up[0], down[0]);
    assert_eq!(down[0], both[0]);
    assert_ne!(up[0], both[1]);
}

#[test]
fn a_model_without_sliders_and_flexes_has_one_tile() {
    let bench = Workbench::new();
    let mut sample = flexion_sample::face();
    let mdl = &mut sample.mdl;
    mdl.controllers.clear();
    mdl.rules.clear();
    mdl.controller_uis.clear();
    mdl.descriptors.clear();
    for model in mdl.body_parts.iter_mut().flat_map(|part| &mut part.models) {
        model.eyeballs.clear();
        for mesh in &mut model.meshes {
            mesh.flexes.clear();
        }
    }
    for (name, bytes) in sample.files() {
        bench.write(&name.replace("face", "statue"), bytes);
    }
    for by in ["controller", "descriptor"] {
        let sheet = ["sheet", "statue.mdl", "--by", by, "-o", "statue.png"];
        bench.ok(&[&sheet[..], &SMALL].concat());
        let sheet = read(&bench, "statue.png");
        assert_eq!((sheet.width, sheet.height()), (TILE, STEP), "{by}");
    }
}
