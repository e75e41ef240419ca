//! Skeletons: where bones stand, what moves them and what follows them.

mod facade;
mod jiggle;
mod procedural;
mod track;
mod values;

use flexion_bones::{
    ALWAYS_PROCEDURAL, Attachment, Binding, Bone, Error, Palette, Procedure, QuatInterp, Skeleton,
};
use flexion_mdl::Mdl;
use flexion_testkit::corpus;
use glam::{Affine3A, Mat3, Quat, Vec3};
use proptest::prelude::*;

/// A bone of a chain.
pub(crate) fn bone(parent: Option<usize>, position: Vec3, rotation: Quat) -> Bone {
    Bone {
        parent,
        position,
        rotation,
        ..Bone::default()
    }
}

/// A bone that a procedure places.
pub(crate) fn computed(parent: Option<usize>, procedure: Procedure) -> Bone {
    Bone {
        parent,
        flags: ALWAYS_PROCEDURAL,
        procedure: Some(procedure),
        ..Bone::default()
    }
}

pub(crate) fn quats() -> impl Strategy<Value = Quat> {
    let part = || -1.0..1.0_f32;
    (part(), part(), part(), part())
        .prop_filter("no direction", |(x, y, z, w)| {
            x * x + y * y + z * z + w * w > 0.01
        })
        .prop_map(|(x, y, z, w)| Quat::from_xyzw(x, y, z, w).normalize())
}

pub(crate) fn points(reach: f32) -> impl Strategy<Value = Vec3> {
    let part = move || -reach..reach;
    (part(), part(), part()).prop_map(|(x, y, z)| Vec3::new(x, y, z))
}

fn affine(rows: &[[f32; 4]; 3]) -> Affine3A {
    let column = |c: usize| Vec3::new(rows[0][c], rows[1][c], rows[2][c]);
    Affine3A::from_mat3_translation(Mat3::from_cols(column(0), column(1), column(2)), column(3))
}

/// The bones of a model as records, without what moves them.
fn skeleton(mdl: &Mdl<'_>) -> Skeleton {
    let bones = mdl.bones.iter().map(|bone| Bone {
        name: bone.name.to_str().into_owned(),
        parent: usize::try_from(bone.parent).ok(),
        position: bone.position,
        rotation: bone.rotation,
        pose_to_bone: affine(&bone.pose_to_bone),
        flags: bone.flags,
        procedure: None,
    });
    Skeleton::new(bones.collect(), Vec::new()).expect("parents come first")
}

#[test]
fn the_bind_pose_is_what_vertices_are_bound_to() {
    let [(_, mdl), ..] = flexion_sample::face().files();
    let sample = skeleton(&Mdl::read(&mdl).expect("the sample"));
    assert!(sample.bind_residual() < 1e-4, "{}", sample.bind_residual());
    let Some(folder) = corpus::corpus("the_bind_pose, real models") else {
        return;
    };
    for path in corpus::models(&folder) {
        let bytes = std::fs::read(&path).expect("a model");
        let skeleton = skeleton(&Mdl::read(&bytes).expect("a whole model"));
        let (residual, count) = (skeleton.bind_residual(), skeleton.bones().len());
        println!(
            "{}: {count} bones, bind residual {residual:.1e}",
            path.display()
        );
        assert!(residual < 1e-4, "{}: {residual}", path.display());
    }
}

#[test]
fn a_wrong_bind_pose_shows_in_the_residual() {
    let mut odd = bone(None, Vec3::X, Quat::IDENTITY);
    odd.pose_to_bone = Affine3A::from_translation(Vec3::new(-1.0, 0.25, 0.0));
    let skeleton = Skeleton::new(vec![odd], Vec::new()).expect("a bone");
    assert_eq!(skeleton.bind_residual(), 0.25);
}

#[test]
fn records_that_lead_nowhere_are_refused() {
    let root = || bone(None, Vec3::ZERO, Quat::IDENTITY);
    let build = |bones: Vec<Bone>| Skeleton::new(bones, Vec::new());
    let own = bone(Some(0), Vec3::ZERO, Quat::IDENTITY);
    assert_eq!(build(vec![own]), Err(Error::Parent { bone: 0, parent: 0 }));
    let quat = QuatInterp {
        control: 7,
        triggers: Vec::new(),
    };
    let lost = computed(Some(0), Procedure::QuatInterp(quat));
    let error = build(vec![root(), lost]).expect_err("no such control");
    assert!(
        error.to_string().contains("bone 1 names bone 7 of 2"),
        "{error}"
    );
    let stray = Attachment {
        bone: 3,
        local: Affine3A::IDENTITY,
    };
    let error = Skeleton::new(vec![root()], vec![stray]).expect_err("no such bone");
    assert!(
        error.to_string().contains("attachment 0 names bone 3 of 1"),
        "{error}"
    );
}

proptest! {
    #[test]
    fn bones_follow_their_parents(
        turns in proptest::collection::vec((points(5.0), quats()), 2..9),
        root in (points(9.0), quats()),
        corner in points(2.0),
    ) {
        let chain = turns.iter().enumerate();
        let bones = chain.map(|(at, &(place, turn))| bone(at.checked_sub(1), place, turn));
        let skeleton = Skeleton::new(bones.collect(), Vec::new()).expect("a chain");
        let mut pose = skeleton.pose();
        *pose.root_mut() = Affine3A::from_rotation_translation(root.1, root.0);
        skeleton.place(&mut pose);
        // A point of the last bone, step by step up the chain.
        let mut point = corner;
        for &(place, turn) in turns.iter().rev() {
            point = turn * point + place;
        }
        let wanted = root.1 * point + root.0;
        let found = pose.world()[turns.len() - 1].transform_point3(corner);
        prop_assert!(found.distance(wanted) < 1e-3, "{found} {wanted}");
    }

    #[test]
    fn skinned_vertices_are_between_their_bones(
        places in (points(3.0), points(3.0), points(3.0)),
        turns in (quats(), quats(), quats()),
        first in 0.0..1.0_f32,
        at in points(2.0),
    ) {
        let mut bones = vec![
            bone(None, Vec3::ZERO, Quat::IDENTITY),
            bone(None, Vec3::ZERO, Quat::IDENTITY),
        ];
        for bone in &mut bones {
            bone.pose_to_bone = Affine3A::from_translation(-places.2);
        }
        let skeleton = Skeleton::new(bones, Vec::new()).expect("two bones");
        let mut pose = skeleton.pose();
        for (bone, (place, turn)) in [(places.0, turns.0), (places.1, turns.1)].into_iter().enumerate() {
            *pose.local_mut(bone) = flexion_bones::Local { position: place, rotation: turn };
        }
        skeleton.place(&mut pose);
        let mut palette = Palette::default();
        palette.update(&skeleton, &pose);
        let binding = Binding { weights: [first, 1.0 - first, 0.0], bones: [0, 1, 9], count: 2 };
        let lost = Binding { weights: [1.0, 0.0, 0.0], bones: [9, 0, 0], count: 1 };
        let mut positions = vec![at.to_array(); 3];
        let mut normals = vec![[0.0, 0.0, 1.0]; 3];
        let mut tangents = vec![[0.0, 0.0, 1.0, -1.0]; 3];
        palette
            .skin(&[binding, lost, Binding::default()], &mut positions, &mut normals, &mut tangents)
            .expect("equal lengths");
        let moved = |place: Vec3, turn: Quat| turn * (at - places.2) + place;
        let wanted = moved(places.0, turns.0) * first + moved(places.1, turns.1) * (1.0 - first);
        prop_assert!(Vec3::from(positions[0]).distance(wanted) < 1e-4);
        let normal = turns.0 * Vec3::Z * first + turns.1 * Vec3::Z * (1.0 - first);
        prop_assert!(Vec3::from(normals[0]).distance(normal) < 1e-5);
        for (tangent, normal) in tangents.iter().zip(&normals) {
            prop_assert_eq!(tangent[..3].to_vec(), normal.to_vec(), "the same vector");
            prop_assert_eq!(tangent[3], -1.0);
        }
        prop_assert_eq!(positions[1], at.to_array(), "a bone that is not there");
        prop_assert_eq!(positions[2], at.to_array(), "no bone");
    }
}

#[test]
fn skinning_has_the_same_bits_on_any_number_of_threads() {
    let bones: Vec<Bone> = (0..40)
        .map(|at: usize| {
            let turn = Quat::from_rotation_x(0.1 * at as f32);
            bone(at.checked_sub(1), Vec3::new(0.3, 0.1, 0.2), turn)
        })
        .collect();
    let skeleton = Skeleton::new(bones, Vec::new()).expect("a chain");
    let mut palette = Palette::default();
    palette.update(&skeleton, &skeleton.pose());
    let count = 5000;
    let bindings: Vec<Binding> = (0..count)
        .map(|at| Binding {
            weights: [0.5, 0.3, 0.2],
            bones: [at as u8 % 40, (at * 7) as u8 % 40, (at * 13) as u8 % 40],
            count: 3,
        })
        .collect();
    let base: Vec<[f32; 3]> = (0..count)
        .map(|at| [at as f32, 1.0, -0.5 * at as f32])
        .collect();
    let skinned = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(threads)
            .build()
            .expect("threads");
        let (mut positions, mut normals) = (base.clone(), vec![[0.0, 1.0, 0.0]; count]);
        let mut tangents = vec![[1.0, 0.0, 0.0, 1.0]; count];
        pool.install(|| palette.skin(&bindings, &mut positions, &mut normals, &mut tangents))
            .expect("lengths");
        (positions, normals, tangents)
    };
    let alone = skinned(1);
    assert_ne!(alone.0, base);
    for threads in [2, 3, 8] {
        assert_eq!(skinned(threads), alone, "{threads}");
    }
    let short = palette.skin(
        &bindings[1..],
        &mut base.clone(),
        &mut base.clone(),
        &mut [],
    );
    assert!(
        short
            .expect_err("a binding too few")
            .to_string()
            .contains("4999 bindings")
    );
}
