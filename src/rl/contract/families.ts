/** Families of networks, which multi-agent algorithms name: an agent has one of each family per key. */

import type { OptimizerDefinition } from "./definition.ts";
import type { Algorithm } from "./onPolicy.ts";
import { memberOf, metricOf } from "./team.ts";

const eachKey = <T>(keys: readonly string[], of: (key: string) => T): T[] => keys.map(of);

const optimizerOf = (
  { networks, parameters, ...rest }: OptimizerDefinition,
  key: string,
): OptimizerDefinition => ({
  ...rest,
  networks: networks.map((family) => memberOf(family, key)),
  ...(parameters && { parameters: parameters.map((family) => memberOf(family, key)) }),
});

const known = new WeakMap<Algorithm, Map<string, Algorithm>>();

/**
 * The algorithm with families replaced by an agent's networks: in the tables of targets, optimisers and
 * metrics, and in the list of policies. A single-agent algorithm is returned unchanged.
 * @param networks Names of the agent's networks.
 */
export function withFamilies(algorithm: Algorithm, networks: readonly string[]): Algorithm {
  if (!algorithm.multi_agent) return algorithm;
  const prefix = `${algorithm.policy}.`;
  const keys = networks.filter((name) => name.startsWith(prefix)).map((name) => name.slice(prefix.length));
  const made = known.get(algorithm) ?? new Map<string, Algorithm>();
  known.set(algorithm, made);
  const found = made.get(keys.join()) ?? expanded(algorithm, keys);
  made.set(keys.join(), found);
  return found;
}

function expanded(algorithm: Algorithm, keys: readonly string[]): Algorithm {
  const pairs = (table: Readonly<Record<string, string>>) =>
    Object.fromEntries(
      Object.entries(table).flatMap(([family, other]) =>
        eachKey(keys, (key) => [memberOf(family, key), memberOf(other, key)]),
      ),
    );
  const metrics = (names: readonly string[]) =>
    names.flatMap((name) => [...eachKey(keys, (key) => metricOf(name, key)), name]);
  const tables = {
    targets: pairs(algorithm.targets),
    sharesEncoder: pairs(algorithm.sharesEncoder),
    policies: eachKey(keys, (key) => memberOf(algorithm.policy, key)),
    optimizers: Object.fromEntries(
      Object.entries(algorithm.optimizers).flatMap(([family, definition]) =>
        eachKey(keys, (key) => [memberOf(family, key), optimizerOf(definition, key)]),
      ),
    ),
    metrics: metrics(algorithm.metrics),
  };
  if (algorithm.kind === "on_policy") {
    const { rollout } = algorithm;
    return {
      ...algorithm,
      ...tables,
      ...(rollout && { rollout: { ...rollout, metrics: metrics(rollout.metrics) } }),
    };
  }
  if (algorithm.kind === "evolution") return { ...algorithm, ...tables };
  const { delayed } = algorithm;
  if (!delayed) return { ...algorithm, ...tables };
  const optimizers = delayed.optimizers.flatMap((family) => eachKey(keys, (key) => memberOf(family, key)));
  return { ...algorithm, ...tables, delayed: { ...delayed, optimizers, metrics: metrics(delayed.metrics) } };
}
