//! What of a model has vertices: the models of its body parts, with meshes and eyes.

use std::ops::Range;
use std::sync::OnceLock;

use flexion_bones::Binding;
use flexion_deform::{
    BaseVertices, Deformer, DeformerBuilder, DeltaRow, Encoding, FlexRecord, Precision, Ramp,
};
use flexion_mdl::mdl::{self, Eyeball, WrinkleVertAnim};
use flexion_mdl::vtx::VtxMesh;
use flexion_mdl::{Mdl, Vtx, Vvd};
use glam::{Affine3A, Vec3};

/// `materialtype` of a mesh that is an eyeball.
const MATERIAL_EYEBALL: i32 = 1;

/// One alternative of a body part (`mstudiomodel_t`): vertices, meshes and eyes.
#[derive(Debug)]
pub struct Submodel {
    body_part: usize,
    body_part_name: String,
    index: usize,
    name: String,
    uvs: Vec<[f32; 2]>,
    bindings: Vec<Binding>,
    meshes: Vec<Mesh>,
    eyes: Vec<Eye>,
    deformer: Deformer,
    engine_deformer: OnceLock<Deformer>,
}

/// The part of a [`Submodel`] that has one material (`mstudiomesh_t`).
#[derive(Clone, Debug, PartialEq)]
pub struct Mesh {
    /// Name of the material in skin family 0, without its folder; empty when the file has none.
    pub material: String,
    /// The mesh's vertices among those of the submodel.
    pub vertices: Range<usize>,
    /// Triangles of the finest level of detail as vertices of the submodel, clockwise seen from
    /// outside; none without a `.vtx`.
    pub triangles: Vec<[u32; 3]>,
    /// Which of the submodel's eyeballs the mesh is, if it is one.
    pub eyeball: Option<usize>,
}

/// An eyeball and the bone that carries it.
#[derive(Clone, Debug)]
pub(crate) struct Eye {
    pub(crate) eyeball: Eyeball<'static>,
    /// Where the bone stands in the bind pose.
    pub(crate) bone: Affine3A,
    /// Which bone; none for an index that leads nowhere.
    pub(crate) carrier: Option<usize>,
    /// The eyeball's own forward in the space of the bone, signed away from the head.
    forward: Vec3,
    /// The same in the world of the bind pose.
    pub(crate) ahead: Vec3,
}

impl Eye {
    /// Where its bone stands, and its own forward in that world; in the bind pose without `world`.
    pub(crate) fn stand(&self, world: Option<&[Affine3A]>) -> (Affine3A, Vec3) {
        match world.zip(self.carrier) {
            Some((world, carrier)) => {
                let bone = world[carrier];
                (
                    bone,
                    bone.transform_vector3(self.forward).normalize_or_zero(),
                )
            }
            None => (self.bone, self.ahead),
        }
    }
}

impl Submodel {
    /// Number of the body part (`mstudiobodyparts_t`).
    pub fn body_part(&self) -> usize {
        self.body_part
    }

    /// Name of the body part.
    pub fn body_part_name(&self) -> &str {
        &self.body_part_name
    }

    /// Number among the alternatives of its body part.
    pub fn index(&self) -> usize {
        self.index
    }

    /// The name inside the file.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// How many vertices it has; 0 without a `.vvd`.
    pub fn vertex_count(&self) -> usize {
        self.deformer.vertices()
    }

    /// Texture coordinates, one per vertex; v runs down.
    pub fn uvs(&self) -> &[[f32; 2]] {
        &self.uvs
    }

    /// Bones and weights, one per vertex.
    pub fn bindings(&self) -> &[Binding] {
        &self.bindings
    }

    /// The meshes in file order.
    pub fn meshes(&self) -> &[Mesh] {
        &self.meshes
    }

    /// How many eyeballs it has.
    pub fn eye_count(&self) -> usize {
        self.eyes.len()
    }

    /// The eyeballs as the file has them, in the space of their bones.
    pub fn eyeballs(&self) -> impl ExactSizeIterator<Item = &Eyeball<'static>> {
        self.eyes.iter().map(|eye| &eye.eyeball)
    }

    /// Whether its vertices have tangents.
    pub(crate) fn has_tangents(&self) -> bool {
        !self.deformer.base().tangents.is_empty()
    }

    pub(crate) fn eyes(&self) -> &[Eye] {
        &self.eyes
    }

    /// The deltas, ready to be applied; in engine precision made on first use and kept.
    pub fn deformer(&self, precision: Precision) -> &Deformer {
        match precision {
            Precision::File => &self.deformer,
            Precision::Engine => self
                .engine_deformer
                .get_or_init(|| self.deformer.quantised()),
        }
    }
}

/// All submodels in file order. The vertex ranges must have been checked against the `.vvd`.
pub(crate) fn submodels(
    mdl: &Mdl<'_>,
    vvd: Option<&Vvd<'_>>,
    vtx: Option<&Vtx>,
    bones: &[Affine3A],
) -> Vec<Submodel> {
    let mut submodels = Vec::new();
    for (body_part, part) in mdl.body_parts.iter().enumerate() {
        for (index, model) in part.models.iter().enumerate() {
            let lod = vtx.and_then(|vtx| {
                let model = vtx.body_parts.get(body_part)?.models.get(index)?;
                model.lods.first()
            });
            let base = base_vertices(model, vvd);
            submodels.push(Submodel {
                body_part,
                body_part_name: part.name.to_str().into_owned(),
                index,
                name: model.name.to_str().into_owned(),
                uvs: vertices(model, vvd)
                    .iter()
                    .map(|vertex| vertex.uv.map(f32::from))
                    .collect(),
                bindings: vertices(model, vvd).iter().map(binding).collect(),
                meshes: meshes(mdl, model, lod.map_or(&[], |lod| &lod.meshes)),
                eyes: eyes(model, vvd, bones),
                deformer: deformer(mdl, model, base),
                engine_deformer: OnceLock::new(),
            });
        }
    }
    submodels
}

/// The model's vertices in the `.vvd`.
fn vertices<'v>(
    model: &mdl::Model<'_>,
    vvd: Option<&'v Vvd<'_>>,
) -> &'v [flexion_mdl::vvd::Vertex] {
    range(model.first_vertex, model.vertex_count)
        .and_then(|range| vvd?.vertices.get(range))
        .unwrap_or_default()
}

/// The bones of a vertex, of which a damaged file may count too many.
fn binding(vertex: &flexion_mdl::vvd::Vertex) -> Binding {
    Binding {
        weights: vertex.weights.map(f32::from),
        bones: vertex.bones,
        count: vertex.bone_count.min(3),
    }
}

fn range(first: i32, count: i32) -> Option<Range<usize>> {
    let first = usize::try_from(first).ok()?;
    let count = usize::try_from(count).ok()?;
    Some(first..first.checked_add(count)?)
}

fn base_vertices(model: &mdl::Model<'_>, vvd: Option<&Vvd<'_>>) -> BaseVertices {
    let vertices = vertices(model, vvd);
    let tangents = range(model.first_tangent, model.vertex_count)
        .and_then(|range| vvd?.tangents.get(range))
        .unwrap_or_default();
    BaseVertices {
        positions: vertices
            .iter()
            .map(|vertex| vertex.position.map(f32::from))
            .collect(),
        normals: vertices
            .iter()
            .map(|vertex| vertex.normal.map(f32::from))
            .collect(),
        tangents: tangents
            .iter()
            .map(|tangent| tangent.map(f32::from))
            .collect(),
    }
}

/// The model's flexes, in file order of its meshes.
fn deformer(mdl: &Mdl<'_>, model: &mdl::Model<'_>, base: BaseVertices) -> Deformer {
    let encoding = if mdl.flexes_converted() {
        Encoding::Fixed
    } else {
        Encoding::Half
    };
    let mut builder = DeformerBuilder::new(
        base,
        mdl.descriptors.len(),
        encoding,
        mdl.fixed_point_scale(),
        Precision::File,
    );
    for mesh in &model.meshes {
        let Some(vertices) = range(mesh.vertex_offset, mesh.vertex_count) else {
            continue;
        };
        for flex in &mesh.flexes {
            let record = FlexRecord {
                descriptor: flex.descriptor,
                partner: flex.partner,
                ramp: Ramp {
                    targets: flex.targets,
                },
                first_vertex: vertices.start as u32,
                vertex_count: vertices.len() as u32,
            };
            builder.flex(record, flex.vert_anims.rows().map(row));
        }
    }
    builder.build()
}

fn row(row: WrinkleVertAnim) -> DeltaRow {
    DeltaRow {
        vertex: row.base.vertex.get(),
        speed: row.base.speed,
        side: row.base.side,
        delta: row.base.delta.map(u16::from),
        normal_delta: row.base.normal_delta.map(u16::from),
        wrinkle: row.wrinkle.get(),
    }
}

fn meshes(mdl: &Mdl<'_>, model: &mdl::Model<'_>, indices: &[VtxMesh]) -> Vec<Mesh> {
    let vertex_count = usize::try_from(model.vertex_count).unwrap_or_default();
    let mesh = |(at, mesh): (usize, &mdl::Mesh<'_>)| {
        let vertices = range(mesh.vertex_offset, mesh.vertex_count).unwrap_or_default();
        let first = vertices.start as u32;
        let triangles = indices.get(at).map_or(&[][..], |mesh| &mesh.triangles);
        Mesh {
            material: mdl
                .material(mesh)
                .map(|name| name.to_str().into_owned())
                .unwrap_or_default(),
            vertices: vertices.start.min(vertex_count)..vertices.end.min(vertex_count),
            triangles: triangles
                .iter()
                .map(|triangle| triangle.map(|vertex| first.saturating_add(u32::from(vertex))))
                // A mesh may reach past its model, which is worth a warning and no more.
                .filter(|triangle| {
                    triangle
                        .iter()
                        .all(|&vertex| (vertex as usize) < vertex_count)
                })
                .collect(),
            eyeball: usize::try_from(mesh.material_param).ok().filter(|&eye| {
                mesh.material_type == MATERIAL_EYEBALL && eye < model.eyeballs.len()
            }),
        }
    };
    model.meshes.iter().enumerate().map(mesh).collect()
}

fn eyes(model: &mdl::Model<'_>, vvd: Option<&Vvd<'_>>, bones: &[Affine3A]) -> Vec<Eye> {
    let eye = |eyeball: &Eyeball<'_>| {
        let bone_index = usize::try_from(eyeball.bone).ok();
        let carrier = bone_index.filter(|&bone| bone < bones.len());
        let bone = carrier.map_or(Affine3A::IDENTITY, |bone| bones[bone]);
        let forward = bone.transform_vector3(eyeball.forward).normalize_or_zero();
        let outward = bone.transform_point3(eyeball.origin)
            - centroid(vertices(model, vvd), bone_index.unwrap_or(usize::MAX));
        let sign = if forward.dot(outward) < 0.0 {
            -1.0
        } else {
            1.0
        };
        Eye {
            ahead: sign * forward,
            forward: sign * eyeball.forward,
            carrier,
            eyeball: Eyeball {
                name: eyeball.name.clone().into_owned(),
                ..*eyeball
            },
            bone,
        }
    };
    model.eyeballs.iter().map(eye).collect()
}

/// The middle of the vertices that `bone` moves.
fn centroid(vertices: &[flexion_mdl::vvd::Vertex], bone: usize) -> Vec3 {
    let mut sum = Vec3::ZERO;
    let mut count = 0.0;
    for vertex in vertices {
        let used = usize::from(vertex.bone_count).min(vertex.bones.len());
        if vertex.bones[..used].iter().any(|&b| usize::from(b) == bone) {
            sum += Vec3::from_array(vertex.position.map(f32::from));
            count += 1.0;
        }
    }
    if count == 0.0 { sum } else { sum / count }
}
