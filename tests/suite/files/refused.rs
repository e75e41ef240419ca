//! Files that are refused, each with its own message.

use flexion_mdl::{ErrorClass, FileKind, Mdl, layout};

use super::{member, set, small_model};

fn refusal(bytes: &[u8]) -> String {
    Mdl::read(bytes).expect_err("a file to refuse").to_string()
}

fn written() -> Vec<u8> {
    small_model().write().expect("a model that can be written")
}

/// The message for a file whose member `field` of `structure` has another value.
fn with(structure: &str, index: Option<u32>, field: &str, value: i32) -> String {
    let mut bytes = written();
    let size = usize::try_from(member(&bytes, structure, index, field).size).expect("small");
    set(
        &mut bytes,
        structure,
        index,
        field,
        &value.to_le_bytes()[..size],
    );
    refusal(&bytes)
}

#[test]
fn other_files_have_their_own_messages() {
    let version = |version: u8| [b'I', b'D', b'S', b'T', version, 0, 0, 0];
    let only = "is not supported (supported: 44 to 49)";
    let cases: [(&[u8], &str); 7] = [
        (b"", ".mdl studiohdr_t @0x0: the file is empty"),
        (
            b"version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 1\n",
            ".mdl studiohdr_t @0x0: this is a git-lfs pointer, not the model itself: fetch the \
             real file first",
        ),
        (
            b"IDSQ\x0a\0\0\0",
            ".mdl studiohdr_t.id @0x0: this is a sequence file (IDSQ) of a GoldSrc model, not a \
             model",
        ),
        (
            &version(10),
            ".mdl studiohdr_t.version @0x4: this is a GoldSrc model (version 10): only Source \
             versions 44 to 49 are read",
        ),
        (
            b"IDSV\x04\0\0\0",
            ".mdl studiohdr_t.id @0x0: the file starts with [49, 44, 53, 56] instead of \"IDST\"",
        ),
        (
            b"ID",
            ".mdl studiohdr_t.id @0x0: needs 8 bytes here and 2 are left",
        ),
        (
            &version(48),
            ".mdl studiohdr_t.checksum @0x8: needs 408 bytes here and 8 are left",
        ),
    ];
    for (bytes, expected) in cases {
        assert_eq!(refusal(bytes), expected);
    }
    for other in [43, 50, 53] {
        let expected = format!(".mdl studiohdr_t.version @0x4: version {other} {only}");
        assert_eq!(refusal(&version(other)), expected);
    }
}

#[test]
fn families_tell_damage_from_other_formats() {
    let class = |bytes: &[u8]| Mdl::read(bytes).expect_err("a file to refuse").class();
    assert_eq!(class(b""), ErrorClass::BadFile);
    assert_eq!(class(b"IDSQ\x0a\0\0\0"), ErrorClass::Unsupported);
    assert_eq!(class(b"IDST\x0a\0\0\0"), ErrorClass::Unsupported);
    assert_eq!(class(b"IDST\x35\0\0\0"), ErrorClass::Unsupported);
}

#[test]
fn converted_line_endings_are_recognised() {
    let mut mdl = small_model();
    // A `\n` before the length, and so many more that one is bound to be followed by a table.
    mdl.checksum = 0x0a0a_0001;
    mdl.textures[0].name = "a\nb\r\nc\n".into();
    let bytes = mdl.write().expect("a model that can be written");
    let mut damaged = Vec::new();
    for (at, &byte) in bytes.iter().enumerate() {
        if byte == b'\n' && (at == 0 || bytes[at - 1] != b'\r') {
            damaged.push(b'\r');
        }
        damaged.push(byte);
    }
    assert_eq!(
        refusal(&damaged),
        format!(
            ".mdl studiohdr_t.length @0x4c: the header says {} bytes and the file has {}: line \
             endings were converted as if it were text; fetch it again as binary",
            bytes.len(),
            damaged.len(),
        )
    );
}

#[test]
fn surplus_bytes_are_no_converted_line_endings() {
    let mut bytes = written();
    bytes.extend(b"\r\n\r\n\n");
    assert_eq!(
        Mdl::read(&bytes)
            .expect("a file with a tail")
            .warnings
            .len(),
        1
    );
    let mut bytes = written();
    bytes.extend([0; 100]);
    assert_eq!(
        Mdl::read(&bytes)
            .expect("a file with a tail")
            .warnings
            .len(),
        1
    );
}

#[test]
fn values_without_a_meaning_are_refused() {
    let cases = [
        (
            with("mstudioflex_t", Some(1), "vertanimtype", 2),
            "mstudioflex_t[1].vertanimtype",
            "2 is not allowed here (expected 0 or 1)",
        ),
        (
            with("mstudiomodel_t", Some(0), "vertexindex", 47),
            "mstudiomodel_t[0].vertexindex",
            "47 is not allowed here (expected a multiple of 48, not negative)",
        ),
        (
            with("mstudiomodel_t", Some(0), "tangentsindex", -16),
            "mstudiomodel_t[0].tangentsindex",
            "-16 is not allowed here (expected a multiple of 16, not negative)",
        ),
        (
            with("mstudiomesh_t", Some(0), "numvertices", -5),
            "mstudiomesh_t[0].numvertices",
            "count -5 is negative",
        ),
        (
            with("studiohdr_t", None, "numskinfamilies", -2),
            "studiohdr_t.numskinfamilies @0xe0",
            "count -2 is negative",
        ),
    ];
    for (refusal, place, reason) in cases {
        assert!(refusal.starts_with(&format!(".mdl {place}")), "{refusal}");
        assert!(refusal.ends_with(reason), "{refusal}");
    }
}

#[test]
fn what_leads_out_of_the_file_is_refused() {
    let size = written().len();
    assert_eq!(
        with("studiohdr_t", None, "numflexrules", i32::MAX),
        format!(
            ".mdl studiohdr_t.numflexrules @0x114: needs {} bytes here and {} are left",
            12 * i64::from(i32::MAX),
            size - from_header("flexruleindex"),
        )
    );
    assert_eq!(
        with("studiohdr_t", None, "numskinfamilies", i32::MAX),
        format!(
            ".mdl studiohdr_t.numskinfamilies @0xe0: needs {} bytes here and {size} are left",
            4 * i64::from(i32::MAX),
        )
    );
    let rule = member(&written(), "mstudioflexrule_t", Some(0), "opindex").offset;
    assert_eq!(
        with("mstudioflexrule_t", Some(0), "opindex", -100_000),
        format!(
            ".mdl mstudioflexrule_t[0].opindex @0x{rule:x}: offset -100000 leads to {}, outside \
             the file of {size} bytes",
            rule as i64 - 8 - 100_000,
        )
    );
    let name = member(&written(), "mstudioflexdesc_t", Some(2), "szFACSindex").offset;
    assert_eq!(
        with(
            "mstudioflexdesc_t",
            Some(2),
            "szFACSindex",
            size as i32 - name as i32
        ),
        format!(
            ".mdl mstudioflexdesc_t[2].szFACSindex @0x{name:x}: the name has no terminating NUL \
             before the end of the file"
        )
    );
}

fn from_header(field: &str) -> usize {
    let bytes = written();
    let at = usize::try_from(member(&bytes, "studiohdr_t", None, field).offset).expect("small");
    let value = bytes[at..at + 4].try_into().expect("four bytes");
    usize::try_from(i32::from_le_bytes(value)).expect("an offset")
}

#[test]
fn tables_that_overlap_without_end_are_refused() {
    let mut mdl = small_model();
    let rule = mdl.rules[0].clone();
    mdl.rules = vec![rule; 500];
    let mut bytes = mdl.write().expect("a model that can be written");
    let map = layout(&bytes, FileKind::Mdl);
    for part in map.parts.iter().filter(|part| part.place.field == "numops") {
        let at = usize::try_from(part.offset).expect("small");
        bytes[at..at + 4].copy_from_slice(&400_i32.to_le_bytes());
    }
    let error = Mdl::read(&bytes).expect_err("rules that share their ops");
    assert_eq!(error.class(), ErrorClass::Limit);
    assert_eq!(
        error.kind.to_string(),
        "tables overlap: together they claim over 5 times the file's size"
    );
}

#[test]
fn a_cut_file_names_what_is_missing() {
    let bytes = written();
    for length in 0..bytes.len() {
        let error = Mdl::read(&bytes[..length]).expect_err("a name at the end is missing");
        assert!(error.place.offset <= bytes.len() as u64);
        assert!(!error.place.structure.is_empty());
    }
}
