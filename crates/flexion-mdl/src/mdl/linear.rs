//! The skeleton in columns, and whether it says the same as the bones.

use std::borrow::Cow;
use std::fmt;

use glam::{Quat, Vec3};
use zerocopy::byteorder::little_endian::{F32, I32, U32};

use super::{Bone, Mdl};

/// The skeleton again (`mstudiolinearbone_t`): an array for each member of a bone, borrowed from
/// the file.
///
/// Games take some members from here and some from the bones. Neither is preferred here:
/// [`Mdl::linear_differences`] tells where they differ.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LinearBones<'a> {
    /// `flagsindex`.
    pub flags: Cow<'a, [U32]>,
    /// `parentindex`.
    pub parents: Cow<'a, [I32]>,
    /// `posindex`.
    pub positions: Cow<'a, [[F32; 3]]>,
    /// `quatindex`.
    pub rotations: Cow<'a, [[F32; 4]]>,
    /// `rotindex`.
    pub eulers: Cow<'a, [[F32; 3]]>,
    /// `posetoboneindex`.
    pub pose_to_bone: Cow<'a, [[[F32; 4]; 3]]>,
    /// `posscaleindex`.
    pub position_scales: Cow<'a, [[F32; 3]]>,
    /// `rotscaleindex`.
    pub rotation_scales: Cow<'a, [[F32; 3]]>,
    /// `qalignmentindex`.
    pub alignments: Cow<'a, [[F32; 4]]>,
}

/// A member of a bone that [`LinearBones`] has too; its text is the SDK's name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BoneField {
    /// `flags`.
    Flags,
    /// `parent`.
    Parent,
    /// `pos`.
    Position,
    /// `quat`.
    Rotation,
    /// `rot`.
    Euler,
    /// `poseToBone`.
    PoseToBone,
    /// `posscale`.
    PositionScale,
    /// `rotscale`.
    RotationScale,
    /// `qAlignment`.
    Alignment,
}

impl fmt::Display for BoneField {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            BoneField::Flags => "flags",
            BoneField::Parent => "parent",
            BoneField::Position => "pos",
            BoneField::Rotation => "quat",
            BoneField::Euler => "rot",
            BoneField::PoseToBone => "poseToBone",
            BoneField::PositionScale => "posscale",
            BoneField::RotationScale => "rotscale",
            BoneField::Alignment => "qAlignment",
        })
    }
}

/// The value of a [`BoneField`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum BoneValue {
    /// Of `flags`.
    Flags(u32),
    /// Of `parent`.
    Index(i32),
    /// Of `pos`, `rot` and the scales.
    Vector([f32; 3]),
    /// Of `quat` and `qAlignment`.
    Quaternion([f32; 4]),
    /// Of `poseToBone`.
    Matrix([[f32; 4]; 3]),
}

impl BoneValue {
    /// Whether both are the same in every bit.
    fn same(&self, other: &Self) -> bool {
        match (self, other) {
            (BoneValue::Vector(a), BoneValue::Vector(b)) => {
                a.map(f32::to_bits) == b.map(f32::to_bits)
            }
            (BoneValue::Quaternion(a), BoneValue::Quaternion(b)) => {
                a.map(f32::to_bits) == b.map(f32::to_bits)
            }
            (BoneValue::Matrix(a), BoneValue::Matrix(b)) => {
                a.map(|row| row.map(f32::to_bits)) == b.map(|row| row.map(f32::to_bits))
            }
            _ => self == other,
        }
    }
}

impl fmt::Display for BoneValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            BoneValue::Flags(flags) => write!(f, "{flags:#x}"),
            BoneValue::Index(index) => write!(f, "{index}"),
            BoneValue::Vector(vector) => write!(f, "{vector:?}"),
            BoneValue::Quaternion(quaternion) => write!(f, "{quaternion:?}"),
            BoneValue::Matrix(rows) => write!(f, "{rows:?}"),
        }
    }
}

/// A member of a bone of which the file says two things.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LinearDifference {
    /// The number of the bone.
    pub bone: usize,
    /// The member.
    pub field: BoneField,
    /// What the bone says.
    pub in_bone: BoneValue,
    /// What the columns say.
    pub in_columns: BoneValue,
}

impl Mdl<'_> {
    /// Every member of every bone that [`Mdl::linear_bones`] has differently: bit for bit, in the
    /// order of bones and, within a bone, of [`BoneField`].
    ///
    /// Bones past the shorter of both are left out; nothing comes out without columns.
    ///
    /// ```
    /// use flexion_mdl::Mdl;
    /// use flexion_mdl::mdl::{Bone, BoneField, LinearBones};
    ///
    /// let mut mdl = Mdl { bones: vec![Bone::default()], ..Mdl::default() };
    /// mdl.linear_bones = Some(LinearBones::of(&mdl.bones));
    /// assert_eq!(mdl.linear_differences().count(), 0);
    /// mdl.bones[0].position.x = -0.0;
    /// let found = mdl.linear_differences().next().unwrap();
    /// assert_eq!((found.bone, found.field), (0, BoneField::Position));
    /// assert_eq!(found.in_columns.to_string(), "[0.0, 0.0, 0.0]");
    /// ```
    pub fn linear_differences(&self) -> impl Iterator<Item = LinearDifference> + '_ {
        let linear = self.linear_bones.iter();
        linear.flat_map(|linear| linear.differences(&self.bones))
    }
}

impl LinearBones<'_> {
    /// The columns that say what `bones` say.
    pub fn of(bones: &[Bone<'_>]) -> LinearBones<'static> {
        let vectors = |member: fn(&Bone<'_>) -> Vec3| -> Cow<'static, _> {
            let vector = |bone| member(bone).to_array().map(F32::new);
            bones.iter().map(vector).collect()
        };
        let quaternions = |member: fn(&Bone<'_>) -> Quat| -> Cow<'static, _> {
            let quaternion = |bone| member(bone).to_array().map(F32::new);
            bones.iter().map(quaternion).collect()
        };
        let matrix = |bone: &Bone<'_>| bone.pose_to_bone.map(|row| row.map(F32::new));
        LinearBones {
            flags: bones.iter().map(|bone| U32::new(bone.flags)).collect(),
            parents: bones.iter().map(|bone| I32::new(bone.parent)).collect(),
            positions: vectors(|bone| bone.position),
            rotations: quaternions(|bone| bone.rotation),
            eulers: vectors(|bone| bone.euler),
            pose_to_bone: bones.iter().map(matrix).collect(),
            position_scales: vectors(|bone| bone.position_scale),
            rotation_scales: vectors(|bone| bone.rotation_scale),
            alignments: quaternions(|bone| bone.alignment),
        }
    }

    /// How many bones there are: what the shortest column has.
    pub fn len(&self) -> usize {
        let lengths = self.lengths();
        lengths
            .into_iter()
            .map(|(_, length)| length)
            .min()
            .unwrap_or(0)
    }

    /// Whether there are no bones.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The columns' members in the file and their lengths.
    pub(super) fn lengths(&self) -> [(&'static str, usize); 9] {
        [
            ("flagsindex", self.flags.len()),
            ("parentindex", self.parents.len()),
            ("posindex", self.positions.len()),
            ("quatindex", self.rotations.len()),
            ("rotindex", self.eulers.len()),
            ("posetoboneindex", self.pose_to_bone.len()),
            ("posscaleindex", self.position_scales.len()),
            ("rotscaleindex", self.rotation_scales.len()),
            ("qalignmentindex", self.alignments.len()),
        ]
    }

    /// Where `bones` say something else.
    pub(super) fn differences(&self, bones: &[Bone<'_>]) -> impl Iterator<Item = LinearDifference> {
        let shared = bones.iter().enumerate().take(self.len());
        shared.flat_map(|(bone, view)| {
            let members = self.members(bone, view).into_iter();
            members
                .filter(|(_, in_bone, in_columns)| !in_bone.same(in_columns))
                .map(move |(field, in_bone, in_columns)| LinearDifference {
                    bone,
                    field,
                    in_bone,
                    in_columns,
                })
        })
    }

    /// Each member of bone `at` with what the bone and the columns say of it.
    fn members(&self, at: usize, bone: &Bone<'_>) -> [(BoneField, BoneValue, BoneValue); 9] {
        use BoneValue::{Flags, Index, Matrix, Quaternion, Vector};
        let vector = |own: Vec3, column: &[[F32; 3]]| {
            (Vector(own.to_array()), Vector(column[at].map(F32::get)))
        };
        let quaternion = |own: Quat, column: &[[F32; 4]]| {
            let column = column[at].map(F32::get);
            (Quaternion(own.to_array()), Quaternion(column))
        };
        let matrix = self.pose_to_bone[at].map(|row| row.map(F32::get));
        let with = |field, (own, column)| (field, own, column);
        [
            (
                BoneField::Flags,
                Flags(bone.flags),
                Flags(self.flags[at].get()),
            ),
            (
                BoneField::Parent,
                Index(bone.parent),
                Index(self.parents[at].get()),
            ),
            with(BoneField::Position, vector(bone.position, &self.positions)),
            with(
                BoneField::Rotation,
                quaternion(bone.rotation, &self.rotations),
            ),
            with(BoneField::Euler, vector(bone.euler, &self.eulers)),
            (
                BoneField::PoseToBone,
                Matrix(bone.pose_to_bone),
                Matrix(matrix),
            ),
            with(
                BoneField::PositionScale,
                vector(bone.position_scale, &self.position_scales),
            ),
            with(
                BoneField::RotationScale,
                vector(bone.rotation_scale, &self.rotation_scales),
            ),
            with(
                BoneField::Alignment,
                quaternion(bone.alignment, &self.alignments),
            ),
        ]
    }
}
