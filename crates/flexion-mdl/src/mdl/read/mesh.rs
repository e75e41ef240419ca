//! Body parts, their models, the meshes and eyeballs of those, and the meshes' flexes.

use std::borrow::Cow;

use super::super::check::Scan;
use super::{link_in, place, table};
use crate::bytes::At;
use crate::error::{Error, ErrorKind, Place};
use crate::mdl::{BodyPart, Eyeball, Flex, Lid, Mesh, Model, VertAnim, VertAnims, WrinkleVertAnim};
use crate::raw::mdl as raw;

/// Bytes of a vertex in the `.vvd`, which `mstudiomodel_t.vertexindex` counts in.
pub(in crate::mdl) const VERTEX_SIZE: i32 = 48;
/// Bytes of a tangent in the `.vvd`, which `mstudiomodel_t.tangentsindex` counts in.
pub(in crate::mdl) const TANGENT_SIZE: i32 = 16;

pub(super) fn body_parts<'a>(scan: &Scan<'_, 'a>) -> Result<Vec<BodyPart<'a>>, Error> {
    let Scan { reader, header, .. } = scan;
    table!(reader, header, numbodyparts, bodypartindex, |at: At<
        raw::BodyParts,
    >| {
        Ok(BodyPart {
            name: reader.name(link_in!(reader, at, sznameindex))?,
            base: at.raw.base,
            models: table!(reader, at, nummodels, modelindex, |at| model(scan, &at))?,
        })
    })
}

fn model<'a>(scan: &Scan<'_, 'a>, at: &At<raw::Model>) -> Result<Model<'a>, Error> {
    let reader = scan.reader;
    not_negative(place!(reader, at, numvertices), at.raw.numvertices)?;
    let model = Model {
        name: reader.fixed_name(place!(reader, at, name), at.raw.name.len())?,
        kind: at.raw.r#type,
        bounding_radius: at.raw.boundingradius,
        vertex_count: at.raw.numvertices,
        first_vertex: whole(
            place!(reader, at, vertexindex),
            at.raw.vertexindex,
            VERTEX_SIZE,
            "a multiple of 48, not negative",
        )?,
        first_tangent: whole(
            place!(reader, at, tangentsindex),
            at.raw.tangentsindex,
            TANGENT_SIZE,
            "a multiple of 16, not negative",
        )?,
        meshes: table!(reader, at, nummeshes, meshindex, |mesh_at| mesh(
            scan, at, &mesh_at
        ))?,
        eyeballs: table!(reader, at, numeyeballs, eyeballindex, |at| eyeball(
            scan, &at
        ))?,
    };
    scan.check_model(at, &model);
    Ok(model)
}

fn mesh<'a>(
    scan: &Scan<'_, 'a>,
    model: &At<raw::Model>,
    at: &At<raw::Mesh>,
) -> Result<Mesh<'a>, Error> {
    let reader = scan.reader;
    not_negative(place!(reader, at, numvertices), at.raw.numvertices)?;
    scan.check_mesh(model, at);
    Ok(Mesh {
        material: at.raw.material,
        vertex_count: at.raw.numvertices,
        vertex_offset: at.raw.vertexoffset,
        material_type: at.raw.materialtype,
        material_param: at.raw.materialparam,
        id: at.raw.meshid,
        center: at.raw.center,
        lod_vertex_counts: at.raw.numLODVertexes,
        flexes: table!(reader, at, numflexes, flexindex, |flex_at| flex(
            scan, at, &flex_at
        ))?,
    })
}

fn flex<'a>(
    scan: &Scan<'_, 'a>,
    mesh: &At<raw::Mesh>,
    at: &At<raw::Flex>,
) -> Result<Flex<'a>, Error> {
    let reader = scan.reader;
    let (link, count) = (link_in!(reader, at, vertindex), at.raw.numverts);
    let counted = place!(reader, at, numverts);
    let vert_anims = match at.raw.vertanimtype {
        0 => {
            let rows = reader.slice(link, count, counted)?;
            reader.claim_built::<VertAnim>(rows.len(), counted)?;
            VertAnims::Plain(Cow::Borrowed(rows))
        }
        1 => {
            let rows = reader.slice(link, count, counted)?;
            reader.claim_built::<WrinkleVertAnim>(rows.len(), counted)?;
            VertAnims::Wrinkle(Cow::Borrowed(rows))
        }
        other => {
            return Err(Error {
                place: place!(reader, at, vertanimtype),
                kind: ErrorKind::Value {
                    found: other.into(),
                    expected: "0 or 1",
                },
            });
        }
    };
    let flex = Flex {
        descriptor: at.raw.flexdesc,
        targets: [
            at.raw.target0,
            at.raw.target1,
            at.raw.target2,
            at.raw.target3,
        ],
        partner: at.raw.flexpair,
        vert_anims,
    };
    scan.check_flex(mesh, at, &flex);
    Ok(flex)
}

fn eyeball<'a>(scan: &Scan<'_, 'a>, at: &At<raw::Eyeball>) -> Result<Eyeball<'a>, Error> {
    let reader = scan.reader;
    scan.check_eyeball(at);
    Ok(Eyeball {
        name: reader.name(link_in!(reader, at, sznameindex))?,
        bone: at.raw.bone,
        origin: at.raw.org,
        z_offset: at.raw.zoffset,
        radius: at.raw.radius,
        up: at.raw.up,
        forward: at.raw.forward,
        texture: at.raw.texture,
        iris_scale: at.raw.iris_scale,
        upper: Lid {
            descriptors: at.raw.upperflexdesc,
            targets: at.raw.uppertarget,
            lid_descriptor: at.raw.upperlidflexdesc,
        },
        lower: Lid {
            descriptors: at.raw.lowerflexdesc,
            targets: at.raw.lowertarget,
            lid_descriptor: at.raw.lowerlidflexdesc,
        },
        non_facs: at.raw.m_bNonFACS != 0,
    })
}

fn not_negative(place: Place, count: i32) -> Result<(), Error> {
    if count < 0 {
        let kind = ErrorKind::NegativeCount(count);
        return Err(Error { place, kind });
    }
    Ok(())
}

/// How many times `size` a number of bytes is, which must come out even.
fn whole(place: Place, bytes: i32, size: i32, expected: &'static str) -> Result<i32, Error> {
    if bytes < 0 || bytes % size != 0 {
        return Err(Error {
            place,
            kind: ErrorKind::Value {
                found: bytes.into(),
                expected,
            },
        });
    }
    Ok(bytes / size)
}
