/** The shaders of the main programs, kept as files to read; after a change: npx vitest run --project unit tests/rl/programs/wgsl.test.ts -u */
import { describe, expect, it } from "vitest";
import { shaderOf } from "../../../src/kernels/wgsl/shader.ts";
import { findCompiledEnvironment } from "../../../src/rl/environments/index.ts";
import { compiledProgram, hostProgram } from "../../../src/rl/runtime/programSet.ts";
import { agentOf } from "../support/agents.ts";

const cartPole = findCompiledEnvironment("CartPole-v1");
const dqn = agentOf({ name: "DQN" }, cartPole);
const ppo = agentOf({ name: "PPO" }, cartPole);

describe("shaders", () => {
  it.each([
    ["dqn-learn", hostProgram(dqn, cartPole, "learn")],
    ["dqn-turn", compiledProgram(dqn, cartPole, "turn")],
    ["dqn-evaluate", compiledProgram(dqn, cartPole, "evaluate")],
    ["ppo-turn", compiledProgram(ppo, cartPole, "turn")],
    ["ppo-gradients", compiledProgram(ppo, cartPole, "gradients")],
    ["ppo-step", compiledProgram(ppo, cartPole, "step")],
  ])("%s", async (name, program) => {
    const { code } = shaderOf(program, { workgroupSize: 256, stagingBytes: 31_680 });
    // The prelude is the same in all of them, and a file of its own.
    const body = code.slice(code.indexOf("\n// ", code.indexOf("fn tanhOf")));
    await expect(`// ${program.name}${body}\n`).toMatchFileSnapshot(`./shaders/${name}.wgsl`);
  });
});
