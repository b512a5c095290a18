/** Rules for the options that all training functions have. */
import { Mutations } from "../../evolution/index.ts";
import {
  ANY,
  COUNT,
  FLAG,
  FUNCTION,
  instanceOf,
  OBJECT,
  OBSERVER,
  type OptionRules,
  STORE,
  TEXT,
} from "../../specs/checks.ts";
import { Accelerator } from "../executors/Accelerator.ts";
import { SELECTION } from "./selectionOption.ts";
import { TRACKER_RULES } from "./trackerOptions.ts";

export const RUN_RULES: OptionRules = {
  pop: { allowed: "a list of agents", allows: Array.isArray },
  init_hp: OBJECT,
  evo_steps: COUNT,
  selection_strategy: SELECTION,
  tournament: SELECTION,
  mutation: instanceOf("a Mutations object", Mutations),
  checkpoint_path: TEXT,
  save_elite: FLAG,
  elite_path: TEXT,
  ...TRACKER_RULES,
  verbose: FLAG,
  accelerator: instanceOf("an Accelerator", Accelerator),
  seed: ANY,
  observer: OBSERVER,
  store: STORE,
  onRun: FUNCTION,
};
