//! Body parts, models, meshes, their flexes and the vertanims of those.

use std::borrow::Cow;

use glam::Vec3;
use zerocopy::byteorder::little_endian::{I16, U16};
use zerocopy::{FromBytes, Immutable, IntoBytes, KnownLayout, Unaligned};

use crate::mdl::Eyeball;
use crate::name::Name;

/// A group of models of which one is shown at a time (`mstudiobodyparts_t`).
#[derive(Clone, Debug, PartialEq)]
pub struct BodyPart<'a> {
    /// `sznameindex`.
    pub name: Name<'a>,
    /// `base`: stride of this part in the body group number.
    pub base: i32,
    /// The alternatives.
    pub models: Vec<Model<'a>>,
}

/// One alternative of a body part (`mstudiomodel_t`).
#[derive(Clone, Debug, PartialEq)]
pub struct Model<'a> {
    /// `name[64]`.
    pub name: Name<'a>,
    /// `type`.
    pub kind: i32,
    /// `boundingradius`, in model units.
    pub bounding_radius: f32,
    /// `numvertices`.
    pub vertex_count: i32,
    /// `vertexindex / 48`: the model's first vertex in the `.vvd`, after fixups.
    pub first_vertex: i32,
    /// `tangentsindex / 16`.
    pub first_tangent: i32,
    /// The meshes, whose vertices follow one another.
    pub meshes: Vec<Mesh<'a>>,
    /// The eyeballs.
    pub eyeballs: Vec<Eyeball<'a>>,
}

/// The part of a model that has one material (`mstudiomesh_t`).
#[derive(Clone, Debug, PartialEq)]
pub struct Mesh<'a> {
    /// `material`: column of the skin table.
    pub material: i32,
    /// `numvertices`.
    pub vertex_count: i32,
    /// `vertexoffset`: the mesh's first vertex among the model's.
    pub vertex_offset: i32,
    /// `materialtype`: 1 for an eyeball.
    pub material_type: i32,
    /// `materialparam`: which of the model's eyeballs.
    pub material_param: i32,
    /// `meshid`.
    pub id: i32,
    /// `center`, in model units.
    pub center: Vec3,
    /// `numLODVertexes`: how many of the vertices each level of detail uses.
    pub lod_vertex_counts: [i32; 8],
    /// The flexes, in file order: sums run in this order.
    pub flexes: Vec<Flex<'a>>,
}

/// How one target moves one mesh (`mstudioflex_t`).
#[derive(Clone, Debug, PartialEq)]
pub struct Flex<'a> {
    /// `flexdesc`: the target, the right-hand one of a pair by the older compilers' habit.
    pub descriptor: i32,
    /// `target0` to `target3`: where on the weight axis the ramp rises and falls.
    pub targets: [f32; 4],
    /// `flexpair`: the partner's descriptor; 0 for none.
    pub partner: i32,
    /// The rows.
    pub vert_anims: VertAnims<'a>,
}

/// The rows of a [`Flex`], in one of two sizes (`vertanimtype`).
#[derive(Clone, Debug, PartialEq)]
pub enum VertAnims<'a> {
    /// Type 0, 16 bytes each.
    Plain(Cow<'a, [VertAnim]>),
    /// Type 1, 18 bytes each, with a wrinkle delta.
    Wrinkle(Cow<'a, [WrinkleVertAnim]>),
}

/// A vertex and how it moves (`mstudiovertanim_t`); the bits as they are on disk.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, FromBytes, IntoBytes, Immutable, KnownLayout, Unaligned,
)]
#[repr(C)]
pub struct VertAnim {
    /// `index` of the vertex in the mesh.
    pub vertex: U16,
    /// `speed`: 255 follows the weight at once, 0 the delayed one.
    pub speed: u8,
    /// `side`: 0 follows the flex's own descriptor, 255 the partner's.
    pub side: u8,
    /// `delta`: bits of three halves, or three fixed point numbers
    /// ([`crate::Mdl::flexes_converted`]).
    pub delta: [U16; 3],
    /// `ndelta`: the same for the normal.
    pub normal_delta: [U16; 3],
}

/// A vertex, how it moves and how it wrinkles (`mstudiovertanim_wrinkle_t`).
#[derive(
    Clone, Copy, Debug, Default, PartialEq, FromBytes, IntoBytes, Immutable, KnownLayout, Unaligned,
)]
#[repr(C)]
pub struct WrinkleVertAnim {
    /// The part that both sizes have.
    pub base: VertAnim,
    /// `wrinkledelta`: fixed point in every file ([`crate::Mdl::fixed_point_scale`]).
    pub wrinkle: I16,
}

impl VertAnims<'_> {
    /// How many rows there are.
    pub fn len(&self) -> usize {
        match self {
            VertAnims::Plain(rows) => rows.len(),
            VertAnims::Wrinkle(rows) => rows.len(),
        }
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// All rows in the larger form, the wrinkle 0 where the smaller has none.
    pub fn rows(&self) -> impl Iterator<Item = WrinkleVertAnim> + '_ {
        let (plain, wrinkle): (&[VertAnim], &[WrinkleVertAnim]) = match self {
            VertAnims::Plain(rows) => (rows, &[]),
            VertAnims::Wrinkle(rows) => (&[], rows),
        };
        let plain = plain.iter().map(|&base| WrinkleVertAnim {
            base,
            wrinkle: I16::ZERO,
        });
        plain.chain(wrinkle.iter().copied())
    }
}

/// A material's name (`mstudiotexture_t`).
#[derive(Clone, Debug, PartialEq)]
pub struct Texture<'a> {
    /// `sznameindex`, without folder and ending.
    pub name: Name<'a>,
}

/// Which texture each mesh shows in each skin family: `numskinfamilies` rows of `numskinref`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SkinTable {
    /// `numskinref`: columns.
    pub references: usize,
    /// Rows one after another; their number is `numskinfamilies`.
    pub textures: Vec<i16>,
}

impl SkinTable {
    /// How many skins there are (`numskinfamilies`).
    pub fn families(&self) -> usize {
        self.textures
            .len()
            .checked_div(self.references)
            .unwrap_or(0)
    }

    /// Index of the texture that `material` shows in `family`.
    pub fn texture(&self, family: usize, material: usize) -> Option<usize> {
        if material >= self.references {
            return None;
        }
        let at = family.checked_mul(self.references)?.checked_add(material)?;
        self.textures
            .get(at)
            .and_then(|&texture| usize::try_from(texture).ok())
    }
}
