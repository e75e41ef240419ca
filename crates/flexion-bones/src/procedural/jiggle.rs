//! Bones that swing: on a spring at their tip, at their base, or stretched by a blow.
//!
//! A bone's ordinary place is its goal; its axes are left, up and forward. Time is the caller's.

use glam::{Affine3A, Mat3A, Vec3};

/// Longest step of time, in seconds; longer ones are split.
const LONGEST_STEP: f32 = 1.0 / 60.0;
/// Shortest step, in seconds.
const SHORTEST_STEP: f32 = 0.001;
/// A gap of time after which the bone begins at rest, in seconds.
const GAP: f32 = 0.5;

/// `mstudiojigglebone_t`. Angles are in radians, lengths in model units; `yaw_friction`,
/// `yaw_bounce` and those of pitch are in the file and never used.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Jiggle {
    /// `flags`: [`Jiggle::FLEXIBLE`] and so on.
    pub flags: u32,
    /// `length`: from the base to the tip, along forward.
    pub length: f32,
    /// `tipMass`: how strongly the tip is pulled down, in units per second squared.
    pub tip_mass: f32,
    /// `yawStiffness`.
    pub yaw_stiffness: f32,
    /// `yawDamping`.
    pub yaw_damping: f32,
    /// `pitchStiffness`.
    pub pitch_stiffness: f32,
    /// `pitchDamping`.
    pub pitch_damping: f32,
    /// `alongStiffness`.
    pub along_stiffness: f32,
    /// `alongDamping`.
    pub along_damping: f32,
    /// `angleLimit`.
    pub angle_limit: f32,
    /// `minYaw`.
    pub min_yaw: f32,
    /// `maxYaw`.
    pub max_yaw: f32,
    /// `minPitch`.
    pub min_pitch: f32,
    /// `maxPitch`.
    pub max_pitch: f32,
    /// `baseMass`.
    pub base_mass: f32,
    /// `baseStiffness`.
    pub base_stiffness: f32,
    /// `baseDamping`.
    pub base_damping: f32,
    /// `baseMinLeft`, `baseMinUp`, `baseMinForward`.
    pub base_min: Vec3,
    /// `baseMaxLeft`, `baseMaxUp`, `baseMaxForward`.
    pub base_max: Vec3,
    /// `baseLeftFriction`, `baseUpFriction`, `baseForwardFriction`.
    pub base_friction: Vec3,
    /// `boingImpactSpeed`.
    pub boing_impact_speed: f32,
    /// `boingImpactAngle`: a cosine.
    pub boing_impact_angle: f32,
    /// `boingDampingRate`.
    pub boing_damping_rate: f32,
    /// `boingFrequency`.
    pub boing_frequency: f32,
    /// `boingAmplitude`.
    pub boing_amplitude: f32,
}

/// Bits of [`Jiggle::flags`].
impl Jiggle {
    /// The tip is on a spring.
    pub const FLEXIBLE: u32 = 0x1;
    /// The tip has mass and no spring.
    pub const RIGID: u32 = 0x2;
    /// The tip stays between `min_yaw` and `max_yaw`.
    pub const YAW_CONSTRAINT: u32 = 0x4;
    /// The tip stays between `min_pitch` and `max_pitch`.
    pub const PITCH_CONSTRAINT: u32 = 0x8;
    /// The tip stays within `angle_limit` of its goal.
    pub const ANGLE_CONSTRAINT: u32 = 0x10;
    /// The tip stays at `length` from the base.
    pub const LENGTH_CONSTRAINT: u32 = 0x20;
    /// The base is on a spring.
    pub const BASE_SPRING: u32 = 0x40;
    /// Blows stretch the bone.
    pub const BOING: u32 = 0x80;
}

/// How a bone swings; one for each pose, nothing before the first step.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct JiggleState(Option<Swing>);

/// Places and speeds in the world.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Swing {
    tip: Vec3,
    tip_speed: Vec3,
    base: Vec3,
    last_base: Vec3,
    base_speed: Vec3,
    base_pull: Vec3,
    boing_place: Vec3,
    boing_direction: Vec3,
    last_direction: Vec3,
    last_speed: f32,
    boing_time: f32,
}

impl JiggleState {
    /// Lets `seconds` pass with the bone's ordinary place at `goal`; where it stands then.
    ///
    /// Steps of more than half a second, and numbers that run away, begin at rest.
    pub fn step(&mut self, jiggle: &Jiggle, goal: Affine3A, seconds: f32) -> Affine3A {
        if !goal.is_finite() {
            *self = JiggleState::default();
            return goal;
        }
        let gap = !(0.0..=GAP).contains(&seconds);
        let mut swing = match self.0 {
            Some(swing) if !gap => swing,
            _ => Swing::at_rest(jiggle, goal),
        };
        let seconds = if gap {
            SHORTEST_STEP
        } else {
            seconds.max(SHORTEST_STEP)
        };
        let steps = (seconds / LONGEST_STEP - 1e-3).ceil().max(1.0);
        let mut world = goal;
        for _ in 0..steps as u32 {
            world = swing.step(jiggle, goal, seconds / steps);
            if !(swing.is_finite() && world.is_finite()) {
                *self = JiggleState::default();
                return goal;
            }
        }
        self.0 = Some(swing);
        world
    }
}

/// The axes of a goal: left, up and forward.
fn axes(goal: Affine3A) -> [Vec3; 3] {
    let Mat3A {
        x_axis,
        y_axis,
        z_axis,
    } = goal.matrix3;
    [x_axis.into(), y_axis.into(), z_axis.into()]
}

impl Swing {
    fn at_rest(jiggle: &Jiggle, goal: Affine3A) -> Swing {
        let origin = Vec3::from(goal.translation);
        let [.., forward] = axes(goal);
        Swing {
            tip: origin + jiggle.length * forward,
            tip_speed: Vec3::ZERO,
            base: origin,
            last_base: origin,
            base_speed: Vec3::ZERO,
            base_pull: Vec3::ZERO,
            boing_place: origin,
            boing_direction: Vec3::Z,
            last_direction: Vec3::ZERO,
            last_speed: 0.0,
            boing_time: 0.0,
        }
    }

    fn is_finite(&self) -> bool {
        let places = [
            self.tip,
            self.tip_speed,
            self.base,
            self.base_speed,
            self.base_pull,
        ];
        places.iter().all(|place| place.is_finite()) && self.last_speed.is_finite()
    }

    fn step(&mut self, jiggle: &Jiggle, goal: Affine3A, dt: f32) -> Affine3A {
        let has = |flag: u32| jiggle.flags & flag != 0;
        let mut world = goal;
        if has(Jiggle::FLEXIBLE | Jiggle::RIGID) {
            self.swing_tip(jiggle, goal, dt);
            self.constrain(jiggle, goal);
            world.matrix3 = self.pointing(goal);
        }
        if has(Jiggle::BASE_SPRING) {
            self.swing_base(jiggle, goal, dt);
            world.translation = self.base.into();
        } else if has(Jiggle::BOING) {
            world = self.boing(jiggle, goal, dt).unwrap_or(world);
        }
        world
    }

    /// Step 1: gravity and the spring at the tip.
    fn swing_tip(&mut self, jiggle: &Jiggle, goal: Affine3A, dt: f32) {
        let [left, up, forward] = axes(goal);
        let goal_tip = Vec3::from(goal.translation) + jiggle.length * forward;
        let mut pull = Vec3::NEG_Z * jiggle.tip_mass;
        if jiggle.flags & Jiggle::FLEXIBLE != 0 {
            let (off, speed) = (goal_tip - self.tip, self.tip_speed);
            let spring = |axis: Vec3, stiffness: f32, damping: f32| {
                axis * (stiffness * off.dot(axis) - damping * speed.dot(axis))
            };
            pull += spring(left, jiggle.yaw_stiffness, jiggle.yaw_damping);
            pull += spring(up, jiggle.pitch_stiffness, jiggle.pitch_damping);
            if jiggle.flags & Jiggle::LENGTH_CONSTRAINT == 0 {
                pull += spring(forward, jiggle.along_stiffness, jiggle.along_damping);
            }
        }
        self.tip_speed += pull * dt;
        self.tip += self.tip_speed * dt;
    }

    /// Steps 2 to 4: where the tip may be, one constraint after another.
    fn constrain(&mut self, jiggle: &Jiggle, goal: Affine3A) {
        let has = |flag: u32| jiggle.flags & flag != 0;
        let [left, up, forward] = axes(goal);
        let origin = Vec3::from(goal.translation);
        if has(Jiggle::YAW_CONSTRAINT) {
            let range = [jiggle.min_yaw, jiggle.max_yaw];
            self.hold([left, up, forward], origin, range);
        }
        if has(Jiggle::PITCH_CONSTRAINT) {
            let range = [jiggle.min_pitch, jiggle.max_pitch];
            self.hold([up, left, forward], origin, range);
        }
        if has(Jiggle::ANGLE_CONSTRAINT) {
            let goal_tip = origin + jiggle.length * forward;
            let cosine = (self.tip - origin).normalize_or_zero().dot(forward);
            let angle = cosine.clamp(-1.0, 1.0).acos();
            let angle = if cosine < 0.0 {
                std::f32::consts::TAU - angle
            } else {
                angle
            };
            if angle > jiggle.angle_limit {
                let back = (goal_tip - self.tip).normalize_or_zero();
                self.tip = goal_tip - jiggle.length * jiggle.angle_limit.sin() * back;
            }
        }
        if has(Jiggle::LENGTH_CONSTRAINT) {
            let out = (self.tip - origin).normalize_or(forward);
            self.tip = origin + jiggle.length * out;
            self.tip_speed -= out * self.tip_speed.dot(out);
        }
    }

    /// Holds the angle of the tip in the plane of `aside` and forward to a range, by moving it
    /// onto the plane of `level` and that angle; it stops there.
    fn hold(&mut self, [aside, level, forward]: [Vec3; 3], origin: Vec3, [low, high]: [f32; 2]) {
        let out = self.tip - origin;
        let angle = out.dot(aside).atan2(out.dot(forward));
        let held = if angle < low {
            low
        } else if angle > high {
            high
        } else {
            return;
        };
        let ray = held.sin() * aside + held.cos() * forward;
        self.tip = origin + level * out.dot(level) + ray * out.dot(ray);
        self.tip_speed = Vec3::ZERO;
    }

    /// Step 5: the axes of a bone that points at the tip.
    fn pointing(&self, goal: Affine3A) -> Mat3A {
        let [_, up, ahead] = axes(goal);
        let forward = (self.tip - Vec3::from(goal.translation)).normalize_or(ahead);
        let Some(left) = up.cross(forward).try_normalize() else {
            return goal.matrix3;
        };
        let up = forward.cross(left);
        Mat3A::from_cols(left.into(), up.into(), forward.into())
    }

    /// Step 6: the spring at the base, and the box that it stays in.
    fn swing_base(&mut self, jiggle: &Jiggle, goal: Affine3A, dt: f32) {
        let origin = Vec3::from(goal.translation);
        let frame = axes(goal);
        let spring = jiggle.base_stiffness * (origin - self.base);
        let mut pull = self.base_pull + spring - jiggle.base_damping * self.base_speed;
        pull.z -= jiggle.base_mass;
        self.base_pull = Vec3::ZERO;
        self.base_speed += pull * dt;
        self.base += self.base_speed * dt;
        let mut offset = frame.map(|axis| (self.base - origin).dot(axis));
        for axis in 0..3 {
            let (low, high) = (jiggle.base_min[axis], jiggle.base_max[axis]);
            if offset[axis] < low || offset[axis] > high {
                offset[axis] = if offset[axis] < low { low } else { high };
                let aside = self.base_speed - frame[axis] * self.base_speed.dot(frame[axis]);
                self.base_pull -= jiggle.base_friction[axis] * aside;
            }
        }
        self.base = origin + frame[0] * offset[0] + frame[1] * offset[1] + frame[2] * offset[2];
        self.base_speed = (self.base - self.last_base) / dt;
        self.last_base = self.base;
    }

    /// Step 7: blows stretch the bone and let it ring; none where it rings no more.
    fn boing(&mut self, jiggle: &Jiggle, goal: Affine3A, dt: f32) -> Option<Affine3A> {
        /// Slower than this nothing is a blow.
        const SLOW: f32 = 5.0;
        let origin = Vec3::from(goal.translation);
        let moved = origin - self.boing_place;
        let (direction, speed) = if moved.length() < 1e-5 {
            (Vec3::Z, 0.0)
        } else {
            (moved.normalize(), moved.length() / dt)
        };
        self.boing_place = origin;
        self.boing_time += dt;
        let fast = speed > SLOW || self.last_speed > SLOW;
        let harder = (self.last_speed - speed).abs() > jiggle.boing_impact_speed;
        let aside = direction.dot(self.last_direction) < jiggle.boing_impact_angle;
        if fast && self.boing_time > GAP && (harder || aside) {
            self.boing_time = 0.0;
            self.boing_direction = -direction;
        }
        (self.last_direction, self.last_speed) = (direction, speed);
        let left = 1.0 - jiggle.boing_damping_rate * self.boing_time;
        if left < 0.01 {
            return Some(goal);
        }
        let ring = (jiggle.boing_frequency * self.boing_time).cos();
        let flex = jiggle.boing_amplitude * ring * left * left * left * left;
        let along = self.boing_direction;
        let across = if along.x.abs() < 0.9 {
            Vec3::X
        } else {
            Vec3::Z
        };
        let side = along.cross(across).normalize_or_zero();
        let other = along.cross(side);
        let rows = Mat3A::from_cols(side.into(), other.into(), along.into()).transpose();
        let stretch = Mat3A::from_diagonal(Vec3::new(1.0 + flex, 1.0 + flex, 1.0 - flex));
        Some(Affine3A {
            matrix3: goal.matrix3 * (rows * stretch * rows.transpose()),
            translation: goal.translation,
        })
    }
}
