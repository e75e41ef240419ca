//! Descriptors, sliders and how people see them, rules and mouths.

use super::super::check::Scan;
use super::{link_in, place, table};
use crate::bytes::At;
use crate::error::{Error, WarningKind};
use crate::mdl::{Controller, ControllerUi, Descriptor, Mouth, Op, RemapType, Rule, UiSlot};
use crate::raw::Record;
use crate::raw::mdl as raw;

/// The first version whose header has user interface fields; below, they hold 0.
const FIRST_UI_VERSION: i32 = 47;

pub(super) fn descriptors<'a>(scan: &Scan<'_, 'a>) -> Result<Vec<Descriptor<'a>>, Error> {
    let Scan { reader, header, .. } = scan;
    table!(reader, header, numflexdesc, flexdescindex, |at: At<
        raw::FlexDesc,
    >| {
        Ok(Descriptor {
            name: reader.name(link_in!(reader, at, szFACSindex))?,
        })
    })
}

pub(super) fn controllers<'a>(scan: &Scan<'_, 'a>) -> Result<Vec<Controller<'a>>, Error> {
    let Scan { reader, header, .. } = scan;
    let controllers = table!(
        reader,
        header,
        numflexcontrollers,
        flexcontrollerindex,
        |at: At<raw::FlexController>| {
            Ok(Controller {
                kind: reader.name(link_in!(reader, at, sztypeindex))?,
                name: reader.name(link_in!(reader, at, sznameindex))?,
                min: at.raw.min,
                max: at.raw.max,
            })
        }
    )?;
    let table = link_in!(reader, header, flexcontrollerindex);
    scan.check_duplicates::<raw::FlexController, _>(table, &controllers, |slider| &slider.name)?;
    Ok(controllers)
}

pub(super) fn controller_uis<'a>(scan: &Scan<'_, 'a>) -> Result<Vec<ControllerUi<'a>>, Error> {
    let Scan { reader, header, .. } = scan;
    if header.raw.version < FIRST_UI_VERSION {
        return Ok(Vec::new());
    }
    let uis = table!(
        reader,
        header,
        numflexcontrollerui,
        flexcontrolleruiindex,
        |at: At<raw::FlexControllerUi>| {
            Ok(ControllerUi {
                name: reader.name(link_in!(reader, at, sznameindex))?,
                slots: [
                    ui_slot(scan, &at, "szindex0", at.raw.szindex0),
                    ui_slot(scan, &at, "szindex1", at.raw.szindex1),
                    ui_slot(scan, &at, "szindex2", at.raw.szindex2),
                ],
                remap: remap_type(scan, &at),
                stereo: at.raw.stereo != 0,
            })
        }
    )?;
    let table = link_in!(reader, header, flexcontrolleruiindex);
    scan.check_duplicates::<raw::FlexControllerUi, _>(table, &uis, |ui| &ui.name)?;
    Ok(uis)
}

/// Turns the distance from a user interface record to a slider's record into the slider's number.
fn ui_slot(
    scan: &Scan<'_, '_>,
    at: &At<raw::FlexControllerUi>,
    field: &'static str,
    offset: i32,
) -> UiSlot {
    if offset == 0 {
        return UiSlot::Unused;
    }
    let header = &scan.header.raw;
    let size = raw::FlexController::SIZE as i64;
    let distance = i64::try_from(at.start).unwrap_or(i64::MAX / 2) + i64::from(offset)
        - i64::from(header.flexcontrollerindex);
    let number = (distance % size == 0 && distance >= 0).then_some(distance / size);
    match number.and_then(|number| u32::try_from(number).ok()) {
        Some(number) if i64::from(number) < i64::from(header.numflexcontrollers) => {
            UiSlot::Controller(number)
        }
        _ => {
            let place = scan.reader.place_in(at, field);
            scan.warn(place, WarningKind::UiSlot(offset));
            UiSlot::Nowhere(offset)
        }
    }
}

fn remap_type(scan: &Scan<'_, '_>, at: &At<raw::FlexControllerUi>) -> RemapType {
    match at.raw.remaptype {
        0 => RemapType::Passthru,
        1 => RemapType::TwoWay,
        2 => RemapType::NWay,
        3 => RemapType::Eyelid,
        other => {
            let place = place!(scan.reader, at, remaptype);
            scan.warn(place, WarningKind::RemapType(other));
            RemapType::Unknown(other)
        }
    }
}

/// The rules. Whether targets, ops and operands make sense is for those who compile them to say.
pub(super) fn rules(scan: &Scan<'_, '_>) -> Result<Vec<Rule>, Error> {
    let Scan { reader, header, .. } = scan;
    table!(reader, header, numflexrules, flexruleindex, |at: At<
        raw::FlexRule,
    >| {
        let counted = place!(reader, at, numops);
        // The engine's loop does not run for a count below zero.
        let count = at.raw.numops.max(0);
        let ops: &[raw::FlexOp] = reader.slice(link_in!(reader, at, opindex), count, counted)?;
        reader.claim_built::<raw::FlexOp>(ops.len(), counted)?;
        let ops = ops.iter().map(|op| Op {
            code: op.op.get(),
            operand: op.d,
        });
        Ok(Rule {
            target: at.raw.flex,
            ops: ops.collect(),
        })
    })
}

pub(super) fn mouths(scan: &Scan<'_, '_>) -> Result<Vec<Mouth>, Error> {
    let Scan { reader, header, .. } = scan;
    table!(reader, header, nummouths, mouthindex, |at: At<
        raw::Mouth,
    >| {
        scan.check_index(place!(reader, at, bone), at.raw.bone, scan.bones());
        scan.check_index(
            place!(reader, at, flexdesc),
            at.raw.flexdesc,
            scan.descriptors(),
        );
        Ok(Mouth {
            bone: at.raw.bone,
            forward: at.raw.forward,
            descriptor: at.raw.flexdesc,
        })
    })
}
