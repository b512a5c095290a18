/**
 * `npx tsx bench/particleWorlds.ts [--episodes N]`: measures the returns of scripted policies in the particle
 * worlds, for the table of docs/environments/particle-worlds.md.
 */
import { parseArgs } from "node:util";
import { findCompiledEnvironment } from "../src/rl/environments.ts";
import { Agents } from "../src/rl/spaces.ts";
import { estimate, type Policy, playEpisodes, randomPolicy } from "./particleWorlds/play.ts";
import { type Script, scripts } from "./particleWorlds/scripts.ts";

const { values } = parseArgs({ options: { episodes: { type: "string", default: "20000" } } });
const episodes = Number(values.episodes);
if (!Number.isInteger(episodes) || episodes < 2)
  throw new RangeError(`--episodes: found ${values.episodes}, allowed integers from 2`);

/** Table row: the return summed over all agents, then each agent's return. */
function row(id: string, name: string, policy: Policy, near?: Script["near"]): string {
  const env = findCompiledEnvironment(id);
  const { action_space } = env;
  if (!(action_space instanceof Agents)) throw new TypeError(`${id}: has one agent`);
  const played = playEpisodes(env, episodes, 1, policy);
  const sums = estimate(played.map(({ returns }) => returns.reduce((sum, r) => sum + r, 0)));
  const each = action_space.ids.map((_, i) =>
    estimate(played.map(({ returns }) => returns[i] as number)).mean.toFixed(1),
  );
  const met = near ? played.flatMap(({ last }) => near(last)) : [];
  const share = met.length > 0 ? (met.filter(Boolean).length / met.length).toFixed(2) : "";
  return `| \`${id}\` | ${name} | ${sums.mean.toFixed(1)} ± ${sums.error.toFixed(1)} | ${each.join(", ")} | ${share} |`;
}

console.log("| world | policy | sum | each agent | near |\n|---|---|---|---|---|");
for (const id of new Set(scripts.map((script) => script.id))) {
  const own = scripts.filter((script) => script.id === id);
  console.log(
    row(id, "random", randomPolicy(findCompiledEnvironment(id)), own.find(({ near }) => near)?.near),
  );
  for (const { name, policy, near } of own) console.log(row(id, name, policy, near));
}
