//! The structures of a `.mdl`, versions 44 to 49.
//!
//! One layout serves all these versions; what differs is which members are filled in. Members
//! that only the running engine uses are declared too, so that a record is as long as it is on
//! disk. Offsets are relative to the record that holds them; those of `studiohdr_t`, which starts
//! the file, are therefore relative to the file as well.

#![allow(
    non_snake_case,
    reason = "members keep the SDK's names, so that they can be searched for"
)]

use glam::{Quat, Vec3};
use zerocopy::byteorder::little_endian::I32;
use zerocopy::{FromBytes, Immutable, IntoBytes, KnownLayout, Unaligned};

use super::record;

record! {
    /// The start of every `.mdl`, GoldSrc's included.
    "studiohdr_t" [8] StudioId {
        0 id: [u8; 4],
        4 version: i32,
    }
}

record! {
    /// The header. A count stands beside the offset of its table.
    "studiohdr_t" [408] StudioHdr {
        0 id: [u8; 4],
        4 version: i32,
        8 checksum: u32,
        12 name: [u8; 64],
        76 length: i32,
        80 eyeposition: Vec3,
        92 illumposition: Vec3,
        104 hull_min: Vec3,
        116 hull_max: Vec3,
        128 view_bbmin: Vec3,
        140 view_bbmax: Vec3,
        152 flags: u32,
        156 numbones: i32,
        160 boneindex: i32,
        164 numbonecontrollers: i32,
        168 bonecontrollerindex: i32,
        172 numhitboxsets: i32,
        176 hitboxsetindex: i32,
        180 numlocalanim: i32,
        184 localanimindex: i32,
        188 numlocalseq: i32,
        192 localseqindex: i32,
        196 activitylistversion: i32,
        200 eventsindexed: i32,
        204 numtextures: i32,
        208 textureindex: i32,
        212 numcdtextures: i32,
        216 cdtextureindex: i32,
        220 numskinref: i32,
        224 numskinfamilies: i32,
        228 skinindex: i32,
        232 numbodyparts: i32,
        236 bodypartindex: i32,
        240 numlocalattachments: i32,
        244 localattachmentindex: i32,
        248 numlocalnodes: i32,
        252 localnodeindex: i32,
        256 localnodenameindex: i32,
        260 numflexdesc: i32,
        264 flexdescindex: i32,
        268 numflexcontrollers: i32,
        272 flexcontrollerindex: i32,
        276 numflexrules: i32,
        280 flexruleindex: i32,
        284 numikchains: i32,
        288 ikchainindex: i32,
        292 nummouths: i32,
        296 mouthindex: i32,
        300 numlocalposeparameters: i32,
        304 localposeparamindex: i32,
        308 surfacepropindex: i32,
        312 keyvalueindex: i32,
        316 keyvaluesize: i32,
        320 numlocalikautoplaylocks: i32,
        324 localikautoplaylockindex: i32,
        328 mass: f32,
        332 contents: i32,
        336 numincludemodels: i32,
        340 includemodelindex: i32,
        344 virtualModel: i32,
        348 szanimblocknameindex: i32,
        352 numanimblocks: i32,
        356 animblockindex: i32,
        360 animblockModel: i32,
        364 bonetablebynameindex: i32,
        368 pVertexBase: i32,
        372 pIndexBase: i32,
        376 constdirectionallightdot: u8,
        377 rootLOD: u8,
        378 numAllowedRootLODs: u8,
        379 unused: u8,
        380 unused4: i32,
        384 numflexcontrollerui: i32,
        388 flexcontrolleruiindex: i32,
        392 flVertAnimFixedPointScale: f32,
        396 unused3: i32,
        400 studiohdr2index: i32,
        404 unused2: i32,
    }
}

record! {
    /// The header's second part, where it has one.
    "studiohdr2_t" [256] StudioHdr2 {
        0 numsrcbonetransform: i32,
        4 srcbonetransformindex: i32,
        8 illumpositionattachmentindex: i32,
        12 flMaxEyeDeflection: f32,
        16 linearboneindex: i32,
        20 sznameindex: i32,
        24 m_nBoneFlexDriverCount: i32,
        28 m_nBoneFlexDriverIndex: i32,
        32 reserved: [i32; 56],
    }
}

record! {
    /// A target.
    "mstudioflexdesc_t" [4] FlexDesc {
        0 szFACSindex: i32,
    }
}

record! {
    /// A slider.
    "mstudioflexcontroller_t" [20] FlexController {
        0 sztypeindex: i32,
        4 sznameindex: i32,
        8 localToGlobal: i32,
        12 min: f32,
        16 max: f32,
    }
}

record! {
    /// A rule.
    "mstudioflexrule_t" [12] FlexRule {
        0 flex: i32,
        4 numops: i32,
        8 opindex: i32,
    }
}

/// An op of a rule (`mstudioflexop_t`): models have thousands, so they are read as an array.
#[derive(Clone, Copy, FromBytes, IntoBytes, Immutable, KnownLayout, Unaligned)]
#[repr(C)]
pub(crate) struct FlexOp {
    pub(crate) op: I32,
    pub(crate) d: [u8; 4],
}

record! {
    /// A group of sliders, for people.
    "mstudioflexcontrollerui_t" [20] FlexControllerUi {
        0 sznameindex: i32,
        4 szindex0: i32,
        8 szindex1: i32,
        12 szindex2: i32,
        16 remaptype: u8,
        17 stereo: u8,
        18 unused: [u8; 2],
    }
}

record! {
    /// A body part.
    "mstudiobodyparts_t" [16] BodyParts {
        0 sznameindex: i32,
        4 nummodels: i32,
        8 base: i32,
        12 modelindex: i32,
    }
}

record! {
    /// A model of a body part.
    "mstudiomodel_t" [148] Model {
        0 name: [u8; 64],
        64 r#type: i32,
        68 boundingradius: f32,
        72 nummeshes: i32,
        76 meshindex: i32,
        80 numvertices: i32,
        84 vertexindex: i32,
        88 tangentsindex: i32,
        92 numattachments: i32,
        96 attachmentindex: i32,
        100 numeyeballs: i32,
        104 eyeballindex: i32,
        108 vertexdata: [i32; 2],
        116 unused: [i32; 8],
    }
}

record! {
    /// A mesh of a model.
    "mstudiomesh_t" [116] Mesh {
        0 material: i32,
        4 modelindex: i32,
        8 numvertices: i32,
        12 vertexoffset: i32,
        16 numflexes: i32,
        20 flexindex: i32,
        24 materialtype: i32,
        28 materialparam: i32,
        32 meshid: i32,
        36 center: Vec3,
        48 modelvertexdata: i32,
        52 numLODVertexes: [i32; 8],
        84 unused: [i32; 8],
    }
}

record! {
    /// A flex of a mesh.
    "mstudioflex_t" [60] Flex {
        0 flexdesc: i32,
        4 target0: f32,
        8 target1: f32,
        12 target2: f32,
        16 target3: f32,
        20 numverts: i32,
        24 vertindex: i32,
        28 flexpair: i32,
        32 vertanimtype: u8,
        33 unusedchar: [u8; 3],
        36 unused: [i32; 6],
    }
}

record! {
    /// An eyeball of a model. Real files have values in members called unused.
    "mstudioeyeball_t" [172] Eyeball {
        0 sznameindex: i32,
        4 bone: i32,
        8 org: Vec3,
        20 zoffset: f32,
        24 radius: f32,
        28 up: Vec3,
        40 forward: Vec3,
        52 texture: i32,
        56 unused1: i32,
        60 iris_scale: f32,
        64 unused2: i32,
        68 upperflexdesc: [i32; 3],
        80 lowerflexdesc: [i32; 3],
        92 uppertarget: [f32; 3],
        104 lowertarget: [f32; 3],
        116 upperlidflexdesc: i32,
        120 lowerlidflexdesc: i32,
        124 unused: [i32; 4],
        140 m_bNonFACS: u8,
        141 unused3: [u8; 3],
        144 unused4: [i32; 7],
    }
}

record! {
    /// A material.
    "mstudiotexture_t" [64] Texture {
        0 sznameindex: i32,
        4 flags: i32,
        8 used: i32,
        12 unused1: i32,
        16 material: i32,
        20 clientmaterial: i32,
        24 unused: [i32; 10],
    }
}

record! {
    /// The offset of a material folder's name, from the start of the file.
    "cdtexture" [4] CdTexture {
        0 nameindex: i32,
    }
}

record! {
    /// A mouth.
    "mstudiomouth_t" [20] Mouth {
        0 bone: i32,
        4 forward: Vec3,
        16 flexdesc: i32,
    }
}

record! {
    /// A place on a bone.
    "mstudioattachment_t" [92] Attachment {
        0 sznameindex: i32,
        4 flags: u32,
        8 localbone: i32,
        12 local: [[f32; 4]; 3],
        60 unused: [i32; 8],
    }
}

record! {
    /// A bone.
    "mstudiobone_t" [216] Bone {
        0 sznameindex: i32,
        4 parent: i32,
        8 bonecontroller: [i32; 6],
        32 pos: Vec3,
        44 quat: Quat,
        60 rot: Vec3,
        72 posscale: Vec3,
        84 rotscale: Vec3,
        96 poseToBone: [[f32; 4]; 3],
        144 qAlignment: Quat,
        160 flags: u32,
        164 proctype: i32,
        168 procindex: i32,
        172 physicsbone: i32,
        176 surfacepropidx: i32,
        180 contents: i32,
        184 unused: [i32; 8],
    }
}
