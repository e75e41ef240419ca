//! The same pose gives the same bits: in any order of poses, in dirty buffers, on any number of
//! threads, and without allocating.

use allocation_counter::measure;
use flexion::deform::{Scratch, Weights};
use flexion::{Face, Model, Precision, RampMode, Shape};

fn sample() -> Model {
    let [(_, mdl), (_, vvd), (_, vtx)] = flexion_sample::face().files();
    Model::from_bytes(&mdl, Some(&vvd), Some(&vtx)).expect("the sample face")
}

fn put(face: &mut Face, expression: usize) {
    face.reset();
    for (name, value) in flexion_sample::expressions()[expression].sliders {
        face.set(name, *value).expect("a slider of the sample");
    }
}

/// The bits of everything in a shape.
fn bits(shapes: &[Shape]) -> Vec<u32> {
    let of = |shape: &Shape| -> Vec<u32> {
        let vectors = shape.positions.iter().chain(&shape.normals).flatten();
        let rest = shape.tangents.iter().flatten().chain(&shape.wrinkles);
        vectors.chain(rest).map(|value| value.to_bits()).collect()
    };
    shapes.iter().flat_map(of).collect()
}

#[test]
fn a_pose_does_not_depend_on_the_one_before() {
    let model = sample();
    let mut used = model.face();
    for expression in (0..flexion_sample::expressions().len()).chain([2, 0, 7]) {
        put(&mut used, expression);
        let mut fresh = model.face();
        put(&mut fresh, expression);
        assert_eq!(used.weights(), fresh.weights());
        assert_eq!(
            bits(used.deform().expect("vertices")),
            bits(fresh.deform().expect("vertices")),
            "expression {expression}"
        );
    }
}

#[test]
fn faces_of_one_model_on_many_threads_agree() {
    let model = sample();
    let pose = |expression| {
        let mut face = model.face();
        put(&mut face, expression);
        bits(face.deform().expect("vertices"))
    };
    let count = flexion_sample::expressions().len();
    let alone: Vec<_> = (0..count).map(pose).collect();
    let together: Vec<_> = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..count).map(|at| scope.spawn(move || pose(at))).collect();
        threads
            .into_iter()
            .map(|thread| thread.join().expect("a pose"))
            .collect()
    });
    assert_eq!(alone, together);
}

#[test]
fn vertex_chunks_on_threads_give_the_bits_of_one_thread() {
    let model = sample();
    let mut face = model.face();
    put(&mut face, 2);
    let weights = face.weights().to_vec();
    let submodel = &model.submodels()[0];
    for precision in [Precision::File, Precision::Engine] {
        let deformer = submodel.deformer(precision);
        let mut one = deformer.shape();
        deformer
            .apply_to(Weights::still(&weights), RampMode::Saturate, &mut one)
            .expect("buffers that fit");
        for threads in [1, 2, 4] {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
            let mut many = deformer.shape();
            many.positions.fill([f32::NAN; 3]);
            let done = pool.expect("a pool").install(|| {
                let mut scratch = Scratch::default();
                let weights = Weights::still(&weights);
                deformer.apply_parallel(weights, RampMode::Saturate, many.as_mut(), &mut scratch)
            });
            done.expect("buffers that fit");
            assert_eq!(
                bits(std::slice::from_ref(&one)),
                bits(std::slice::from_ref(&many)),
                "{threads} threads"
            );
        }
    }
}

#[test]
fn a_pose_allocates_nothing() {
    let model = sample();
    let mut face = model.face();
    let ids: Vec<_> = model.controller_ids().collect();
    let mut pose = || {
        for (step, &id) in ids.iter().enumerate() {
            face.set_id(id, step as f32 / 50.0)
                .expect("a slider of the sample");
            face.weights();
            face.deform().expect("vertices");
        }
        face.reset();
    };
    // A pose that moves most of the face makes the model order its rows by vertex, once.
    pose();
    let allocations = measure(pose);
    assert_eq!(allocations.count_total, 0, "{allocations:?}");
}
