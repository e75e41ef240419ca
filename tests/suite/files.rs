//! `.mdl` files: models made by hand and by a generator, written and read back; files that must be
//! refused; oddities that must be listed; the map of a file; the corpus.

mod bones;
mod corpus;
mod generated;
mod map;
mod oddities;
mod refused;
mod round_trip;

use std::borrow::Cow;

use flexion_mdl::mdl::{
    Attachment, BodyPart, Bone, Controller, ControllerUi, Descriptor, Extension, Eyeball, Flex,
    Lid, Mesh, Model, Mouth, Op, RemapType, Rule, SkinTable, Texture, UiSlot, VertAnim, VertAnims,
    WrinkleVertAnim,
};
use flexion_mdl::{FileKind, Mdl, Part, layout};

/// A model with one or two of everything, and nothing odd about it.
fn small_model() -> Mdl<'static> {
    Mdl {
        version: 48,
        checksum: 0xfeed_beef,
        name: "heads/small.mdl".into(),
        flags: 0x40,
        eye_position: [0.0, 1.0, 66.5].into(),
        illumination_position: [0.25, -0.5, 64.0].into(),
        hull: [[-1.0, -2.0, -3.0].into(), [1.0, 2.0, 3.0].into()],
        view_box: [[-4.0, -5.0, -6.0].into(), [4.0, 5.0, 6.0].into()],
        mass: 12.5,
        contents: 1,
        vert_anim_fixed_point_scale: 0.001,
        extension: Some(Extension {
            illumination_attachment: 1,
            max_eye_deflection: 0.75,
        }),
        bones: vec![bone("root", -1), bone("head", 0)],
        bone_controllers: vec![],
        linear_bones: None,
        source_bone_transforms: vec![],
        bone_flex_drivers: vec![],
        attachments: vec![Attachment {
            name: "eyes".into(),
            flags: 0x1_0000,
            bone: 1,
            local: [
                [1.0, 0.0, 0.0, 3.0],
                [0.0, 1.0, 0.0, 4.0],
                [0.0, 0.0, 1.0, 5.0],
            ],
        }],
        textures: ["skin", "eye"]
            .map(|name| Texture { name: name.into() })
            .into(),
        texture_folders: vec!["models\\heads\\".into(), "".into()],
        skins: SkinTable {
            references: 2,
            textures: vec![0, 1, 1, 0],
        },
        body_parts: vec![BodyPart {
            name: "body".into(),
            base: 1,
            models: vec![model()],
        }],
        descriptors: ["neutral", "AU1R", "AU1L", "lid"]
            .map(|name| Descriptor { name: name.into() })
            .into(),
        controllers: vec![controller("right_brow", 0.0), controller("left_brow", -1.0)],
        controller_uis: vec![ControllerUi {
            name: "brow".into(),
            slots: [UiSlot::Controller(1), UiSlot::Controller(0), UiSlot::Unused],
            remap: RemapType::TwoWay,
            stereo: true,
        }],
        rules: vec![
            Rule {
                target: 1,
                ops: vec![op(2, 0_i32.to_le_bytes()), op(1, 0.5_f32.to_le_bytes())],
            },
            Rule {
                target: 2,
                ops: vec![],
            },
        ],
        mouths: vec![Mouth {
            bone: 1,
            forward: [1.0, 0.0, 0.0].into(),
            descriptor: 3,
        }],
        warnings: vec![],
    }
}

fn bone(name: &'static str, parent: i32) -> Bone<'static> {
    let mut bone = Bone {
        name: name.into(),
        parent,
        position: [1.0, 2.0, 3.0].into(),
        rotation: Default::default(),
        euler: [0.1, 0.2, 0.3].into(),
        pose_to_bone: [
            [1.0, 2.0, 3.0, 4.0],
            [5.0, 6.0, 7.0, 8.0],
            [9.0, 10.0, 11.0, 12.0],
        ],
        flags: 0x400,
        ..Bone::default()
    };
    bone.rotation.y = -0.5;
    bone
}

fn controller(name: &'static str, min: f32) -> Controller<'static> {
    Controller {
        kind: "brow".into(),
        name: name.into(),
        min,
        max: 1.0,
    }
}

fn op(code: i32, operand: [u8; 4]) -> Op {
    Op { code, operand }
}

fn model() -> Model<'static> {
    let skin = Mesh {
        material: 0,
        vertex_count: 5,
        vertex_offset: 0,
        material_type: 0,
        material_param: 0,
        id: 0,
        center: [0.0, 0.0, 64.0].into(),
        lod_vertex_counts: [5, 4, 3, 2, 1, 1, 1, 1],
        flexes: vec![
            flex(
                1,
                VertAnims::Plain(Cow::Owned(vec![row(0, 0x3c00), row(4, 0x3400)])),
            ),
            flex(
                2,
                VertAnims::Wrinkle(Cow::Owned(vec![wrinkle(3, 0xbc00, -4096)])),
            ),
        ],
    };
    let eye = Mesh {
        material: 1,
        vertex_count: 2,
        vertex_offset: 5,
        material_type: 1,
        material_param: 0,
        id: 1,
        flexes: vec![],
        ..skin.clone()
    };
    Model {
        name: "head".into(),
        kind: 0,
        bounding_radius: 80.0,
        vertex_count: 7,
        first_vertex: 3,
        first_tangent: 3,
        meshes: vec![skin, eye],
        eyeballs: vec![Eyeball {
            name: "eye_right".into(),
            bone: 1,
            origin: [1.0, -3.0, 66.0].into(),
            z_offset: 0.05,
            radius: 0.7,
            up: [0.0, 0.0, 1.0].into(),
            forward: [0.0, -1.0, 0.0].into(),
            texture: 1,
            iris_scale: 1.5,
            upper: lid(0.3),
            lower: lid(-0.2),
            non_facs: true,
        }],
    }
}

fn flex(descriptor: i32, vert_anims: VertAnims<'static>) -> Flex<'static> {
    Flex {
        descriptor,
        targets: [0.0, 1.0, 10.0, 11.0],
        partner: 0,
        vert_anims,
    }
}

fn row(vertex: u16, half: u16) -> VertAnim {
    VertAnim {
        vertex: vertex.into(),
        speed: 255,
        side: 128,
        delta: [half, 0, 0x8000].map(Into::into),
        normal_delta: [0, half, 1].map(Into::into),
    }
}

fn wrinkle(vertex: u16, half: u16, wrinkle: i16) -> WrinkleVertAnim {
    WrinkleVertAnim {
        base: row(vertex, half),
        wrinkle: wrinkle.into(),
    }
}

fn lid(neutral: f32) -> Lid {
    Lid {
        descriptors: [1, 2, 3],
        targets: [-0.4, neutral, 0.5],
        lid_descriptor: 3,
    }
}

/// The part of a file that is the member `field` of record `index` of its first table.
fn member(bytes: &[u8], structure: &str, index: Option<u32>, field: &str) -> Part {
    let map = layout(bytes, FileKind::Mdl);
    let found = map.parts.into_iter().find(|part| {
        (part.place.structure, part.place.index, part.place.field) == (structure, index, field)
            && part.offset == part.place.offset
    });
    found.unwrap_or_else(|| panic!("no {structure}[{index:?}].{field}"))
}

/// Overwrites the start of a member.
fn set(bytes: &mut [u8], structure: &str, index: Option<u32>, field: &str, value: &[u8]) {
    let part = member(bytes, structure, index, field);
    assert!(
        value.len() as u64 <= part.size,
        "{structure}.{field} is smaller than that"
    );
    let start = usize::try_from(part.offset).expect("an offset within the bytes");
    bytes[start..start + value.len()].copy_from_slice(value);
}

/// The same model without its warnings: they are not written, and their places move.
fn without_warnings(mut mdl: Mdl<'_>) -> Mdl<'_> {
    mdl.warnings.clear();
    mdl
}
