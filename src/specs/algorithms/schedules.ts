/**
 * Schedules: how the values of hyperparameters change over a run's steps. `<name>_schedule` says how, and `<name>_final`
 * the factor on the member's own value at the run's end. `lr_schedule` is for all learning rates of an algorithm.
 */
import { z } from "zod";
import { atLeast, field } from "../field.ts";
import { show } from "../names.ts";

const KINDS = ["constant", "linear", "cosine"] as const;
/** How a value changes, apart from not at all. */
export type ScheduleKind = Exclude<(typeof KINDS)[number], "constant">;

const madeKind = z.enum(KINDS).default("constant");
type KindMade = typeof madeKind;
/** Named, so that enclosing types show this name instead of all its values. */
export interface ScheduleKindSchema extends KindMade {}

const own = { advanced: true, rlkit_only: true };
const kind = (of: string): ScheduleKindSchema =>
  field(
    madeKind,
    `How ${of} over the steps of the run: not at all, along a line, or along half a cosine.`,
    own,
  );
const final = (of: string) =>
  field(
    atLeast(0).nullable().default(null),
    `Factor on ${of} at the end of the run, where it has a schedule. If unset, 0.`,
    { step: 0.1, mutable: false, ...own },
  );

/** The schedule of all learning rates of an algorithm. */
export const rateSchedule = {
  lr_schedule: kind("the learning rate changes (all of them, if there are several)"),
  lr_final: final("the agent's learning rate"),
};

/** The schedules of clipped policy gradients. @internal */
export const policyGradientSchedules = {
  clip_coef_schedule: kind("the clipping range changes"),
  clip_coef_final: final("the agent's clip_coef"),
  ent_coef_schedule: kind("the weight of the entropy bonus changes"),
  ent_coef_final: final("the agent's ent_coef"),
};

/** The schedule of an evolution strategy's noise. */
export const noiseSchedule = {
  sigma_schedule: kind("the standard deviation of the noise changes"),
  sigma_final: final("the agent's sigma"),
};

/** A schedule that is not constant. */
export interface Schedule {
  /** What changes: a hyperparameter, or "lr" for all learning rates. */
  readonly of: string;
  readonly kind: ScheduleKind;
  /** Factor on the member's own value at the end of the run. */
  readonly final: number;
}

type Values = Readonly<Record<string, unknown>>;

const SUFFIX = "_schedule";
/** Name of the hyperparameter that holds the schedule of another one, or the factor at its end. */
export const scheduleField = (of: string): string => `${of}${SUFFIX}`;
export const finalField = (of: string): string => `${of}_final`;

/** What an algorithm's fields may schedule. */
const scheduled = (values: Values): string[] =>
  Object.keys(values).flatMap((name) => (name.endsWith(SUFFIX) ? [name.slice(0, -SUFFIX.length)] : []));

const isKind = (value: unknown): value is ScheduleKind => KINDS.slice(1).some((name) => name === value);

/** The schedules among an algorithm's fields or a member's hyperparameters that are not constant. */
export const schedulesIn = (values: Values): readonly Schedule[] =>
  scheduled(values).flatMap((of) => {
    const found = values[scheduleField(of)];
    return isKind(found) ? [{ of, kind: found, final: Number(values[finalField(of)] ?? 0) }] : [];
  });

/** The fields of constant schedules, which members leave out. */
export const constantFields = (values: Values): ReadonlySet<string> =>
  new Set(
    scheduled(values)
      .filter((of) => values[scheduleField(of)] === KINDS[0])
      .flatMap((of) => [scheduleField(of), finalField(of)]),
  );

/** Factors without a schedule, which would have no effect. */
export const scheduleProblems = (values: Values): readonly { field: string; message: string }[] =>
  scheduled(values).flatMap((of) => {
    const [field, how] = [finalField(of), scheduleField(of)];
    const [factor, found] = [values[field], values[how]];
    if (factor === null || factor === undefined || found !== KINDS[0]) return [];
    const message = `found ${show(factor)}, which has no effect with ${how}: ${KINDS[0]}; set ${how} to ${KINDS.slice(1).join(" or ")}, or leave this key out`;
    return [{ field, message }];
  });

/** What to say of a run without a number of steps, over which a schedule cannot be spread; null if there is none. */
export function missingEnd(values: Values): string | null {
  const [schedule] = schedulesIn(values);
  if (schedule === undefined) return null;
  return `missing; ${scheduleField(schedule.of)}: ${schedule.kind} is spread over the run, so say how many steps it has`;
}
