//! What is in a picture.

use crate::camera::Camera;
use crate::error::Error;
use crate::image::{Background, Image};
use crate::paint::Paint;

/// Longest side of a picture, in pixels.
const LONGEST_SIDE: u32 = 8192;
/// Most pixels of a picture: the drawing takes 8 bytes for each, times the antialiasing squared.
const LARGEST_AREA: u32 = 1 << 24;

/// Which vertices a surface has and how triangles join them; made once for a mesh and used for
/// all its poses.
#[derive(Clone, Debug)]
pub struct Geometry {
    /// The vertices that triangles use, as numbers among all vertices.
    pub(crate) vertices: Vec<u32>,
    /// Triangles of numbers among `vertices`.
    pub(crate) triangles: Vec<[u32; 3]>,
}

impl Geometry {
    /// Triangles of vertex numbers, clockwise seen from outside.
    ///
    /// ```
    /// use flexion_render::Geometry;
    ///
    /// let square = Geometry::new(&[[7, 8, 9], [7, 9, 10]]);
    /// assert_eq!(square.vertices(), [7, 8, 9, 10]);
    /// ```
    pub fn new(triangles: &[[u32; 3]]) -> Geometry {
        let mut vertices: Vec<u32> = triangles.as_flattened().to_vec();
        vertices.sort_unstable();
        vertices.dedup();
        let local = |vertex: u32| vertices.binary_search(&vertex).unwrap_or_default() as u32;
        let triangles = triangles.iter().map(|corners| corners.map(local)).collect();
        Geometry {
            vertices,
            triangles,
        }
    }

    /// The triangles as they were given.
    pub fn triangles(&self) -> impl ExactSizeIterator<Item = [u32; 3]> {
        let vertex = |at: u32| self.vertices[at as usize];
        self.triangles
            .iter()
            .map(move |corners| corners.map(vertex))
    }

    /// The vertices that triangles use, in rising order.
    pub fn vertices(&self) -> &[u32] {
        &self.vertices
    }
}

/// Triangles of one kind at their vertices' places.
#[derive(Clone, Copy, Debug)]
pub struct Surface<'a> {
    /// The triangles.
    pub geometry: &'a Geometry,
    /// Of all vertices that the geometry counts, in model units.
    pub positions: &'a [[f32; 3]],
    /// One per position, of about unit length.
    pub normals: &'a [[f32; 3]],
    /// One per position, or none; v runs down.
    pub uvs: &'a [[f32; 2]],
    /// What it looks like.
    pub paint: Paint<'a>,
}

/// Everything that is drawn into one picture.
#[derive(Clone, Debug)]
pub struct Scene<'a> {
    /// From where.
    pub camera: Camera,
    /// Behind it all.
    pub background: Background,
    /// In any order.
    pub surfaces: Vec<Surface<'a>>,
}

/// The size of a picture, in pixels; checked when it is made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Size {
    width: u32,
    height: u32,
}

impl Size {
    /// A size that can be drawn.
    ///
    /// # Errors
    ///
    /// [`Error::Size`] when a side is 0 or the picture is too large.
    pub fn new(width: u32, height: u32) -> Result<Size, Error> {
        let sides = 1..=LONGEST_SIDE;
        let fits =
            sides.contains(&width) && sides.contains(&height) && width * height <= LARGEST_AREA;
        if fits {
            Ok(Size { width, height })
        } else {
            Err(Error::Size {
                width,
                height,
                side: LONGEST_SIDE,
                area: LARGEST_AREA,
            })
        }
    }

    /// In pixels.
    pub fn width(self) -> u32 {
        self.width
    }

    /// In pixels.
    pub fn height(self) -> u32 {
        self.height
    }
}

/// Turns scenes into pictures.
///
/// [`Software`](crate::Software) is the one that comes with this crate; a program with a graphics
/// card implements its own.
pub trait Renderer {
    /// Draws one picture. The same scene gives the same pixels, whatever was drawn before.
    fn draw(&mut self, scene: &Scene<'_>, size: Size) -> Image;
}
