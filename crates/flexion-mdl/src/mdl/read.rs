//! Bytes to [`Mdl`]: what is refused at once, the header, and the tables that hang on it.
//!
//! In goes a file, out comes the whole rig, or the first thing that makes it unreadable. The
//! walk follows the file's own tree: header, bones, attachments and textures here and in
//! `skeleton`; what moves bones in `bones`; descriptors, sliders and rules in `face`; body parts, models, meshes, flexes and
//! eyeballs in `mesh`. Every record is checked for oddities right where it is read, because only
//! there its place is known; the list of them goes into the result last.
//!
//! A header with `numflexdesc` 2 and `flexdescindex` 408 leads to two records of four bytes at
//! 408 and 412; the second one's `szFACSindex` of 8 leads to the name at 412 + 8 = 420.

mod bones;
mod face;
mod mesh;
mod skeleton;

pub(in crate::mdl) use mesh::{TANGENT_SIZE, VERTEX_SIZE};

use super::check::Scan;
use super::{Extension, Mdl, VERSIONS};
use crate::bytes::{At, Link, Reader, link_in, place, table};
use crate::error::{Error, ErrorKind, FileKind};
use crate::name::Name;
use crate::raw::mdl::{StudioHdr, StudioHdr2, StudioId};

impl<'a> Mdl<'a> {
    /// Reads a `.mdl`.
    ///
    /// Names and vertanims borrow from `bytes`. Oddities that engines tolerate are kept and listed
    /// in [`Mdl::warnings`].
    ///
    /// # Errors
    ///
    /// What is no Source model of versions 44 to 49 is refused with its own [`ErrorKind`]: an empty
    /// file, a git-lfs pointer, a sequence file, a GoldSrc model, any other magic or version, and a
    /// model whose line endings were converted. Otherwise the first count or offset that leads out
    /// of the file, a `vertanimtype` other than 0 and 1, a `vertexindex` or `tangentsindex` that
    /// does not stand for a whole vertex, and tables that overlap past [`crate::CLAIM_LIMIT`].
    ///
    /// ```
    /// use flexion_mdl::{ErrorKind, Mdl};
    ///
    /// let error = Mdl::read(b"IDSQ\x0a\0\0\0").unwrap_err();
    /// assert_eq!(error.kind, ErrorKind::SequenceFile);
    /// ```
    pub fn read(bytes: &'a [u8]) -> Result<Self, Error> {
        read(&Reader::new(bytes, FileKind::Mdl))
    }
}

/// Reads a file for the sake of the reader's trace.
pub(crate) fn visit(reader: &Reader<'_>) -> Option<Error> {
    read(reader).err()
}

fn read<'a>(reader: &Reader<'a>) -> Result<Mdl<'a>, Error> {
    refuse_other_files(reader)?;
    let header: At<StudioHdr> = reader.record(0, None)?;
    refuse_converted_text(reader, &header)?;
    let scan = Scan::new(reader, header);
    scan.check_header();
    let second = second_header(&scan)?;
    let name = match full_name(&scan, &second)? {
        Some(name) => name,
        None => reader.fixed_name(place!(reader, header, name), header.raw.name.len())?,
    };
    let bones = skeleton::bones(&scan)?;
    Ok(Mdl {
        version: header.raw.version,
        checksum: header.raw.checksum,
        name,
        flags: header.raw.flags,
        eye_position: header.raw.eyeposition,
        illumination_position: header.raw.illumposition,
        hull: [header.raw.hull_min, header.raw.hull_max],
        view_box: [header.raw.view_bbmin, header.raw.view_bbmax],
        mass: header.raw.mass,
        contents: header.raw.contents,
        vert_anim_fixed_point_scale: header.raw.flVertAnimFixedPointScale,
        extension: second.map(|second| Extension {
            illumination_attachment: second.raw.illumpositionattachmentindex,
            max_eye_deflection: second.raw.flMaxEyeDeflection,
        }),
        bone_controllers: bones::controllers(&scan)?,
        linear_bones: bones::linear(&scan, &second, &bones)?,
        source_bone_transforms: bones::source_transforms(&scan, &second)?,
        bone_flex_drivers: bones::flex_drivers(&scan, &second)?,
        bones,
        attachments: skeleton::attachments(&scan)?,
        textures: skeleton::textures(&scan)?,
        texture_folders: skeleton::texture_folders(&scan)?,
        skins: skeleton::skins(&scan)?,
        body_parts: mesh::body_parts(&scan)?,
        descriptors: face::descriptors(&scan)?,
        controllers: face::controllers(&scan)?,
        controller_uis: face::controller_uis(&scan)?,
        rules: face::rules(&scan)?,
        mouths: face::mouths(&scan)?,
        warnings: scan.into_warnings(),
    })
}

/// Refuses what is not a Source model, as far as the first eight bytes tell.
fn refuse_other_files(reader: &Reader<'_>) -> Result<(), Error> {
    reader.refuse_missing::<StudioId>()?;
    let refuse = |field, kind| {
        let place = reader.place::<StudioId>(0, None, field);
        Err(Error { place, kind })
    };
    let StudioId { id, version } = reader.peek::<StudioId>(0, None)?.raw;
    match (&id, version) {
        (b"IDSQ", _) => refuse("id", ErrorKind::SequenceFile),
        (b"IDST", 10) => refuse("version", ErrorKind::GoldSrc(version)),
        (b"IDST", _) if VERSIONS.contains(&version) => Ok(()),
        (b"IDST", _) => refuse(
            "version",
            ErrorKind::Version {
                found: version,
                supported: "44 to 49",
            },
        ),
        _ => refuse(
            "id",
            ErrorKind::Magic {
                found: id,
                expected: "IDST",
            },
        ),
    }
}

/// Refuses a model that went through a program that took it for text.
///
/// Such a file has a `\r` before every `\n`, and as many bytes too many as were added; some pairs
/// may have been there before. The length is looked for where it was before the conversion, in case
/// a `\n` before it moved it.
fn refuse_converted_text(reader: &Reader<'_>, header: &At<StudioHdr>) -> Result<(), Error> {
    let stated = match reader.before_conversion::<80>() {
        Some([.., a, b, c, d]) => i32::from_le_bytes([a, b, c, d]),
        None => header.raw.length,
    };
    let surplus = u64::try_from(stated)
        .ok()
        .and_then(|stated| reader.size().checked_sub(stated))
        .filter(|&surplus| surplus > 0);
    let (Some(surplus), Some(pairs)) = (surplus, reader.converted_line_feeds()) else {
        return Ok(());
    };
    if pairs < surplus {
        return Ok(());
    }
    Err(Error {
        place: place!(reader, header, length),
        kind: ErrorKind::LineEndings {
            stated,
            actual: reader.size(),
        },
    })
}

/// `studiohdr2_t`, where there is one.
fn second_header(scan: &Scan<'_, '_>) -> Result<Option<At<StudioHdr2>>, Error> {
    let Scan { reader, header, .. } = scan;
    if header.raw.studiohdr2index == 0 {
        return Ok(None);
    }
    let start = reader.target(link_in!(reader, header, studiohdr2index))?;
    reader.record(start, None).map(Some)
}

/// The name in `studiohdr2_t`, where there is one.
fn full_name<'a>(
    scan: &Scan<'_, 'a>,
    second: &Option<At<StudioHdr2>>,
) -> Result<Option<Name<'a>>, Error> {
    let reader = scan.reader;
    match second {
        Some(second) if second.raw.sznameindex != 0 => {
            reader.name(link_in!(reader, second, sznameindex)).map(Some)
        }
        _ => Ok(None),
    }
}
