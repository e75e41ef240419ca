//! A net of quads over the head: rows and columns with holes, and rings that close in on them.
//!
//! Rows run around the head, columns from the crown to the neck. A [`Block`] of cells can be left
//! out and filled with rings, each with as many nodes as the block's rim: that is how loops come
//! about around eyes and mouth, the way a modeller lays them, without a single triangle or pole.
//!
//! ```text
//! o--o--o--o--o     the rim of a block of 4 x 2 cells: 12 nodes, counted clockwise from the
//! |  |        |     middle of its left side (n = 0) over the top to the middle of its right
//! 0            6    side (n = 6) and back below
//! |           |
//! o--o--o--o--o
//! ```
//!
//! Nodes are [`Place`]s at first; they are cast onto the form when the net is done.

use std::ops::Range;

use glam::{Vec2, Vec3};

use crate::math::{FRAC_PI_2, TAU};
use crate::mesh::{Material, Mesh, Part};
use crate::sculpt::{self, Place, REACH};

/// A knot of the net.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Node {
    pub(crate) place: Place,
    /// How far the point stands out of the form, along its normal.
    pub(crate) raise: f32,
    /// The point itself, where it does not come from the form.
    pub(crate) fixed: Option<Vec3>,
    /// Whether [`Net::relax`] may move it.
    pub(crate) loose: bool,
    pub(crate) part: Part,
}

impl Node {
    /// A node on the form.
    pub(crate) fn on(place: Place) -> Self {
        Node {
            place,
            raise: 0.0,
            fixed: None,
            loose: false,
            part: Part::Soft,
        }
    }
}

/// Cells of the net that are left out: ranges of columns and rows.
#[derive(Clone, Debug)]
pub(crate) struct Block {
    pub(crate) columns: Range<usize>,
    pub(crate) rows: Range<usize>,
}

impl Block {
    fn has_cell(&self, column: usize, row: usize) -> bool {
        self.columns.contains(&column) && self.rows.contains(&row)
    }

    /// Columns and rows of the rim, clockwise from the middle of the left side.
    fn rim(&self) -> Vec<(usize, usize)> {
        let (left, right) = (self.columns.start, self.columns.end);
        let (top, bottom) = (self.rows.start, self.rows.end);
        let middle = (top + bottom) / 2;
        let up = (top + 1..=middle).rev().map(|row| (left, row));
        let across = (left..right).map(|column| (column, top));
        let down = (top..bottom).map(|row| (right, row));
        let back = (left + 1..=right).rev().map(|column| (column, bottom));
        let home = (middle + 1..=bottom).rev().map(|row| (left, row));
        up.chain(across)
            .chain(down)
            .chain(back)
            .chain(home)
            .collect()
    }
}

/// The net.
#[derive(Debug)]
pub(crate) struct Net {
    columns: usize,
    rows: usize,
    /// Rows of nodes first, then the rings; nodes inside a block stay unused.
    pub(crate) nodes: Vec<Node>,
    quads: Vec<(Material, [usize; 4])>,
}

impl Net {
    /// Lays rows and columns at the given angles, leaving out `blocks`.
    ///
    /// The first and the last column meet behind the head; the first row is the crown.
    pub(crate) fn new(around: &[f32], up: &[f32], blocks: &[Block]) -> Self {
        let mut net = Net {
            columns: around.len(),
            rows: up.len(),
            nodes: Vec::new(),
            quads: Vec::new(),
        };
        for &up in up {
            let row = around
                .iter()
                .map(|&around| Node::on(Place::new(around, up)));
            net.nodes.extend(row);
        }
        for row in 0..net.rows - 1 {
            for column in 0..net.columns - 1 {
                if blocks.iter().any(|block| block.has_cell(column, row)) {
                    continue;
                }
                let corners = [(0, 0), (1, 0), (1, 1), (0, 1)];
                let quad = corners.map(|(right, down)| net.at(column + right, row + down));
                net.quads.push((Material::Face, quad));
            }
        }
        for block in blocks {
            net.loosen(block);
        }
        net
    }

    fn at(&self, column: usize, row: usize) -> usize {
        row * self.columns + column
    }

    /// Lets the nodes up to three cells from a block follow its rings.
    fn loosen(&mut self, block: &Block) {
        for row in block.rows.start - 3..=block.rows.end + 3 {
            for column in block.columns.start - 3..=block.columns.end + 3 {
                let node = self.at(column, row);
                self.nodes[node].loose = true;
            }
        }
    }

    /// Numbers of the nodes on the rim of a block.
    pub(crate) fn rim(&self, block: &Block) -> Vec<usize> {
        block
            .rim()
            .into_iter()
            .map(|(column, row)| self.at(column, row))
            .collect()
    }

    /// Adds a ring of nodes inside `outer` and the quads between them.
    pub(crate) fn ring(
        &mut self,
        material: Material,
        outer: &[usize],
        inner: impl IntoIterator<Item = Node>,
    ) -> Vec<usize> {
        let first = self.nodes.len();
        self.nodes.extend(inner);
        let ring: Vec<usize> = (first..self.nodes.len()).collect();
        for n in 0..outer.len() {
            let next = (n + 1) % outer.len();
            let quad = [outer[n], outer[next], ring[next], ring[n]];
            self.quads.push((material, quad));
        }
        ring
    }

    /// Fills a ring with triangles around one node.
    pub(crate) fn close(&mut self, material: Material, ring: &[usize], middle: Node) {
        let centre = self.nodes.len();
        self.nodes.push(middle);
        for n in 0..ring.len() {
            let next = (n + 1) % ring.len();
            self.quads
                .push((material, [ring[n], ring[next], centre, centre]));
        }
    }

    /// Moves every loose node half-way to the mean of its neighbours, `times` times.
    pub(crate) fn relax(&mut self, times: usize) {
        let mut neighbours = vec![Vec::new(); self.nodes.len()];
        for (_, quad) in &self.quads {
            for corner in 0..4 {
                let (one, other) = (quad[corner], quad[(corner + 1) % 4]);
                neighbours[one].push(other);
                neighbours[other].push(one);
            }
        }
        for _ in 0..times {
            let before: Vec<Place> = self.nodes.iter().map(|node| node.place).collect();
            for (node, beside) in self.nodes.iter_mut().zip(&neighbours) {
                if node.loose && !beside.is_empty() {
                    let sum: Vec2 = beside.iter().map(|&other| before[other]).sum();
                    node.place = node.place.lerp(sum / beside.len() as f32, 0.5);
                }
            }
        }
    }

    /// Casts the nodes onto the form and adds the used ones to `mesh`, with their quads.
    pub(crate) fn build(&self, mesh: &mut Mesh) {
        let mut vertices: Vec<Option<u32>> = vec![None; self.nodes.len()];
        for (material, quad) in &self.quads {
            let corners = quad
                .map(|node| *vertices[node].get_or_insert_with(|| add(mesh, &self.nodes[node])));
            // The crown and the seam behind the head are single points with several textures.
            for (node, vertex) in quad.iter().zip(corners) {
                let twin = self.twin(*node).and_then(|twin| vertices[twin]);
                if let Some(twin) = twin {
                    mesh.vertices[vertex as usize].weld = twin;
                    mesh.vertices[vertex as usize].position = mesh.vertices[twin as usize].position;
                }
            }
            mesh.quad(*material, corners);
        }
    }

    /// The node that shares a node's point: the crown's first, or the first of its row.
    fn twin(&self, node: usize) -> Option<usize> {
        let (column, row) = (node % self.columns, node / self.columns);
        match (column, row) {
            (0, _) => None,
            (_, 0) => Some(0),
            (_, row) if row < self.rows && column == self.columns - 1 => Some(self.at(0, row)),
            _ => None,
        }
    }
}

fn add(mesh: &mut Mesh, node: &Node) -> u32 {
    let position = node.fixed.unwrap_or_else(|| {
        let point = sculpt::skin(node.place);
        if node.raise == 0.0 {
            point
        } else {
            point + sculpt::normal(point) * node.raise
        }
    });
    mesh.vertex(position, uv(node.place), node.part)
}

/// Texture coordinates of a place: the head unrolled, its front in the middle.
pub(crate) fn uv(place: Place) -> Vec2 {
    Vec2::new(
        0.5 + place.x / TAU,
        (FRAC_PI_2 - place.y) / (FRAC_PI_2 + REACH),
    )
}
