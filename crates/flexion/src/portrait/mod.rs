//! Pictures of faces: which way a model faces, what of it is drawn, and how it looks.

mod framing;
mod pieces;

use std::collections::BTreeMap;
use std::sync::Arc;

use flexion_deform::{Precision, Shape};
use flexion_render::{
    Background, Camera, Eye, Image, Paint, Renderer, Scene, Size, Surface, Texture, View,
};
use glam::{Affine3A, Vec3};

use crate::error::Error;
use crate::eye::EyeFrame;
use crate::face::Face;
use crate::model::Model;
use crate::submodel::Submodel;
use framing::{facing, framed, shown};
use pieces::{EyeKind, PartMesh, by_material, iris_radius, part_meshes};

/// What of a face is shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Show {
    /// Skin, eyes, hair and the rest as they look.
    #[default]
    Face,
    /// Where wrinkles compress (blue) and stretch (red): the sum of the wrinkle deltas.
    Wrinkle,
    /// How far vertices have moved: red from a tenth of half the picture's height on.
    Displacement,
    /// Normals as colours: right, up and towards the viewer as red, green and blue.
    Normals,
    /// The edges of the triangles.
    Wire,
}

/// How pictures of a model are taken.
#[derive(Clone, Debug)]
pub struct PortraitOptions {
    /// Of the picture, in pixels.
    pub size: Size,
    /// From where.
    pub view: View,
    /// How much larger than what shows the whole face; above 0.
    pub zoom: f32,
    /// Behind the face.
    pub background: Background,
    /// What is shown.
    pub show: Show,
    /// Pictures for materials, by name without folder and case; others go by their name.
    pub textures: BTreeMap<String, Arc<Texture>>,
    /// Linear colour of the irises: red, green, blue, 0 to 1.
    pub iris: Vec3,
}

impl PortraitOptions {
    /// From the front, of the whole face, without textures.
    pub fn new(size: Size) -> PortraitOptions {
        PortraitOptions {
            size,
            view: View::default(),
            zoom: 1.0,
            background: Background::default(),
            show: Show::default(),
            textures: BTreeMap::new(),
            iris: Vec3::new(0.09, 0.19, 0.24),
        }
    }
}

/// Takes pictures of the faces of a [`Model`]: what does not change from pose to pose.
///
/// Cheap to share between threads; each has a [`Face`] and a renderer of its own. Of each body
/// part the first alternative is drawn, as a game does unless told otherwise.
///
/// ```
/// use flexion::render::{Size, Software};
/// use flexion::{Model, Portrait, PortraitOptions};
///
/// # fn main() -> Result<(), flexion::Error> {
/// # let [(_, mdl), (_, vvd), (_, vtx)] = flexion_sample::face().files();
/// let model = Model::from_bytes(&mdl, Some(&vvd), Some(&vtx))?;
/// let portrait = Portrait::new(&model, PortraitOptions::new(Size::new(128, 128)?))?;
/// let mut face = model.face();
/// face.set("jaw_drop", 1.0)?;
/// let image = portrait.draw(&mut face, &mut Software::default())?;
/// let png: Vec<u8> = image.to_png(&[])?;
/// # assert!(png.starts_with(b"\x89PNG"));
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
pub struct Portrait {
    model: Model,
    options: PortraitOptions,
    camera: Camera,
    parts: Vec<Part>,
}

/// The meshes of a submodel that are drawn.
#[derive(Debug)]
struct Part {
    /// Number of the submodel.
    submodel: usize,
    meshes: Vec<PartMesh>,
}

impl Part {
    /// How bones have moved each mesh that is an eye of its own; others are skinned.
    fn motions(&self, face: &Face) -> Vec<Affine3A> {
        let motion = |mesh: &PartMesh| match mesh.eye {
            Some(EyeKind::Named { bone, .. }) => face.motion(bone),
            _ => Affine3A::IDENTITY,
        };
        self.meshes.iter().map(motion).collect()
    }
}

impl Portrait {
    /// Gets a model ready to be drawn.
    ///
    /// # Errors
    ///
    /// [`Error::NoVertices`] or [`Error::NoTriangles`] when a companion file was missing,
    /// [`Error::UnknownMaterial`] when a texture is for a material that the model does not have.
    pub fn new(model: &Model, options: PortraitOptions) -> Result<Portrait, Error> {
        if !model.has_vertices() {
            return Err(Error::NoVertices);
        }
        if !model.has_triangles() {
            return Err(Error::NoTriangles);
        }
        let textures = by_material(model, &options.textures)?;
        let facing = facing(model);
        let parts = shown(model)
            .map(|(submodel, part)| Part {
                submodel,
                meshes: part
                    .meshes()
                    .iter()
                    .flat_map(|mesh| part_meshes(part, mesh, facing, &textures))
                    .collect(),
            })
            .collect();
        let aspect = options.size.width() as f32 / options.size.height() as f32;
        let points = framed(model, facing);
        let camera = Camera::framing(
            points.iter().copied(),
            facing,
            options.view,
            aspect,
            options.zoom,
        );
        Ok(Portrait {
            model: model.clone(),
            options,
            camera,
            parts,
        })
    }

    /// The model whose faces are drawn.
    pub fn model(&self) -> &Model {
        &self.model
    }

    /// From where pictures are taken.
    pub fn camera(&self) -> Camera {
        self.camera
    }

    /// Draws a face of the model as its sliders are, and its bones once any has been posed.
    ///
    /// # Errors
    ///
    /// As [`Face::deform`].
    pub fn draw(&self, face: &mut Face, renderer: &mut impl Renderer) -> Result<Image, Error> {
        self.scene(face, |scene, size| renderer.draw(scene, size))
    }

    /// What a face of the model looks like as its sliders are, lent to `see` with the picture's
    /// size: to be drawn elsewhere, or to be compared by its fingerprint.
    ///
    /// # Errors
    ///
    /// As [`Face::deform`].
    pub fn scene<T>(
        &self,
        face: &mut Face,
        see: impl FnOnce(&Scene<'_>, Size) -> T,
    ) -> Result<T, Error> {
        let submodels = self.model.submodels();
        let frames: Vec<Vec<EyeFrame>> = self
            .parts
            .iter()
            .map(|part| face.eye_frames(&submodels[part.submodel]))
            .collect();
        let precision = face.options().precision;
        let motions: Vec<Vec<Affine3A>> =
            self.parts.iter().map(|part| part.motions(face)).collect();
        // Heat maps show what flexes do, wherever the bones are.
        let shapes = face.deform()?;
        let values: Vec<Vec<f32>> = self
            .parts
            .iter()
            .map(|part| {
                let submodel = &submodels[part.submodel];
                self.values(submodel, &shapes[part.submodel], precision)
            })
            .collect();
        let shapes = face.shown()?;
        let mut surfaces = Vec::new();
        let moving = frames.iter().zip(&motions);
        for ((part, (frames, motions)), values) in self.parts.iter().zip(moving).zip(&values) {
            let submodel = &submodels[part.submodel];
            let shape = &shapes[part.submodel];
            for (mesh, motion) in part.meshes.iter().zip(motions) {
                surfaces.push(Surface {
                    geometry: &mesh.geometry,
                    positions: &shape.positions,
                    normals: &shape.normals,
                    uvs: submodel.uvs(),
                    paint: self.paint(mesh, submodel, frames, motion, values),
                });
            }
        }
        let scene = Scene {
            camera: self.camera,
            background: self.options.background,
            surfaces,
        };
        Ok(see(&scene, self.options.size))
    }

    /// The numbers that a heat map shows, one per vertex.
    fn values(&self, submodel: &Submodel, shape: &Shape, precision: Precision) -> Vec<f32> {
        match self.options.show {
            Show::Wrinkle => shape.wrinkles.clone(),
            Show::Displacement => {
                let full = 0.1 * self.camera.reach;
                let base = &submodel.deformer(precision).base().positions;
                let moved = |(&at, &rest)| Vec3::from(at).distance(Vec3::from(rest)) / full;
                shape.positions.iter().zip(base).map(moved).collect()
            }
            Show::Face | Show::Normals | Show::Wire => Vec::new(),
        }
    }

    fn paint<'a>(
        &self,
        mesh: &'a PartMesh,
        submodel: &Submodel,
        frames: &[EyeFrame],
        motion: &Affine3A,
        values: &'a [f32],
    ) -> Paint<'a> {
        match self.options.show {
            Show::Wrinkle | Show::Displacement => return Paint::Heat { values },
            Show::Normals => return Paint::Normals,
            Show::Wire => return Paint::Wire(mesh.material),
            Show::Face => {}
        }
        let texture = mesh.texture.as_deref();
        let eye =
            match mesh.eye {
                Some(EyeKind::Named { frame, radius, .. }) => {
                    Some((frame.moved(motion), radius, 0.72 * radius))
                }
                Some(EyeKind::Eyeball(eye)) => frames
                    .get(eye)
                    .zip(submodel.eyeballs().nth(eye))
                    .map(|(&frame, eyeball)| {
                        let radius = eyeball.radius.abs().max(1e-3);
                        (frame, radius, iris_radius(radius, eyeball.iris_scale))
                    }),
                None => None,
            };
        match (eye, texture) {
            (Some((frame, radius, iris)), white) => Paint::Eye(Eye {
                origin: frame.origin,
                forward: frame.forward,
                up: frame.up,
                right: frame.right,
                radius,
                iris,
                colour: self.options.iris,
                white,
            }),
            (None, Some(texture)) => Paint::Textured {
                texture,
                gloss: mesh.material.gloss,
            },
            (None, None) => Paint::Plain(mesh.material),
        }
    }
}
