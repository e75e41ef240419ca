//! Stores that go around the cache, for output that is larger than it.
//!
//! An ordinary store first reads the line it writes to; a streaming store fills whole lines
//! and reads nothing, which for a large output is a third of the traffic. This is the only `unsafe` of the
//! workspace: the instruction has no safe form, since it takes an address and is not ordered with other stores
//! until a fence.
#![cfg_attr(
    target_arch = "x86_64",
    expect(unsafe_code, reason = "streaming stores have no safe form")
)]

/// Floats of a cache line.
const LINE: usize = 16;

/// Copies around the cache, for output that is larger than it.
///
/// An ordinary store first reads the cache line it writes to; a streaming store fills whole lines and reads
/// nothing. The price is that what was written is not in the cache, and that it is in order with other stores
/// only after the fence that dropping this value is.
///
/// ```
/// use flexion_simd::Stream;
///
/// let mut to = [0.0; 100];
/// let stream = Stream::new();
/// stream.copy(&mut to[..50], &[1.0; 50]);
/// stream.copy(&mut to[50..], &[2.0; 50]);
/// drop(stream);
/// assert_eq!(to[49..51], [1.0, 2.0]);
/// ```
#[derive(Debug, Default)]
pub struct Stream(());

impl Stream {
    /// A stream; drop it before others read what was written.
    pub fn new() -> Stream {
        Stream(())
    }

    /// Copies `from` to `to`, streaming the whole cache lines of `to`.
    ///
    /// # Panics
    ///
    /// If the lengths differ.
    pub fn copy(&self, to: &mut [f32], from: &[f32]) {
        assert_eq!(to.len(), from.len(), "a copy is as long as what it copies");
        stream(to, from);
    }
}

impl Drop for Stream {
    fn drop(&mut self) {
        fence();
    }
}

fn stream(to: &mut [f32], from: &[f32]) {
    let ahead = to.as_ptr().align_offset(LINE * size_of::<f32>());
    let ahead = ahead.min(to.len());
    let lines = (to.len() - ahead) / LINE * LINE;
    let (to_head, to) = to.split_at_mut(ahead);
    let (from_head, from) = from.split_at(ahead);
    let (to_lines, to_tail) = to.split_at_mut(lines);
    let (from_lines, from_tail) = from.split_at(lines);
    to_head.copy_from_slice(from_head);
    stream_lines(to_lines, from_lines);
    to_tail.copy_from_slice(from_tail);
}

/// Both have one length, a multiple of [`LINE`], and `to` starts at a line.
#[cfg(target_arch = "x86_64")]
fn stream_lines(to: &mut [f32], from: &[f32]) {
    use std::arch::x86_64::{_mm_loadu_ps, _mm_stream_ps};

    assert_eq!(to.as_ptr().align_offset(16), 0, "lines are aligned");
    let from = from.as_chunks::<4>().0;
    for (to, from) in to.as_chunks_mut::<4>().0.iter_mut().zip(from) {
        // SAFETY: `to` and `from` are four floats each, valid to write and to read as they
        // are references. Every fourth float from an aligned start is aligned to 16 bytes,
        // which the store asks for. SSE is part of every x86-64 processor. No reference to
        // `to` is read before `fence`, which runs when the `Stream` is dropped.
        unsafe { _mm_stream_ps(to.as_mut_ptr(), _mm_loadu_ps(from.as_ptr())) };
    }
}

#[cfg(not(target_arch = "x86_64"))]
fn stream_lines(to: &mut [f32], from: &[f32]) {
    to.copy_from_slice(from);
}

/// Asks for values that will be read soon, so that they are in the cache by then. Changes nothing else.
///
/// The processor does so by itself for what is read end to end, but not across many planes a piece of each.
pub fn prefetch(values: &[f32]) {
    #[cfg(target_arch = "x86_64")]
    for line in values.chunks(LINE) {
        use std::arch::x86_64::{_MM_HINT_T1, _mm_prefetch};
        // SAFETY: a hint that is valid for any address, and this one is that of a slice. SSE is part of every x86-64
        // processor.
        unsafe { _mm_prefetch::<_MM_HINT_T1>(line.as_ptr().cast()) };
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = values;
}

/// Orders all that this thread streamed before all that it stores from now on.
fn fence() {
    #[cfg(target_arch = "x86_64")]
    // SAFETY: an instruction of every x86-64 processor that reads and writes no memory.
    unsafe {
        std::arch::x86_64::_mm_sfence();
    }
}
