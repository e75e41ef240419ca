//! Bytes to [`Vvd`]: the header, the fixups, and the vertices borrowed or gathered.

use std::ops::Range;

use zerocopy::byteorder::little_endian::F32;

use super::{Fixup, MAX_LODS, VERSION, Vertex, Vvd};
use crate::bytes::{At, Reader, link_in, place, table};
use crate::error::{Error, ErrorKind, FileKind, Place};
use crate::mdl::Mdl;
use crate::raw::vvd::{VertexFileFixup, VertexFileHeader, VertexFileId};

const VERTEX_SIZE: u64 = size_of::<Vertex>() as u64;
const TANGENT_SIZE: u64 = size_of::<[F32; 4]>() as u64;

impl<'a> Vvd<'a> {
    /// Reads a `.vvd`.
    ///
    /// # Errors
    ///
    /// An empty file, a git-lfs pointer, another magic or version; a count of levels other than 1
    /// to 8; vertices, tangents or fixups that are not all in the file; fixups that do not add up
    /// to the vertices of level 0, or that repeat vertices past [`crate::CLAIM_LIMIT`].
    ///
    /// ```
    /// use flexion_mdl::{ErrorKind, Vvd};
    ///
    /// assert_eq!(Vvd::read(b"").unwrap_err().kind, ErrorKind::Empty);
    /// ```
    pub fn read(bytes: &'a [u8]) -> Result<Self, Error> {
        read(&Reader::new(bytes, FileKind::Vvd))
    }

    /// Reads the `.vvd` of `mdl`: [`Vvd::read`], then [`Vvd::check`].
    ///
    /// # Errors
    ///
    /// Those of the two.
    pub fn read_for(bytes: &'a [u8], mdl: &Mdl<'_>) -> Result<Self, Error> {
        let vvd = Vvd::read(bytes)?;
        vvd.check(mdl)?;
        Ok(vvd)
    }
}

/// Reads a file for the sake of the reader's trace.
pub(crate) fn visit(reader: &Reader<'_>) -> Option<Error> {
    read(reader).err()
}

fn read<'a>(reader: &Reader<'a>) -> Result<Vvd<'a>, Error> {
    refuse_other_files(reader)?;
    let header: At<VertexFileHeader> = reader.record(0, None)?;
    let lod_vertex_counts = lod_vertex_counts(reader, &header)?;
    let count = header.raw.numLODVertexes[0];
    let storage = Storage::of(reader, header)?;
    let (vertices, tangents) = if header.raw.numFixups == 0 {
        let (vertices, tangents) = storage.first(count)?;
        (vertices.into(), tangents.into())
    } else {
        let (vertices, tangents) = storage.gathered(count)?;
        (vertices.into(), tangents.into())
    };
    Ok(Vvd {
        checksum: header.raw.checksum,
        lod_vertex_counts,
        vertices,
        tangents,
    })
}

/// Refuses what is not a `.vvd`, as far as the first eight bytes tell.
fn refuse_other_files(reader: &Reader<'_>) -> Result<(), Error> {
    reader.refuse_missing::<VertexFileHeader>()?;
    let start: At<VertexFileId> = reader.peek(0, None)?;
    let VertexFileId { id, version } = start.raw;
    if id != *b"IDSV" {
        return Err(Error {
            place: place!(reader, start, id),
            kind: ErrorKind::Magic {
                found: id,
                expected: "IDSV",
            },
        });
    }
    if version != VERSION {
        return Err(Error {
            place: place!(reader, start, version),
            kind: ErrorKind::Version {
                found: version,
                supported: "4",
            },
        });
    }
    Ok(())
}

fn lod_vertex_counts(
    reader: &Reader<'_>,
    header: &At<VertexFileHeader>,
) -> Result<Vec<u32>, Error> {
    let lods = usize::try_from(header.raw.numLODs)
        .ok()
        .filter(|lods| (1..=MAX_LODS).contains(lods))
        .ok_or(Error {
            place: place!(reader, header, numLODs),
            kind: ErrorKind::Value {
                found: header.raw.numLODs.into(),
                expected: "1 to 8",
            },
        })?;
    let counts = header.raw.numLODVertexes.iter().take(lods);
    counts
        .enumerate()
        .map(|(lod, &count)| {
            let kind = match u32::try_from(count) {
                Err(_) => ErrorKind::NegativeCount(count),
                Ok(_) if count > header.raw.numLODVertexes[0] => ErrorKind::Value {
                    found: count.into(),
                    expected: "at most the vertices of level 0",
                },
                Ok(count) => return Ok(count),
            };
            let mut place = place!(reader, header, numLODVertexes);
            place.offset += 4 * lod as u64;
            Err(Error { place, kind })
        })
        .collect()
}

/// Where vertices and tangents are kept on disk.
struct Storage<'r, 'a> {
    reader: &'r Reader<'a>,
    header: At<VertexFileHeader>,
    /// Bytes from the first vertex to the first tangent, or to the end of the file.
    vertex_bytes: u64,
    /// Bytes from the first tangent to the end of the file; `None` when the file has no tangents.
    tangent_bytes: Option<u64>,
}

type Borrowed<'a> = (&'a [Vertex], &'a [[F32; 4]]);
type Gathered = (Vec<Vertex>, Vec<[F32; 4]>);

impl<'r, 'a> Storage<'r, 'a> {
    fn of(reader: &'r Reader<'a>, header: At<VertexFileHeader>) -> Result<Self, Error> {
        let vertices = reader.target(link_in!(reader, header, vertexDataStart))?;
        let tangents = match header.raw.tangentDataStart {
            0 => None,
            _ => Some(reader.target(link_in!(reader, header, tangentDataStart))?),
        };
        let end = tangents
            .filter(|&tangents| tangents > vertices)
            .unwrap_or(reader.size());
        Ok(Storage {
            reader,
            header,
            vertex_bytes: end - vertices,
            tangent_bytes: tangents.map(|tangents| reader.size() - tangents),
        })
    }

    /// The first `count` vertices and their tangents.
    fn first(&self, count: i32) -> Result<Borrowed<'a>, Error> {
        let Storage { reader, header, .. } = self;
        let counted = place!(reader, header, numLODVertexes);
        self.require(counted, count, VERTEX_SIZE, self.vertex_bytes)?;
        let vertices = reader.slice(link_in!(reader, header, vertexDataStart), count, counted)?;
        let tangents = match self.tangent_bytes {
            None => &[],
            Some(have) => {
                let link = link_in!(reader, header, tangentDataStart);
                self.require(link.place, count, TANGENT_SIZE, have)?;
                reader.slice(link, count, counted)?
            }
        };
        Ok((vertices, tangents))
    }

    fn require(&self, place: Place, count: i32, size: u64, have: u64) -> Result<(), Error> {
        let need = u64::try_from(count).unwrap_or(0) * size;
        if need > have {
            let kind = ErrorKind::Truncated { need, have };
            return Err(Error { place, kind });
        }
        Ok(())
    }

    /// The vertices of level 0 and their tangents in the order of the fixups.
    fn gathered(&self, count: i32) -> Result<Gathered, Error> {
        let Storage { reader, header, .. } = self;
        let ranges = table!(reader, header, numFixups, fixupTableStart, |at| self
            .range(&at))?;
        let total: u64 = ranges.iter().map(|range| range.len() as u64).sum();
        if i64::try_from(total) != Ok(i64::from(count)) {
            return Err(Error {
                place: place!(reader, header, numFixups),
                kind: ErrorKind::Value {
                    found: i64::try_from(total).unwrap_or(i64::MAX),
                    expected: "fixups that add up to the vertices of level 0",
                },
            });
        }
        let stored = ranges.iter().map(|range| range.end).max().unwrap_or(0);
        let (vertices, tangents) = self.first(i32::try_from(stored).unwrap_or(i32::MAX))?;
        let size = VERTEX_SIZE + TANGENT_SIZE;
        reader.claim(total * size, place!(reader, header, numFixups))?;
        Ok((gather(vertices, &ranges), gather(tangents, &ranges)))
    }

    /// The stored vertices that a fixup adds to level 0; none when the fixup is for no level.
    fn range(&self, at: &At<VertexFileFixup>) -> Result<Range<usize>, Error> {
        let fixup = Fixup {
            lod: at.raw.lod,
            first: at.raw.sourceVertexID,
            count: at.raw.numVertexes,
        };
        if fixup.lod < 0 {
            return Ok(0..0);
        }
        let count = self.vertex_bytes / VERTEX_SIZE;
        let range = fixup.range().filter(|range| range.end as u64 <= count);
        range.ok_or_else(|| Error {
            place: place!(self.reader, at, sourceVertexID),
            kind: ErrorKind::Range {
                first: fixup.first,
                length: fixup.count,
                count,
            },
        })
    }
}

impl Fixup {
    /// The stored vertices; `None` when a number is negative.
    pub(super) fn range(&self) -> Option<Range<usize>> {
        let first = usize::try_from(self.first).ok()?;
        let count = usize::try_from(self.count).ok()?;
        Some(first..first.checked_add(count)?)
    }
}

/// The values of all `ranges`, one after another; none when there are no values at all.
fn gather<T: Copy>(values: &[T], ranges: &[Range<usize>]) -> Vec<T> {
    let ranges = ranges.iter().filter_map(|range| values.get(range.clone()));
    let mut gathered = Vec::with_capacity(ranges.clone().map(<[T]>::len).sum());
    for range in ranges {
        gathered.extend_from_slice(range);
    }
    gathered
}
