//! Every `.vvd` and `.vtx` of the corpus, beside its `.mdl`.

use std::fs;
use std::path::Path;

use flexion_mdl::mdl::Model;
use flexion_mdl::vtx::VtxMesh;
use flexion_mdl::vvd::{Fixup, Vertex};
use flexion_mdl::{Mdl, Vtx, Vvd};
use flexion_testkit::corpus::{corpus, models};

/// Calls `check` with the files of every model that has all three.
fn each(test: &str, check: impl Fn(&Path, &Mdl<'_>, &[u8], &[u8])) {
    let Some(folder) = corpus(test) else { return };
    let mut checked = 0;
    for path in models(&folder) {
        let [vvd, vtx] = [".vvd", ".dx90.vtx"].map(|ending| {
            let stem = path.file_stem().expect("a name").to_string_lossy();
            fs::read(path.with_file_name(format!("{stem}{ending}")))
        });
        if let (Ok(vvd), Ok(vtx)) = (vvd, vtx) {
            let bytes = fs::read(&path).expect("a model");
            let mdl = Mdl::read(&bytes).unwrap_or_else(|error| panic!("{path:?}: {error}"));
            check(&path, &mdl, &vvd, &vtx);
            checked += 1;
        }
    }
    assert!(checked >= 15, "{test}: only {checked} models have vertices");
}

fn vertices<'v>(vvd: &'v Vvd<'_>, model: &Model<'_>) -> &'v [Vertex] {
    let first = model.first_vertex as usize;
    &vvd.vertices[first..first + model.vertex_count as usize]
}

/// Models of both files, paired.
fn paired<'m>(
    mdl: &'m Mdl<'m>,
    vtx: &'m Vtx,
) -> impl Iterator<Item = (&'m Model<'m>, &'m flexion_mdl::vtx::VtxModel)> {
    let parts = mdl.body_parts.iter().zip(&vtx.body_parts);
    parts.flat_map(|(part, strips)| part.models.iter().zip(&strips.models))
}

#[test]
fn all_files_read_and_belong_together() {
    each(
        "all_files_read_and_belong_together",
        |path, mdl, vvd, vtx| {
            let read = Vvd::read_for(vvd, mdl).unwrap_or_else(|error| panic!("{path:?}: {error}"));
            assert_eq!(read.tangents.len(), read.vertices.len(), "{path:?}");
            let total: i32 = mdl
                .body_parts
                .iter()
                .flat_map(|part| &part.models)
                .map(|model| model.vertex_count)
                .sum();
            assert_eq!(total as usize, read.vertices.len(), "{path:?}");
            Vtx::read_for(vtx, mdl).unwrap_or_else(|error| panic!("{path:?}: {error}"));
        },
    );
}

#[test]
fn what_is_written_reads_back() {
    each("what_is_written_reads_back", |path, mdl, vvd, vtx| {
        let read = Vvd::read(vvd).unwrap();
        for bytes in [read.write().unwrap(), read.write_for(mdl).unwrap()] {
            assert_eq!(Vvd::read(&bytes).unwrap(), read, "{path:?}");
        }
        let read = Vtx::read(vtx).unwrap();
        let bytes = read.write().unwrap();
        assert_eq!(Vtx::read(&bytes).unwrap(), read, "{path:?}");
    });
}

#[test]
fn bone_weights_sum_to_1() {
    each("bone_weights_sum_to_1", |path, mdl, vvd, _| {
        for (at, vertex) in Vvd::read(vvd).unwrap().vertices.iter().enumerate() {
            let used = usize::from(vertex.bone_count);
            assert!((1..=3).contains(&used), "{path:?}: vertex {at}");
            let sum: f32 = vertex.weights[..used]
                .iter()
                .map(|weight| weight.get())
                .sum();
            assert!((sum - 1.0).abs() <= 1e-6, "{path:?}: vertex {at}: {sum}");
            for &bone in &vertex.bones[..used] {
                assert!(usize::from(bone) < mdl.bones.len(), "{path:?}: vertex {at}");
            }
        }
    });
}

/// The compiler's own fixups are those that the meshes' level counts lead to.
#[test]
fn fixups_are_the_compilers() {
    each("fixups_are_the_compilers", |path, mdl, bytes, _| {
        let vvd = Vvd::read(bytes).unwrap();
        let field = |at: usize| i32::from_le_bytes(bytes[at..at + 4].try_into().unwrap());
        let table = field(52) as usize;
        let found: Vec<Fixup> = (0..field(48) as usize)
            .map(|index| table + 12 * index)
            .map(|at| Fixup {
                lod: field(at),
                first: field(at + 4),
                count: field(at + 8),
            })
            .collect();
        let made = vvd.fixups(mdl);
        if found.is_empty() {
            assert!(made.is_sorted_by_key(|fixup| fixup.first), "{path:?}");
        } else {
            assert_eq!(made, found, "{path:?}");
        }
        for (lod, &count) in vvd.lod_vertex_counts.iter().enumerate() {
            let levels = made.iter().filter(|fixup| fixup.lod >= lod as i32);
            let total: i32 = levels.map(|fixup| fixup.count).sum();
            assert_eq!(total, count as i32, "{path:?} level {lod}");
        }
    });
}

#[test]
fn levels_use_only_their_vertices() {
    each("levels_use_only_their_vertices", |path, mdl, _, vtx| {
        for (model, strips) in paired(mdl, &Vtx::read(vtx).unwrap()) {
            for (level, lod) in strips.lods.iter().enumerate() {
                for (mesh, strips) in model.meshes.iter().zip(&lod.meshes) {
                    let count = mesh.lod_vertex_counts[level];
                    let most = strips.triangles.as_flattened().iter().max();
                    assert!(
                        most.is_none_or(|&most| i32::from(most) < count),
                        "{path:?} level {level}: {most:?} of {count}"
                    );
                }
            }
        }
    });
}

/// Positions are finite and as large as a figure is.
#[test]
fn bounding_boxes_are_plausible() {
    each("bounding_boxes_are_plausible", |path, mdl, vvd, _| {
        let vvd = Vvd::read(vvd).unwrap();
        let mut low = [f32::INFINITY; 3];
        let mut high = [f32::NEG_INFINITY; 3];
        for model in mdl.body_parts.iter().flat_map(|part| &part.models) {
            for vertex in vertices(&vvd, model) {
                for (axis, value) in vertex.position.map(f32::from).into_iter().enumerate() {
                    assert!(value.is_finite(), "{path:?}");
                    low[axis] = low[axis].min(value);
                    high[axis] = high[axis].max(value);
                }
            }
        }
        for axis in 0..3 {
            let size = high[axis] - low[axis];
            assert!((5.0..200.0).contains(&size), "{path:?} axis {axis}: {size}");
        }
    });
}

fn minus(a: [f32; 3], b: [f32; 3]) -> [f32; 3] {
    std::array::from_fn(|axis| a[axis] - b[axis])
}

fn cross(a: [f32; 3], b: [f32; 3]) -> [f32; 3] {
    std::array::from_fn(|axis| {
        let (next, last) = ((axis + 1) % 3, (axis + 2) % 3);
        a[next] * b[last] - a[last] * b[next]
    })
}

fn dot(a: [f32; 3], b: [f32; 3]) -> f32 {
    a.into_iter().zip(b).map(|(a, b)| a * b).sum()
}

/// Triangles turn clockwise seen from the side that the normals of their vertices point to: a
/// wrong vertex, fixup or order of a strip would make half of them turn the other way.
#[test]
fn triangles_agree_with_normals() {
    each("triangles_agree_with_normals", |path, mdl, vvd, vtx| {
        let vvd = Vvd::read(vvd).unwrap();
        let (mut all, mut clockwise) = (0, 0);
        for (model, strips) in paired(mdl, &Vtx::read(vtx).unwrap()) {
            let vertices = vertices(&vvd, model);
            for lod in &strips.lods {
                for (mesh, VtxMesh { triangles, .. }) in model.meshes.iter().zip(&lod.meshes) {
                    let vertices = &vertices[mesh.vertex_offset as usize..];
                    for corners in triangles {
                        let [a, b, c] = corners.map(|at| vertices[usize::from(at)]);
                        let at = |vertex: Vertex| vertex.position.map(f32::from);
                        let face = cross(minus(at(b), at(a)), minus(at(c), at(a)));
                        let normals = [a, b, c].map(|vertex| vertex.normal.map(f32::from));
                        let side: f32 = normals.iter().map(|&normal| dot(face, normal)).sum();
                        all += 1;
                        clockwise += u32::from(side <= 0.0);
                    }
                }
            }
        }
        let share = f64::from(clockwise) / f64::from(all);
        assert!(share > 0.95, "{path:?}: {clockwise} of {all}");
    });
}
