//! Which vector instructions run the kernels: found at run time, or forced.
//!
//! A kernel is written once, over a [`Lane`] type: a float (one pose) or a vector of floats (as many poses as it
//! has lanes). A [`Backend`] names an instruction set that this processor has and runs a [`Job`] with the lane
//! type that fits it. That a backend exists is the proof that its instructions may be used, so nothing here or in
//! the kernels needs `unsafe`; the proof and the vectors come from the crate `fearless_simd`.
//!
//! ```text
//! Backend::best()   →  avx2      →  job.run::<f32x8<Avx2>>(token)
//! "scalar".parse()  →  scalar    →  job.run::<f32>(())
//! ```
//!
//! All backends give the same bits: lanes only add, subtract, multiply, divide, compare and select, each of which
//! IEEE 754 defines to the last bit. There is no fused multiply-add and no vector `min`, whose zeros and NaNs
//! differ between processors.
//!
//! ```
//! use flexion_simd::{Backend, Job, Lane};
//!
//! /// The larger of each pair, in place.
//! struct Larger<'a>(&'a mut [f32], &'a [f32]);
//!
//! impl Job for Larger<'_> {
//!     type Output = ();
//!
//!     #[inline(always)]
//!     fn run<L: Lane>(self, token: L::Token) {
//!         for (a, b) in self.0.chunks_mut(L::LANES).zip(self.1.chunks(L::LANES)) {
//!             let (x, y) = (L::load(token, a), L::load(token, b));
//!             L::select(x.lt(y), y, x).store(a);
//!         }
//!     }
//! }
//!
//! for backend in Backend::available() {
//!     let mut values = [1.0; 16];
//!     backend.run(Larger(&mut values, &[2.0; 16]));
//!     assert_eq!(values, [2.0; 16], "{backend}");
//! }
//! ```

mod backend;
mod lane;
mod stream;

pub use backend::{Backend, BackendError, Job, VARIABLE};
pub use fearless_simd;
pub use lane::Lane;
pub use stream::{Stream, prefetch};
