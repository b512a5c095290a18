/** The dueling head: logits of each action's return from V + A - mean of A over the actions, for each atom. */

import { z } from "zod";
import type { TensorSpec } from "../../evolution/members.ts";
import { add, type Dim, mean, reshape, sub, type Tensor } from "../../kernels/index.ts";
import { total } from "./layers.ts";
import { type MlpData, type MlpSettings, mlp, mlpData, mlpDataFields } from "./mlp.ts";
import { mlpMethods } from "./mlpMethods.ts";
import type { ForwardContext, ModuleDefinition, ModuleEnds, Parameters } from "./moduleDefinition.ts";
import { storedSize } from "./settings.ts";

/**
 * A dueling head with a distribution over returns (Wang et al. 2016, Bellemare et al. 2017) as plain data: two
 * perceptrons of the same hidden sizes, one for the state's value and one for the actions' advantages. `num_atoms`:
 * number of returns in the distribution; `outputs` is actions x atoms.
 */
export const DuelingData: z.ZodObject<
  typeof mlpDataFields & { kind: z.ZodLiteral<"dueling">; num_atoms: z.ZodInt },
  z.core.$strict
> = z.strictObject({ kind: z.literal("dueling"), ...mlpDataFields, num_atoms: storedSize });
export type DuelingData = Readonly<z.output<typeof DuelingData>>;

const VALUE = "value.";
const ADVANTAGE = "advantage.";

export interface DuelingOptions {
  readonly actions: number;
  readonly num_atoms: number;
  /** Scale of the weights' initial noise (Fortunato et al. 2018). */
  readonly noise_std: number;
}

/**
 * Data of a dueling head: only sizes and their bounds come from `settings`; it uses ReLU, layer norm and
 * noisy weights.
 */
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

function streams({ num_atoms, ...rest }: DuelingData): { value: MlpData; advantage: MlpData } {
  const advantage: MlpData = { ...rest, kind: "mlp" };
  return { advantage, value: { ...advantage, outputs: num_atoms } };
}

function tensors(data: DuelingData, scope: string, ends: ModuleEnds): TensorSpec[] {
  const { value, advantage } = streams(data);
  // Both streams have the same hidden sizes, so they share one set of symbols.
  const { outputs: _outputs, ...shared } = { ...ends, symbols: ends.symbols ?? scope };
  return [
    ...mlp.tensors(value, `${scope}${VALUE}`, shared),
    ...mlp.tensors(advantage, `${scope}${ADVANTAGE}`, { ...ends, symbols: shared.symbols }),
  ];
}

/** x [n, inputs] -> logits [n, actions x atoms]. */
function forward(
  data: DuelingData,
  scope: string,
  params: Parameters,
  x: Tensor,
  context: ForwardContext = {},
): Tensor {
  const { value, advantage } = streams(data);
  const n = x.shape[0] as Dim;
  const { num_atoms, outputs } = data;
  const v = mlp.forward(value, `${scope}${VALUE}`, params, x, context);
  const a = mlp.forward(advantage, `${scope}${ADVANTAGE}`, params, x, context);
  const advantages = reshape(a, [n, outputs / num_atoms, num_atoms]);
  const centred = sub(advantages, mean(advantages, 1, true));
  return reshape(add(reshape(v, [n, 1, num_atoms]), centred), [n, outputs]);
}

const methods = /* @__PURE__ */ mlpMethods<DuelingData>();

export const dueling: ModuleDefinition<DuelingData> = {
  kind: "dueling",
  schema: DuelingData,
  methods: () => methods,
  structureKey: (d) => `dueling(${d.num_atoms} atoms, ${mlp.structureKey(streams(d).advantage)})`,
  tensors,
  widths: (d, scope) => mlp.widths(streams(d).advantage, scope),
  forward,
  activation: (d) => d.activation,
  withActivation: (d, activation) => ({ ...d, activation }),
  withInputs: (d, inputs) => ({ ...d, inputs }),
  withOutputs: (d, outputs) => ({ ...d, outputs }),
  layerNumbers: (d) => 2 * total(d.hidden_size) + 2 * d.outputs,
  describe: (d) => d.hidden_size.join("-"),
};
