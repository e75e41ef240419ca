//! The flexes of a face as the slow reference deformer takes them, and weights that put them to work.

use flexion_mdl::mdl::{self, WrinkleVertAnim};
use flexion_mdl::{Mdl, Vvd};
use flexion_testkit::deform_reference::{
    Number, ReferenceFlex, ReferenceModel, ReferenceRow, ReferenceShape,
};

use crate::Subject;

/// The models of a face's body parts, one reference each, in the order of the product's submodels.
#[derive(Clone, Debug)]
pub struct Deltas {
    /// Deltas as in the file.
    pub models: Vec<ReferenceModel>,
    descriptors: usize,
}

/// The weight of a descriptor that is active: on a slope of the usual ramps, and not 1, which would be too easy.
const WEIGHT: f32 = 0.7;

/// How much of a face moves.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Activity {
    /// Every descriptor: the most work a pose can be.
    All,
    /// Six descriptors spread over those that move something: an ordinary expression.
    Six,
}

impl Activity {
    /// Both, in the order of the tables.
    pub const BOTH: [Activity; 2] = [Activity::All, Activity::Six];

    /// As in ids.
    pub fn name(self) -> &'static str {
        match self {
            Activity::All => "all-active",
            Activity::Six => "six-active",
        }
    }
}

impl Deltas {
    /// Reads the flexes of a face; `None` when it has no vertices or no flexes.
    ///
    /// # Panics
    ///
    /// When a file is damaged.
    pub fn of(subject: &Subject) -> Option<Deltas> {
        let mdl = subject.records();
        let vvd = Vvd::read_for(subject.vvd.as_ref()?, &mdl)
            .unwrap_or_else(|error| panic!("{}: {error}", subject.name));
        let models = mdl.body_parts.iter().flat_map(|part| &part.models);
        let models: Vec<_> = models.map(|model| reference(&mdl, model, &vvd)).collect();
        let moving = models.iter().any(|model| !model.flexes.is_empty());
        moving.then_some(Deltas {
            descriptors: mdl.descriptors.len(),
            models,
        })
    }

    /// As engines hold them: halves turned into fixed point.
    #[must_use]
    pub fn converted(&self) -> Deltas {
        Deltas {
            models: self.models.iter().map(ReferenceModel::converted).collect(),
            descriptors: self.descriptors,
        }
    }

    /// Weights for the activity, one per descriptor.
    pub fn weights(&self, activity: Activity) -> Vec<f32> {
        let mut weights = vec![0.0; self.descriptors];
        match activity {
            Activity::All => weights.fill(WEIGHT),
            Activity::Six => {
                let mut moving: Vec<usize> = self.flexes().map(|f| f.flexdesc as usize).collect();
                moving.sort_unstable();
                moving.dedup();
                let count = moving.len().min(6);
                for at in 0..count {
                    weights[moving[at * moving.len() / count]] = WEIGHT;
                }
            }
        }
        weights
    }

    /// Rows of the flexes that such weights move.
    pub fn active_rows(&self, weights: &[f32]) -> usize {
        let moves = |descriptor: i32, [start, .., end]: [f32; 4]| {
            let weight = weights[descriptor as usize];
            start < weight && weight < end
        };
        let pair = |flex: &ReferenceFlex| flex.flexpair != 0 && moves(flex.flexpair, flex.targets);
        self.flexes()
            .filter(|flex| moves(flex.flexdesc, flex.targets) || pair(flex))
            .map(|flex| flex.rows.len())
            .sum()
    }

    /// Vertices of all models.
    pub fn vertices(&self) -> usize {
        self.models.iter().map(|model| model.positions.len()).sum()
    }

    /// Poses all models with the slow reference.
    pub fn pose(&self, weights: &[f32], shapes: &mut [ReferenceShape]) {
        for (model, shape) in self.models.iter().zip(shapes) {
            model.pose(weights, weights, false, shape);
        }
    }

    /// Empty shapes for [`Deltas::pose`].
    pub fn shapes(&self) -> Vec<ReferenceShape> {
        vec![ReferenceShape::default(); self.models.len()]
    }

    /// Flexes whose descriptors exist; others never move anything.
    fn flexes(&self) -> impl Iterator<Item = &ReferenceFlex> {
        let exists = |index: i32| index >= 0 && (index as usize) < self.descriptors;
        let flexes = self.models.iter().flat_map(|model| &model.flexes);
        flexes.filter(move |flex| exists(flex.flexdesc) && exists(flex.flexpair))
    }
}

fn reference(mdl: &Mdl<'_>, model: &mdl::Model<'_>, vvd: &Vvd<'_>) -> ReferenceModel {
    let range = |first: i32| first as usize..(first + model.vertex_count) as usize;
    let vertices = &vvd.vertices[range(model.first_vertex)];
    let tangents = vvd.tangents.get(range(model.first_tangent));
    ReferenceModel {
        positions: vertices.iter().map(|v| v.position.map(f32::from)).collect(),
        normals: vertices.iter().map(|v| v.normal.map(f32::from)).collect(),
        tangents: tangents
            .unwrap_or_default()
            .iter()
            .map(|tangent| tangent.map(f32::from))
            .collect(),
        numflexdesc: mdl.descriptors.len(),
        number: if mdl.flexes_converted() {
            Number::Fixed
        } else {
            Number::Half
        },
        scale: mdl.fixed_point_scale(),
        flexes: model.meshes.iter().flat_map(flexes).collect(),
    }
}

fn flexes<'m>(mesh: &'m mdl::Mesh<'_>) -> impl Iterator<Item = ReferenceFlex> + use<'m> {
    mesh.flexes.iter().map(|flex| ReferenceFlex {
        flexdesc: flex.descriptor,
        flexpair: flex.partner,
        targets: flex.targets,
        vertexoffset: mesh.vertex_offset as u32,
        numvertices: mesh.vertex_count as u32,
        rows: flex.vert_anims.rows().map(row).collect(),
    })
}

fn row(row: WrinkleVertAnim) -> ReferenceRow {
    ReferenceRow {
        index: row.base.vertex.get(),
        speed: row.base.speed,
        side: row.base.side,
        delta: row.base.delta.map(u16::from),
        ndelta: row.base.normal_delta.map(u16::from),
        wrinkledelta: row.wrinkle.get(),
    }
}
