//! The bind pose: where each bone stands when nothing moves it.
//!
//! Only what eyes and lids need; posing the skeleton is a stage of its own.

use flexion_mdl::Mdl;
use flexion_mdl::mdl::Attachment;
use glam::{Affine3A, Mat3, Vec3};

/// Bone-to-world transforms of the bind pose, one per bone in file order.
///
/// `world[i] = world[parent] * (quat, pos)`, roots standing where they say. A parent that is out
/// of range or not before its child counts as none.
pub(crate) fn bind_pose(mdl: &Mdl<'_>) -> Vec<Affine3A> {
    let mut world: Vec<Affine3A> = Vec::with_capacity(mdl.bones.len());
    for bone in &mdl.bones {
        let local = Affine3A::from_rotation_translation(bone.rotation, bone.position);
        let parent = usize::try_from(bone.parent).ok();
        let parent = parent.and_then(|parent| world.get(parent)).copied();
        world.push(parent.map_or(local, |parent| parent * local));
    }
    world
}

/// The frame of an attachment in the world: columns forward, left, up and the place.
pub(crate) fn attachment_frame(
    attachment: &Attachment<'_>,
    world: &[Affine3A],
) -> Option<Affine3A> {
    let bone = usize::try_from(attachment.bone).ok()?;
    Some(*world.get(bone)? * affine(&attachment.local))
}

/// Three rows of four as a transform.
fn affine(rows: &[[f32; 4]; 3]) -> Affine3A {
    let column = |c: usize| Vec3::new(rows[0][c], rows[1][c], rows[2][c]);
    Affine3A::from_mat3_translation(Mat3::from_cols(column(0), column(1), column(2)), column(3))
}
