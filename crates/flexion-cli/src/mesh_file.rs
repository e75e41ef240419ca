//! Posed vertices as files: a Wavefront OBJ mesh, or a table with a line for each vertex.

use std::io::Write;
use std::path::Path;

use flexion::{Mesh, Model, Shape, Submodel};

use crate::failure::Failure;
use crate::number::G9;

/// Refuses shapes with a number that no reader of meshes takes.
pub(crate) fn check_finite(path: &Path, model: &Model, shapes: &[Shape]) -> Result<(), Failure> {
    for (submodel, shape) in model.submodels().iter().zip(shapes) {
        for (vertex, position) in shape.positions.iter().enumerate() {
            let values = position.iter().chain(&shape.normals[vertex]);
            let mut values = values
                .chain(&submodel.uvs()[vertex])
                .chain([&shape.wrinkles[vertex]]);
            if let Some(value) = values.find(|value| !value.is_finite()) {
                return Err(Failure::Data(format!(
                    "{}: body part {:?} model {:?} vertex {vertex} has {value} in this pose: the \
                     .vvd or a delta is damaged, or a slider or bone is far out of its range",
                    path.display(),
                    submodel.body_part_name(),
                    submodel.name()
                )));
            }
        }
    }
    Ok(())
}

/// Writes positions, normals, texture coordinates and a group for each mesh.
///
/// Triangles are turned to run counter-clockwise and v to run up, as OBJ has them. Of each body
/// part the first alternative is written, or all of them.
pub(crate) fn write_obj(
    out: &mut dyn Write,
    model: &Model,
    shapes: &[Shape],
    all_models: bool,
) -> Result<(), Failure> {
    writeln!(out, "# {}", one_line(model.name()))?;
    let mut first = 1;
    for (submodel, shape) in model.submodels().iter().zip(shapes) {
        if submodel.index() > 0 && !all_models {
            continue;
        }
        write_vertices(out, submodel, shape)?;
        for (at, mesh) in submodel.meshes().iter().enumerate() {
            write_mesh(out, submodel, at, mesh, first)?;
        }
        first += shape.positions.len();
    }
    Ok(())
}

fn write_vertices(out: &mut dyn Write, submodel: &Submodel, shape: &Shape) -> Result<(), Failure> {
    for [x, y, z] in &shape.positions {
        writeln!(out, "v {} {} {}", G9(*x), G9(*y), G9(*z))?;
    }
    for [u, v] in submodel.uvs() {
        writeln!(out, "vt {} {}", G9(*u), G9(1.0 - v))?;
    }
    for [x, y, z] in &shape.normals {
        writeln!(out, "vn {} {} {}", G9(*x), G9(*y), G9(*z))?;
    }
    Ok(())
}

fn write_mesh(
    out: &mut dyn Write,
    submodel: &Submodel,
    at: usize,
    mesh: &Mesh,
    first: usize,
) -> Result<(), Failure> {
    let material = match mesh.material.as_str() {
        "" => format!("material_{at}"),
        name => one_word(name),
    };
    let (part, model) = (submodel.body_part_name(), submodel.name());
    writeln!(
        out,
        "g {}/{}/{at}_{material}",
        one_word(part),
        one_word(model)
    )?;
    writeln!(out, "usemtl {material}")?;
    for &[a, b, c] in &mesh.triangles {
        let [a, b, c] = [a, c, b].map(|vertex| first + vertex as usize);
        writeln!(out, "f {a}/{a}/{a} {b}/{b}/{b} {c}/{c}/{c}")?;
    }
    Ok(())
}

/// A name that OBJ readers take as one word.
fn one_word(name: &str) -> String {
    let plain = |c: char| {
        if c.is_whitespace() || c.is_control() {
            '_'
        } else {
            c
        }
    };
    name.chars().map(plain).collect()
}

/// A name that stays on its line.
fn one_line(name: &str) -> String {
    name.replace(char::is_control, " ")
}

/// Writes `bodypart model vertex x y z nx ny nz wrinkle` with tabs between, floats as `%.9g`.
pub(crate) fn write_tsv(
    out: &mut dyn Write,
    model: &Model,
    shapes: &[Shape],
) -> Result<(), Failure> {
    for (submodel, shape) in model.submodels().iter().zip(shapes) {
        let vertices = shape
            .positions
            .iter()
            .zip(&shape.normals)
            .zip(&shape.wrinkles);
        for (vertex, ((position, normal), wrinkle)) in vertices.enumerate() {
            write!(
                out,
                "{}\t{}\t{vertex}",
                submodel.body_part(),
                submodel.index()
            )?;
            for value in position.iter().chain(normal).chain([wrinkle]) {
                write!(out, "\t{}", G9(*value))?;
            }
            writeln!(out)?;
        }
    }
    Ok(())
}
