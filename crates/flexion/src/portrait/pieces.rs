//! The pieces that a model is drawn in, and what each is made of.

use std::collections::BTreeMap;
use std::sync::Arc;

use flexion_deform::Precision;
use flexion_render::{Facing, Geometry, Material, Texture};
use glam::Vec3;

use super::framing::middle;
use crate::error::Error;
use crate::eye::EyeFrame;
use crate::model::Model;
use crate::names;
use crate::submodel::{Mesh, Submodel};

#[derive(Debug)]
pub(super) struct PartMesh {
    pub(super) geometry: Geometry,
    pub(super) material: Material,
    pub(super) texture: Option<Arc<Texture>>,
    pub(super) eye: Option<EyeKind>,
}

/// What is known of a mesh that is an eye.
#[derive(Clone, Copy, Debug)]
pub(super) enum EyeKind {
    /// The submodel's eyeball of this number.
    Eyeball(usize),
    /// Only that it is called an eye: it looks ahead, whatever the sliders say.
    Named {
        frame: EyeFrame,
        radius: f32,
        /// The bone that carries it.
        bone: usize,
    },
}

/// A mesh as it is drawn: in one piece, or each side of it apart where it is called an eye and the
/// file has no eyeball for it.
pub(super) fn part_meshes(
    part: &Submodel,
    mesh: &Mesh,
    facing: Facing,
    textures: &BTreeMap<String, Arc<Texture>>,
) -> Vec<PartMesh> {
    let texture = textures.get(&bare(&mesh.material)).cloned();
    let piece = |triangles: &[[u32; 3]], eye| PartMesh {
        geometry: Geometry::new(triangles),
        material: Material::named(&mesh.material),
        texture: texture.clone(),
        eye,
    };
    let named = texture.is_none() && is_eye(&mesh.material);
    match mesh.eyeball {
        Some(eyeball) => vec![piece(&mesh.triangles, Some(EyeKind::Eyeball(eyeball)))],
        None if named => sides(part, mesh, facing)
            .into_iter()
            .filter(|triangles| !triangles.is_empty())
            .map(|triangles| piece(&triangles, Some(named_eye(part, &triangles, facing))))
            .collect(),
        None => vec![piece(&mesh.triangles, None)],
    }
}

/// Whether a material is called an eye, and not what is around one.
pub(super) fn is_eye(material: &str) -> bool {
    let name = bare(material);
    let around = ["brow", "lash", "lid", "glass", "shadow"];
    name.contains("eye") && !around.iter().any(|word| name.contains(word))
}

/// The triangles of a mesh on either side of its middle.
pub(super) fn sides(part: &Submodel, mesh: &Mesh, facing: Facing) -> [Vec<[u32; 3]>; 2] {
    let base = &part.deformer(Precision::File).base().positions;
    let place = |&vertex: &u32| Vec3::from(base[vertex as usize]);
    let corners: Vec<Vec3> = mesh.triangles.as_flattened().iter().map(place).collect();
    let middle = middle(&corners).dot(facing.left());
    let is_left = |triangle: &[u32; 3]| {
        let sum: Vec3 = triangle.iter().map(place).sum();
        sum.dot(facing.left()) > 3.0 * middle
    };
    let (left, right) = mesh
        .triangles
        .iter()
        .partition(|triangle| is_left(triangle));
    [left, right]
}

/// An eye in the middle of some triangles.
pub(super) fn named_eye(part: &Submodel, triangles: &[[u32; 3]], facing: Facing) -> EyeKind {
    let base = &part.deformer(Precision::File).base().positions;
    let corners = triangles.as_flattened().iter();
    let places: Vec<Vec3> = corners
        .map(|&vertex| base[vertex as usize].into())
        .collect();
    let heights = || places.iter().map(|at| at.dot(facing.up));
    let (low, high) = heights().fold((f32::MAX, f32::MIN), |(low, high), at| {
        (low.min(at), high.max(at))
    });
    let radius = (0.5 * (high - low)).max(1e-3);
    EyeKind::Named {
        frame: EyeFrame {
            origin: middle(&places) - facing.forward * radius,
            forward: facing.forward,
            right: -facing.left(),
            up: facing.up,
        },
        radius,
        bone: triangles.first().map_or(0, |corners| {
            usize::from(part.bindings()[corners[0] as usize].bones[0])
        }),
    }
}

/// A material's name without its folder, in lower case.
pub(super) fn bare(material: &str) -> String {
    let name = material.rsplit(['/', '\\']).next().unwrap_or(material);
    name.to_lowercase()
}

/// The textures by bare name, each of which must be one of the model's.
pub(super) fn by_material(
    model: &Model,
    given: &BTreeMap<String, Arc<Texture>>,
) -> Result<BTreeMap<String, Arc<Texture>>, Error> {
    let meshes = model.submodels().iter().flat_map(Submodel::meshes);
    let known: Vec<String> = meshes.map(|mesh| bare(&mesh.material)).collect();
    let mut textures = BTreeMap::new();
    for (name, texture) in given {
        let bare = bare(name);
        if !known.contains(&bare) {
            return Err(Error::UnknownMaterial {
                name: name.clone(),
                nearest: names::nearest(known.iter().map(String::as_str), &bare),
            });
        }
        textures.insert(bare, texture.clone());
    }
    Ok(textures)
}

/// Radius of the iris in model units. Files hold one over its diameter in `iris_scale`; held to
/// what an eye can look like, since many hold anything.
pub(super) fn iris_radius(radius: f32, iris_scale: f32) -> f32 {
    let written = 0.5 / iris_scale;
    if written.is_finite() {
        written.clamp(0.4 * radius, 0.7 * radius)
    } else {
        0.5 * radius
    }
}
