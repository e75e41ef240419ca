//! The sample's surfaces: no holes, all triangles outward, normals and tangents sound.

use std::collections::BTreeMap;

use flexion_sample::{Sample, face};
use glam::{Quat, Vec3};

/// Meshes of the head by material, each triangle as three corners.
fn triangles(sample: &Sample, materials: &[&str]) -> Vec<[Vec3; 3]> {
    let mut found = Vec::new();
    for (part, vtx) in sample.mdl.body_parts.iter().zip(&sample.vtx.body_parts) {
        for (model, vtx) in part.models.iter().zip(&vtx.models) {
            for (mesh, vtx) in model.meshes.iter().zip(&vtx.lods[0].meshes) {
                let name = sample.mdl.material(mesh).unwrap().to_str();
                if !materials.contains(&&*name) {
                    continue;
                }
                let first = (model.first_vertex + mesh.vertex_offset) as usize;
                let corner = |vertex: u16| {
                    let vertex = &sample.vvd.vertices[first + usize::from(vertex)];
                    Vec3::from_array(vertex.position.map(f32::from))
                };
                found.extend(vtx.triangles.iter().map(|corners| corners.map(corner)));
            }
        }
    }
    assert!(!found.is_empty(), "{materials:?}");
    found
}

/// Edges from one position to another, and how often triangles run along them.
fn edges(triangles: &[[Vec3; 3]]) -> BTreeMap<[[u32; 3]; 2], u32> {
    let bits = |point: Vec3| point.to_array().map(|part| (part + 0.0).to_bits());
    let mut edges = BTreeMap::new();
    for corners in triangles {
        for side in 0..3 {
            let edge = [bits(corners[side]), bits(corners[(side + 1) % 3])];
            *edges.entry(edge).or_insert(0) += 1;
        }
    }
    edges
}

/// Six times the volume that the triangles enclose: positive when they are clockwise from outside.
fn volume(triangles: &[[Vec3; 3]]) -> f32 {
    triangles.iter().map(|[a, b, c]| a.dot(c.cross(*b))).sum()
}

#[test]
fn skin_is_open_at_the_lids_only() {
    let sample = face();
    let skin = triangles(&sample, &["face", "lips", "mouth"]);
    let edges = edges(&skin);
    let mut open = 0;
    for ([from, to], &times) in &edges {
        assert_eq!(times, 1, "two triangles run the same way along an edge");
        if !edges.contains_key(&[*to, *from]) {
            let end = Vec3::from_array(from.map(f32::from_bits));
            let nearest = eyes(&sample).map(|(centre, _)| centre.distance(end));
            let radius = eyes(&sample)[0].1;
            let gap = nearest[0].min(nearest[1]) - radius;
            let nostril = end.distance(Vec3::new(0.0, -3.8, 63.6)) < 0.6;
            assert!((0.0..0.03).contains(&gap) || nostril, "a hole at {end}");
            open += 1;
        }
    }
    assert!(open > 0);
}

#[test]
fn closed_parts_are_closed() {
    let sample = face();
    for materials in [["tongue"], ["eyeball_l"], ["eyeball_r"]] {
        let part = triangles(&sample, &materials);
        let edges = edges(&part);
        for ([from, to], &times) in &edges {
            assert_eq!(
                (times, edges.get(&[*to, *from])),
                (1, Some(&1)),
                "{materials:?}"
            );
        }
    }
}

#[test]
fn triangles_are_clockwise_from_outside_and_not_empty() {
    let sample = face();
    let all = [
        "face",
        "teeth",
        "tongue",
        "brow",
        "lash",
        "hair",
        "eyeball_l",
        "eyeball_r",
    ];
    for material in all {
        let part = triangles(&sample, &[material]);
        let middle = part.iter().flatten().sum::<Vec3>() / (3 * part.len()) as f32;
        let about: Vec<_> = part
            .iter()
            .map(|t| t.map(|corner| corner - middle))
            .collect();
        assert!(volume(&about) > 0.0, "{material}");
        for [a, b, c] in part {
            assert!(
                (b - a).cross(c - a).length() > 1e-7,
                "{material}: {a} {b} {c}"
            );
        }
    }
}

#[test]
fn normals_and_tangents_are_unit_and_perpendicular() {
    let sample = face();
    for (vertex, tangent) in sample.vvd.vertices.iter().zip(&*sample.vvd.tangents) {
        let normal = Vec3::from_array(vertex.normal.map(f32::from));
        let [x, y, z, sign] = tangent.map(f32::from);
        let tangent = Vec3::new(x, y, z);
        assert!((normal.length() - 1.0).abs() < 1e-4);
        assert!((tangent.length() - 1.0).abs() < 1e-4);
        assert!(normal.dot(tangent).abs() < 1e-3);
        assert!(sign.abs() == 1.0);
        let weights = &vertex.weights[..usize::from(vertex.bone_count)];
        let sum: f32 = weights.iter().map(|weight| weight.get()).sum();
        assert!((sum - 1.0).abs() < 1e-6);
    }
}

#[test]
fn bones_undo_their_own_bind_pose() {
    let sample = face();
    let mut world: Vec<(Quat, Vec3)> = Vec::new();
    for bone in &sample.mdl.bones {
        let (turn, place) = match usize::try_from(bone.parent) {
            Ok(parent) => world[parent],
            Err(_) => (Quat::IDENTITY, Vec3::ZERO),
        };
        let here = (turn * bone.rotation, place + turn * bone.position);
        for corner in [Vec3::ZERO, Vec3::X, Vec3::Y, Vec3::Z] {
            let rows = bone.pose_to_bone;
            let local =
                Vec3::from_array(rows.map(|[x, y, z, at]| Vec3::new(x, y, z).dot(corner) + at));
            let back = here.1 + here.0 * local;
            assert!(
                back.distance(corner) < 1e-4,
                "{}: {back} {corner}",
                bone.name
            );
        }
        world.push(here);
    }
}

/// Centres in the model and radii of the eyeballs.
fn eyes(sample: &Sample) -> [(Vec3, f32); 2] {
    let model = &sample.mdl.body_parts[0].models[0];
    let [one, other] = &model.eyeballs[..] else {
        panic!("two eyeballs")
    };
    let head = &sample.mdl.bones[one.bone as usize];
    let centre = |eye: &flexion_mdl::mdl::Eyeball<'_>| {
        // The bone's rows are axes: their transpose leads back.
        let rows = head.pose_to_bone;
        let from = eye.origin - Vec3::from_array(rows.map(|row| row[3]));
        let axis = |column: usize| Vec3::from_array(rows.map(|row| row[column])).dot(from);
        (Vec3::new(axis(0), axis(1), axis(2)), eye.radius)
    };
    [centre(one), centre(other)]
}
