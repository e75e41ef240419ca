//! Stores that go around the cache, for output that is larger than it.
//!
//! An ordinary store first reads the line it writes to; a streaming store fills whole lines
//! and reads nothing, which for a large output is half of the traffic. This is the crate's
//! only `unsafe`: the instruction has no safe form, since it takes an address and is not
//! ordered with other stores until a fence.
#![cfg_attr(
    target_arch = "x86_64",
    expect(unsafe_code, reason = "streaming stores have no safe form")
)]

/// Floats of a cache line.
const LINE: usize = 16;

/// Copies `from` to `to` (of one length), streaming the whole cache lines of `to`.
///
/// What was streamed is in order with other stores after [`fence`].
pub(crate) fn stream(to: &mut [f32], from: &[f32]) {
    let ahead = to.as_ptr().align_offset(LINE * size_of::<f32>());
    let lines = to.len().saturating_sub(ahead) / LINE * LINE;
    if lines == 0 {
        return to.copy_from_slice(from);
    }
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
        // `to` is read before `fence`, which the callers run before they return.
        unsafe { _mm_stream_ps(to.as_mut_ptr(), _mm_loadu_ps(from.as_ptr())) };
    }
}

#[cfg(not(target_arch = "x86_64"))]
fn stream_lines(to: &mut [f32], from: &[f32]) {
    to.copy_from_slice(from);
}

/// Orders all that this thread streamed before all that it stores from now on.
pub(crate) fn fence() {
    #[cfg(target_arch = "x86_64")]
    // SAFETY: an instruction of every x86-64 processor that reads and writes no memory.
    unsafe {
        std::arch::x86_64::_mm_sfence();
    }
}
