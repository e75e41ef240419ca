//! Which backend runs: the best, or the one asked for, or an error.

use flexion_simd::{Backend, BackendError};

#[test]
fn scalar_is_everywhere_and_the_best_is_the_widest() {
    let available = Backend::available();
    assert_eq!(available[0], Backend::SCALAR);
    assert_eq!(available.last(), Some(&Backend::best()));
    assert!(available.is_sorted_by_key(|backend| backend.lanes()));
    if cfg!(target_arch = "x86_64") {
        assert_eq!(available[1].name(), "sse2");
    }
}

#[test]
fn names_parse_back() {
    for backend in Backend::available() {
        assert_eq!(backend.name().parse(), Ok(backend));
        assert_eq!(format!("{backend:>8}").len(), 8);
    }
}

#[test]
fn what_is_not_there_is_an_error() {
    let error = "mmx".parse::<Backend>().expect_err("no such backend");
    assert_eq!(
        error.to_string(),
        "unknown backend \"mmx\": expected one of scalar, sse2, avx2, avx512, neon"
    );
    let foreign = if cfg!(target_arch = "aarch64") {
        "avx2"
    } else {
        "neon"
    };
    let error = foreign.parse::<Backend>().expect_err("of another platform");
    assert!(matches!(error, BackendError::Missing { .. }));
    let said = error.to_string();
    assert!(
        said.contains("this processor does not have it (it has scalar"),
        "{said}"
    );
}
