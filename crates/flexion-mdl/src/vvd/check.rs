//! Whether a `.vvd` and a `.mdl` belong together.

use super::Vvd;
use crate::error::{Error, ErrorKind, FileKind, Place};
use crate::mdl::{Mdl, Model};
use crate::raw::Record;
use crate::raw::vvd::VertexFileHeader;

/// How many models may have the same vertices; in real files each has its own.
const SHARING_LIMIT: u64 = 2;

impl Vvd<'_> {
    /// Checks that this is the `.vvd` of `mdl`: the checksums are equal, and every model's vertices
    /// and tangents are there.
    ///
    /// Models without vertices may say what they like, and a file without tangents needs none.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Checksum`]; [`ErrorKind::Range`] with the range of the first model whose
    /// vertices are not all there; or [`ErrorKind::Overlap`] when models share so many vertices
    /// that posing them would take a multiple of the file.
    pub fn check(&self, mdl: &Mdl<'_>) -> Result<(), Error> {
        if self.checksum != mdl.checksum {
            return Err(Error {
                place: header("checksum"),
                kind: ErrorKind::Checksum {
                    mdl: mdl.checksum,
                    found: self.checksum,
                },
            });
        }
        let models = || mdl.body_parts.iter().flat_map(|part| &part.models);
        models()
            .filter(|model| model.vertex_count != 0)
            .try_for_each(|model| self.check_model(model))?;
        let claimed: u64 = models()
            .map(|model| u64::try_from(model.vertex_count).unwrap_or_default())
            .sum();
        if claimed > (self.vertices.len() as u64).saturating_mul(SHARING_LIMIT) {
            return Err(Error {
                place: header("numLODVertexes"),
                kind: ErrorKind::Overlap {
                    limit: SHARING_LIMIT,
                },
            });
        }
        Ok(())
    }

    fn check_model(&self, model: &Model<'_>) -> Result<(), Error> {
        let within = |first: i32, have: usize, field| {
            let count = have as u64;
            let range = u32::try_from(first)
                .ok()
                .zip(u32::try_from(model.vertex_count).ok());
            if range.is_some_and(|(first, more)| u64::from(first) + u64::from(more) <= count) {
                return Ok(());
            }
            Err(Error {
                place: header(field),
                kind: ErrorKind::Range {
                    first,
                    length: model.vertex_count,
                    count,
                },
            })
        };
        within(model.first_vertex, self.vertices.len(), "numLODVertexes")?;
        if self.tangents.is_empty() {
            return Ok(());
        }
        within(model.first_tangent, self.tangents.len(), "tangentDataStart")
    }
}

/// The place of a member of the header, which stands at the start of every file.
pub(super) fn header(field: &'static str) -> Place {
    Place {
        file: FileKind::Vvd,
        structure: VertexFileHeader::NAME,
        index: None,
        field,
        offset: VertexFileHeader::offset_of(field),
    }
}
