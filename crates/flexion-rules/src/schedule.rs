//! Instructions of a segment into runs of one kind.
//!
//! Instructions that depend on each other keep their order, all others may move: each temporary and each weight
//! is written once in a segment. The scheduler takes whatever is ready of one kind, including what becomes ready
//! on the way, before it goes on to another kind; affine instructions come last, so that one run takes as many
//! as possible. Within a run instructions stand in the order in which they became ready, so neighbours are
//! mostly independent and overlap in the processor.
//!
//! ```text
//! t0 = two_way_0(a)   t1 = t0 * b   t2 = two_way_1(c)   w0 = t2 * t1
//!   → two_way_0: t0   two_way_1: t2   affine: t1, w0
//! ```

use std::collections::{HashMap, VecDeque};

use crate::code::{Binary, Instr, Kind, NWay, Place, Run, Tables, Unary};

/// Appends the runs of one segment to `runs` and their operands to `tables`. The instructions' own operands are
/// in `drafts` where the instruction holds an index; the index is changed to that of the table.
pub(crate) fn schedule(
    segment: &mut [Instr],
    drafts: &Tables,
    tables: &mut Tables,
    runs: &mut Vec<Run>,
) {
    let mut ready = Ready::new(segment, drafts);
    let mut open: Option<Run> = None;
    while let Some((kind, index)) = ready.next(open.map(|run| run.kind)) {
        let entry = append(&mut segment[index], drafts, tables);
        ready.done(index, segment);
        match &mut open {
            Some(run) if run.kind == kind => run.end = entry + 1,
            _ => {
                runs.extend(open);
                open = Some(Run {
                    kind,
                    start: entry,
                    end: entry + 1,
                });
            }
        }
    }
    runs.extend(open);
}

/// Puts an instruction's operands into its table; returns where.
fn append(instr: &mut Instr, drafts: &Tables, tables: &mut Tables) -> u32 {
    fn push<T>(table: &mut Vec<T>, entry: T) -> u32 {
        table.push(entry);
        (table.len() - 1) as u32
    }
    match instr {
        Instr::Affine(affine) => push(&mut tables.affine, *affine),
        Instr::Div(binary) | Instr::Max(binary) | Instr::Min(binary) => {
            push(&mut tables.binary, *binary)
        }
        Instr::TwoWay0(unary) | Instr::TwoWay1(unary) => push(&mut tables.unary, *unary),
        Instr::NWay(entry) => {
            *entry = push(&mut tables.nways, drafts.nways[*entry as usize]);
            *entry
        }
        Instr::LowerEyelid(entry) | Instr::UpperEyelid(entry) => {
            *entry = push(&mut tables.eyelids, drafts.eyelids[*entry as usize]);
            *entry
        }
        Instr::Checked(rule) => *rule,
    }
}

/// Which instructions can run, by kind.
struct Ready {
    queues: [VecDeque<usize>; Kind::COUNT],
    /// How many operands of each instruction are not computed yet.
    missing: Vec<u8>,
    /// Who reads the result of instruction `i`: `readers[starts[i]..starts[i + 1]]`.
    readers: Vec<usize>,
    starts: Vec<usize>,
}

impl Ready {
    fn new(segment: &[Instr], drafts: &Tables) -> Ready {
        let writers: HashMap<Place, usize> = segment
            .iter()
            .enumerate()
            .filter_map(|(index, instr)| Some((written(instr, drafts)?, index)))
            .collect();
        // A place that is written later still holds its old value for those before.
        let needed = |index: usize| {
            let earlier = move |&writer: &usize| writer < index;
            read(&segment[index], drafts)
                .into_iter()
                .flatten()
                .filter_map(|place| writers.get(&place).copied())
                .filter(earlier)
        };

        let mut starts = vec![0; segment.len() + 1];
        (0..segment.len())
            .flat_map(needed)
            .for_each(|writer| starts[writer + 1] += 1);
        for index in 0..segment.len() {
            starts[index + 1] += starts[index];
        }
        let mut ready = Ready {
            queues: Default::default(),
            missing: vec![0; segment.len()],
            readers: vec![0; starts[segment.len()]],
            starts,
        };
        let mut next = ready.starts.clone();
        for (index, instr) in segment.iter().enumerate() {
            for writer in needed(index) {
                ready.readers[next[writer]] = index;
                next[writer] += 1;
                ready.missing[index] += 1;
            }
            if ready.missing[index] == 0 {
                ready.queues[instr.kind() as usize].push_back(index);
            }
        }
        ready
    }

    /// The next instruction: of the same kind as the one before if there is any.
    fn next(&mut self, kind: Option<Kind>) -> Option<(Kind, usize)> {
        if let Some(kind) = kind
            && let Some(index) = self.queues[kind as usize].pop_front()
        {
            return Some((kind, index));
        }
        KINDS
            .iter()
            .find_map(|&kind| Some((kind, self.queues[kind as usize].pop_front()?)))
    }

    fn done(&mut self, index: usize, segment: &[Instr]) {
        for &reader in &self.readers[self.starts[index]..self.starts[index + 1]] {
            self.missing[reader] -= 1;
            if self.missing[reader] == 0 {
                self.queues[segment[reader].kind() as usize].push_back(reader);
            }
        }
    }
}

/// Affine instructions last: the longer they are put off, the more of them are ready together.
const KINDS: [Kind; Kind::COUNT] = [
    Kind::TwoWay0,
    Kind::TwoWay1,
    Kind::NWay,
    Kind::LowerEyelid,
    Kind::UpperEyelid,
    Kind::Div,
    Kind::Max,
    Kind::Min,
    Kind::Affine,
    Kind::Checked,
];

/// The place an instruction writes; a checked rule is alone in its segment.
fn written(instr: &Instr, drafts: &Tables) -> Option<Place> {
    match instr {
        Instr::Affine(affine) => Some(affine.dst),
        Instr::Div(Binary { dst, .. })
        | Instr::Max(Binary { dst, .. })
        | Instr::Min(Binary { dst, .. })
        | Instr::TwoWay0(Unary { dst, .. })
        | Instr::TwoWay1(Unary { dst, .. }) => Some(*dst),
        Instr::NWay(entry) => Some(drafts.nways[*entry as usize].dst),
        Instr::LowerEyelid(entry) | Instr::UpperEyelid(entry) => {
            Some(drafts.eyelids[*entry as usize].dst)
        }
        Instr::Checked(_) => None,
    }
}

/// The places an instruction reads, except those that only ever hold a controller or a constant.
fn read(instr: &Instr, drafts: &Tables) -> [Option<Place>; 4] {
    match *instr {
        Instr::Affine(affine) => [Some(affine.a), Some(affine.b), Some(affine.c), None],
        Instr::Div(Binary { a, b, .. })
        | Instr::Max(Binary { a, b, .. })
        | Instr::Min(Binary { a, b, .. }) => [Some(a), Some(b), None, None],
        Instr::TwoWay0(_)
        | Instr::TwoWay1(_)
        | Instr::LowerEyelid(_)
        | Instr::UpperEyelid(_)
        | Instr::Checked(_) => [None; 4],
        Instr::NWay(entry) => {
            let NWay { limits, .. } = drafts.nways[entry as usize];
            limits.map(Some)
        }
    }
}
