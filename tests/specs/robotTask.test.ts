/** Tasks of robots of one's own: defaults, and what is wrong with others, by dotted path. */
import { describe, expect, it } from "vitest";
import { parseSpecText } from "../../src/manifests/text.ts";
import { RobotTask } from "../../src/specs/sections.ts";
import { issueOf, specErrorOf } from "./issues.ts";

const SMALLEST = {
  robot: "crawler.xml",
  observe: [{ part: "qvel" }],
  reward: [{ term: "alive", weight: 1 }],
};

it("has defaults for all but the model, the observation and the reward", () => {
  expect(RobotTask.parse(SMALLEST)).toEqual({
    ...SMALLEST,
    frame_skip: 5,
    max_episode_steps: 1000,
    observe: [{ part: "qvel", of: null, from: 0, to: null, clip: null }],
    reward: [{ term: "alive", weight: 1, limit: null }],
    healthy: [],
    reset: { keyframe: null, noise: "uniform", qpos: 0.01, qvel: 0.01, joints: {} },
  });
});

it("survives JSON, which has no infinite numbers", () => {
  const task = RobotTask.parse({ ...SMALLEST, healthy: [{ part: "xpos", range: [0.2, null] }] });
  expect(task.healthy[0]?.range).toEqual([0.2, Infinity]);
  expect(RobotTask.parse(JSON.parse(JSON.stringify(task)))).toEqual(task);
});

describe("a wrong task", () => {
  it.each([
    [
      { observe: [{ part: "qpos" }, { part: "qvell" }] },
      "observe[1].part",
      /found "qvell"; did you mean "qvel"/,
    ],
    [{ observe: [] }, "observe", /at least 1 items/],
    [{ reward: [{ term: "speed", weight: 1 }] }, "reward[0].term", /"speed".*velocity, height, distance/],
    [{ reward: [{ term: "velocity", weight: 1 }] }, "reward[0].of", /missing/],
    [{ reward: [{ term: "alive" }] }, "reward[0].weight", /missing; expected a number/],
    [
      { reward: [{ term: "value", part: "qpos", weigth: 1, weight: 1 }] },
      "reward[0].weigth",
      /did you mean "weight"/,
    ],
    [{ healthy: [{ part: "xpos", range: [2, 1] }] }, "healthy[0].range", /first number must be less/],
    [{ frame_skip: 0 }, "frame_skip", /found 0; must be at least 1/],
    [{ reset: { joints: { goal: [1, 0] } } }, "reset.joints.goal", /must not be greater/],
    [{ terminate: [] }, "terminate", /unknown key "terminate"; allowed keys: robot, frame_skip/],
  ])("%j is refused at %s", (change, path, message) => {
    const issue = issueOf(RobotTask, { ...SMALLEST, ...change });
    expect(issue).toMatchObject({ path, message: expect.stringMatching(message) });
  });

  it("is told with lines", () => {
    const text =
      "robot: crawler.xml\nobserve:\n  - { part: qvel }\nreward:\n  - { term: alive, weight: lots }\n";
    const error = specErrorOf(() => parseSpecText(RobotTask, text, "crawler.yaml"));
    expect(error.message).toBe(
      'Invalid crawler.yaml: reward[0].weight: expected a number, found "lots" (line 5, column 28)',
    );
    const broken = specErrorOf(() => parseSpecText(RobotTask, "robot: [", "crawler.yaml"));
    expect(broken.message).toMatch(/^Invalid crawler.yaml: not valid YAML: .* \(line 1, column 9\)$/);
  });
});
