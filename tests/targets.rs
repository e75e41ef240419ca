//! What a fuzz target does with its bytes.
//!
//! The targets under `fuzz` call these on bytes that a fuzzer makes up; the suite replays the
//! finds, which are kept under `regressions`, on stable Rust. Each panics when something is wrong.

use flexion::Model;
use flexion_mdl::{FileKind, Mdl, Vtx, Vvd, layout};

/// Reads a `.mdl`; what reads must write, and read again to the same.
pub fn mdl(bytes: &[u8]) {
    let listed = layout(bytes, FileKind::Mdl);
    let Ok(read) = Mdl::read(bytes) else {
        return;
    };
    assert!(listed.error.is_none(), "the layout has an error and the reader has not");
    if let Ok(written) = read.write() {
        let again = Mdl::read(&written).expect("what was written reads");
        assert_eq!(format!("{:?}", without_warnings(again)), format!("{:?}", without_warnings(read)));
    }
}

/// Warnings may differ: those of the length, and the offsets of the others.
fn without_warnings(mut mdl: Mdl<'_>) -> Mdl<'_> {
    mdl.warnings.clear();
    mdl
}

/// Reads a `.vvd`, as [`mdl`].
pub fn vvd(bytes: &[u8]) {
    if let Ok(read) = Vvd::read(bytes)
        && let Ok(written) = read.write()
    {
        let again = Vvd::read(&written).expect("what was written reads");
        assert_eq!(format!("{again:?}"), format!("{read:?}"));
    }
}

/// Reads a `.vtx`, as [`mdl`].
pub fn vtx(bytes: &[u8]) {
    if let Ok(read) = Vtx::read(bytes)
        && let Ok(written) = read.write()
    {
        let again = Vtx::read(&written).expect("what was written reads");
        assert_eq!(format!("{again:?}"), format!("{read:?}"));
    }
}

/// Opens a `.mdl` with the sample's companions and poses it.
pub fn pipeline(bytes: &[u8]) {
    let [_, (_, mut vvd), (_, mut vtx)] = flexion_sample::face().files();
    if let Some(checksum) = bytes.get(8..12) {
        // Where vertexFileHeader_t and OptimizedModel::FileHeader_t have theirs.
        vvd[8..12].copy_from_slice(checksum);
        vtx[16..20].copy_from_slice(checksum);
    }
    let Ok(model) = Model::from_bytes(bytes, Some(&vvd), None)
        .or_else(|_| Model::from_bytes(bytes, Some(&vvd), Some(&vtx)))
    else {
        return;
    };
    let rules = model.rules();
    for rule in 0..rules.len() {
        assert!(!rules.text(rule).is_empty());
    }
    let mut face = model.face();
    for id in model.controller_ids() {
        face.set_id(id, 1.0).expect("a slider of this model");
    }
    face.advance(0.1);
    face.advance(0.1);
    face.deform().expect("a model with vertices");
}
