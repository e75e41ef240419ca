//! Bones, attachments, material names and the skin table.

use zerocopy::byteorder::little_endian::I16;

use super::out::{Output, Spot};
use super::{Placed, bones as rules};
use crate::error::WriteError;
use crate::mdl::{Attachment, Bone, SkinTable, Texture};
use crate::name::Name;
use crate::raw::Record;
use crate::raw::mdl::{self as raw, StudioHdr};

pub(super) fn bones<'n>(
    out: &mut Output<'n>,
    header: Spot<StudioHdr>,
    bones: &'n [Bone<'_>],
) -> Placed {
    out.table(header, ["numbones", "boneindex"], bones, |out, at, bone| {
        let (proctype, procindex) = rules::procedural(out, at, bone.procedural.as_ref())?;
        Ok(raw::Bone {
            sznameindex: out.name(at, "sznameindex", &bone.name)?,
            parent: bone.parent,
            bonecontroller: bone.controllers,
            pos: bone.position,
            quat: bone.rotation,
            rot: bone.euler,
            posscale: bone.position_scale,
            rotscale: bone.rotation_scale,
            poseToBone: bone.pose_to_bone,
            qAlignment: bone.alignment,
            flags: bone.flags,
            proctype,
            procindex,
            physicsbone: bone.physics_bone,
            surfacepropidx: out.name(at, "surfacepropidx", &bone.surface_property)?,
            contents: bone.contents,
            ..raw::Bone::ZERO
        })
    })
}

pub(super) fn attachments<'n>(
    out: &mut Output<'n>,
    header: Spot<StudioHdr>,
    attachments: &'n [Attachment<'_>],
) -> Placed {
    let fields = ["numlocalattachments", "localattachmentindex"];
    out.table(header, fields, attachments, |out, at, attachment| {
        Ok(raw::Attachment {
            sznameindex: out.name(at, "sznameindex", &attachment.name)?,
            flags: attachment.flags,
            localbone: attachment.bone,
            local: attachment.local,
            ..raw::Attachment::ZERO
        })
    })
}

pub(super) fn textures<'n>(
    out: &mut Output<'n>,
    header: Spot<StudioHdr>,
    textures: &'n [Texture<'_>],
) -> Placed {
    let fields = ["numtextures", "textureindex"];
    out.table(header, fields, textures, |out, at, texture| {
        Ok(raw::Texture {
            sznameindex: out.name(at, "sznameindex", &texture.name)?,
            ..raw::Texture::ZERO
        })
    })
}

/// The folders' names; unlike all others, their offsets are relative to the file.
pub(super) fn texture_folders<'n>(
    out: &mut Output<'n>,
    header: Spot<StudioHdr>,
    folders: &'n [Name<'_>],
) -> Placed {
    let fields = ["numcdtextures", "cdtextureindex"];
    out.table(header, fields, folders, |out, at, folder| {
        Ok(raw::CdTexture {
            nameindex: out.name_from(at, "nameindex", folder, 0)?,
        })
    })
}

/// The skin table: `numskinref`, `numskinfamilies` and `skinindex`.
pub(super) fn skins(
    out: &mut Output<'_>,
    header: Spot<StudioHdr>,
    skins: &SkinTable,
) -> Result<[i32; 3], WriteError> {
    let entries: Vec<I16> = skins
        .textures
        .iter()
        .map(|&entry| I16::new(entry))
        .collect();
    let columns = header.count("numskinref", skins.references)?;
    if skins.families() * skins.references != entries.len() {
        return Err(header.value("numskinref", columns, "columns that divide the table"));
    }
    let start = out.array(&entries);
    Ok([
        columns,
        header.count("numskinfamilies", skins.families())?,
        header.offset("skinindex", start)?,
    ])
}
