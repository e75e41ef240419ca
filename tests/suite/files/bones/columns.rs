//! Where the bones in columns say something else than the bones.

use flexion_mdl::Mdl;
use flexion_mdl::mdl::{Bone, BoneField, BoneValue, LinearBones};

use super::super::member;
use super::{moved_model, written};

/// Makes one member of a bone another.
type Change = fn(&mut Bone<'_>);

#[test]
fn differences_of_the_columns_are_listed() {
    let mut mdl = moved_model();
    assert_eq!(mdl.linear_differences().count(), 0);
    mdl.bones[0].flags = 1;
    mdl.bones[1].parent = -1;
    mdl.bones[1].pose_to_bone[2][3] = f32::NAN;
    mdl.bones[6].alignment.w = 0.25;
    let found: Vec<_> = mdl.linear_differences().collect();
    let fields: Vec<_> = found
        .iter()
        .map(|found| (found.bone, found.field))
        .collect();
    let expected = [
        (0, BoneField::Flags),
        (1, BoneField::Parent),
        (1, BoneField::PoseToBone),
        (6, BoneField::Alignment),
    ];
    assert_eq!(fields, expected);
    assert_eq!(
        (found[1].in_bone, found[1].in_columns),
        (BoneValue::Index(-1), BoneValue::Index(0))
    );
    // The same NaN on both sides is no difference.
    mdl.linear_bones = Some(LinearBones::of(&mdl.bones));
    assert_eq!(mdl.linear_differences().count(), 0);
    let fields: [(BoneField, Change); 9] = [
        (BoneField::Flags, |bone| bone.flags ^= 1),
        (BoneField::Parent, |bone| bone.parent = -1),
        (BoneField::Position, |bone| bone.position.z += 1.0),
        (BoneField::Rotation, |bone| bone.rotation.w += 1.0),
        (BoneField::Euler, |bone| bone.euler.x += 1.0),
        (BoneField::PoseToBone, |bone| bone.pose_to_bone[0][1] += 1.0),
        (BoneField::PositionScale, |bone| {
            bone.position_scale.y += 1.0
        }),
        (BoneField::RotationScale, |bone| {
            bone.rotation_scale.y += 1.0
        }),
        (BoneField::Alignment, |bone| bone.alignment.x += 1.0),
    ];
    for (field, change) in fields {
        let mut mdl = moved_model();
        change(&mut mdl.bones[3]);
        let found: Vec<_> = mdl.linear_differences().collect();
        assert_eq!(found.len(), 1, "{field}");
        assert_eq!((found[0].bone, found[0].field), (3, field));
    }
}

#[test]
fn columns_that_are_not_the_skeleton_are_listed() {
    let mut mdl = moved_model();
    mdl.bones[2].position.x += 1.0;
    mdl.bones[2].euler.x += 1.0;
    mdl.bones.pop();
    let bytes = written(&mdl);
    let place = member(&bytes, "mstudiolinearbone_t", None, "numbones").place;
    let text = "the bones stand here again in columns";
    let read = Mdl::read(&bytes).expect("only odd");
    let found: Vec<String> = read.warnings.iter().map(ToString::to_string).collect();
    let expected = [
        format!("{place}: {text}: 7 and not 6"),
        format!("{place}: {text}, and 2 of their members differ"),
    ];
    assert_eq!(found, expected);
}
