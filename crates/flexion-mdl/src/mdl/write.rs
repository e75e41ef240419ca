//! [`Mdl`] to bytes.
//!
//! Tables are laid out in the order of the header, each at a multiple of four bytes, children
//! behind their parents; names stand at the end, one for each that is needed. They are not shared:
//! a reader bounds what overlapping parts of a file may claim, and a file without any overlap is
//! always within that bound.
//!
//! A record is reserved before its children are written and filled in after them, when it is known
//! where they are. For two descriptors in a file of nothing else:
//!
//! | at | bytes | written |
//! |---|---|---|
//! | 0 | header, `flexdescindex` = 416 | last |
//! | 408 | `default`, the surface property that engines ask for | first |
//! | 416 | two descriptors, `szFACSindex` = 8 and 7 | with the names |
//! | 424 | `AU1` | after all tables |
//! | 428 | `AU2` | |
//!
//! What the engine fills in at run time is 0 (`localToGlobal` -1). There are no animations
//! and hit boxes.

mod bones;
mod face;
mod mesh;
mod out;
mod skeleton;

use self::out::{Output, Spot};
use super::{Extension, Mdl, VERSIONS};
use crate::error::{WriteError, WriteErrorKind};
use crate::raw::Record;
use crate::raw::mdl::{StudioHdr, StudioHdr2};

/// Bytes of `studiohdr_t.name` and `mstudiomodel_t.name`; a name may fill them without a NUL.
const FIXED_NAME: usize = 64;

/// A count and an offset.
type Placed = Result<(i32, i32), WriteError>;

impl Mdl<'_> {
    /// Writes a `.mdl` of [`Mdl::version`] that [`Mdl::read`] reads back as this value, but for its
    /// warnings.
    ///
    /// A name of more than 64 bytes, columns of bones, source transforms and flex drivers need a
    /// `studiohdr2_t`; where [`Mdl::extension`] is none, one
    /// of zeros is written.
    ///
    /// # Errors
    ///
    /// What the format cannot hold: a version other than 44 to 49; names with a NUL; model names of
    /// more than 64 bytes; user interface before version 47, or slots in it that name no controller
    /// ([`UiSlot::Controller`]) or cannot help naming one ([`UiSlot::Nowhere`]); a
    /// [`RemapType::Unknown`] that is known; a skin table that is no whole number of rows; negative
    /// counts of vertices; columns of bones of different lengths; a
    /// [`Procedural::Nothing`] of type 0; files past 2 GiB.
    ///
    /// [`Procedural::Nothing`]: super::Procedural::Nothing
    /// [`UiSlot::Controller`]: super::UiSlot::Controller
    /// [`UiSlot::Nowhere`]: super::UiSlot::Nowhere
    /// [`RemapType::Unknown`]: super::RemapType::Unknown
    ///
    /// ```
    /// use flexion_mdl::Mdl;
    /// use flexion_mdl::mdl::Descriptor;
    ///
    /// let mdl = Mdl {
    ///     name: "face.mdl".into(),
    ///     descriptors: vec![Descriptor { name: "AU26".into() }],
    ///     ..Mdl::default()
    /// };
    /// let bytes = mdl.write()?;
    /// assert_eq!(Mdl::read(&bytes)?, mdl);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn write(&self) -> Result<Vec<u8>, WriteError> {
        let mut out = Output::new();
        let at = out.reserve_one::<StudioHdr>();
        if !VERSIONS.contains(&self.version) {
            return Err(at.value("version", self.version, "44 to 49"));
        }
        let second = self
            .has_extension()
            .then(|| out.reserve_one::<StudioHdr2>());
        let surface = out.bytes(b"default\0");
        let (numbones, boneindex) = skeleton::bones(&mut out, at, &self.bones)?;
        let (numbonecontrollers, bonecontrollerindex) =
            bones::controllers(&mut out, at, &self.bone_controllers)?;
        let (numlocalattachments, localattachmentindex) =
            skeleton::attachments(&mut out, at, &self.attachments)?;
        let (numtextures, textureindex) = skeleton::textures(&mut out, at, &self.textures)?;
        let (numcdtextures, cdtextureindex) =
            skeleton::texture_folders(&mut out, at, &self.texture_folders)?;
        let [numskinref, numskinfamilies, skinindex] = skeleton::skins(&mut out, at, &self.skins)?;
        let (numflexdesc, flexdescindex) = face::descriptors(&mut out, at, &self.descriptors)?;
        let (numflexcontrollers, flexcontrollerindex) =
            face::controllers(&mut out, at, &self.controllers)?;
        let (numflexcontrollerui, flexcontrolleruiindex) =
            face::controller_uis(&mut out, at, self, flexcontrollerindex)?;
        let (numflexrules, flexruleindex) = face::rules(&mut out, at, &self.rules)?;
        let (nummouths, mouthindex) = face::mouths(&mut out, at, &self.mouths)?;
        let (numbodyparts, bodypartindex) = mesh::body_parts(&mut out, at, &self.body_parts)?;
        let studiohdr2index = match second {
            Some(second) => self.write_extension(&mut out, at, second)?,
            None => 0,
        };
        let length = out.write_names()?;
        let header = StudioHdr {
            id: *b"IDST",
            version: self.version,
            checksum: self.checksum,
            name: self.short_name(at)?,
            length: at.offset("length", length)?,
            eyeposition: self.eye_position,
            illumposition: self.illumination_position,
            hull_min: self.hull[0],
            hull_max: self.hull[1],
            view_bbmin: self.view_box[0],
            view_bbmax: self.view_box[1],
            flags: self.flags,
            numbones,
            boneindex,
            numbonecontrollers,
            bonecontrollerindex,
            numtextures,
            textureindex,
            numcdtextures,
            cdtextureindex,
            numskinref,
            numskinfamilies,
            skinindex,
            numbodyparts,
            bodypartindex,
            numlocalattachments,
            localattachmentindex,
            numflexdesc,
            flexdescindex,
            numflexcontrollers,
            flexcontrollerindex,
            numflexrules,
            flexruleindex,
            nummouths,
            mouthindex,
            surfacepropindex: at.offset("surfacepropindex", surface)?,
            mass: self.mass,
            contents: self.contents,
            numflexcontrollerui,
            flexcontrolleruiindex,
            flVertAnimFixedPointScale: self.vert_anim_fixed_point_scale,
            studiohdr2index,
            ..StudioHdr::ZERO
        };
        out.put(at, &header);
        Ok(out.into_bytes())
    }

    /// Whether there is something that only `studiohdr2_t` can say.
    fn has_extension(&self) -> bool {
        self.extension.is_some()
            || self.has_long_name()
            || self.linear_bones.is_some()
            || !self.source_bone_transforms.is_empty()
            || !self.bone_flex_drivers.is_empty()
    }

    fn has_long_name(&self) -> bool {
        self.name.as_bytes().len() > FIXED_NAME
    }

    /// Writes `studiohdr2_t` at `at`, and what hangs on it behind all the rest; gives its offset.
    fn write_extension<'n>(
        &'n self,
        out: &mut Output<'n>,
        header: Spot<StudioHdr>,
        at: Spot<StudioHdr2>,
    ) -> Result<i32, WriteError> {
        let Extension {
            illumination_attachment,
            max_eye_deflection,
        } = self.extension.unwrap_or_default();
        let (numsrcbonetransform, srcbonetransformindex) =
            bones::source_transforms(out, at, &self.source_bone_transforms)?;
        let (driver_count, driver_index) = bones::flex_drivers(out, at, &self.bone_flex_drivers)?;
        let second = StudioHdr2 {
            numsrcbonetransform,
            srcbonetransformindex,
            illumpositionattachmentindex: illumination_attachment,
            flMaxEyeDeflection: max_eye_deflection,
            linearboneindex: bones::linear(out, at, self.linear_bones.as_ref())?,
            sznameindex: match self.has_long_name() {
                true => out.name(at, "sznameindex", &self.name)?,
                false => 0,
            },
            m_nBoneFlexDriverCount: driver_count,
            m_nBoneFlexDriverIndex: driver_index,
            ..StudioHdr2::ZERO
        };
        out.put(at, &second);
        header.offset("studiohdr2index", at.start)
    }

    /// What the header has of the name: all of it, or as much as fits beside a NUL.
    fn short_name(&self, at: Spot<StudioHdr>) -> Result<[u8; FIXED_NAME], WriteError> {
        let name = self.name.as_bytes();
        if name.len() <= FIXED_NAME {
            return fixed_name(at, "name", name);
        }
        fixed_name(at, "name", &name[..FIXED_NAME - 1])
    }
}

/// A name in a member of fixed size, filled up with NULs.
fn fixed_name<R: Record>(
    at: Spot<R>,
    field: &'static str,
    name: &[u8],
) -> Result<[u8; FIXED_NAME], WriteError> {
    if name.contains(&0) {
        return Err(at.error(field, WriteErrorKind::NulInName));
    }
    let mut fixed = [0; FIXED_NAME];
    match fixed.get_mut(..name.len()) {
        Some(start) => start.copy_from_slice(name),
        None => {
            let kind = WriteErrorKind::NameTooLong {
                length: name.len() as u64,
                max: FIXED_NAME as u64,
            };
            return Err(at.error(field, kind));
        }
    }
    Ok(fixed)
}
