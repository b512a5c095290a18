/**
 * Entry of a worker in which a page tries out a robot. It answers the calls of a sandbox, without being one, because a
 * robot contains no code.
 */
import { type DrawEnvironment, openRobot } from "../../rl/environments.ts";
import type { NamedEnvironment } from "../../rl/faces.ts";
import { checkedRobot } from "../robotSource.ts";
import { serveSandbox } from "../serveSandbox.ts";

/** The colours of the page's light theme: its canvas is white in both themes. */
const THEME = { ink: "#1b2430", accent: "#2f6f9f", muted: "#aab4bf", ground: "#ffffff" };

type Canvas = Parameters<DrawEnvironment>[0];
type Size = Parameters<DrawEnvironment>[3];

/** A robot as if a module had exported it. */
async function load(script: string): Promise<Readonly<Record<string, unknown>>> {
  const definition = await openRobot("robot", checkedRobot(script));
  const make = await definition.load();
  const { draw, max_episode_steps } = definition;
  const open = () => {
    // A robot has one agent.
    const env = make({ max_episode_steps }) as NamedEnvironment;
    return {
      observation_space: env.observation_space,
      action_space: env.action_space,
      spec: { max_episode_steps },
      reset: (options: object) => env.reset(options),
      step: (action: readonly number[]) => env.step(action),
      render: (context: Canvas, size: Size) => draw?.(context, env.getState(), null, size, THEME),
      close: () => env.close(),
    };
  };
  return { default: open };
}

serveSandbox(
  {
    post: (message, transfer) => postMessage(message, { transfer: [...transfer] as Transferable[] }),
    listen: (onMessage) => {
      addEventListener("message", ({ data }: MessageEvent<unknown>) => onMessage(data));
    },
  },
  load,
);
