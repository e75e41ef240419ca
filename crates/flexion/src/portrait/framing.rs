//! Where a model's face is and which way it looks.

use flexion_deform::Precision;
use flexion_render::Facing;
use glam::Vec3;

use crate::model::Model;
use crate::submodel::{Mesh, Submodel};

/// The first alternative of each body part, with its number among all submodels.
pub(super) fn shown(model: &Model) -> impl Iterator<Item = (usize, &Submodel)> {
    let submodels = model.submodels().iter().enumerate();
    submodels.filter(|(_, submodel)| submodel.index() == 0)
}

/// The points that a picture of the whole face shows: heads, eyeballs, and the hair or hat on
/// them; without any, all vertices.
pub(super) fn framed(model: &Model, facing: Facing) -> Vec<Vec3> {
    let mut points = Vec::new();
    for (_, part) in shown(model) {
        points.extend(part.meshes().iter().flat_map(|mesh| head(part, mesh)));
        for eye in part.eyes() {
            let centre = eye.bone.transform_point3(eye.eyeball.origin);
            let reach = Vec3::splat(eye.eyeball.radius.abs());
            points.extend([centre - reach, centre + reach]);
        }
    }
    if points.is_empty() {
        points.extend(everything(model));
    } else {
        points.extend(on_top(model, facing, &points));
    }
    points
}

/// The vertices of all that is drawn, at rest.
fn everything(model: &Model) -> impl Iterator<Item = Vec3> {
    shown(model).flat_map(|(_, part)| {
        let base = &part.deformer(Precision::File).base().positions;
        base.iter().map(|&at| Vec3::from(at))
    })
}

/// What stands on a head and no flex moves: hair and hats are often pieces of their own.
fn on_top(model: &Model, facing: Facing, head: &[Vec3]) -> Vec<Vec3> {
    /// How far up, in heights of the head: a banner on the back is no hat.
    const TALLEST: f32 = 0.6;
    let upright = |at: Vec3| {
        Vec3::new(
            at.dot(facing.left()),
            at.dot(facing.forward),
            at.dot(facing.up),
        )
    };
    let head: Vec<Vec3> = head.iter().map(|&at| upright(at)).collect();
    let [low, mut high] = around(&head);
    high.z += TALLEST * (high.z - low.z);
    let is_on_top = |&at: &Vec3| {
        let at = upright(at);
        at.cmpge(low).all() && at.cmple(high).all()
    };
    everything(model).filter(is_on_top).collect()
}

/// The vertices of a mesh that belong to a head: all of a mesh that is hardly larger than what
/// flexes move of it, as heads are; only those that move of a whole body in one piece.
pub(super) fn head(part: &Submodel, mesh: &Mesh) -> Vec<Vec3> {
    /// How much larger than its moving part a head may be.
    const HEAD: f32 = 3.2;
    /// How much of a head around what moves is shown where nothing tells its size.
    const AROUND: f32 = 1.25;
    let deformer = part.deformer(Precision::File);
    let base = &deformer.base().positions;
    let flexed = deformer.flexed().iter().map(|&vertex| vertex as usize);
    let moving: Vec<Vec3> = flexed
        .filter(|vertex| mesh.vertices.contains(vertex))
        .map(|vertex| base[vertex].into())
        .collect();
    let all: Vec<Vec3> = base[mesh.vertices.clone()]
        .iter()
        .map(|&at| at.into())
        .collect();
    if moving.is_empty() || extent(&all) > HEAD * extent(&moving) {
        let middle = middle(&moving);
        let around = |at: Vec3| middle + (at - middle) * AROUND;
        moving.into_iter().map(around).collect()
    } else {
        all
    }
}

/// The corners of the box around points.
pub(super) fn around(points: &[Vec3]) -> [Vec3; 2] {
    let low = points.iter().copied().fold(Vec3::INFINITY, Vec3::min);
    let high = points.iter().copied().fold(Vec3::NEG_INFINITY, Vec3::max);
    [low, high]
}

/// Length of the diagonal of the box around points.
pub(super) fn extent(points: &[Vec3]) -> f32 {
    let [low, high] = around(points);
    low.distance(high)
}

/// The middle of the box around points.
pub(super) fn middle(points: &[Vec3]) -> Vec3 {
    let [low, high] = around(points);
    0.5 * (low + high)
}

/// Which way a model faces: by its attachment `eyes`, else by its eyeballs, else by where most of
/// the vertices that flexes move look.
pub(super) fn facing(model: &Model) -> Facing {
    if let Some(frame) = model.gaze_rig().frame {
        let [forward, up] = [Vec3::X, Vec3::Z].map(|axis| frame.transform_vector3(axis));
        return Facing::new(forward, up);
    }
    let eyes: Vec<_> = shown(model).flat_map(|(_, part)| part.eyes()).collect();
    if !eyes.is_empty() {
        let forward = eyes.iter().map(|eye| eye.ahead).sum();
        let up = eyes
            .iter()
            .map(|eye| eye.bone.transform_vector3(eye.eyeball.up))
            .sum();
        return Facing::new(forward, up);
    }
    let mut sum = Vec3::ZERO;
    for (_, part) in shown(model) {
        let deformer = part.deformer(Precision::File);
        let normals = &deformer.base().normals;
        let flexed = deformer.flexed().iter();
        sum += flexed
            .map(|&vertex| Vec3::from(normals[vertex as usize]))
            .sum::<Vec3>();
    }
    // Faces look along +Z with Y up in rigs of Team Fortress 2, else along -Y with Z up.
    if sum.z > sum.x.abs().max(sum.y.abs()) {
        Facing::new(Vec3::Z, Vec3::Y)
    } else {
        Facing::new(Vec3::NEG_Y, Vec3::Z)
    }
}
