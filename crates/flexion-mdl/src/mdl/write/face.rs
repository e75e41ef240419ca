//! Descriptors, sliders and how people see them, rules and mouths.

use zerocopy::byteorder::little_endian::I32;

use super::Placed;
use super::out::{Output, Spot};
use crate::error::WriteError;
use crate::mdl::{Controller, ControllerUi, Descriptor, Mdl, Mouth, RemapType, Rule, UiSlot};
use crate::raw::Record;
use crate::raw::mdl::{self as raw, StudioHdr};

pub(super) fn descriptors<'n>(
    out: &mut Output<'n>,
    header: Spot<StudioHdr>,
    descriptors: &'n [Descriptor<'_>],
) -> Placed {
    let fields = ["numflexdesc", "flexdescindex"];
    out.table(header, fields, descriptors, |out, at, descriptor| {
        Ok(raw::FlexDesc {
            szFACSindex: out.name(at, "szFACSindex", &descriptor.name)?,
        })
    })
}

pub(super) fn controllers<'n>(
    out: &mut Output<'n>,
    header: Spot<StudioHdr>,
    controllers: &'n [Controller<'_>],
) -> Placed {
    let fields = ["numflexcontrollers", "flexcontrollerindex"];
    out.table(header, fields, controllers, |out, at, controller| {
        Ok(raw::FlexController {
            sztypeindex: out.name(at, "sztypeindex", &controller.kind)?,
            sznameindex: out.name(at, "sznameindex", &controller.name)?,
            localToGlobal: -1,
            min: controller.min,
            max: controller.max,
        })
    })
}

/// The sliders' records, which slots of the user interface lead to.
#[derive(Clone, Copy)]
struct Sliders {
    start: i64,
    count: i64,
}

impl Sliders {
    const SIZE: i64 = raw::FlexController::SIZE as i64;

    /// Whether a reader would take `offset`, in a record at `start`, for a slider's.
    fn hit_by(self, start: i64, offset: i32) -> bool {
        let distance = start + i64::from(offset) - self.start;
        distance % Self::SIZE == 0 && (0..self.count).contains(&(distance / Self::SIZE))
    }
}

/// The user interface; `sliders` is the offset of the controllers.
pub(super) fn controller_uis<'n>(
    out: &mut Output<'n>,
    header: Spot<StudioHdr>,
    mdl: &'n Mdl<'_>,
    sliders: i32,
) -> Placed {
    let uis = &mdl.controller_uis;
    if !uis.is_empty() && mdl.version < 47 {
        let expected = "47 to 49 for a model with a user interface";
        return Err(header.value("version", mdl.version, expected));
    }
    let sliders = Sliders {
        start: sliders.into(),
        count: mdl.controllers.len() as i64,
    };
    let start = out.align() as i64;
    out.skip(gap(uis, sliders, start));
    let fields = ["numflexcontrollerui", "flexcontrolleruiindex"];
    out.table(header, fields, uis, |out, at, ui| {
        let [szindex0, szindex1, szindex2] = ui_slots(at, ui, sliders)?;
        Ok(raw::FlexControllerUi {
            sznameindex: out.name(at, "sznameindex", &ui.name)?,
            szindex0,
            szindex1,
            szindex2,
            remaptype: remap_type(at, ui.remap)?,
            stereo: ui.stereo.into(),
            ..raw::FlexControllerUi::ZERO
        })
    })
}

/// How far from `start` the user interface must stand so that slots which lead nowhere do not
/// happen to lead to a slider; 0 if nothing helps.
fn gap(uis: &[ControllerUi<'_>], sliders: Sliders, start: i64) -> usize {
    let hits = |gap: i64| {
        let starts = (0..).map(|index| start + gap + index * Sliders::SIZE);
        starts.zip(uis).any(|(start, ui)| {
            let mut slots = ui.slots.iter();
            slots.any(|slot| matches!(*slot, UiSlot::Nowhere(at) if sliders.hit_by(start, at)))
        })
    };
    // A user interface record is as long as a slider's, so further gaps would repeat these but for
    // the ends of the table.
    let gaps = [0_u8, 4, 8, 12, 16];
    gaps.into_iter()
        .find(|&gap| !hits(gap.into()))
        .map_or(0, usize::from)
}

fn ui_slots(
    at: Spot<raw::FlexControllerUi>,
    ui: &ControllerUi<'_>,
    sliders: Sliders,
) -> Result<[i32; 3], WriteError> {
    let start = at.start as i64;
    let mut offsets = [0; 3];
    let fields = ["szindex0", "szindex1", "szindex2"];
    for ((offset, field), &slot) in offsets.iter_mut().zip(fields).zip(&ui.slots) {
        *offset = match slot {
            UiSlot::Unused => 0,
            UiSlot::Controller(number) if i64::from(number) < sliders.count => {
                let slider = sliders.start + i64::from(number) * Sliders::SIZE;
                at.offset(field, slider as u64)?
            }
            UiSlot::Controller(number) => {
                return Err(at.value(field, number, "a controller of the model"));
            }
            UiSlot::Nowhere(offset) if offset == 0 || sliders.hit_by(start, offset) => {
                return Err(at.value(field, offset, "an offset that leads to no controller"));
            }
            UiSlot::Nowhere(offset) => offset,
        };
    }
    Ok(offsets)
}

fn remap_type(at: Spot<raw::FlexControllerUi>, remap: RemapType) -> Result<u8, WriteError> {
    Ok(match remap {
        RemapType::Passthru => 0,
        RemapType::TwoWay => 1,
        RemapType::NWay => 2,
        RemapType::Eyelid => 3,
        RemapType::Unknown(number @ 4..) => number,
        RemapType::Unknown(number) => {
            return Err(at.value("remaptype", number, "4 to 255 for an unknown type"));
        }
    })
}

pub(super) fn rules<'n>(
    out: &mut Output<'n>,
    header: Spot<StudioHdr>,
    rules: &'n [Rule],
) -> Placed {
    let fields = ["numflexrules", "flexruleindex"];
    out.table(header, fields, rules, |out, at, rule| {
        let ops = rule.ops.iter().map(|op| raw::FlexOp {
            op: I32::new(op.code),
            d: op.operand,
        });
        let ops = out.array(&ops.collect::<Vec<_>>());
        Ok(raw::FlexRule {
            flex: rule.target,
            numops: at.count("numops", rule.ops.len())?,
            opindex: at.offset("opindex", ops)?,
        })
    })
}

pub(super) fn mouths<'n>(
    out: &mut Output<'n>,
    header: Spot<StudioHdr>,
    mouths: &'n [Mouth],
) -> Placed {
    out.table(
        header,
        ["nummouths", "mouthindex"],
        mouths,
        |_, _, mouth| {
            Ok(raw::Mouth {
                bone: mouth.bone,
                forward: mouth.forward,
                flexdesc: mouth.descriptor,
            })
        },
    )
}
