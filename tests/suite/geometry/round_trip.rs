//! What is written reads back the same.

use flexion_mdl::vtx::{
    Primitive, StripLayout, VtxBodyPart, VtxLod, VtxMesh, VtxModel, WriteOptions,
};
use flexion_mdl::vvd::{Fixup, Vertex};
use flexion_mdl::{Vtx, Vvd};
use proptest::collection::vec;
use proptest::prelude::*;

fn number() -> impl Strategy<Value = f32> {
    prop_oneof![
        any::<i16>().prop_map(|number| f32::from(number) / 64.0),
        proptest::num::f32::NORMAL | proptest::num::f32::SUBNORMAL | proptest::num::f32::ZERO,
    ]
}

fn numbers<const N: usize>() -> impl Strategy<Value = [f32; N]> {
    vec(number(), N).prop_map(|numbers| std::array::from_fn(|at| numbers[at]))
}

prop_compose! {
    fn vertex()(
        weights in numbers::<3>(),
        bones in any::<[u8; 3]>(),
        bone_count in any::<u8>(),
        position in numbers::<3>(),
        normal in numbers::<3>(),
        uv in numbers::<2>(),
    ) -> Vertex {
        Vertex {
            weights: weights.map(Into::into),
            bones,
            bone_count,
            position: position.map(Into::into),
            normal: normal.map(Into::into),
            uv: uv.map(Into::into),
        }
    }
}

prop_compose! {
    fn vvd()(vertices in vec(vertex(), 0..60))(
        checksum in any::<u32>(),
        lods in vec(0..=vertices.len() as u32, 0..8),
        tangents in prop_oneof![
            Just(vec![]),
            vec(numbers::<4>(), vertices.len()),
        ],
        vertices in Just(vertices),
    ) -> Vvd<'static> {
        let all = vertices.len() as u32;
        let tangents: Vec<_> = tangents
            .into_iter()
            .map(|tangent| tangent.map(Into::into))
            .collect();
        Vvd {
            checksum,
            lod_vertex_counts: [all].into_iter().chain(lods).collect(),
            vertices: vertices.into(),
            tangents: tangents.into(),
        }
    }
}

prop_compose! {
    /// A `.vvd` and fixups that store its vertices in any order of ranges.
    fn vvd_with_fixups()(vvd in vvd())(
        ranges in vec((0..4i32, 0..9i32), 1..9),
        order in Just(()).prop_perturb(|(), mut rng| rng.random::<[u32; 10]>()),
        vvd in Just(vvd),
    ) -> (Vvd<'static>, Vec<Fixup>) {
        let mut left = vvd.vertices.len() as i32;
        let mut fixups: Vec<Fixup> = Vec::new();
        for (lod, count) in ranges {
            let count = count.min(left);
            left -= count;
            fixups.push(Fixup { lod, first: 0, count });
        }
        fixups.push(Fixup { lod: 0, first: 0, count: left });
        let mut stored: Vec<usize> = (0..fixups.len()).collect();
        stored.sort_by_key(|&at| order[at]);
        let mut next = 0;
        for at in stored {
            fixups[at].first = next;
            next += fixups[at].count;
        }
        (vvd, fixups)
    }
}

prop_compose! {
    fn mesh()(flags in any::<u8>(), triangles in vec(any::<[u16; 3]>(), 0..40)) -> VtxMesh {
        VtxMesh { flags, triangles }
    }
}

prop_compose! {
    /// A mesh whose triangles share vertices, as real ones do.
    fn small_mesh()(flags in any::<u8>(), triangles in vec([0u16..9, 0..9, 0..9], 0..40)) -> VtxMesh {
        VtxMesh { flags, triangles }
    }
}

prop_compose! {
    fn lod()(
        switch_point in number(),
        meshes in vec(prop_oneof![mesh(), small_mesh()], 0..4),
    ) -> VtxLod {
        VtxLod { switch_point, meshes }
    }
}

prop_compose! {
    fn vtx()(
        checksum in any::<u32>(),
        parts in vec(vec(vec(lod(), 0..4), 0..3), 0..4),
    ) -> Vtx {
        let model = |lods| VtxModel { lods };
        let part = |models: Vec<_>| VtxBodyPart {
            models: models.into_iter().map(model).collect(),
        };
        Vtx {
            checksum,
            body_parts: parts.into_iter().map(part).collect(),
        }
    }
}

fn without_degenerate(mut vtx: Vtx) -> Vtx {
    let models = vtx.body_parts.iter_mut().flat_map(|part| &mut part.models);
    let meshes = models
        .flat_map(|model| &mut model.lods)
        .flat_map(|lod| &mut lod.meshes);
    for mesh in meshes {
        mesh.triangles
            .retain(|&[a, b, c]| a != b && b != c && c != a);
    }
    vtx
}

proptest! {
    #[test]
    fn vvd_without_fixups(vvd in vvd()) {
        let bytes = vvd.write().unwrap();
        prop_assert_eq!(Vvd::read(&bytes).unwrap(), vvd);
    }

    #[test]
    fn vvd_with_any_fixups((vvd, fixups) in vvd_with_fixups()) {
        let bytes = vvd.write_with_fixups(&fixups).unwrap();
        prop_assert_eq!(Vvd::read(&bytes).unwrap(), vvd);
    }

    #[test]
    fn vtx_of_lists_in_both_layouts(vtx in vtx()) {
        for layout in [StripLayout::Short, StripLayout::Topology] {
            let options = WriteOptions { layout, primitive: Primitive::List };
            prop_assert_eq!(&Vtx::read(&vtx.write_with(options).unwrap()).unwrap(), &vtx);
        }
    }

    #[test]
    fn vtx_of_strips_in_both_layouts(vtx in vtx()) {
        let kept = without_degenerate(vtx.clone());
        for layout in [StripLayout::Short, StripLayout::Topology] {
            let options = WriteOptions { layout, primitive: Primitive::Strip };
            prop_assert_eq!(&Vtx::read(&vtx.write_with(options).unwrap()).unwrap(), &kept);
        }
    }
}

#[test]
fn a_mesh_of_all_65536_vertices_is_split_into_groups() {
    let triangles: Vec<[u16; 3]> = (0..=u16::MAX)
        .map(|vertex| [vertex, vertex.wrapping_add(1), vertex.wrapping_add(7)])
        .collect();
    let mesh = VtxMesh {
        flags: 2,
        triangles,
    };
    let lods = vec![VtxLod {
        switch_point: 0.0,
        meshes: vec![mesh],
    }];
    let vtx = Vtx {
        checksum: 0,
        body_parts: vec![VtxBodyPart {
            models: vec![VtxModel { lods }],
        }],
    };
    for layout in [StripLayout::Short, StripLayout::Topology] {
        let options = WriteOptions {
            layout,
            ..WriteOptions::default()
        };
        let bytes = vtx.write_with(options).unwrap();
        // numStripGroups of the mesh.
        assert_eq!(bytes[64..68], [2, 0, 0, 0]);
        assert_eq!(Vtx::read(&bytes).unwrap(), vtx);
    }
}
