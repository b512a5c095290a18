/**
 * A change that a user makes to a population during training. It takes effect at the next generation
 * boundary, after selection and mutation.
 */

import type { ChosenMutation } from "../../evolution/index.ts";

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
  | { readonly kind: "mutate"; readonly index: number; readonly what: ChosenMutation };
