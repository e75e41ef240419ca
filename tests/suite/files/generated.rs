//! Models made up at random: whatever the types can hold, the file carries.

use std::borrow::Cow;

use flexion_mdl::mdl::{
    AimAt, Attachment, AxisInterp, BodyPart, Bone, BoneController, BoneFlexDriver,
    BoneFlexDriverControl, Controller, ControllerUi, Descriptor, Extension, Eyeball, Flex, Jiggle,
    Lid, LinearBones, Mesh, Model, Mouth, Op, Procedural, QuatInterp, RemapType, Rule, SkinTable,
    SourceBoneTransform, Texture, Trigger, UiSlot, VertAnim, VertAnims, WrinkleVertAnim,
};
use flexion_mdl::{FileKind, Mdl, Name, WriteErrorKind, layout};
use proptest::collection::vec;
use proptest::prelude::*;

use super::without_warnings;

/// Names are handed out from owned bytes, so that a strategy need not borrow.
fn name_of(length: usize) -> impl Strategy<Value = Name<'static>> {
    vec(1..=u8::MAX, 0..=length).prop_map(|bytes| Name::from(bytes.as_slice()).into_owned())
}

fn name() -> impl Strategy<Value = Name<'static>> {
    name_of(9)
}

/// Any float but NaN, which is not equal to itself.
fn float() -> impl Strategy<Value = f32> {
    any::<f32>().prop_filter("NaN differs from itself", |value| !value.is_nan())
}

fn floats<const N: usize>() -> impl Strategy<Value = [f32; N]> {
    [(); N].map(|()| float())
}

fn rows_of_four() -> impl Strategy<Value = [[f32; 4]; 3]> {
    [floats(), floats(), floats()]
}

prop_compose! {
    fn bone()(
        [name, surface_property] in [name(), name()],
        [parent, physics_bone, contents] in any::<[i32; 3]>(),
        controllers in any::<[i32; 6]>(),
        [position, euler, position_scale, rotation_scale] in
            [floats::<3>(), floats(), floats(), floats()],
        [rotation, alignment] in [floats::<4>(), floats()],
        pose_to_bone in rows_of_four(),
        flags in any::<u32>(),
        procedural in proptest::option::of(procedural()),
    ) -> Bone<'static> {
        Bone {
            name,
            parent,
            controllers,
            position: position.into(),
            rotation: quat(rotation),
            euler: euler.into(),
            position_scale: position_scale.into(),
            rotation_scale: rotation_scale.into(),
            pose_to_bone,
            alignment: quat(alignment),
            flags,
            procedural,
            physics_bone,
            surface_property,
            contents,
        }
    }
}

/// A quaternion of the type that bones have.
fn quat([x, y, z, w]: [f32; 4]) -> glam::Quat {
    glam::Quat::from_xyzw(x, y, z, w)
}

prop_compose! {
    fn axis_interp()(
        [control, axis] in any::<[i32; 2]>(),
        positions in floats::<18>(),
        rotations in floats::<24>(),
    ) -> AxisInterp {
        AxisInterp {
            control,
            axis,
            positions: std::array::from_fn(|at| glam::Vec3::from_slice(&positions[3 * at..])),
            rotations: std::array::from_fn(|at| glam::Quat::from_slice(&rotations[4 * at..])),
        }
    }
}

prop_compose! {
    fn trigger()(
        inverse_tolerance in float(),
        [trigger, rotation] in [floats::<4>(), floats()],
        position in floats::<3>(),
    ) -> Trigger {
        Trigger {
            inverse_tolerance,
            trigger: quat(trigger),
            position: position.into(),
            rotation: quat(rotation),
        }
    }
}

prop_compose! {
    fn aim_at()(
        [parent, aim] in any::<[i32; 2]>(),
        [aim_vector, up_vector, base] in [floats::<3>(), floats(), floats()],
    ) -> AimAt {
        AimAt {
            parent,
            aim,
            aim_vector: aim_vector.into(),
            up_vector: up_vector.into(),
            base: base.into(),
        }
    }
}

prop_compose! {
    /// First, last and some members between, so that no two change places unseen.
    fn jiggle()(flags in any::<u32>(), values in floats::<9>()) -> Jiggle {
        let [length, tip_mass, angle_limit, min_yaw, max_pitch, base_mass, base_min_up, rate,
            boing_amplitude] = values;
        Jiggle {
            flags,
            length,
            tip_mass,
            angle_limit,
            min_yaw,
            max_pitch,
            base_mass,
            base_min_up,
            boing_damping_rate: rate,
            boing_amplitude,
            ..Jiggle::default()
        }
    }
}

fn procedural() -> impl Strategy<Value = Procedural> {
    let quat_interp = (any::<i32>(), vec(trigger(), 0..4))
        .prop_map(|(control, triggers)| QuatInterp { control, triggers });
    prop_oneof![
        axis_interp().prop_map(|rule| Procedural::AxisInterp(Box::new(rule))),
        quat_interp.prop_map(Procedural::QuatInterp),
        aim_at().prop_map(|rule| Procedural::AimAtBone(Box::new(rule))),
        aim_at().prop_map(|rule| Procedural::AimAtAttachment(Box::new(rule))),
        jiggle().prop_map(|rule| Procedural::Jiggle(Box::new(rule))),
        any::<i32>()
            .prop_filter("0 is no rule at all", |&kind| kind != 0)
            .prop_map(Procedural::Nothing),
    ]
}

prop_compose! {
    fn bone_controller()(
        [bone, motion, rest, input] in any::<[i32; 4]>(),
        [start, end] in floats(),
    ) -> BoneController {
        BoneController { bone, motion, start, end, rest, input }
    }
}

prop_compose! {
    fn source_transform()(
        name in name(),
        [before, after] in [rows_of_four(), rows_of_four()],
    ) -> SourceBoneTransform<'static> {
        SourceBoneTransform { name, before, after }
    }
}

prop_compose! {
    fn driver()(
        bone in any::<i32>(),
        controls in vec((any::<[i32; 2]>(), floats()), 0..3),
    ) -> BoneFlexDriver {
        let controls = controls.into_iter().map(|([component, controller], [min, max])| {
            BoneFlexDriverControl { component, controller, min, max }
        });
        BoneFlexDriver { bone, controls: controls.collect() }
    }
}

/// What moves bones, apart from the bones' own rules.
type Movers = (
    Vec<BoneController>,
    Vec<SourceBoneTransform<'static>>,
    Vec<BoneFlexDriver>,
);

fn movers() -> impl Strategy<Value = Movers> {
    (
        vec(bone_controller(), 0..3),
        vec(source_transform(), 0..3),
        vec(driver(), 0..3),
    )
}

prop_compose! {
    fn attachment()(
        name in name(),
        flags in any::<u32>(),
        bone in any::<i32>(),
        local in rows_of_four(),
    ) -> Attachment<'static> {
        Attachment { name, flags, bone, local }
    }
}

prop_compose! {
    fn controller()(kind in name(), name in name(), [min, max] in floats()) -> Controller<'static> {
        Controller { kind, name, min, max }
    }
}

fn slot(controllers: u32) -> impl Strategy<Value = UiSlot> {
    let nowhere = prop_oneof![-300..300, any::<i32>()];
    prop_oneof![
        Just(UiSlot::Unused),
        nowhere.prop_map(|offset| match offset {
            0 => UiSlot::Unused,
            offset => UiSlot::Nowhere(offset),
        }),
        any::<u32>().prop_map(move |number| match number.checked_rem(controllers) {
            Some(number) => UiSlot::Controller(number),
            None => UiSlot::Unused,
        }),
    ]
}

fn remap() -> impl Strategy<Value = RemapType> {
    prop_oneof![
        Just(RemapType::Passthru),
        Just(RemapType::TwoWay),
        Just(RemapType::NWay),
        Just(RemapType::Eyelid),
        (4..=u8::MAX).prop_map(RemapType::Unknown),
    ]
}

prop_compose! {
    fn ui(controllers: u32)(
        name in name(),
        slots in [slot(controllers), slot(controllers), slot(controllers)],
        remap in remap(),
        stereo in any::<bool>(),
    ) -> ControllerUi<'static> {
        ControllerUi { name, slots, remap, stereo }
    }
}

prop_compose! {
    fn rule()(
        target in any::<i32>(),
        ops in vec((any::<i32>(), any::<[u8; 4]>()), 0..6),
    ) -> Rule {
        let ops = ops.into_iter().map(|(code, operand)| Op { code, operand });
        Rule { target, ops: ops.collect() }
    }
}

prop_compose! {
    fn vert_anim()(
        vertex in any::<u16>(),
        [speed, side] in any::<[u8; 2]>(),
        delta in any::<[u16; 3]>(),
        normal_delta in any::<[u16; 3]>(),
    ) -> VertAnim {
        VertAnim {
            vertex: vertex.into(),
            speed,
            side,
            delta: delta.map(Into::into),
            normal_delta: normal_delta.map(Into::into),
        }
    }
}

fn vert_anims() -> impl Strategy<Value = VertAnims<'static>> {
    let wrinkle = (vert_anim(), any::<i16>()).prop_map(|(base, wrinkle)| WrinkleVertAnim {
        base,
        wrinkle: wrinkle.into(),
    });
    prop_oneof![
        vec(vert_anim(), 0..20).prop_map(|rows| VertAnims::Plain(Cow::Owned(rows))),
        vec(wrinkle, 0..20).prop_map(|rows| VertAnims::Wrinkle(Cow::Owned(rows))),
    ]
}

prop_compose! {
    fn flex()(
        descriptor in any::<i32>(),
        targets in floats::<4>(),
        partner in any::<i32>(),
        vert_anims in vert_anims(),
    ) -> Flex<'static> {
        Flex { descriptor, targets, partner, vert_anims }
    }
}

prop_compose! {
    fn mesh()(
        [material, vertex_offset, material_type, material_param, id] in any::<[i32; 5]>(),
        vertex_count in 0..=i32::MAX,
        center in floats::<3>(),
        lod_vertex_counts in any::<[i32; 8]>(),
        flexes in vec(flex(), 0..3),
    ) -> Mesh<'static> {
        Mesh {
            material,
            vertex_count,
            vertex_offset,
            material_type,
            material_param,
            id,
            center: center.into(),
            lod_vertex_counts,
            flexes,
        }
    }
}

prop_compose! {
    fn lid()(
        descriptors in any::<[i32; 3]>(),
        targets in floats::<3>(),
        lid_descriptor in any::<i32>(),
    ) -> Lid {
        Lid { descriptors, targets, lid_descriptor }
    }
}

prop_compose! {
    fn eyeball()(
        name in name(),
        [bone, texture] in any::<[i32; 2]>(),
        [origin, up, forward] in [floats::<3>(), floats::<3>(), floats::<3>()],
        [z_offset, radius, iris_scale] in floats(),
        [upper, lower] in [lid(), lid()],
        non_facs in any::<bool>(),
    ) -> Eyeball<'static> {
        Eyeball {
            name,
            bone,
            origin: origin.into(),
            z_offset,
            radius,
            up: up.into(),
            forward: forward.into(),
            texture,
            iris_scale,
            upper,
            lower,
            non_facs,
        }
    }
}

prop_compose! {
    fn model()(
        name in name_of(64),
        kind in any::<i32>(),
        bounding_radius in float(),
        vertex_count in 0..=i32::MAX,
        first_vertex in 0..=i32::MAX / 48,
        first_tangent in 0..=i32::MAX / 16,
        meshes in vec(mesh(), 0..3),
        eyeballs in vec(eyeball(), 0..3),
    ) -> Model<'static> {
        Model {
            name,
            kind,
            bounding_radius,
            vertex_count,
            first_vertex,
            first_tangent,
            meshes,
            eyeballs,
        }
    }
}

prop_compose! {
    fn body_part()(
        name in name(),
        base in any::<i32>(),
        models in vec(model(), 0..3),
    ) -> BodyPart<'static> {
        BodyPart { name, base, models }
    }
}

prop_compose! {
    fn mouth()(
        [bone, descriptor] in any::<[i32; 2]>(),
        forward in floats::<3>(),
    ) -> Mouth {
        Mouth { bone, forward: forward.into(), descriptor }
    }
}

prop_compose! {
    fn skins()(references in 0..4_usize, families in 0..4_usize)(
        references in Just(references),
        textures in vec(any::<i16>(), references * families),
    ) -> SkinTable {
        SkinTable { references, textures }
    }
}

prop_compose! {
    fn extension()(
        illumination_attachment in any::<i32>(),
        max_eye_deflection in float(),
    ) -> Extension {
        Extension { illumination_attachment, max_eye_deflection }
    }
}

prop_compose! {
    /// The header's own fields, in a model without tables.
    fn header()(
        version in 44..=49,
        [checksum, flags] in any::<[u32; 2]>(),
        extension in proptest::option::of(extension()),
        short_name in name_of(64),
        long_name in name_of(200),
        [eye, illumination, hull_min, hull_max] in [floats::<3>(), floats(), floats(), floats()],
        view_box in [floats::<3>(), floats::<3>()],
        [mass, vert_anim_fixed_point_scale] in floats(),
        contents in any::<i32>(),
    ) -> Mdl<'static> {
        Mdl {
            version,
            checksum,
            name: if extension.is_some() { long_name } else { short_name },
            flags,
            eye_position: eye.into(),
            illumination_position: illumination.into(),
            hull: [hull_min.into(), hull_max.into()],
            view_box: view_box.map(Into::into),
            mass,
            contents,
            vert_anim_fixed_point_scale,
            extension,
            ..Mdl::default()
        }
    }
}

prop_compose! {
    fn mdl()(controllers in vec(controller(), 0..5))(
        header in header(),
        skeleton in (vec(bone(), 0..3), vec(attachment(), 0..3)),
        other_bones in proptest::option::of(vec(bone(), 0..3)),
        movers in movers(),
        textures in vec(name(), 0..3),
        texture_folders in vec(name(), 0..3),
        skins in skins(),
        body_parts in vec(body_part(), 0..3),
        descriptors in vec(name(), 0..5),
        controller_uis in vec(ui(controllers.len() as u32), 0..4),
        rules in vec(rule(), 0..4),
        mouths in vec(mouth(), 0..3),
        controllers in Just(controllers),
    ) -> Mdl<'static> {
        let (bones, attachments) = skeleton;
        let (bone_controllers, source_bone_transforms, bone_flex_drivers) = movers;
        // Only in the header's second part is there room for these.
        let second = header.extension.is_some();
        Mdl {
            bones,
            bone_controllers,
            linear_bones: other_bones.filter(|_| second).map(|bones| LinearBones::of(&bones)),
            source_bone_transforms: if second { source_bone_transforms } else { vec![] },
            bone_flex_drivers: if second { bone_flex_drivers } else { vec![] },
            attachments,
            textures: textures.into_iter().map(|name| Texture { name }).collect(),
            texture_folders,
            skins,
            body_parts,
            descriptors: descriptors.into_iter().map(|name| Descriptor { name }).collect(),
            controllers,
            controller_uis: if header.version < 47 { vec![] } else { controller_uis },
            rules,
            mouths,
            ..header
        }
    }
}

proptest! {
    #[test]
    fn any_model_survives_writing(mdl in mdl()) {
        let bytes = match mdl.write() {
            Ok(bytes) => bytes,
            // Slots that lead nowhere cannot always be kept from meeting a slider.
            Err(error) => {
                prop_assert!(error.place.field.starts_with("szindex"), "{error}");
                let is_value = matches!(error.kind, WriteErrorKind::Value { .. });
                prop_assert!(is_value, "{error}");
                return Err(TestCaseError::reject("a slot meets a slider"));
            }
        };
        let read = Mdl::read(&bytes);
        prop_assert!(read.is_ok(), "{}", read.unwrap_err());
        prop_assert_eq!(read.map(without_warnings), Ok(mdl));
    }

    #[test]
    fn any_model_has_a_whole_map(mdl in mdl()) {
        if let Ok(bytes) = mdl.write() {
            let map = layout(&bytes, FileKind::Mdl);
            prop_assert_eq!(map.error, None);
            let mut end = 0;
            let mut parts = map.parts;
            parts.sort_by_key(|part| part.offset);
            for part in parts {
                prop_assert!(part.offset >= end, "{:?}", part);
                end = part.offset + part.size;
            }
            prop_assert!(end <= bytes.len() as u64);
        }
    }
}
