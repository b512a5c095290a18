import { z } from "zod";
import type { ChosenMutation, HyperparameterConfig } from "../../evolution/index.ts";
import { MUTATION_KINDS } from "../../tracking/history.ts";

const index = z.int().nonnegative();
const schema: z.ZodType<SteeringAction> = z.discriminatedUnion("kind", [
  z.strictObject({
    kind: z.literal("set"),
    index: index.nullable(),
    hyperparameter: z.string(),
    value: z.number(),
  }),
  z.strictObject({ kind: z.literal("clone"), index, over: index }),
  z.strictObject({ kind: z.literal("replace"), index }),
  z.strictObject({ kind: z.literal("protect"), index, on: z.boolean() }),
  z.strictObject({
    kind: z.literal("mutate"),
    index,
    what: z.enum(MUTATION_KINDS).exclude(["none"]),
  }),
  z.strictObject({ kind: z.literal("cancel"), entry: index }),
]);

/** @throws RangeError naming the invalid part of the action. */
export function requireSteering(action: unknown): SteeringAction {
  const parsed = schema.safeParse(action);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new RangeError(`steering action: ${issue?.path.join(".")}: ${issue?.message}`);
}

/** The state of the run that an action is checked against. */
interface SteeringFacts {
  /** Members in training now. */
  readonly training: readonly { readonly index: number; readonly parent: number | null }[];
  /** Hyperparameters that may change; `null` for none. */
  readonly hp_config: HyperparameterConfig | null;
  readonly canMutate: boolean;
  /** Positions among the run's actions of those that have not taken effect. */
  readonly pending: ReadonlySet<number>;
}

/**
 * The action with the identities of members in training now: a member that did not survive the last selection
 * is replaced by its first clone.
 * @throws RangeError with the reason that the action is not possible.
 */
export function checkSteering(action: SteeringAction, facts: SteeringFacts): SteeringAction {
  const alive = (index: number): number => heirOf(index, facts);
  switch (action.kind) {
    case "set":
      requireValue(action.hyperparameter, action.value, facts);
      return { ...action, index: action.index === null ? null : alive(action.index) };
    case "clone": {
      const [index, over] = [alive(action.index), alive(action.over)];
      if (index === over)
        throw new RangeError("A member cannot replace itself; choose two different members.");
      return { ...action, index, over };
    }
    case "mutate":
      if (!facts.canMutate) throw new RangeError("This run has no mutation, so its members cannot mutate.");
      return { ...action, index: alive(action.index) };
    case "replace":
    case "protect":
      return { ...action, index: alive(action.index) };
    case "cancel":
      if (facts.pending.has(action.entry)) return action;
      throw new RangeError(
        "This change has already taken effect or was cancelled, so it cannot be cancelled.",
      );
  }
}

function heirOf(index: number, { training }: SteeringFacts): number {
  const heir =
    training.find((member) => member.index === index) ?? training.find((member) => member.parent === index);
  if (heir) return heir.index;
  throw new RangeError(`Member ${index} was replaced at the last selection; choose a current member.`);
}

function requireValue(name: string, value: number, { hp_config }: SteeringFacts): void {
  const parameter = hp_config?.parameters[name];
  if (!parameter) {
    const names = hp_config?.names ?? [];
    const allowed = names.length > 0 ? names.join(", ") : "none, since mutation.rl_hp_selection is empty";
    throw new RangeError(`The hyperparameter "${name}" cannot be set; those that can are: ${allowed}.`);
  }
  const { min, max, dtype, categories } = parameter;
  if (categories)
    throw new RangeError(
      `The hyperparameter "${name}" cannot be set: it is one of ${categories.join(", ")}; only numbers can.`,
    );
  const isWhole = dtype !== "int" || Number.isInteger(value);
  if (isWhole && value >= min && value <= max) return;
  const kind = dtype === "int" ? "integers" : "numbers";
  throw new RangeError(`${name}: found ${value}, allowed ${kind} from ${min} to ${max}; choose one of them.`);
}

/**
 * A change that a user makes to a population during training. It takes effect at the next generation
 * boundary, after selection and mutation.
 */
export type SteeringAction =
  /** Sets a hyperparameter of a member, or of all members if `index` is null. */
  | {
      readonly kind: "set";
      readonly index: number | null;
      readonly hyperparameter: string;
      readonly value: number;
    }
  /** Replaces member `over` with a clone of member `index`. */
  | { readonly kind: "clone"; readonly index: number; readonly over: number }
  /** Replaces the member with a clone of the elite. */
  | { readonly kind: "replace"; readonly index: number }
  /** Protects the member: it survives selections unchanged until `on: false`. */
  | { readonly kind: "protect"; readonly index: number; readonly on: boolean }
  | { readonly kind: "mutate"; readonly index: number; readonly what: ChosenMutation }
  /** Takes back an action that has not taken effect, by its position among the run's actions. */
  | { readonly kind: "cancel"; readonly entry: number };

/** An action that changes the population. */
export type SteeredChange = Exclude<SteeringAction, { kind: "cancel" }>;

/** An action, and the generation at whose end it takes effect. */
export interface SteeringEntry {
  readonly generation: number;
  readonly action: SteeringAction;
}

/** A change that was not cancelled. */
export interface StandingEntry extends SteeringEntry {
  readonly action: SteeredChange;
  /** Its position among the run's actions, by which it is cancelled. */
  readonly position: number;
}

/** The changes among a run's actions that were not cancelled, in their order. */
export function standingEntries(entries: readonly SteeringEntry[]): readonly StandingEntry[] {
  const cancelled = new Set(entries.map(({ action }) => (action.kind === "cancel" ? action.entry : -1)));
  return entries.flatMap(({ generation, action }, position) =>
    action.kind === "cancel" || cancelled.has(position) ? [] : [{ generation, action, position }],
  );
}

/** The user's past and pending changes to a run, from which a resumed run can repeat them. */
export class SteeringScript {
  readonly #entries: SteeringEntry[];

  constructor(entries: readonly SteeringEntry[] = []) {
    this.#entries = [...entries];
  }

  add(entry: SteeringEntry): void {
    this.#entries.push(entry);
  }

  /** Changes that take effect at the end of a generation, in the order in which they were added. */
  at(generation: number): readonly StandingEntry[] {
    return standingEntries(this.#entries).filter((entry) => entry.generation === generation);
  }

  /** Identities of the members protected at the end of a generation. */
  protectedAt(generation: number): ReadonlySet<number> {
    const protectedNow = new Set<number>();
    for (const { action, generation: since } of standingEntries(this.#entries)) {
      if (action.kind !== "protect" || since > generation) continue;
      if (action.on) protectedNow.add(action.index);
      else protectedNow.delete(action.index);
    }
    return protectedNow;
  }
}
