import { readdirSync, readFileSync } from "node:fs";
import type { DefaultTheme } from "vitepress";
import { apiPageTitles } from "../../scripts/api/places.ts";

const page = (text: string, link: string): DefaultTheme.SidebarItem => ({ text, link });

const DECISIONS = new URL("../../docs/decisions/", import.meta.url);

/** The dated notes, from the newest. */
const decisions = readdirSync(DECISIONS)
  .filter((file) => /^\d.*\.md$/.test(file))
  .sort()
  .reverse()
  .map((file) => {
    const title = /^# (.+)$/m.exec(readFileSync(new URL(file, DECISIONS), "utf8"))?.[1] ?? file;
    return page(title, `/decisions/${file.slice(0, -".md".length)}`);
  });

/** All pages, in the order in which a newcomer needs them. */
export const sidebar: DefaultTheme.SidebarItem[] = [
  {
    text: "Start",
    items: [
      page("What it is, and how to begin", "/"),
      page("The library", "/library"),
      page("The command", "/command"),
      page("Manifests", "/manifest"),
    ],
  },
  {
    text: "Guides",
    items: [
      page("The loop by hand", "/guides/loop-by-hand"),
      page("Observers", "/guides/observers"),
      page("Curves in a page", "/guides/curves-in-a-page"),
      page("Spaces and masks", "/guides/spaces"),
      page("Networks of your own", "/guides/own-networks"),
      page("Seeds and sweeps", "/guides/sweeps"),
      page("Schedules", "/guides/schedules"),
      page("From other libraries", "/guides/from-other-libraries"),
      page("AgileRL's tutorials", "/guides/agilerl-tutorials"),
      page("Evolution", "/evolution"),
      page("Self-play", "/self-play"),
      page("Networks", "/networks"),
      page("Normalisation", "/normalisation"),
      page("Goals and hindsight", "/goals"),
      page("Data sets", "/datasets"),
      page("Demonstrations", "/demonstrations"),
      page("Choosing without an environment", "/fitted-q"),
      page("Language models", "/language-models"),
      page("Policies elsewhere (ONNX)", "/onnx"),
      page("Trackers", "/trackers"),
      page("Remote runs", "/remote"),
      page("Platform", "/platform"),
      page("Hosting", "/hosting"),
    ],
  },
  {
    text: "Algorithms",
    items: [
      page("All algorithms", "/algorithms/"),
      page("DQN", "/algorithms/dqn"),
      page("RainbowDQN", "/algorithms/rainbow-dqn"),
      page("DDPG", "/algorithms/ddpg"),
      page("TD3", "/algorithms/td3"),
      page("SAC", "/algorithms/sac"),
      page("PPO", "/algorithms/ppo"),
      page("ES", "/algorithms/es"),
      page("AlphaZero", "/algorithms/alphazero"),
      page("CQN", "/algorithms/cqn"),
      page("BC", "/algorithms/bc"),
      page("TD3BC", "/algorithms/td3bc"),
      page("IQL", "/algorithms/iql"),
      page("AWAC", "/algorithms/awac"),
      page("CQL", "/algorithms/cql"),
      page("NeuralUCB", "/algorithms/neural-ucb"),
      page("NeuralTS", "/algorithms/neural-ts"),
      page("MADDPG", "/algorithms/maddpg"),
      page("MATD3", "/algorithms/matd3"),
      page("IPPO", "/algorithms/ippo"),
      page("GRPO", "/algorithms/grpo"),
      page("LLMPPO", "/algorithms/llmppo"),
      page("LLMREINFORCE", "/algorithms/llmreinforce"),
      page("LLMES", "/algorithms/llmes"),
      page("DPO", "/algorithms/dpo"),
      page("KTO", "/algorithms/kto"),
      page("SFT", "/algorithms/sft"),
    ],
  },
  {
    text: "Environments",
    items: [
      page("All environments", "/environments/"),
      page("Classic control", "/environments/classic-control"),
      page("LunarLander", "/environments/lunar-lander"),
      page("BipedalWalker", "/environments/bipedal-walker"),
      page("Planar bodies", "/environments/bodies"),
      page("MuJoCo", "/environments/mujoco"),
      page("Robots of your own", "/environments/robots"),
      page("Toy text", "/environments/toy-text"),
      page("Tasks with goals", "/environments/goals"),
      page("MinAtar", "/environments/minatar"),
      page("Board games", "/environments/games"),
      page("Go, cards and dice", "/environments/games-go-and-chance"),
      page("Particle worlds", "/environments/particle-worlds"),
      page("Probes", "/environments/probes"),
      page("Your own environment", "/environments/your-own"),
    ],
  },
  {
    text: "Extend",
    items: [
      page("Overview", "/extending/"),
      page("An environment", "/extending/environment"),
      page("An algorithm", "/extending/algorithm"),
      page("A network", "/extending/network"),
      page("An operation", "/extending/operation"),
      page("A selection strategy", "/extending/selection"),
      page("A tracker", "/extending/tracker"),
      page("A call of the workbench", "/extending/call"),
    ],
  },
  {
    text: "Reference",
    items: [
      page("Kernels", "/kernels"),
      page("Events", "/events"),
      page("Compatibility", "/compatibility"),
      page("Differences", "/differences"),
      page("Results", "/results"),
    ],
  },
  {
    text: "API",
    items: apiPageTitles.map(([address, title]) => page(title, `/${address}`)),
  },
  {
    text: "Inside",
    items: [
      page("Architecture", "/architecture/"),
      page("Kernels", "/architecture/kernels"),
      page("Reinforcement learning", "/architecture/rl"),
      page("Language models", "/architecture/llm"),
      page("Training", "/architecture/training"),
      page("Workers", "/architecture/workers"),
      page("Tracking", "/architecture/tracking"),
      page("Storage", "/architecture/storage"),
      page("Stage", "/architecture/stage"),
      page("Workbench", "/architecture/ui"),
    ],
  },
  { text: "Decisions", items: [page("All decisions", "/decisions/"), ...decisions] },
];
