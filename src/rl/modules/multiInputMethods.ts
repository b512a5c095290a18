/** Mutation methods of a multi-input module: its extractors' output width, and each extractor's methods. */
import type { Random } from "../../evolution/random.ts";
import { cnn } from "./cnn.ts";
import { mlp } from "./mlp.ts";
import type { ModuleMutation, MutationArguments, MutationMethod } from "./moduleDefinition.ts";
import type { MultiInputData } from "./multiInput.ts";
import { nestedMethods } from "./mutationMethods.ts";
import { CHANNEL_STEPS } from "./settings.ts";

/** The module with a new output width for all extractors. */
const withLatent = (data: MultiInputData, latent_dim: number): MultiInputData => ({
  ...data,
  latent_dim,
  parts: data.parts.map((part) => (part.cnn ? { ...part, cnn: { ...part.cnn, outputs: latent_dim } } : part)),
  vector_mlp: data.vector_mlp && { ...data.vector_mlp, outputs: latent_dim },
});

function changeLatent(
  method: "add_latent_node" | "remove_latent_node",
  data: MultiInputData,
  random: Random,
  args: MutationArguments = {},
): ModuleMutation<MultiInputData> {
  const step = args.numb_new_nodes ?? random.choice(CHANNEL_STEPS);
  const width = data.latent_dim + (method === "add_latent_node" ? step : -step);
  const allowed = method === "add_latent_node" ? width < data.max_latent_dim : width > data.min_latent_dim;
  return { data: allowed ? withLatent(data, width) : data, method, args: { numb_new_nodes: step } };
}

const latentMethods = (["add_latent_node", "remove_latent_node"] as const).map(
  (name): MutationMethod<MultiInputData> => ({
    name,
    type: "node",
    apply: (data, random, args) => changeLatent(name, data, random, args),
  }),
);

/** Names of extractors' methods are prefixed with the extractor's place: "feature_net.image.add_channel". */
export function multiInputMethods(data: MultiInputData): readonly MutationMethod<MultiInputData>[] {
  const extractors = data.parts.flatMap(({ key, cnn: reader }, i) => {
    if (!reader) return [];
    return nestedMethods<MultiInputData, typeof reader>(
      `feature_net.${key}.`,
      cnn.methods(reader),
      // The methods belong to this data's parts, and no mutation changes which parts are images.
      (d) => d.parts[i]?.cnn as typeof reader,
      (d, changed) => ({
        ...d,
        parts: d.parts.map((part, j) => (j === i ? { ...part, cnn: changed } : part)),
      }),
    );
  });
  const { vector_mlp } = data;
  if (!vector_mlp) return [...latentMethods, ...extractors];
  const vectors = nestedMethods<MultiInputData, typeof vector_mlp>(
    "vector_mlp.",
    mlp.methods(vector_mlp),
    (d) => d.vector_mlp as typeof vector_mlp,
    (d, changed) => ({ ...d, vector_mlp: changed }),
  );
  return [...latentMethods, ...extractors, ...vectors];
}
