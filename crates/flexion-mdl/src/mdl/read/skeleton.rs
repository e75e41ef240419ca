//! Bones, attachments, material names and the skin table.

use zerocopy::byteorder::little_endian::I16;

use super::super::check::Scan;
use super::{Link, bones, link_in, place, table};
use crate::bytes::At;
use crate::error::{Error, ErrorKind};
use crate::mdl::{Attachment, Bone, SkinTable, Texture};
use crate::name::Name;
use crate::raw::mdl as raw;

pub(super) fn bones<'a>(scan: &Scan<'_, 'a>) -> Result<Vec<Bone<'a>>, Error> {
    let Scan { reader, header, .. } = scan;
    table!(reader, header, numbones, boneindex, |at: At<raw::Bone>| {
        scan.check_bone(&at);
        Ok(Bone {
            name: reader.name(link_in!(reader, at, sznameindex))?,
            parent: at.raw.parent,
            controllers: at.raw.bonecontroller,
            position: at.raw.pos,
            rotation: at.raw.quat,
            euler: at.raw.rot,
            position_scale: at.raw.posscale,
            rotation_scale: at.raw.rotscale,
            pose_to_bone: at.raw.poseToBone,
            alignment: at.raw.qAlignment,
            flags: at.raw.flags,
            procedural: bones::procedural(scan, &at)?,
            physics_bone: at.raw.physicsbone,
            surface_property: match at.raw.surfacepropidx {
                0 => Name::default(),
                _ => reader.name(link_in!(reader, at, surfacepropidx))?,
            },
            contents: at.raw.contents,
        })
    })
}

pub(super) fn attachments<'a>(scan: &Scan<'_, 'a>) -> Result<Vec<Attachment<'a>>, Error> {
    let Scan { reader, header, .. } = scan;
    table!(
        reader,
        header,
        numlocalattachments,
        localattachmentindex,
        |at: At<raw::Attachment>| {
            scan.check_index(
                place!(reader, at, localbone),
                at.raw.localbone,
                scan.bones(),
            );
            Ok(Attachment {
                name: reader.name(link_in!(reader, at, sznameindex))?,
                flags: at.raw.flags,
                bone: at.raw.localbone,
                local: at.raw.local,
            })
        }
    )
}

pub(super) fn textures<'a>(scan: &Scan<'_, 'a>) -> Result<Vec<Texture<'a>>, Error> {
    let Scan { reader, header, .. } = scan;
    table!(reader, header, numtextures, textureindex, |at: At<
        raw::Texture,
    >| {
        Ok(Texture {
            name: reader.name(link_in!(reader, at, sznameindex))?,
        })
    })
}

/// The folders' names; unlike all others, their offsets are relative to the file.
pub(super) fn texture_folders<'a>(scan: &Scan<'_, 'a>) -> Result<Vec<Name<'a>>, Error> {
    let Scan { reader, header, .. } = scan;
    table!(reader, header, numcdtextures, cdtextureindex, |at: At<
        raw::CdTexture,
    >| {
        reader.name(Link {
            base: 0,
            ..link_in!(reader, at, nameindex)
        })
    })
}

/// The skin table; without columns it has no rows either, whatever the header says.
pub(super) fn skins(scan: &Scan<'_, '_>) -> Result<SkinTable, Error> {
    let Scan { reader, header, .. } = scan;
    let (columns, rows) = (header.raw.numskinref, header.raw.numskinfamilies);
    let negative = |place, count| Error {
        place,
        kind: ErrorKind::NegativeCount(count),
    };
    let references = usize::try_from(columns)
        .map_err(|_| negative(place!(reader, header, numskinref), columns))?;
    let counted = place!(reader, header, numskinfamilies);
    let families = u64::try_from(rows).map_err(|_| negative(counted, rows))?;
    // Both are below 2^31, so the product fits 64 bits; a table has at most 2^31 entries.
    let entries = references as u64 * families;
    let count = i32::try_from(entries).map_err(|_| Error {
        place: counted,
        kind: ErrorKind::Truncated {
            need: entries.saturating_mul(2),
            have: reader.size(),
        },
    })?;
    let entries = reader.slice::<I16>(link_in!(reader, header, skinindex), count, counted)?;
    scan.check_skins(entries);
    Ok(SkinTable {
        references,
        textures: entries.iter().map(|entry| entry.get()).collect(),
    })
}
