//! What is seen where: which triangle each sample of the picture shows, and how near it is.
//!
//! Triangles are clipped, projected and scanned by retrofire. Nothing is shaded here, so a sample
//! costs a comparison and two stores, however many triangles lie behind one another.

use glam::Vec3;
use retrofire_core::geom::{Tri, Vertex, vertex};
use retrofire_core::math::{self, mat::perspective, pt2, pt3};
use retrofire_core::render::clip::{ClipVert, view_frustum};
use retrofire_core::render::raster::{Scanline, ScreenPt, tri_fill};
use retrofire_core::render::{Ndc, Render, Screen, View};

use crate::camera::Camera;

/// Which triangle a sample shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Seen {
    /// Number of the surface among those of the scene.
    pub(crate) surface: u32,
    /// Number of the triangle in its geometry.
    pub(crate) triangle: u32,
}

/// Nothing is seen.
const NOTHING: Seen = Seen {
    surface: u32::MAX,
    triangle: 0,
};

/// The samples of a picture, rows from top to bottom.
#[derive(Clone, Debug, Default)]
pub(crate) struct Visible {
    width: usize,
    height: usize,
    seen: Vec<Seen>,
    /// One over the distance of a front, minus that of a back, 0 where nothing is seen.
    depths: Vec<f32>,
}

/// A triangle on the screen, with one over the distance as z.
type OnScreen = Tri<Vertex<ScreenPt, ()>>;

/// From the camera's space to samples.
#[derive(Clone)]
pub(crate) struct Projection {
    project: math::ProjMat3<View>,
    screen: math::Mat4<Ndc, Screen>,
}

impl Projection {
    /// The projection of a camera onto `width` by `height` samples.
    pub(crate) fn new(camera: &Camera, width: usize, height: usize) -> Projection {
        let aspect = width as f32 / height as f32;
        // A camera may be anyone's; what cannot be seen with is as good as 1.
        let usable = |length: f32| {
            if (1e-6..1e9).contains(&length) {
                length
            } else {
                1.0
            }
        };
        let (distance, reach) = (usable(camera.distance), usable(camera.reach));
        // Retrofire's focal ratio is that of the width.
        let focal = distance / (reach * aspect);
        let range = 0.05 * distance..100.0 * distance;
        Projection {
            project: perspective(focal, aspect, range),
            screen: math::viewport(pt2(0, height as u32)..pt2(width as u32, 0)),
        }
    }

    fn clip_space(&self, at: Vec3) -> ClipVert<()> {
        let place = pt3::<_, View>(at.x, at.y, at.z);
        ClipVert::new(vertex(self.project.apply(&place), ()))
    }
}

impl Visible {
    /// Forgets what was seen and takes a size.
    pub(crate) fn clear(&mut self, width: usize, height: usize) {
        (self.width, self.height) = (width, height);
        self.seen.clear();
        self.seen.resize(width * height, NOTHING);
        self.depths.clear();
        self.depths.resize(width * height, 0.0);
    }

    /// What a sample shows and its depth, negative for the back of a triangle.
    pub(crate) fn at(&self, x: usize, y: usize) -> Option<(Seen, f32)> {
        let place = y * self.width + x;
        let seen = self.seen[place];
        (seen != NOTHING).then(|| (seen, self.depths[place]))
    }

    /// Whether all samples of a square show the same: the same triangle or nothing.
    #[inline]
    pub(crate) fn is_uniform(&self, x: usize, y: usize, step: usize) -> bool {
        let first = self.seen[y * self.width + x];
        (y..y + step).all(|y| {
            let row = y * self.width + x;
            self.seen[row..row + step].iter().all(|&seen| seen == first)
        })
    }

    /// Draws the fronts of a surface's triangles and keeps its backs for [`Visible::backs`].
    ///
    /// `places` are in the camera's space: right, up, ahead. A triangle with a corner that is
    /// nowhere or immensely far, as damaged models have them, is left out.
    pub(crate) fn fronts(
        &mut self,
        projection: &Projection,
        surface: u32,
        places: &[Vec3],
        triangles: &[[u32; 3]],
        backs: &mut Vec<(Seen, OnScreen)>,
    ) {
        let corners: Vec<Option<ClipVert<()>>> = places
            .iter()
            .map(|&at| is_somewhere(at).then(|| projection.clip_space(at)))
            .collect();
        let mut clipped = Vec::new();
        for (triangle, &[a, b, c]) in (0..).zip(triangles) {
            let [Some(a), Some(b), Some(c)] = [a, b, c].map(|at| corners[at as usize]) else {
                continue;
            };
            clipped.clear();
            view_frustum::clip(&[Tri([a, b, c])][..], &mut clipped);
            let seen = Seen { surface, triangle };
            for part in clipped.drain(..) {
                let part: OnScreen =
                    <Tri<usize> as Render<()>>::to_screen(part, &projection.screen);
                if <Tri<usize> as Render<()>>::is_backface(&part) {
                    backs.push((seen, part));
                } else {
                    tri_fill(part.0, |line| self.front(line, seen));
                }
            }
        }
    }

    /// Draws the backs of triangles where no front is seen.
    pub(crate) fn backs(&mut self, backs: Vec<(Seen, OnScreen)>) {
        for (seen, part) in backs {
            tri_fill(part.0, |line| self.back(line, seen));
        }
    }

    #[inline]
    fn front(&mut self, line: Scanline<()>, seen: Seen) {
        let Some((places, shown, depths)) = self.span(line) else {
            return;
        };
        for ((near, shown), depth) in places.zip(shown).zip(depths) {
            if near > *depth {
                (*shown, *depth) = (seen, near);
            }
        }
    }

    #[inline]
    fn back(&mut self, line: Scanline<()>, seen: Seen) {
        let Some((places, shown, depths)) = self.span(line) else {
            return;
        };
        for ((near, shown), depth) in places.zip(shown).zip(depths) {
            if *depth <= 0.0 && near > -*depth {
                (*shown, *depth) = (seen, -near);
            }
        }
    }

    /// The samples of a line with their depths. What would lie outside, by the rounding of very
    /// large triangles, is left out.
    #[inline]
    fn span(
        &mut self,
        line: Scanline<()>,
    ) -> Option<(impl Iterator<Item = f32>, &mut [Seen], &mut [f32])> {
        let end = line.xs.end.min(self.width);
        if line.y >= self.height || line.xs.start >= end {
            return None;
        }
        let span = line.y * self.width + line.xs.start..line.y * self.width + end;
        Some((
            line.vs.map(|(place, ())| place.z()),
            &mut self.seen[span.clone()],
            &mut self.depths[span],
        ))
    }
}

fn is_somewhere(at: Vec3) -> bool {
    const FAR: f32 = 1e12;
    at.is_finite() && at.abs().max_element() < FAR
}
