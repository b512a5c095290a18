/** What a person changes in a population while it trains. It acts at the next generation boundary, after selection and mutation. */

import type { ChosenMutation } from "../../evolution/index.ts";

export type SteeringAction =
  /** Sets a hyperparameter of a member; of all where `index` is null. */
  | {
      readonly kind: "set";
      readonly index: number | null;
      readonly hyperparameter: string;
      readonly value: number;
    }
  /** A copy of `index` takes the place of `over`. */
  | { readonly kind: "clone"; readonly index: number; readonly over: number }
  /** A clone of the elite takes the place of the member. */
  | { readonly kind: "replace"; readonly index: number }
  /** The member survives the next selections unchanged, until it is switched off. */
  | { readonly kind: "protect"; readonly index: number; readonly on: boolean }
  | { readonly kind: "mutate"; readonly index: number; readonly what: ChosenMutation };
