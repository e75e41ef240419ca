//! From the sculpted head to the three files: meshes, flexes, bones, eyeballs, triangles.

use std::array;

use flexion_mdl::mdl::{
    BodyPart, Extension, Eyeball, Lid, LinearBones, Mesh as FileMesh, Model, Mouth, SkinTable,
    Texture,
};
use flexion_mdl::vtx::{VtxBodyPart, VtxLod, VtxMesh, VtxModel};
use flexion_mdl::vvd::Vertex as FileVertex;
use flexion_mdl::{Mdl, Vtx, Vvd};
use glam::{Vec3, vec3};
use zerocopy::byteorder::little_endian::F32;

use crate::flexes::{self, Motions};
use crate::mesh::{Material, Mesh, Part};
use crate::rig::Rig;
use crate::sculpt::{EYE, EYE_RADIUS};
use crate::shapes;
use crate::skeleton::{self, HEAD};
use crate::{Sample, hair, parts, procedural, skin};

/// Any number will do, as long as the three files agree.
const CHECKSUM: u32 = 0x466c_6578;
/// `VtxMesh::flags` of teeth and eyes.
const TEETH: u8 = 1;
const EYES: u8 = 2;

/// What the two body parts show.
const HEAD_MATERIALS: &[Material] = &[
    Material::Face,
    Material::Lips,
    Material::Mouth,
    Material::Teeth,
    Material::Tongue,
    Material::Brow,
    Material::Lash,
    Material::LeftEye,
    Material::RightEye,
];
const HAIR_MATERIALS: &[Material] = &[Material::Hair];

/// The head with everything that a mesh of the file needs of it.
struct Head {
    mesh: Mesh,
    normals: Vec<Vec3>,
    tangents: Vec<(Vec3, f32)>,
    motions: Vec<Motions>,
    rig: Rig,
}

impl Head {
    fn new() -> Self {
        let mut mesh = Mesh::default();
        skin::build(&mut mesh);
        parts::build(&mut mesh);
        hair::build(&mut mesh);
        let normals = mesh.normals(&mesh.positions());
        let tangents = mesh.tangents(&normals);
        let motions = flexes::motions(&mesh, &normals);
        Head {
            mesh,
            normals,
            tangents,
            motions,
            rig: Rig::new(),
        }
    }
}

/// Builds the sample.
pub(crate) fn sample() -> Sample {
    let head = Head::new();
    let mut vvd = Vvd {
        checksum: CHECKSUM,
        lod_vertex_counts: Vec::new(),
        vertices: Vec::new().into(),
        tangents: Vec::new().into(),
    };
    let (mut face, face_lod) = model(&head, "head", HEAD_MATERIALS, &mut vvd);
    face.eyeballs = [("eye_right", -1.0), ("eye_left", 1.0)]
        .map(|(name, side)| eyeball(&head.rig, name, side))
        .into();
    let (hair, hair_lod) = model(&head, "hair", HAIR_MATERIALS, &mut vvd);
    let (bald, bald_lod) = model(&head, "bald", &[], &mut vvd);
    vvd.lod_vertex_counts = vec![vvd.vertices.len() as u32];
    let part = |name: &'static str, models| BodyPart {
        name: name.into(),
        base: 1,
        models,
    };
    let vtx_part = |lods: Vec<VtxLod>| VtxBodyPart {
        models: lods
            .into_iter()
            .map(|lod| VtxModel { lods: vec![lod] })
            .collect(),
    };
    Sample {
        mdl: mdl(
            &head,
            vec![part("head", vec![face]), part("hair", vec![hair, bald])],
        ),
        vvd,
        vtx: Vtx {
            checksum: CHECKSUM,
            body_parts: vec![vtx_part(vec![face_lod]), vtx_part(vec![hair_lod, bald_lod])],
        },
    }
}

fn mdl(head: &Head, body_parts: Vec<BodyPart<'static>>) -> Mdl<'static> {
    let (low, high) = bounds(head.mesh.positions());
    let bones = skeleton::bones();
    let textures: Vec<Texture> = Material::ALL
        .map(|material| Texture {
            name: material.name().into(),
        })
        .into();
    Mdl {
        version: 48,
        checksum: CHECKSUM,
        name: "flexion/face.mdl".into(),
        flags: 0,
        eye_position: vec3(0.0, EYE.y, EYE.z),
        illumination_position: vec3(0.0, 0.0, EYE.z),
        hull: [low, high],
        view_box: [low, high],
        mass: 5.0,
        contents: 1,
        vert_anim_fixed_point_scale: 0.0,
        extension: Some(Extension {
            illumination_attachment: 0,
            max_eye_deflection: 0.819,
        }),
        linear_bones: Some(LinearBones::of(&bones)),
        bones,
        bone_controllers: vec![skeleton::jaw_controller()],
        source_bone_transforms: vec![skeleton::neck_transform()],
        bone_flex_drivers: vec![skeleton::jaw_driver(head.rig.controller("jaw_bone"))],
        attachments: skeleton::attachments(),
        skins: SkinTable {
            references: textures.len(),
            textures: (0..textures.len() as i16).collect(),
        },
        textures,
        texture_folders: vec!["models/flexion/".into()],
        body_parts,
        descriptors: head.rig.descriptors.clone(),
        controllers: head.rig.controllers.clone(),
        controller_uis: head.rig.uis.clone(),
        rules: head.rig.rules.clone(),
        mouths: vec![Mouth {
            bone: HEAD,
            forward: skeleton::turned(Vec3::NEG_Y),
            descriptor: head.rig.descriptor("jaw_drop"),
        }],
        ..Mdl::default()
    }
}

/// A model with one mesh per material, and its triangles; the vertices go to `vvd`.
fn model(
    head: &Head,
    name: &'static str,
    materials: &[Material],
    vvd: &mut Vvd<'static>,
) -> (Model<'static>, VtxLod) {
    let first = vvd.vertices.len();
    let mut lod = VtxLod::default();
    let mut meshes = Vec::new();
    let mut radius: f32 = 0.0;
    for (number, &material) in materials.iter().enumerate() {
        let (used, triangles) = cut(&head.mesh, material);
        let offset = vvd.vertices.len() - first;
        for &vertex in &used {
            radius = radius.max(head.mesh.vertices[vertex].position.length());
            vvd.vertices
                .to_mut()
                .push(file_vertex(head, material, vertex));
            let (along, sign) = head.tangents[vertex];
            let tangent = [along.x, along.y, along.z, sign].map(F32::new);
            vvd.tangents.to_mut().push(tangent);
        }
        meshes.push(file_mesh(head, material, number, offset, &used));
        lod.meshes.push(VtxMesh {
            flags: vtx_flags(material),
            triangles,
        });
    }
    let model = Model {
        name: name.into(),
        kind: 0,
        bounding_radius: radius,
        vertex_count: (vvd.vertices.len() - first) as i32,
        first_vertex: first as i32,
        first_tangent: first as i32,
        meshes,
        eyeballs: Vec::new(),
    };
    (model, lod)
}

fn vtx_flags(material: Material) -> u8 {
    match material {
        Material::Teeth => TEETH,
        Material::LeftEye | Material::RightEye => EYES,
        _ => 0,
    }
}

/// The vertices that a material uses, in order, and its triangles among them.
fn cut(mesh: &Mesh, material: Material) -> (Vec<usize>, Vec<[u16; 3]>) {
    let mut own = vec![u16::MAX; mesh.vertices.len()];
    let mut used = Vec::new();
    let of_material = mesh.triangles.iter().filter(|(of, _)| *of == material);
    let triangles = of_material
        .map(|(_, corners)| {
            corners.map(|vertex| {
                let number = &mut own[vertex as usize];
                if *number == u16::MAX {
                    *number = used.len() as u16;
                    used.push(vertex as usize);
                }
                *number
            })
        })
        .collect();
    (used, triangles)
}

fn file_mesh(
    head: &Head,
    material: Material,
    number: usize,
    offset: usize,
    used: &[usize],
) -> FileMesh<'static> {
    let (low, high) = bounds(
        used.iter()
            .map(|&vertex| head.mesh.vertices[vertex].position),
    );
    let eye = match material {
        Material::RightEye => Some(0),
        Material::LeftEye => Some(1),
        _ => None,
    };
    FileMesh {
        material: material as i32,
        vertex_count: used.len() as i32,
        vertex_offset: offset as i32,
        material_type: i32::from(eye.is_some()),
        material_param: eye.unwrap_or(0),
        id: number as i32,
        center: (low + high) / 2.0,
        lod_vertex_counts: [used.len() as i32; 8],
        flexes: flexes::of_mesh(&head.motions, &head.mesh, &head.rig, used),
    }
}

fn file_vertex(head: &Head, material: Material, number: usize) -> FileVertex {
    let vertex = &head.mesh.vertices[number];
    let (bones, weights, bone_count) = match (material, vertex.part) {
        (Material::Hair, _) => procedural::hair_weights(vertex.position),
        // The flexes of the jaw carry these; its bone would carry them twice.
        (_, Part::Jaw | Part::Tongue) => skeleton::head_weights(),
        _ => skeleton::skin_weights(vertex.position),
    };
    FileVertex {
        weights: weights.map(F32::new),
        bones,
        bone_count,
        position: vertex.position.to_array().map(F32::new),
        normal: head.normals[number].to_array().map(F32::new),
        uv: vertex.uv.to_array().map(F32::new),
    }
}

fn eyeball(rig: &Rig, name: &'static str, side: f32) -> Eyeball<'static> {
    let end = if side > 0.0 { "left" } else { "right" };
    let lid = |lid: &str, upper: bool| Lid {
        descriptors: ["lowerer", "neutral", "raiser"]
            .map(|way| rig.descriptor(&format!("{lid}_{way}_{end}"))),
        targets: shapes::heights(upper),
        lid_descriptor: rig.descriptor(&format!("{lid}_{end}")),
    };
    Eyeball {
        name: name.into(),
        bone: HEAD,
        origin: skeleton::in_head(EYE * vec3(side, 1.0, 1.0)),
        z_offset: 0.0,
        radius: EYE_RADIUS,
        up: skeleton::turned(Vec3::Z),
        forward: skeleton::turned(Vec3::NEG_Y),
        texture: if side > 0.0 {
            Material::LeftEye
        } else {
            Material::RightEye
        } as i32,
        iris_scale: 1.0,
        upper: lid("upper", true),
        lower: lid("lower", false),
        non_facs: false,
    }
}

/// The corners of a box around points; the origin twice when there are none.
fn bounds(points: impl IntoIterator<Item = Vec3>) -> (Vec3, Vec3) {
    let mut points = points.into_iter();
    let Some(first) = points.next() else {
        return (Vec3::ZERO, Vec3::ZERO);
    };
    let [low, high] = points.fold([first; 2], |[low, high], point| {
        let each = |pick: fn(f32, f32) -> f32, from: Vec3| {
            Vec3::from_array(array::from_fn(|axis| pick(from[axis], point[axis])))
        };
        [each(f32::min, low), each(f32::max, high)]
    });
    (low, high)
}
