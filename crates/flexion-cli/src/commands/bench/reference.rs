//! A face as the slow reference takes it: rules and flexes of the `.mdl`, base vertices as the product read them.

use flexion::mdl::Mdl;
use flexion::mdl::mdl::{Mesh, WrinkleVertAnim};
use flexion::{Model, Precision, Submodel};
use flexion_reference::deform::{
    Number, ReferenceFlex, ReferenceModel, ReferenceRow, ReferenceShape,
};
use flexion_reference::rules::{self, Checks, Op, Rig, Rule};

/// What the product is measured and judged by.
#[derive(Debug)]
pub(super) struct Reference {
    pub(super) rig: Rig,
    /// One for each submodel.
    pub(super) models: Vec<ReferenceModel>,
}

/// What the reference fills, pose after pose.
#[derive(Debug)]
pub(super) struct Posed {
    pub(super) weights: Vec<f32>,
    pub(super) shapes: Vec<ReferenceShape>,
}

impl Reference {
    pub(super) fn new(mdl: &Mdl<'_>, model: &Model) -> Reference {
        let parts = mdl.body_parts.iter().flat_map(|part| &part.models);
        let submodels = parts.zip(model.submodels());
        Reference {
            rig: rig(mdl),
            models: submodels
                .map(|(part, submodel)| vertices(mdl, &part.meshes, submodel))
                .collect(),
        }
    }

    /// The same without tangents: the work of positions and normals alone.
    pub(super) fn without_tangents(&self) -> Vec<ReferenceModel> {
        let bare = |model: &ReferenceModel| ReferenceModel {
            tangents: Vec::new(),
            ..model.clone()
        };
        self.models.iter().map(bare).collect()
    }

    /// Memory for [`pose`](Self::pose).
    pub(super) fn posed(&self) -> Posed {
        Posed {
            weights: vec![0.0; self.rig.descriptors],
            shapes: vec![ReferenceShape::default(); self.models.len()],
        }
    }

    /// Sliders to vertices, of all models or of others with the same rules; lids stay as the rules have them.
    pub(super) fn pose(&self, models: &[ReferenceModel], sliders: &[f32], out: &mut Posed) {
        rules::eval(&self.rig, Checks::Shipped, sliders, &mut out.weights);
        for (model, shape) in models.iter().zip(&mut out.shapes) {
            model.pose(&out.weights, &out.weights, false, shape);
        }
    }
}

fn rig(mdl: &Mdl<'_>) -> Rig {
    let op = |op: &flexion::mdl::mdl::Op| Op {
        code: op.code,
        operand: op.operand,
    };
    let rules = mdl.rules.iter().map(|rule| Rule {
        flex: rule.target,
        ops: rule.ops.iter().map(op).collect(),
    });
    Rig {
        controllers: mdl.controllers.iter().map(|c| (c.min, c.max)).collect(),
        descriptors: mdl.descriptors.len(),
        rules: rules.collect(),
    }
}

fn vertices(mdl: &Mdl<'_>, meshes: &[Mesh<'_>], submodel: &Submodel) -> ReferenceModel {
    let base = submodel.deformer(Precision::File).base();
    ReferenceModel {
        positions: base.positions.clone(),
        normals: base.normals.clone(),
        tangents: base.tangents.clone(),
        numflexdesc: mdl.descriptors.len(),
        number: match mdl.flexes_converted() {
            true => Number::Fixed,
            false => Number::Half,
        },
        scale: mdl.fixed_point_scale(),
        flexes: meshes.iter().flat_map(flexes).collect(),
    }
}

/// None of a mesh whose place among the vertices is no place at all.
fn flexes(mesh: &Mesh<'_>) -> Vec<ReferenceFlex> {
    let place = (
        u32::try_from(mesh.vertex_offset),
        u32::try_from(mesh.vertex_count),
    );
    let (Ok(vertexoffset), Ok(numvertices)) = place else {
        return Vec::new();
    };
    let flexes = mesh.flexes.iter().map(|flex| ReferenceFlex {
        flexdesc: flex.descriptor,
        flexpair: flex.partner,
        targets: flex.targets,
        vertexoffset,
        numvertices,
        rows: flex.vert_anims.rows().map(row).collect(),
    });
    flexes.collect()
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
