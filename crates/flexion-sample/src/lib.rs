//! The sample face: a head of our own, made by code, that uses every feature of the format.
//!
//! Nothing goes in; a model comes out as the three files of a Source model, with names for a
//! dozen expressions. It is what a newcomer sees first and what the repository's own tests stand
//! on, so it has fifty sliders with their grouping for people, rules with every op, stereo
//! pairs, both kinds of vertanims, lids that follow the eyeballs, and bones of every kind.
//!
//! ```
//! let sample = flexion_sample::face();
//! assert!(sample.vvd.vertices.len() >= 2_500);
//! for (name, bytes) in sample.files() {
//!     println!("{name}: {} bytes", bytes.len());
//! }
//! ```
//!
//! # From nothing to a face
//!
//! | step | module | in → out |
//! |---|---|---|
//! | form | `sculpt` | a point → its distance from the skin (ellipsoids and cones that flow together) |
//! | net | `net`, `skin` | angles → quads over the form, in loops around eyes and mouth |
//! | parts | `parts`, `hair` | eyeballs, brows, lashes, ears, teeth, tongue, hair |
//! | shapes | `shapes` | a vertex → how far a smile carries it |
//! | rig | `rig`, `rules` | sliders → weights of shapes |
//! | files | `flexes`, `skeleton`, `procedural`, `assemble` | all of it → [`flexion_mdl`] values |
//!
//! The head faces -Y, Z is up, the character's left is +X, one unit is an inch: as in Half-Life 2.
//!
//! # Limits
//!
//! The same bytes come out on every platform and every time: sines are `libm`'s, sums run in one
//! order. There is no animation, no collision model and one level of detail, and materials are
//! names without textures.

mod assemble;
mod flexes;
mod hair;
mod math;
mod mesh;
mod net;
mod parts;
mod poses;
mod procedural;
mod rig;
mod rules;
mod sculpt;
mod shapes;
mod skeleton;
mod skin;

use flexion_mdl::{Mdl, Vtx, Vvd};

pub use poses::Expression;

/// The sample as values; [`Sample::files`] makes files of them.
#[derive(Clone, Debug, PartialEq)]
pub struct Sample {
    /// Rig, meshes and flexes.
    pub mdl: Mdl<'static>,
    /// Vertices and tangents.
    pub vvd: Vvd<'static>,
    /// Triangles.
    pub vtx: Vtx,
}

/// Builds the sample face.
pub fn face() -> Sample {
    assemble::sample()
}

impl Sample {
    /// The three files by name: `face.mdl`, `face.vvd`, `face.dx90.vtx`.
    ///
    /// # Panics
    /// Not for what [`face`] returns; when fields were changed to something that no file can
    /// hold, such as a name with a NUL.
    pub fn files(&self) -> [(&'static str, Vec<u8>); 3] {
        let written = "the sample can be written";
        [
            ("face.mdl", self.mdl.write().expect(written)),
            ("face.vvd", self.vvd.write().expect(written)),
            ("face.dx90.vtx", self.vtx.write().expect(written)),
        ]
    }
}

/// The named expressions; the first is the neutral face.
pub fn expressions() -> &'static [Expression] {
    poses::EXPRESSIONS
}

/// The expressions as a table: a column `name`, then one per slider in file order.
///
/// ```
/// let csv = flexion_sample::poses_csv();
/// assert!(csv.starts_with("name,eyes_updown,eyes_rightleft,"));
/// assert_eq!(csv.lines().count(), 1 + flexion_sample::expressions().len());
/// ```
pub fn poses_csv() -> String {
    poses::csv(&rig::controllers())
}

/// Two and a half seconds of talk that end where they begin, as a track: columns `time` in
/// seconds, `name` and the sliders that move.
///
/// ```
/// let csv = flexion_sample::talk_csv();
/// assert!(csv.starts_with("time,name,jaw_drop,"));
/// ```
pub fn talk_csv() -> &'static str {
    poses::TALK
}
