//! Batches of the facade: every frame is that of a face with the same sliders, in every bit, and memory does not
//! grow with the number of frames.

use flexion::deform::ShapeMut;
use flexion::{
    Backend, BatchOptions, Dialect, Error, FaceOptions, Model, Outputs, Planes, Precision, RampMode,
};
use flexion_testkit::corpus::{self, corpus};
use glam::Vec3;

fn sample() -> Model {
    let [(_, mdl), (_, vvd), (_, vtx)] = flexion_sample::face().files();
    Model::from_bytes(&mdl, Some(&vvd), Some(&vtx)).expect("the sample")
}

/// Sliders anywhere in and a little beyond their ranges, the same in every run.
fn poses(model: &Model, count: usize) -> Vec<Vec<f32>> {
    let mut state = 7u32;
    let mut random = || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (state >> 8) as f32 / (1 << 24) as f32
    };
    let mut pose = || {
        let controllers = model.controllers().iter();
        controllers
            .map(|c| match random() {
                rest if rest < 0.4 => 0.0,
                _ => c.min + (c.max - c.min) * (random() * 1.2 - 0.1),
            })
            .collect()
    };
    (0..count).map(|_| pose()).collect()
}

/// Compares every frame with a face of its own; returns how many vertices were compared.
fn equals_faces(model: &Model, options: BatchOptions, poses: &[Vec<f32>]) -> usize {
    let mut face = model.face_with(options.face);
    face.look_at(options.target);
    let (mut seen, mut compared) = (0, 0);
    let count = model.batch_with(options).run(poses, |frames| {
        assert_eq!(frames.first(), seen);
        for frame in 0..frames.len() {
            face.set_all(&poses[seen]).expect("sliders");
            assert_eq!(frames.sliders(frame), face.sliders());
            assert_eq!(
                bits(frames.weights(frame)),
                bits(face.weights()),
                "pose {seen}"
            );
            for (index, submodel) in model.submodels().iter().enumerate() {
                let deformer = submodel.deformer(options.face.precision);
                let mut shape = deformer.shape();
                face.deform_into(submodel, ShapeMut { ..shape.as_mut() })
                    .expect("vertices");
                let outputs = options.outputs;
                let all = [
                    (
                        outputs.positions,
                        bits(frames.positions(index, frame).as_flattened()),
                        bits(shape.positions.as_flattened()),
                    ),
                    (
                        outputs.normals,
                        bits(frames.normals(index, frame).as_flattened()),
                        bits(shape.normals.as_flattened()),
                    ),
                    (
                        outputs.tangents,
                        bits(frames.tangents(index, frame).as_flattened()),
                        bits(shape.tangents.as_flattened()),
                    ),
                    (
                        outputs.wrinkles,
                        bits(frames.wrinkles(index, frame)),
                        bits(&shape.wrinkles),
                    ),
                ];
                for (kind, (wanted, batch, single)) in all.iter().enumerate() {
                    match wanted {
                        true => {
                            assert!(batch == single, "pose {seen} submodel {index} value {kind}")
                        }
                        false => assert!(batch.is_empty()),
                    }
                }
                compared += submodel.vertex_count();
            }
            seen += 1;
        }
        Ok::<(), Error>(())
    });
    assert_eq!(count.expect("a batch"), poses.len());
    assert_eq!(seen, poses.len());
    compared
}

fn bits(values: &[f32]) -> Vec<u32> {
    values.iter().map(|value| value.to_bits()).collect()
}

#[test]
fn frames_are_those_of_faces() {
    let model = sample();
    let poses = poses(&model, 70);
    for backend in Backend::available() {
        let model = model.with_backend(backend);
        for frames in [1, 7, 64, 0] {
            let options = BatchOptions {
                frames,
                outputs: Outputs::ALL,
                ..BatchOptions::default()
            };
            assert!(equals_faces(&model, options, &poses) > 0);
        }
    }
}

#[test]
fn every_option_reaches_the_frames() {
    let model = sample();
    let poses = poses(&model, 20);
    let face = FaceOptions::default();
    let faces = [
        FaceOptions { raw: true, ..face },
        FaceOptions {
            eyelids: false,
            ..face
        },
        FaceOptions {
            precision: Precision::Engine,
            ..face
        },
        FaceOptions {
            ramp_mode: RampMode::Overdrive,
            raw: true,
            ..face
        },
        FaceOptions {
            dialect: Dialect::Sdk2025,
            ..face
        },
    ];
    for face in faces {
        for target in [None, Some(Vec3::new(20.0, -50.0, 60.0))] {
            let outputs = Outputs {
                wrinkles: true,
                ..Outputs::MESH
            };
            let options = BatchOptions {
                face,
                outputs,
                target,
                ..BatchOptions::default()
            };
            equals_faces(&model, options, &poses);
        }
    }
    // Options that change nothing would pass above.
    let normals = |options: BatchOptions| {
        let mut all = Vec::new();
        let collected = model.batch_with(options).run(&poses, |frames| {
            all.extend(bits(frames.all_normals(0).as_flattened()));
            Ok::<(), Error>(())
        });
        collected.map(|_| all).expect("frames")
    };
    let plain = normals(BatchOptions::default());
    assert_ne!(
        plain,
        normals(BatchOptions {
            face: faces[0],
            ..BatchOptions::default()
        })
    );
    assert_ne!(
        plain,
        normals(BatchOptions {
            face: faces[1],
            ..BatchOptions::default()
        })
    );
    assert_ne!(
        plain,
        normals(BatchOptions {
            face: faces[2],
            ..BatchOptions::default()
        })
    );
    let aside = Some(Vec3::new(20.0, -50.0, 60.0));
    assert_ne!(
        plain,
        normals(BatchOptions {
            target: aside,
            ..BatchOptions::default()
        })
    );
}

#[test]
fn threads_do_not_change_a_bit() {
    let model = sample();
    let poses = poses(&model, 150);
    for threads in [1, 2, 4] {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
        pool.expect("threads").install(|| {
            equals_faces(&model, BatchOptions::default(), &poses);
        });
    }
}

#[test]
fn real_models_in_batches() {
    let Some(folder) = corpus("real_models_in_batches") else {
        return;
    };
    let mut vertices = 0;
    for golden in corpus::weights(&folder) {
        let model = Model::open(&golden.model).unwrap_or_else(|error| panic!("{error}"));
        let rows = golden.rows.iter();
        let poses: Vec<Vec<f32>> = rows
            .map(|row| row.sliders.iter().copied().map(f32::from_bits).collect())
            .collect();
        let face = FaceOptions {
            raw: true,
            ..FaceOptions::default()
        };
        if !model.has_vertices() {
            continue;
        }
        let options = BatchOptions {
            face,
            outputs: Outputs::ALL,
            ..BatchOptions::default()
        };
        vertices += equals_faces(&model, options, &poses);
    }
    println!("{vertices} vertices of real models equal in every bit");
    assert!(vertices > 1_000_000);
}

#[test]
fn planes_are_rows_on_their_side() {
    let model = sample();
    let poses = poses(&model, 33);
    let stride = 40;
    let mut values = vec![f32::NAN; stride * model.controllers().len()];
    for (pose, row) in poses.iter().enumerate() {
        for (slot, &value) in row.iter().enumerate() {
            values[slot * stride + pose] = value;
        }
    }
    let options = BatchOptions {
        outputs: Outputs::WEIGHTS,
        frames: 10,
        ..BatchOptions::default()
    };
    let mut by_rows = Vec::new();
    let run = model.batch_with(options).run(&poses, |frames| {
        by_rows.extend(bits(frames.all_weights()));
        Ok::<(), Error>(())
    });
    assert_eq!(run.expect("rows"), 33);
    let mut by_planes = Vec::new();
    let sliders = Planes {
        values: &values,
        stride,
    };
    let run = model.batch_with(options).run_planes(33, sliders, |frames| {
        assert!(frames.len() <= 10);
        by_planes.extend(bits(frames.all_weights()));
        Ok::<(), Error>(())
    });
    assert_eq!(run.expect("planes"), 33);
    assert_eq!(by_rows, by_planes);
}

#[test]
fn what_is_wrong_is_named_and_earlier_chunks_are_kept() {
    let model = sample();
    let mut poses = poses(&model, 10);
    let options = BatchOptions {
        frames: 4,
        ..BatchOptions::default()
    };
    let run = |poses: &[Vec<f32>], options| {
        let mut frames_seen = 0;
        let error = model.batch_with(options).run(poses, |frames| {
            frames_seen += frames.len();
            Ok::<(), Error>(())
        });
        (error.map_err(|error| error.to_string()), frames_seen)
    };
    poses[6][2] = f32::NAN;
    let name = &model.controllers()[2].name;
    let (error, seen) = run(&poses, options);
    assert_eq!(
        error,
        Err(format!("pose 6: controller {name:?} cannot be NaN"))
    );
    assert_eq!(seen, 4);
    let raw = FaceOptions {
        raw: true,
        ..FaceOptions::default()
    };
    assert_eq!(
        run(
            &poses,
            BatchOptions {
                face: raw,
                ..options
            }
        ),
        (Ok(10), 10)
    );
    poses[6].pop();
    let count = model.controllers().len();
    let (error, _) = run(&poses, options);
    assert_eq!(
        error,
        Err(format!(
            "pose 6: {} slider values for {count} controllers",
            count - 1
        ))
    );
    assert_eq!(run(&[], options), (Ok(0), 0));
}

#[test]
fn planes_that_are_not_there_and_models_without_vertices() {
    let [(_, mdl), ..] = flexion_sample::face().files();
    let model = Model::from_bytes(&mdl, None, None).expect("the sample");
    let poses = poses(&model, 3);
    let error = model.batch().run(&poses, |_| Ok::<(), Error>(()));
    assert!(matches!(error, Err(Error::NoVertices)), "{error:?}");
    let weights_only = BatchOptions {
        outputs: Outputs::WEIGHTS,
        ..BatchOptions::default()
    };
    let mut batch = model.batch_with(weights_only);
    assert_eq!(
        batch.run(&poses, |_| Ok::<(), Error>(())).expect("weights"),
        3
    );
    for stride in [9, usize::MAX] {
        let sliders = Planes {
            values: &[0.0; 400],
            stride,
        };
        let error = batch.run_planes(10, sliders, |_| Ok::<(), Error>(()));
        assert!(matches!(error, Err(Error::PlaneLength { .. })), "{error:?}");
    }
}

/// The caller's own error ends the batch.
#[test]
fn an_error_of_the_caller_comes_back() {
    #[derive(Debug)]
    enum Mine {
        Enough(usize),
        Flexion(#[expect(dead_code, reason = "for Debug")] Error),
    }
    impl From<Error> for Mine {
        fn from(error: Error) -> Mine {
            Mine::Flexion(error)
        }
    }
    let model = sample();
    let options = BatchOptions {
        frames: 2,
        ..BatchOptions::default()
    };
    let endless = std::iter::repeat(model.face().sliders().to_vec());
    let error = model
        .batch_with(options)
        .run(endless, |frames| match frames.first() {
            6 => Err(Mine::Enough(6)),
            _ => Ok(()),
        });
    assert!(matches!(error, Err(Mine::Enough(6))), "{error:?}");
}

/// Ten times the frames take no more memory, and chunks after the first none at all on this thread.
#[test]
fn memory_does_not_grow_with_the_frames() {
    let model = sample();
    let rest = model.face().sliders().to_vec();
    let options = BatchOptions {
        frames: 16,
        ..BatchOptions::default()
    };
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(1)
        .build()
        .expect("a thread");
    // The first frames make the model order its rows by vertex, once.
    let first = model
        .batch_with(options)
        .run([&rest], |_| Ok::<(), Error>(()));
    first.expect("a frame");
    let counts: Vec<u64> = [10, 100]
        .map(|chunks| {
            let mut batch = model.batch_with(options);
            let counted = pool.install(|| {
                allocation_counter::measure(|| {
                    let rows = std::iter::repeat_n(rest.as_slice(), 16 * chunks);
                    batch.run(rows, |_| Ok::<(), Error>(())).expect("frames");
                })
            });
            counted.bytes_max
        })
        .to_vec();
    assert_eq!(counts[0], counts[1]);
}
