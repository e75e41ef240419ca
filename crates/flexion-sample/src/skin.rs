//! Skin, lids, lips and the inside of the mouth: one net over the form of [`crate::sculpt`].

use glam::{Vec3, vec3};

use crate::math::{PI, hill, lerp, smooth};
use crate::mesh::{LidPoint, Material, Mesh, Part};
use crate::net::{Block, Net, Node};
use crate::sculpt::{self, EYE, EYE_RADIUS, MOUTH, Place};

/// Columns from the front to the back of one side: up to which angle in degrees, in how many.
const COLUMNS: [(f32, usize); 4] = [(8.5, 4), (38.0, 12), (72.0, 6), (180.0, 9)];
/// Rows from the crown down: down to which angle in degrees, in how many. The last is the neck.
const ROWS: [(f32, usize); 7] = [
    (36.0, 5),
    (21.0, 6),
    (-4.0, 8),
    (-25.0, 9),
    (-42.0, 8),
    (-50.0, 3),
    (-73.9, 5),
];
const NECK_ROWS: usize = 5;
/// Cells around an eye, as columns from the front.
const EYE_COLUMNS: (usize, usize) = (4, 16);
const EYE_ROWS: (usize, usize) = (11, 19);
const MOUTH_COLUMNS: usize = 9;
const MOUTH_ROWS: (usize, usize) = (28, 36);

/// Adds the skin to `mesh`.
pub(crate) fn build(mesh: &mut Mesh) {
    let (around, up) = (columns(), rows());
    let front = around.len() / 2;
    let rows = EYE_ROWS.0..EYE_ROWS.1;
    let left = Block {
        columns: front + EYE_COLUMNS.0..front + EYE_COLUMNS.1,
        rows: rows.clone(),
    };
    let right = Block {
        columns: front - EYE_COLUMNS.1..front - EYE_COLUMNS.0,
        rows,
    };
    let mouth = Block {
        columns: front - MOUTH_COLUMNS..front + MOUTH_COLUMNS,
        rows: MOUTH_ROWS.0..MOUTH_ROWS.1,
    };
    let mut net = Net::new(&around, &up, &[left.clone(), right.clone(), mouth.clone()]);
    eye(&mut net, &left, 1.0);
    eye(&mut net, &right, -1.0);
    lips(&mut net, &mouth);
    net.relax(24);
    net.build(mesh);
    cap(mesh, &around);
}

/// Steps from `start` through `knots`, in radians.
fn steps(start: f32, knots: &[(f32, usize)]) -> Vec<f32> {
    let mut angles = vec![start.to_radians()];
    let mut from = start;
    for &(to, count) in knots {
        angles.extend((1..=count).map(|i| lerp(from, to, i as f32 / count as f32).to_radians()));
        from = to;
    }
    angles
}

fn columns() -> Vec<f32> {
    let half = steps(0.0, &COLUMNS);
    let right = half.iter().skip(1).rev().map(|around| -around);
    right.chain(half.iter().copied()).collect()
}

fn rows() -> Vec<f32> {
    let mut up = steps(90.0, &ROWS);
    let chin = *up.last().unwrap_or(&0.0);
    up.extend((1..=NECK_ROWS).map(|i| lerp(chin, -sculpt::REACH, i as f32 / NECK_ROWS as f32)));
    up
}

/// A point of a lid's margin on a sphere of `radius` around the left eye; `s` goes from the inner
/// corner (0) to the outer one (1).
pub(crate) fn margin(upper: bool, s: f32, radius: f32) -> Vec3 {
    let (inner, outer) = (vec3(-0.60, 0.0, -0.09), vec3(0.61, 0.0, 0.07));
    let skew = if upper {
        s + 0.12 * s * (1.0 - s)
    } else {
        s - 0.16 * s * (1.0 - s)
    };
    let side = (2.0 * skew - 1.0).abs();
    let arch = 1.0 - side * side * lerp(side, 1.0, 0.35);
    let height = if upper { 0.315 } else { -0.24 };
    let mut from = inner.lerp(outer, s);
    from.z += height * arch;
    let depth = (radius * radius - from.x * from.x - from.z * from.z).max(0.04);
    EYE + vec3(from.x, -libm::sqrtf(depth), from.z)
}

/// Whether node `n` of a ring of `count` lies in its upper half, and where from left to right.
fn halves(n: usize, count: usize) -> (bool, f32) {
    let half = count / 2;
    if n <= half {
        (true, n as f32 / half as f32)
    } else {
        (false, (count - n) as f32 / half as f32)
    }
}

/// One ring of a lid: how far from the margin to the rim it lies, how much it stands out (upper
/// and lower lid), and how much of the lid's motion it makes.
struct LidRing {
    reach: f32,
    raise: [f32; 2],
    nearness: f32,
}

/// Rings around an eye from outside in; the lid folds at the third.
const LID_RINGS: [LidRing; 7] = [
    LidRing {
        reach: 0.78,
        raise: [0.0, 0.0],
        nearness: 0.0,
    },
    LidRing {
        reach: 0.56,
        raise: [0.05, 0.0],
        nearness: 0.06,
    },
    LidRing {
        reach: 0.44,
        raise: [-0.055, -0.02],
        nearness: 0.22,
    },
    LidRing {
        reach: 0.30,
        raise: [0.0, 0.0],
        nearness: 0.52,
    },
    LidRing {
        reach: 0.15,
        raise: [0.0, 0.0],
        nearness: 0.80,
    },
    LidRing {
        reach: 0.05,
        raise: [0.0, 0.0],
        nearness: 0.97,
    },
    LidRing {
        reach: 0.0,
        raise: [0.0, 0.0],
        nearness: 1.0,
    },
];

/// Rings from the rim of a block to the margin of the lids of the left (1) or right (-1) eye.
fn eye(net: &mut Net, block: &Block, side: f32) {
    let rim = net.rim(block);
    let count = rim.len();
    let rim_places: Vec<Place> = rim.iter().map(|&node| net.nodes[node].place).collect();
    let mirror = vec3(side, 1.0, 1.0);
    let mut outer = rim;
    for (number, ring) in LID_RINGS.iter().enumerate() {
        let node = |n: usize| {
            let (upper, t) = halves(n, count);
            let s = if side > 0.0 { t } else { 1.0 - t };
            let edge = margin(upper, s, EYE_RADIUS + 0.012) * mirror;
            let place = sculpt::place_of(edge).lerp(rim_places[n], ring.reach);
            let point = LidPoint {
                upper,
                nearness: ring.nearness,
                margin: edge,
                opposite: margin(!upper, s, EYE_RADIUS + 0.012) * mirror,
            };
            let window = hill(2.0 * s - 1.0, 1.15);
            Node {
                raise: ring.raise[usize::from(!upper)] * window,
                fixed: (ring.reach == 0.0).then_some(edge),
                loose: number == 0,
                part: Part::Lid(point),
                ..Node::on(place)
            }
        };
        outer = net.ring(Material::Face, &outer, (0..count).map(node));
    }
}

/// One ring of the lips: its height in parts of the lip's, how far it passes the corner, and how
/// much it stands out in the middle (upper and lower lip) and at the corner.
struct LipRing {
    height: f32,
    wider: f32,
    raise: [f32; 2],
    corner: f32,
    material: Material,
}

#[rustfmt::skip]
const LIP_RINGS: [LipRing; 5] = [
    LipRing { height: 1.30, wider: 0.13, raise: [0.00, -0.05], corner: -0.02, material: Material::Face },
    LipRing { height: 1.00, wider: 0.05, raise: [0.055, 0.05], corner: -0.03, material: Material::Face },
    LipRing { height: 0.58, wider: 0.03, raise: [0.125, 0.155], corner: -0.05, material: Material::Lips },
    LipRing { height: 0.16, wider: 0.01, raise: [0.03, 0.06], corner: -0.09, material: Material::Lips },
    LipRing { height: 0.012, wider: 0.0, raise: [-0.15, -0.15], corner: -0.14, material: Material::Lips },
];

/// Height of the border of a lip over the line between the lips, at `t` from -1 to 1.
fn lip_height(upper: bool, t: f32) -> f32 {
    let t2 = (t * t).min(1.0);
    if upper {
        0.27 * (1.0 - t2) + 0.055 * hill(t.abs() - 0.22, 0.3) - 0.03 * hill(t, 0.16)
    } else {
        -0.37 * (1.0 - t2) * (1.0 - 0.25 * t2)
    }
}

/// Rings from the rim of a block to the line between the lips, and the mouth behind it.
fn lips(net: &mut Net, block: &Block) {
    let rim = net.rim(block);
    let count = rim.len();
    let rim_places: Vec<Place> = rim.iter().map(|&node| net.nodes[node].place).collect();
    let node = |ring: &LipRing, n: usize| {
        let (upper, s) = halves(n, count);
        // Nodes gather at the corners.
        let t = lerp(-libm::cosf(PI * s), 2.0 * s - 1.0, 0.45);
        let x = t * (MOUTH.x + ring.wider);
        let z = MOUTH.y + 0.09 * t * t + ring.height * lip_height(upper, t);
        let middle = 1.0 - t * t * t * t;
        Node {
            part: Part::Lip(upper),
            raise: lerp(ring.corner, ring.raise[usize::from(!upper)], middle),
            ..Node::on(sculpt::place_of(sculpt::front(x, z)))
        }
    };
    let mut outer = rim;
    for reach in [0.68, 0.34] {
        let between = |n: usize| Node {
            loose: true,
            ..Node::on(node(&LIP_RINGS[0], n).place.lerp(rim_places[n], reach))
        };
        outer = net.ring(Material::Face, &outer, (0..count).map(between));
    }
    for ring in &LIP_RINGS {
        outer = net.ring(ring.material, &outer, (0..count).map(|n| node(ring, n)));
    }
    cavity(net, &outer);
}

/// The walls of the mouth, from the line between the lips backward.
fn cavity(net: &mut Net, slit: &[usize]) {
    let edge: Vec<(Place, Vec3)> = slit
        .iter()
        .map(|&node| {
            let place = net.nodes[node].place;
            let point = sculpt::skin(place);
            (place, point + sculpt::normal(point) * net.nodes[node].raise)
        })
        .collect();
    let count = slit.len();
    let mut outer = slit.to_vec();
    // Depth behind the lips, half the height, width in parts of the slit's.
    for (depth, height, width) in [
        (0.09, 0.26, 1.0),
        (0.30, 0.62, 1.02),
        (1.2, 0.80, 0.9),
        (2.0, 0.4, 0.5),
    ] {
        let node = |n: usize| {
            let (place, point) = edge[n];
            let (upper, s) = halves(n, count);
            let arch = libm::sinf(PI * s) * if upper { 1.0 } else { -1.0 };
            let back = smooth(0.0, 2.0, depth);
            let fixed = vec3(
                point.x * width,
                lerp(point.y, -3.3, back) + depth,
                point.z + height * arch,
            );
            Node {
                fixed: Some(fixed),
                part: Part::Lip(upper),
                ..Node::on(place)
            }
        };
        outer = net.ring(Material::Mouth, &outer, (0..count).map(node));
    }
    let throat = vec3(0.0, -1.1, MOUTH.y);
    let middle = Node {
        fixed: Some(throat),
        ..Node::on(sculpt::place_of(throat))
    };
    net.close(Material::Mouth, &outer, middle);
}

/// Closes the cut through the neck.
fn cap(mesh: &mut Mesh, around: &[f32]) {
    let rim: Vec<u32> = around
        .iter()
        .map(|&around| {
            let place = Place::new(around, -sculpt::REACH);
            mesh.vertex(sculpt::skin(place), crate::net::uv(place), Part::Fixed)
        })
        .collect();
    let last = rim[rim.len() - 1] as usize;
    mesh.vertices[last].weld = rim[0];
    mesh.vertices[last].position = mesh.vertices[rim[0] as usize].position;
    let below = vec3(0.0, 0.8, sculpt::NECK);
    let uv = crate::net::uv(Place::new(0.0, -sculpt::REACH - 0.1));
    let middle = mesh.vertex(below, uv, Part::Fixed);
    for pair in rim.windows(2) {
        mesh.triangle(Material::Face, [pair[0], pair[1], middle]);
    }
}
