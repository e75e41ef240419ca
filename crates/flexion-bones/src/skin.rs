//! Vertices that follow bones.

use glam::{Affine3A, Vec3A};
use rayon::prelude::*;

use crate::error::Error;
use crate::skeleton::{Skeleton, SkeletonPose};

/// Vertices that a thread takes at a time.
const CHUNK: usize = 1024;

/// Bones of a vertex (`mstudioboneweight_t`).
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Binding {
    /// `weight`, used as stored.
    pub weights: [f32; 3],
    /// `bone`.
    pub bones: [u8; 3],
    /// `numbones`: how many of both count, at most 3.
    pub count: u8,
}

/// Posed bones as they move vertices: `world * poseToBone`, one per bone.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Palette {
    bones: Vec<Affine3A>,
}

impl Palette {
    /// The palette of a pose that has been placed; reuses its memory from pose to pose.
    ///
    /// # Panics
    ///
    /// When the pose is of a skeleton with another number of bones.
    pub fn update(&mut self, skeleton: &Skeleton, pose: &SkeletonPose) {
        assert_eq!(
            skeleton.bones().len(),
            pose.world().len(),
            "a pose of this skeleton"
        );
        self.bones.clear();
        let bones = skeleton.bones().iter().zip(pose.world());
        self.bones
            .extend(bones.map(|(bone, &world)| world * bone.pose_to_bone));
    }

    /// Moves vertices, which flexes may have moved, to where their bones stand; on all threads,
    /// with the same bits on any number of them.
    ///
    /// Normals and tangents, of which there may be none, are turned and not normalised again, as in
    /// the engine; a tangent's w stays. A vertex of no bone, and one whose bone there is not, stays.
    ///
    /// # Errors
    ///
    /// [`Error::Length`] when there is not a normal, a binding and, where there are any, a tangent
    /// for each position.
    pub fn skin(
        &self,
        bindings: &[Binding],
        positions: &mut [[f32; 3]],
        normals: &mut [[f32; 3]],
        tangents: &mut [[f32; 4]],
    ) -> Result<(), Error> {
        let expected = positions.len();
        let tangent_count = tangents.len();
        for (what, found, may_lack) in [
            ("bindings", bindings.len(), false),
            ("normals", normals.len(), false),
            ("tangents", tangent_count, true),
        ] {
            if found != expected && !(may_lack && found == 0) {
                return Err(Error::Length {
                    what,
                    expected,
                    found,
                });
            }
        }
        let chunks = positions
            .par_chunks_mut(CHUNK)
            .zip(normals.par_chunks_mut(CHUNK))
            .zip(bindings.par_chunks(CHUNK));
        chunks.for_each(|((positions, normals), bindings)| {
            for ((position, normal), binding) in positions.iter_mut().zip(normals).zip(bindings) {
                if let Some(transform) = self.blend(binding) {
                    *position = transform.transform_point3a(Vec3A::from(*position)).into();
                    *normal = transform.transform_vector3a(Vec3A::from(*normal)).into();
                }
            }
        });
        let chunks = tangents.par_chunks_mut(CHUNK);
        chunks
            .zip(bindings.par_chunks(CHUNK))
            .for_each(|(tangents, bindings)| {
                for (tangent, binding) in tangents.iter_mut().zip(bindings) {
                    if let Some(transform) = self.blend(binding) {
                        let [x, y, z, _] = *tangent;
                        let turned = transform.transform_vector3a(Vec3A::new(x, y, z));
                        tangent[..3].copy_from_slice(&turned.to_array());
                    }
                }
            });
        Ok(())
    }

    /// The weighted sum of a vertex's bones.
    fn blend(&self, binding: &Binding) -> Option<Affine3A> {
        let count = usize::from(binding.count).min(3);
        let mut sum: Option<Affine3A> = None;
        for at in 0..count {
            let bone = self.bones.get(usize::from(binding.bones[at]))?;
            let weight = binding.weights[at];
            let part = Affine3A {
                matrix3: bone.matrix3 * weight,
                translation: bone.translation * weight,
            };
            sum = Some(match sum {
                None => part,
                Some(sum) => Affine3A {
                    matrix3: sum.matrix3 + part.matrix3,
                    translation: sum.translation + part.translation,
                },
            });
        }
        sum
    }
}
