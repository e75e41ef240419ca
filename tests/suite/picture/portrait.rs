//! Portraits: heads in the middle, eyes that look, the same pixels on every thread.

use std::collections::BTreeMap;
use std::sync::Arc;

use flexion::render::{Background, Image, Size, Software, Texture, View};
use flexion::{Error, Model, Portrait, PortraitOptions, Show};
use flexion_testkit::corpus;
use glam::Vec3;
use rayon::prelude::*;

use crate::face::sample;

fn options(side: u32) -> PortraitOptions {
    PortraitOptions {
        background: Background::Transparent,
        ..PortraitOptions::new(Size::new(side, side).expect("a size"))
    }
}

fn draw(model: &Model, options: PortraitOptions, sliders: &[(&str, f32)]) -> Image {
    let portrait = Portrait::new(model, options).expect("a portrait");
    let mut face = model.face();
    for (name, value) in sliders {
        face.set(name, *value).expect("a slider");
    }
    let mut renderer = Software::default();
    portrait.draw(&mut face, &mut renderer).expect("a picture")
}

/// The middle of the pixels that `is_it` picks, from -1 to 1 to the right and up.
fn middle(image: &Image, is_it: impl Fn(&[u8]) -> bool) -> (f32, f32, usize) {
    let (mut sum, mut count) = ((0.0, 0.0), 0);
    for (at, pixel) in image.pixels.chunks(image.channels.count()).enumerate() {
        if is_it(pixel) {
            sum.0 += (at as u32 % image.width) as f32;
            sum.1 += (at as u32 / image.width) as f32;
            count += 1;
        }
    }
    let half = 0.5 * image.width as f32;
    let mean = |sum: f32| (sum / count.max(1) as f32 - half) / half;
    (mean(sum.0), -mean(sum.1), count)
}

#[test]
fn a_head_is_framed_from_every_side() {
    let model = sample();
    for view in ["front", "three-quarter", "side", "0,1,0.2", "0,0,1"] {
        let view = view.parse().expect("a view");
        let image = draw(
            &model,
            PortraitOptions {
                view,
                ..options(96)
            },
            &[],
        );
        let (x, y, count) = middle(&image, |pixel| pixel[3] > 0);
        assert!(x.abs() < 0.2 && y.abs() < 0.2, "{view}: {x} {y}");
        assert!((1200..6500).contains(&count), "{view}: {count} of 9216");
        let edge = (0..96).filter(|x| image.pixels[4 * x + 3] > 0).count();
        assert_eq!(edge, 0, "{view}: nothing is cut off above");
    }
}

#[test]
fn hair_that_towers_is_in_the_picture_and_a_banner_is_not() {
    let top = |raised: f32| {
        let mut sample = flexion_sample::face();
        // The hair's vertices come after those of the head; no flex moves them.
        let head = sample.mdl.body_parts[0].models[0].vertex_count as usize;
        let hair = sample.mdl.body_parts[1].models[0].vertex_count as usize;
        for vertex in &mut sample.vvd.vertices.to_mut()[head..head + hair] {
            vertex.position[2] = (vertex.position[2].get() + raised).into();
        }
        let [(_, mdl), (_, vvd), (_, vtx)] = sample.files();
        let model = Model::from_bytes(&mdl, Some(&vvd), Some(&vtx)).expect("the sample");
        let image = draw(&model, options(96), &[]);
        let rows = image.pixels.chunks(4 * 96);
        let drawn = |row: &[u8]| row.chunks(4).any(|pixel| pixel[3] > 0);
        let first = rows.clone().position(drawn).expect("a face");
        let height = rows.filter(|row| drawn(row)).count();
        (first, height)
    };
    let (above, _) = top(0.0);
    let (towering, _) = top(3.0);
    assert!(above > 2 && towering > 2, "{above} {towering}");
    // So high up it is not the head's: the head is as large as without it.
    let portrait = |raised| top(raised).1;
    assert!(portrait(60.0) + 12 > portrait(0.0));
}

#[test]
fn zoom_enlarges_about_the_middle() {
    let model = sample();
    let count = |zoom| {
        let image = draw(
            &model,
            PortraitOptions {
                zoom,
                ..options(96)
            },
            &[],
        );
        middle(&image, |pixel| pixel[3] > 0).2 as f32
    };
    let larger = count(1.0) / count(0.5);
    assert!((3.6..4.4).contains(&larger), "{larger}");
}

#[test]
fn eyes_look_where_the_sliders_say() {
    let model = sample();
    let eyes = PortraitOptions {
        zoom: 2.5,
        ..options(160)
    };
    let iris = |slider: &str, value: f32| {
        let image = draw(&model, eyes.clone(), &[(slider, value)]);
        // Irises are the only blue there is.
        let (x, y, count) = middle(&image, |p| p[3] == 255 && p[2] > p[0].saturating_add(25));
        assert!(count > 30, "{slider} {value}: {count} pixels of iris");
        (x, y)
    };
    let ((ahead, level), (left, _), (right, _)) = (
        iris("eyes_rightleft", 0.0),
        iris("eyes_rightleft", 20.0),
        iris("eyes_rightleft", -20.0),
    );
    // The character's left is to the right of the picture.
    assert!(
        left > ahead + 0.02 && ahead > right + 0.02,
        "{left} {ahead} {right}"
    );
    let ((_, down), (_, up)) = (iris("eyes_updown", 15.0), iris("eyes_updown", -15.0));
    assert!(up > level && level > down, "{up} {level} {down}");
}

#[test]
fn sliders_change_the_picture_and_shows_differ() {
    let model = sample();
    let shows = [
        Show::Face,
        Show::Wrinkle,
        Show::Displacement,
        Show::Normals,
        Show::Wire,
    ];
    let pictures: Vec<[Image; 2]> = shows
        .into_iter()
        .map(|show| {
            let with = |sliders| {
                draw(
                    &model,
                    PortraitOptions {
                        show,
                        ..options(96)
                    },
                    sliders,
                )
            };
            [with(&[]), with(&[("jaw_drop", 1.0), ("smile", 1.0)])]
        })
        .collect();
    for (at, [rest, posed]) in pictures.iter().enumerate() {
        assert_ne!(rest, posed, "{:?}", shows[at]);
        for [other, _] in &pictures[..at] {
            // At rest nothing is moved or wrinkled, so these two are alike.
            let both_still = [Show::Wrinkle, Show::Displacement].contains(&shows[at]);
            assert!(rest != other || both_still, "{:?}", shows[at]);
        }
    }
    let [rest, posed] = &pictures[2];
    let hot = |image: &Image| middle(image, |p| p[0] > p[2].saturating_add(60)).2;
    assert_eq!(hot(rest), 0);
    assert!(hot(posed) > 50, "a jaw that drops is warm");
}

#[test]
fn a_texture_covers_its_material_and_must_be_the_models() {
    let model = sample();
    let green = Image::filled(4, 4, Background::Colour([0, 255, 0]));
    let png = green.to_png(&[]).expect("a PNG");
    let texture = Arc::new(Texture::from_png(std::io::Cursor::new(png)).expect("a texture"));
    let with = |name: &str| PortraitOptions {
        textures: BTreeMap::from([(name.to_owned(), texture.clone())]),
        ..options(96)
    };
    let image = draw(&model, with("HAIR"), &[]);
    let is_green = |p: &[u8]| p[1] > 60 && p[0] < 40 + p[1] / 2;
    let (_, y, count) = middle(&image, is_green);
    assert!(count > 300 && y > 0.2, "{count} pixels at {y}");
    match Portrait::new(&model, with("hiar")) {
        Err(Error::UnknownMaterial { name, nearest }) => {
            assert_eq!((name.as_str(), nearest[0].as_str()), ("hiar", "hair"));
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn pixels_do_not_depend_on_threads_or_on_what_was_drawn_before() {
    let model = sample();
    let portrait = Portrait::new(&model, options(64)).expect("a portrait");
    let value = |frame: u32| (frame % 7) as f32 / 6.0;
    let alone = |frame: u32| {
        let mut face = model.face();
        face.set("jaw_drop", value(frame)).expect("a slider");
        portrait
            .draw(&mut face, &mut Software::default())
            .expect("a picture")
    };
    let together: Vec<Image> = (0..24_u32)
        .into_par_iter()
        .map_init(
            || (model.face(), Software::default()),
            |(face, renderer), frame| {
                face.set("jaw_drop", value(frame)).expect("a slider");
                portrait.draw(face, renderer).expect("a picture")
            },
        )
        .collect();
    for (frame, image) in (0..).zip(&together) {
        assert_eq!(*image, alone(frame), "frame {frame}");
    }
}

#[test]
fn companions_that_are_missing_are_told() {
    let [(_, mdl), (_, vvd), (_, vtx)] = flexion_sample::face().files();
    let bare = Model::from_bytes(&mdl, None, Some(&vtx)).expect("rules");
    assert!(matches!(
        Portrait::new(&bare, options(8)),
        Err(Error::NoVertices)
    ));
    let loose = Model::from_bytes(&mdl, Some(&vvd), None).expect("vertices");
    assert!(matches!(
        Portrait::new(&loose, options(8)),
        Err(Error::NoTriangles)
    ));
}

#[test]
fn raw_nan_sliders_make_a_picture_and_no_panic() {
    let model = sample();
    let portrait = Portrait::new(&model, options(64)).expect("a portrait");
    let mut face = model.face_with(flexion::FaceOptions {
        raw: true,
        ..flexion::FaceOptions::default()
    });
    for value in [f32::NAN, f32::INFINITY, -1e38] {
        for id in model.controller_ids() {
            face.set_id(id, value).expect("raw");
        }
        portrait
            .draw(&mut face, &mut Software::default())
            .expect("a picture");
    }
}

#[test]
fn corpus_heads_are_framed_from_the_front() {
    let Some(folder) = corpus::corpus("corpus_heads_are_framed") else {
        return;
    };
    // Which way the eyes of each look, by the files themselves.
    let models = [
        ("hl2/male_06_sdk", Vec3::NEG_Y),
        ("hl2/newscaster_male", Vec3::NEG_Y),
        ("l4d/survivor_mechanic", Vec3::NEG_Y),
        ("tf2/hwm_civilian", Vec3::Z),
        ("tf2/mercenary_wrinkle", Vec3::Z),
        ("tf2/scout", Vec3::Z),
        ("gmod/ganyu_jiggle", Vec3::NEG_Y),
    ];
    for (name, forward) in models {
        let path = folder.join("models").join(name).with_extension("mdl");
        let model = Model::open(&path).expect("a model");
        let portrait = Portrait::new(&model, options(96)).expect("a portrait");
        assert!(portrait.camera().ahead.dot(-forward) > 0.97, "{name}");
        let image = draw(&model, options(96), &[]);
        let (x, _, count) = middle(&image, |pixel| pixel[3] > 0);
        assert!(x.abs() < 0.2 && count > 2500, "{name}: {x} {count}");
        let cut = (0..96).any(|x| image.pixels[4 * x + 3] > 0);
        assert!(!cut, "{name}: hair and hat are in the picture");
        let eyes = middle(&image, |p| p[3] == 255 && p[2] > p[0].saturating_add(25));
        let whole = PortraitOptions {
            view: View::Side,
            ..options(96)
        };
        assert_ne!(draw(&model, whole, &[]), image, "{name}");
        println!("{name}: {count} pixels, {} of them iris", eyes.2);
    }
}
