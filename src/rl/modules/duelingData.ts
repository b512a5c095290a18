import type { MlpSettings } from "../../specs/networks/MlpSpec.ts";
import { type MlpData, mlpData } from "./mlpData.ts";

/**
 * A dueling head with a distribution over returns (Wang et al. 2016, Bellemare et al. 2017) as plain data: two
 * perceptrons of the same hidden sizes, one for the state's value and one for the actions' advantages.
 */
export interface DuelingData extends Omit<MlpData, "kind"> {
  readonly kind: "dueling";
  /** Returns that the distribution knows; `outputs` are actions x atoms. */
  readonly num_atoms: number;
}

export interface DuelingOptions {
  readonly actions: number;
  readonly num_atoms: number;
  /** Scale of the weights' initial noise (Fortunato et al. 2018). */
  readonly noise_std: number;
}

/** A dueling head: of the settings it takes sizes and their bounds; it is ReLU with layer norm and noisy weights. */
export function duelingData(
  inputs: number,
  settings: MlpSettings,
  { actions, num_atoms, noise_std }: DuelingOptions,
): DuelingData {
  const stream = mlpData(
    inputs,
    actions * num_atoms,
    {
      ...settings,
      activation: "ReLU",
      output_activation: null,
      layer_norm: true,
      init_layers: false,
      output_vanish: true,
    },
    "head",
  );
  return { ...stream, kind: "dueling", num_atoms, noise_std };
}
