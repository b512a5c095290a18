import type { Activation } from "../../specs/networks/Activation.ts";
import type { LstmSettings } from "../../specs/networks/LstmSpec.ts";

/** Recurrent layers (LSTM) with a dense layer behind them, as plain data. */
export interface LstmData {
  readonly kind: "lstm";
  readonly inputs: number;
  readonly outputs: number;
  /** Width of each layer's hidden and cell state. */
  readonly hidden_state_size: number;
  /** At least one. */
  readonly num_layers: number;
  readonly output_activation: Activation | null;
  readonly min_hidden_state_size: number;
  readonly max_hidden_state_size: number;
  readonly min_layers: number;
  readonly max_layers: number;
}

/** An encoder from its settings.
 * @throws RangeError for dropout. */
export function lstmData(
  inputs: number,
  outputs: number,
  settings: LstmSettings,
  output_activation: Activation | null = "ReLU",
): LstmData {
  requireNoDropout(settings.dropout);
  return {
    kind: "lstm",
    inputs,
    outputs,
    hidden_state_size: settings.hidden_state_size,
    num_layers: settings.num_layers,
    output_activation,
    min_hidden_state_size: settings.min_hidden_state_size,
    max_hidden_state_size: settings.max_hidden_state_size,
    min_layers: settings.min_layers,
    max_layers: settings.max_layers,
  };
}

/** Dropout would change the policy between acting and learning, and with it the ratio that PPO clips. */
function requireNoDropout(dropout: number): void {
  if (dropout === 0) return;
  throw new RangeError(
    `dropout: found ${dropout}, allowed 0: what a policy did must have the same probability when it learns`,
  );
}
