/** Choices in the specs of GRPO, GSPO and CISPO. */
import type { CISPOSpec, GRPOSpec, GSPOSpec } from "../../specs/index.ts";
import type { RatioLevel } from "./losses/ratioUnits.ts";

/** The specs of the group family. */
export type GroupSpec = GRPOSpec | GSPOSpec | CISPOSpec;

/** The unit that one importance ratio covers. */
export const ratioLevel = ({ loss_type, importance_sampling_level }: GroupSpec): RatioLevel =>
  loss_type === "gspo" ? "trajectory" : (importance_sampling_level ?? "token");

/** Whether an advantage covers a turn instead of a trajectory. */
export const hasTurnAdvantages = (spec: GroupSpec): boolean =>
  spec.advantage_granularity === "turn" ||
  (spec.advantage_granularity === "auto" && ratioLevel(spec) === "turn");

/** Lower and upper bound of the ratio. */
export const ratioBounds = ({ clip_coef }: GroupSpec): readonly [number, number] =>
  typeof clip_coef === "number" ? [1 - clip_coef, 1 + clip_coef] : clip_coef;

/** Warnings about settings that may not have the intended effect, for the owner of the run. */
export function remarksOn(spec: GroupSpec): string[] {
  const { name, loss_type, importance_sampling_level: level, clip_coef } = spec;
  const [least, most] = ratioBounds(spec);
  const remarks: string[] = [];
  if (spec.group_size === 1)
    remarks.push(`${name}: group_size is 1, so every advantage is 0 and nothing is learned; set 2 or more`);
  if (loss_type === "gspo" && level !== null && level !== "trajectory") {
    remarks.push(
      `${name}: importance_sampling_level "${level}" has no effect, since GSPO's ratios cover trajectories; leave it out`,
    );
  }
  if (loss_type === "cispo" && spec.beta !== 0)
    remarks.push(`${name}: beta is ${spec.beta}, and CISPO is published without a penalty; set it to 0`);
  if (typeof clip_coef !== "number" && (least > 1 || most < 1)) {
    remarks.push(
      `${name}: clip_coef [${least}, ${most}] are bounds of the ratio itself and leave out 1, where it starts; write for example [0.8, 2]`,
    );
  }
  return remarks;
}
