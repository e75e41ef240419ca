//! Body parts, their models, the meshes and eyeballs of those, and the meshes' flexes.

use super::fixed_name;
use super::out::{Output, Spot};
use crate::error::WriteError;
use crate::mdl::read::{TANGENT_SIZE, VERTEX_SIZE};
use crate::mdl::{BodyPart, Eyeball, Flex, Mesh, Model, VertAnims};
use crate::raw::Record;
use crate::raw::mdl::{self as raw, StudioHdr};

pub(super) fn body_parts<'n>(
    out: &mut Output<'n>,
    header: Spot<StudioHdr>,
    parts: &'n [BodyPart<'_>],
) -> Result<(i32, i32), WriteError> {
    let fields = ["numbodyparts", "bodypartindex"];
    out.table(header, fields, parts, |out, at, part| {
        let fields = ["nummodels", "modelindex"];
        let (nummodels, modelindex) = out.table(at, fields, &part.models, model)?;
        Ok(raw::BodyParts {
            sznameindex: out.name(at, "sznameindex", &part.name)?,
            nummodels,
            base: part.base,
            modelindex,
        })
    })
}

fn model<'n>(
    out: &mut Output<'n>,
    at: Spot<raw::Model>,
    model: &'n Model<'_>,
) -> Result<raw::Model, WriteError> {
    let fields = ["nummeshes", "meshindex"];
    let (nummeshes, meshindex) = out.table(at, fields, &model.meshes, |out, mesh_at, item| {
        mesh(out, at, mesh_at, item)
    })?;
    let fields = ["numeyeballs", "eyeballindex"];
    let (numeyeballs, eyeballindex) = out.table(at, fields, &model.eyeballs, eyeball)?;
    Ok(raw::Model {
        name: fixed_name(at, "name", model.name.as_bytes())?,
        r#type: model.kind,
        boundingradius: model.bounding_radius,
        nummeshes,
        meshindex,
        numvertices: not_negative(at, "numvertices", model.vertex_count)?,
        vertexindex: bytes(at, "vertexindex", model.first_vertex, VERTEX_SIZE)?,
        tangentsindex: bytes(at, "tangentsindex", model.first_tangent, TANGENT_SIZE)?,
        numeyeballs,
        eyeballindex,
        ..raw::Model::ZERO
    })
}

fn mesh<'n>(
    out: &mut Output<'n>,
    model: Spot<raw::Model>,
    at: Spot<raw::Mesh>,
    mesh: &'n Mesh<'_>,
) -> Result<raw::Mesh, WriteError> {
    let fields = ["numflexes", "flexindex"];
    let (numflexes, flexindex) = out.table(at, fields, &mesh.flexes, flex)?;
    Ok(raw::Mesh {
        material: mesh.material,
        modelindex: at.offset("modelindex", model.start)?,
        numvertices: not_negative(at, "numvertices", mesh.vertex_count)?,
        vertexoffset: mesh.vertex_offset,
        numflexes,
        flexindex,
        materialtype: mesh.material_type,
        materialparam: mesh.material_param,
        meshid: mesh.id,
        center: mesh.center,
        numLODVertexes: mesh.lod_vertex_counts,
        ..raw::Mesh::ZERO
    })
}

fn flex(
    out: &mut Output<'_>,
    at: Spot<raw::Flex>,
    flex: &Flex<'_>,
) -> Result<raw::Flex, WriteError> {
    let (vertanimtype, rows) = match &flex.vert_anims {
        VertAnims::Plain(rows) => (0, out.array(rows)),
        VertAnims::Wrinkle(rows) => (1, out.array(rows)),
    };
    let [target0, target1, target2, target3] = flex.targets;
    Ok(raw::Flex {
        flexdesc: flex.descriptor,
        target0,
        target1,
        target2,
        target3,
        numverts: at.count("numverts", flex.vert_anims.len())?,
        vertindex: at.offset("vertindex", rows)?,
        flexpair: flex.partner,
        vertanimtype,
        ..raw::Flex::ZERO
    })
}

fn eyeball<'n>(
    out: &mut Output<'n>,
    at: Spot<raw::Eyeball>,
    eyeball: &'n Eyeball<'_>,
) -> Result<raw::Eyeball, WriteError> {
    Ok(raw::Eyeball {
        sznameindex: out.name(at, "sznameindex", &eyeball.name)?,
        bone: eyeball.bone,
        org: eyeball.origin,
        zoffset: eyeball.z_offset,
        radius: eyeball.radius,
        up: eyeball.up,
        forward: eyeball.forward,
        texture: eyeball.texture,
        iris_scale: eyeball.iris_scale,
        upperflexdesc: eyeball.upper.descriptors,
        lowerflexdesc: eyeball.lower.descriptors,
        uppertarget: eyeball.upper.targets,
        lowertarget: eyeball.lower.targets,
        upperlidflexdesc: eyeball.upper.lid_descriptor,
        lowerlidflexdesc: eyeball.lower.lid_descriptor,
        m_bNonFACS: eyeball.non_facs.into(),
        ..raw::Eyeball::ZERO
    })
}

fn not_negative<R: Record>(
    at: Spot<R>,
    field: &'static str,
    count: i32,
) -> Result<i32, WriteError> {
    if count < 0 {
        return Err(at.value(field, count, "0 or more"));
    }
    Ok(count)
}

/// Bytes that the first `count` elements of `size` bytes take.
fn bytes<R: Record>(
    at: Spot<R>,
    field: &'static str,
    count: i32,
    size: i32,
) -> Result<i32, WriteError> {
    let bytes = count.checked_mul(size).filter(|&bytes| bytes >= 0);
    bytes.ok_or_else(|| {
        at.value(
            field,
            count,
            "elements before it whose bytes 31 bits can count",
        )
    })
}
