//! Contact sheets: what a label may touch, and how large a sheet may be.

use std::collections::BTreeSet;

use flexion::render::{Background, Channels, Error, Image, Sheet, Size};

const TILE: u32 = 64;
/// Of a label under tiles of up to 132 pixels.
const LABEL: u32 = 12;
const BLACK: Background = Background::Colour([0; 3]);

fn sheet(width: u32, background: Background) -> Sheet {
    let tile = Size::new(width, TILE).expect("a size");
    Sheet::new(4, Some(2), tile, background).expect("a sheet")
}

/// A sheet of two by two tiles that has one label.
fn labelled(width: u32, background: Background, number: usize, text: &str) -> Image {
    let mut sheet = sheet(width, background);
    sheet.place(number, &Image::filled(width, TILE, background), text);
    sheet.into_image()
}

/// Columns and rows of the pixels that are not of the background.
fn touched(image: &Image) -> (BTreeSet<u32>, BTreeSet<u32>) {
    let count = image.channels.count();
    let pixels = (0..).zip(image.pixels.chunks(count));
    let inked = pixels.filter(|(_, pixel)| pixel.iter().any(|&part| part != 0));
    inked
        .map(|(at, _): (u32, _)| (at % image.width, at / image.width))
        .unzip()
}

#[test]
fn labels_stay_under_their_tiles() {
    let long = "right_corner_depressor_of_a_very_long_name";
    for text in ["x", "jaw_drop", long, "Ünïcödé 瞬き\n\t\u{202e}", "ggjjÅÅ"] {
        for number in 0..4 {
            let image = labelled(TILE, BLACK, number, text);
            let (columns, rows) = touched(&image);
            let (left, top) = (number as u32 % 2 * TILE, number as u32 / 2 * (TILE + LABEL));
            let under = top + TILE..top + TILE + LABEL;
            assert!(!columns.is_empty(), "{text:?}");
            assert!(
                columns.iter().all(|x| (left..left + TILE).contains(x)),
                "{text:?}"
            );
            assert!(rows.iter().all(|y| under.contains(y)), "{text:?}: {rows:?}");
        }
    }
}

#[test]
fn long_labels_are_cut_and_short_ones_are_not() {
    let label = |text| labelled(TILE, BLACK, 0, text);
    // What is cut off does not show, but that something is does.
    let [one, other] = ["a_long_controller_name", "a_long_controller_kind"].map(label);
    assert_eq!(one, other);
    assert_ne!(one, label("a_long_contr"));
    assert_ne!(label("smile_1"), label("smile_2"));
    // The dots alone, and not even they.
    assert_ne!(labelled(14, BLACK, 0, "WWWWW"), labelled(14, BLACK, 0, ""));
    for width in 1..6 {
        let image = labelled(width, BLACK, 0, "WWWWW");
        assert_eq!(touched(&image).0.len(), 0, "{width} pixels");
    }
}

#[test]
fn labels_read_on_any_background() {
    let white = labelled(TILE, Background::Colour([255; 3]), 0, "smile");
    let black = labelled(TILE, BLACK, 0, "smile");
    assert!(white.pixels.iter().any(|&part| part < 120));
    assert!(black.pixels.iter().any(|&part| part > 130));
    let clear = labelled(TILE, Background::Transparent, 0, "smile");
    assert_eq!(clear.channels, Channels::Rgba);
    let inked: Vec<&[u8]> = clear
        .pixels
        .chunks(4)
        .filter(|pixel| pixel[3] > 0)
        .collect();
    assert!(inked.iter().any(|pixel| pixel[3] > 150));
    assert!(
        inked.iter().all(|pixel| pixel[..3] == [128; 3]),
        "alpha is not premultiplied"
    );
    let bare = clear
        .pixels
        .chunks(4)
        .filter(|pixel| **pixel == [0; 4])
        .count();
    assert_eq!(bare + inked.len(), clear.pixels.len() / 4);
}

#[test]
fn sheets_have_places_for_their_tiles_and_no_more() {
    let tile = Size::new(TILE, TILE).expect("a size");
    let size = |tiles, columns| {
        let image = Sheet::new(tiles, columns, tile, BLACK).map(Sheet::into_image);
        image.map(|image| (image.width / TILE, image.height / (TILE + LABEL)))
    };
    assert_eq!(size(10, None).expect("a sheet"), (4, 3));
    assert_eq!(size(10, Some(3)).expect("a sheet"), (3, 4));
    assert_eq!(size(2, Some(50)).expect("a sheet"), (2, 1));
    assert_eq!(size(0, Some(0)).expect("a sheet"), (1, 1));
    for columns in [None, Some(1), Some(usize::MAX)] {
        for tiles in [100_000, u32::MAX as usize, usize::MAX] {
            let error = size(tiles, columns).expect_err("too large");
            assert!(matches!(error, Error::Size { .. }), "{error}");
        }
    }
    let empty = sheet(TILE, BLACK).into_image();
    for number in [4, usize::MAX] {
        let picture = Image::filled(TILE, TILE, Background::Colour([9; 3]));
        let mut sheet = sheet(TILE, BLACK);
        sheet.place(number, &picture, "beyond");
        assert_eq!(sheet.into_image(), empty, "{number}");
    }
}
