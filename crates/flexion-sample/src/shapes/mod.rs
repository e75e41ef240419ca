//! How the face moves: a vertex of the neutral face goes in, how far a shape carries it comes out.
//!
//! Every shape is a function of where a vertex is, written for the left half of the face and
//! mirrored, so it moves both halves alike; the side bytes of the flexes split it afterwards.
//! Soft hills ([`crate::math::bump`]) around landmarks make neighbours follow. The one place where
//! nearness must not count is the line between the lips: vertices on either side of it lie on top
//! of each other and part when the mouth opens, which is what [`Spot::lower`] is for.
//!
//! [`flexes`] lists the shapes with the descriptors that drive them.

mod brow;
mod lid;
mod mouth;
mod table;

use glam::{Vec3, vec3};

use crate::math::{lerp, smooth};
use crate::mesh::{Part, Vertex};
use crate::sculpt::MOUTH;

pub(crate) use lid::heights;
pub(crate) use mouth::HINGE;
pub(crate) use table::{Flex, flexes};

/// A vertex as shapes see it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Spot {
    /// The position, mirrored to the left half.
    pub(crate) at: Vec3,
    /// 1 on the left half, -1 on the right.
    pub(crate) side: f32,
    /// What the vertex hangs on.
    pub(crate) part: Part,
    /// 1 where the vertex goes with the lower lip and the jaw, 0 above the mouth.
    pub(crate) lower: f32,
    /// 1 for soft skin, 0 for what does not bend; lids fade toward their margin.
    pub(crate) soft: f32,
}

impl Spot {
    pub(crate) fn of(vertex: &Vertex) -> Self {
        let p = vertex.position;
        let at = vec3(p.x.abs(), p.y, p.z);
        Spot {
            at,
            side: if p.x < 0.0 { -1.0 } else { 1.0 },
            part: vertex.part,
            lower: lower(at, vertex.part),
            soft: match vertex.part {
                Part::Soft | Part::Lip(_) => 1.0,
                Part::Lid(point) => 1.0 - point.nearness,
                Part::Jaw | Part::Tongue | Part::Fixed => 0.0,
            },
        }
    }
}

/// 1 below the line between the lips, 0 above it; past the corners the step widens into the cheek
/// and toward the ear it climbs.
fn lower(at: Vec3, part: Part) -> f32 {
    let past = (at.x - MOUTH.x).max(0.0);
    let t = (at.x / MOUTH.x).min(1.0);
    let line = MOUTH.y + 0.09 * t * t + 0.35 * past + smooth(-2.6, -0.4, at.y) * 0.9;
    let width = lerp(0.002, 1.3, smooth(0.78, 1.65, at.x));
    let by_height = smooth(width, -width, at.z - line);
    match part {
        Part::Lip(upper) => {
            let known = if upper { 0.0 } else { 1.0 };
            lerp(known, by_height, smooth(0.72, 0.98, at.x))
        }
        _ => by_height,
    }
}

/// How far `flex` carries `vertex`.
pub(crate) fn motion(flex: &Flex, vertex: &Vertex) -> Vec3 {
    let spot = Spot::of(vertex);
    let moved = (flex.motion)(&spot);
    vec3(moved.x * spot.side, moved.y, moved.z)
}
