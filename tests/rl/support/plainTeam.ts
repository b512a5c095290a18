/** Scalar reference implementations of the multi-agent losses, independent of the library's tensors. */
import type { MlpData, NetworkData } from "../../../src/rl/networks.ts";

/** Weights by full name, such as `actors.red.encoder.linear_1.weight`. */
export type Weights = Readonly<Record<string, readonly number[]>>;
type Row = readonly number[];

/** An agent as losses see it. Actions are discrete (`nvec`), or a number of bits or continuous numbers. */
export interface PlainAgent {
  readonly key: string;
  readonly obs: number;
  readonly nvec: readonly number[];
  readonly bits: number;
  readonly numbers: number;
}

/** One agent's part of a transition. */
export interface PlainOutcome {
  readonly obs: Row;
  readonly next_obs: Row;
  /** Indices of choices, bits, or continuous numbers on the actor's scale. */
  readonly action: Row;
  readonly mask: Row;
  readonly next_mask: Row;
  readonly reward: number;
  readonly done: number;
  readonly present: number;
}

/** A transition of all agents. */
export interface PlainTransition {
  readonly agents: readonly PlainOutcome[];
  readonly discount: number;
  /** Uniform random numbers of the learning step. */
  readonly draws: Row;
}

export interface PlainTeam {
  readonly agents: readonly PlainAgent[];
  readonly networks: Readonly<Record<string, NetworkData>>;
  readonly weights: Weights;
}

const at = (row: Row, i: number): number => {
  const value = row[i];
  if (value === undefined) throw new RangeError(`row of ${row.length}: nothing at ${i}`);
  return value;
};
const sum = (row: Row): number => row.reduce((total, x) => total + x, 0);
const clipped = (x: number, least: number, most: number): number => Math.min(most, Math.max(least, x));

function standardised(row: Row): number[] {
  const mean = sum(row) / row.length;
  const variance = sum(row.map((x) => (x - mean) ** 2)) / row.length;
  return row.map((x) => (x - mean) / Math.sqrt(variance + 1e-5));
}

/** A perceptron with tanh activations. */
function perceptron(data: MlpData, scope: string, weights: Weights, input: Row): number[] {
  const tensor = (name: string): Row => {
    const found = weights[`${scope}.${name}`];
    if (!found) throw new RangeError(`there is no tensor ${scope}.${name}`);
    return found;
  };
  const linear = (name: string, x: Row): number[] => {
    const [weight, bias] = [tensor(`${name}.weight`), tensor(`${name}.bias`)];
    return bias.map((b, j) => b + sum(x.map((v, i) => v * at(weight, i * bias.length + j))));
  };
  const activated = (name: string | null, x: Row): number[] => {
    if (name !== null && name !== "Tanh") throw new RangeError(`activation ${name} is not known here`);
    return name === null ? [...x] : x.map(Math.tanh);
  };
  let value = input;
  for (const i of data.hidden_size.keys()) {
    value = linear(`linear_${i + 1}`, value);
    if (data.layer_norm) {
      const [scale, shift] = [tensor(`layer_norm_${i + 1}.weight`), tensor(`layer_norm_${i + 1}.bias`)];
      value = standardised(value).map((x, j) => x * at(scale, j) + at(shift, j));
    }
    value = activated(data.activation, value);
  }
  value = linear("output", value);
  return activated(data.output_activation, data.output_layernorm ? standardised(value) : value);
}

/** A network's outputs. */
export function outputs({ networks, weights }: PlainTeam, name: string, input: Row): number[] {
  const data = networks[name];
  if (!data || data.encoder === null || data.encoder === "shared")
    throw new RangeError(`network ${name} has no encoder of its own`);
  const latent = perceptron(data.encoder as MlpData, `${name}.encoder`, weights, input);
  return perceptron(data.head as MlpData, `${name}.head_net`, weights, latent);
}

/** Probabilities of legal choices. */
export function softmax(logits: Row, mask: Row): number[] {
  const most = Math.max(...logits.filter((_x, i) => mask[i] === 1));
  const weights = logits.map((x, i) => (mask[i] === 1 ? Math.exp(x - most) : 0));
  return weights.map((w) => w / sum(weights));
}

const oneHot = (k: number, choice: number): number[] =>
  Array.from({ length: k }, (_x, i) => (i === choice ? 1 : 0));

/** Splits a row into parts of the given sizes. */
function partsOf(row: Row, sizes: readonly number[]): number[][] {
  let start = 0;
  return sizes.map((size) => row.slice(start, (start += size)));
}

const isChoice = ({ nvec }: PlainAgent): boolean => nvec.length > 0;
const isNumbers = ({ nvec, bits }: PlainAgent): boolean => nvec.length === 0 && bits === 0;
const sigmoid = (x: number): number => 1 / (1 + Math.exp(-x));

/** An action in the form that critics read. */
const readable = (agent: PlainAgent, action: Row): number[] =>
  isChoice(agent) ? agent.nvec.flatMap((k, i) => oneHot(k, at(action, i))) : [...action];

/** Agents by key, in order of first appearance. */
function byKey(agents: readonly PlainAgent[]): Map<string, PlainAgent[]> {
  const keys = new Map<string, PlainAgent[]>();
  for (const agent of agents) keys.set(agent.key, [...(keys.get(agent.key) ?? []), agent]);
  return keys;
}

/**
 * Positions of an agent's uniform numbers: one vector after another per key, with a key's agents adjacent.
 */
function drawPlaces(
  agents: readonly PlainAgent[],
  first: number,
  each: (agent: PlainAgent) => number,
): { readonly places: ReadonlyMap<PlainAgent, (vector: number) => number>; readonly end: number } {
  const places = new Map<PlainAgent, (vector: number) => number>();
  let start = first;
  for (const mates of byKey(agents).values()) {
    const base = start;
    for (const [i, mate] of mates.entries()) places.set(mate, (vector) => base + vector * mates.length + i);
    start += mates.length * each(mates[0] as PlainAgent);
  }
  return { places, end: start };
}

const targetDraws = (agent: PlainAgent, smoothed: boolean): number =>
  agent.nvec.length + agent.bits + (smoothed ? agent.numbers + (agent.numbers % 2) : 0);

/** The first choice whose cumulative probability exceeds the draw. */
function drawnChoice(probabilities: Row, draw: number): number {
  let upTo = 0;
  for (const [i, p] of probabilities.entries()) {
    upTo += p;
    if (upTo > draw) return i;
  }
  throw new RangeError(`draw ${draw} passes all of ${probabilities}`);
}

function normalNumbers(uniforms: Row): number[] {
  return uniforms.flatMap((u, i) => {
    if (i % 2 === 1) return [];
    const radius = Math.sqrt(-2 * Math.log(1 - u));
    const angle = 2 * Math.PI * at(uniforms, i + 1);
    return [radius * Math.cos(angle), radius * Math.sin(angle)];
  });
}

/** The target policies' actions, in the form that critics read. */
function targetActions(team: PlainTeam, { agents, draws }: PlainTransition, smoothed: boolean): number[] {
  const { places } = drawPlaces(team.agents, 0, (agent) => targetDraws(agent, smoothed));
  return team.agents.flatMap((agent, i) => {
    const { next_obs, next_mask } = agents[i] as PlainOutcome;
    const out = outputs(team, `actor_targets.${agent.key}`, next_obs);
    const place = places.get(agent) as (vector: number) => number;
    if (isChoice(agent)) {
      const [logits, masks] = [partsOf(out, agent.nvec), partsOf(next_mask, agent.nvec)];
      const chosen = logits.map((x, c) => drawnChoice(softmax(x, masks[c] as Row), at(draws, place(c))));
      return readable(agent, chosen);
    }
    if (agent.bits > 0)
      return out.map((x, j) => (at(next_mask, j) === 1 && at(draws, place(j)) < sigmoid(x) ? 1 : 0));
    if (!smoothed) return out;
    const uniforms = Array.from({ length: targetDraws(agent, true) }, (_x, v) => at(draws, place(v)));
    const noise = normalNumbers(uniforms);
    return out.map((x, j) => clipped(x + clipped(0.2 * at(noise, j), -0.5, 0.5), -1, 1));
  });
}

const seen = ({ agents }: PlainTransition, of: "obs" | "next_obs"): number[] =>
  agents.flatMap((outcome) => outcome[of]);

/** Loss and metrics of one critic of a key. Targets use the minimum of the given target critics. */
export function plainCritic(
  team: PlainTeam,
  batch: readonly PlainTransition[],
  {
    key,
    critic,
    targets,
    smoothed,
  }: {
    readonly key: string;
    readonly critic: string;
    readonly targets: readonly string[];
    readonly smoothed: boolean;
  },
): { readonly loss: number; readonly q_mean: number; readonly td_error: number } {
  const mates = [...team.agents.entries()].filter(([, agent]) => agent.key === key);
  const terms = batch.flatMap((transition) => {
    const next = targetActions(team, transition, smoothed);
    const valued = targets.map((name) =>
      at(outputs(team, `${name}.${key}`, [...seen(transition, "next_obs"), ...next]), 0),
    );
    const taken = team.agents.flatMap((agent, i) =>
      readable(agent, (transition.agents[i] as PlainOutcome).action),
    );
    const value = at(outputs(team, `${critic}.${key}`, [...seen(transition, "obs"), ...taken]), 0);
    return mates.map(([i]) => {
      const { reward, done, present } = transition.agents[i] as PlainOutcome;
      const error = value - (reward + transition.discount * (1 - done) * Math.min(...valued));
      return { loss: present * error ** 2, q_mean: present * value, td_error: present * Math.abs(error) };
    });
  });
  const mean = (of: keyof (typeof terms)[number]) => sum(terms.map((term) => term[of])) / terms.length;
  return { loss: mean("loss"), q_mean: mean("q_mean"), td_error: mean("td_error") };
}

/**
 * Loss of a key's policy, and a function with the slope of its straight-through gradient: it uses soft
 * choices, with critic values linearised at the hard ones.
 */
export function plainPolicyLoss(
  team: PlainTeam,
  batch: readonly PlainTransition[],
  { key, critic, smoothed }: { readonly key: string; readonly critic: string; readonly smoothed: boolean },
): { readonly loss: number; readonly gain: number; readonly soft: (weights: Weights) => number } {
  const { end } = drawPlaces(team.agents, 0, (agent) => targetDraws(agent, smoothed));
  const { places } = drawPlaces(team.agents, end, (agent) => sum(agent.nvec) + agent.bits);
  const mates = [...team.agents.entries()].filter(([, agent]) => agent.key === key);
  const count = batch.length * mates.length;
  const actor = `actors.${key}`;
  const terms = batch.flatMap((transition) =>
    mates.map(([i, agent]) => {
      const { obs, mask, present } = transition.agents[i] as PlainOutcome;
      const place = places.get(agent) as (vector: number) => number;
      const uniforms = Array.from({ length: sum(agent.nvec) + agent.bits }, (_x, c) =>
        clipped(at(transition.draws, place(c)), 1e-7, 1 - 1e-7),
      );
      const noise = uniforms.map((u) => -Math.log(-Math.log(u)));
      const softly = (weights: Weights): number[] => {
        const out = outputs({ ...team, weights }, actor, obs);
        if (isNumbers(agent)) return out;
        if (agent.bits > 0)
          return out.map((x, j) => {
            const u = at(uniforms, j);
            return at(mask, j) === 1 ? sigmoid(x + Math.log(u / (1 - u))) : 0;
          });
        const parts = partsOf(
          out.map((x, c) => x + at(noise, c)),
          agent.nvec,
        );
        const masks = partsOf(mask, agent.nvec);
        return parts.flatMap((part, c) => softmax(part, masks[c] as Row));
      };
      const hard = isChoice(agent)
        ? partsOf(softly(team.weights), agent.nvec).flatMap((part) =>
            oneHot(part.length, part.indexOf(Math.max(...part))),
          )
        : softly(team.weights).map((x) => (agent.bits > 0 ? Math.round(x) : x));
      const valueOf = (own: Row): number => {
        const acted = team.agents.flatMap((mate, j) =>
          j === i ? own : readable(mate, (transition.agents[j] as PlainOutcome).action),
        );
        return at(outputs(team, `${critic}.${key}`, [...seen(transition, "obs"), ...acted]), 0);
      };
      const step = 1e-6;
      const slopes = hard.map((_x, j) => {
        const moved = (by: number) => valueOf(hard.map((x, k) => (k === j ? x + by : x)));
        return (moved(step) - moved(-step)) / (2 * step);
      });
      const penalty = (weights: Weights): number => {
        if (isNumbers(agent)) return 0;
        const out = outputs({ ...team, weights }, actor, obs);
        return (1e-3 * present * sum(out.map((x) => x * x))) / out.length;
      };
      return {
        gain: -present * valueOf(hard),
        penalty,
        soft: (weights: Weights) => {
          if (isNumbers(agent)) return -present * valueOf(softly(weights));
          return penalty(weights) - present * sum(softly(weights).map((x, j) => x * at(slopes, j)));
        },
      };
    }),
  );
  const gain = sum(terms.map((term) => term.gain)) / count;
  return {
    gain,
    loss: gain + sum(terms.map((term) => term.penalty(team.weights))) / count,
    soft: (weights) => sum(terms.map((term) => term.soft(weights))) / count,
  };
}

/** One agent's part of a rollout step. */
export interface PlainSample {
  readonly obs: Row;
  readonly action: Row;
  readonly mask: Row;
  readonly log_prob: number;
  readonly advantage: number;
  readonly returns: number;
  readonly present: number;
}

/** Log-probability of an action, and the entropy, for discrete actions, bits or independent Gaussians. */
function policyAt(team: PlainTeam, agent: PlainAgent, { obs, action, mask }: PlainSample) {
  const out = outputs(team, `actors.${agent.key}`, obs);
  if (isChoice(agent)) {
    const masks = partsOf(mask, agent.nvec);
    const parts = partsOf(out, agent.nvec).map((part, i) => softmax(part, masks[i] as Row));
    return {
      log_prob: sum(parts.map((p, i) => Math.log(at(p, at(action, i))))),
      entropy: -sum(parts.flat().map((p) => (p === 0 ? 0 : p * Math.log(p)))),
    };
  }
  const log_std = team.weights[`actors.${agent.key}.log_std`] as Row;
  const each = out.map((mean, i) => {
    const s = at(log_std, i);
    return -0.5 * ((at(action, i) - mean) / Math.exp(s)) ** 2 - s - 0.5 * Math.log(2 * Math.PI);
  });
  return { log_prob: sum(each), entropy: sum(log_std.map((s) => s + 0.5 * Math.log(2 * Math.PI * Math.E))) };
}

/** The value of an observation from the key's critic. */
export const plainValue = (team: PlainTeam, key: string, obs: Row): number =>
  at(outputs(team, `critics.${key}`, obs), 0);

/** PPO's loss and metrics of a key over the rows with weight. Rows of agents that have left count as 0. */
export function plainPpo(
  team: PlainTeam,
  steps: readonly { readonly agents: readonly PlainSample[]; readonly weight: number }[],
  key: string,
  clip_coef: number,
) {
  const mates = [...team.agents.entries()].filter(([, agent]) => agent.key === key);
  const terms = steps.flatMap(({ agents, weight }) =>
    mates.map(([i, agent]) => {
      const sample = agents[i] as PlainSample;
      const counts = weight * sample.present;
      const { log_prob, entropy } = policyAt(team, agent, sample);
      const ratio = Math.exp(log_prob - sample.log_prob);
      const limited = clipped(ratio, 1 - clip_coef, 1 + clip_coef);
      return {
        policy: -counts * Math.min(ratio * sample.advantage, limited * sample.advantage),
        value: 0.5 * counts * (plainValue(team, key, sample.obs) - sample.returns) ** 2,
        entropy: counts * entropy,
        kl: counts * (ratio - 1 - (log_prob - sample.log_prob)),
        isClipped: limited === ratio ? 0 : counts,
      };
    }),
  );
  const count = sum(steps.map(({ weight }) => weight)) * mates.length;
  const mean = (of: keyof (typeof terms)[number]) => sum(terms.map((term) => term[of])) / count;
  return {
    policy: mean("policy"),
    value: mean("value"),
    entropy: mean("entropy"),
    kl: mean("kl"),
    clip_fraction: mean("isClipped"),
  };
}
