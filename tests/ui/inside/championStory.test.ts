import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { mean } from "../../../src/evolution/members.ts";
import type { GenerationReport, MemberReport } from "../../../src/tracking/observer.ts";
import { lineageGraph } from "../../../src/ui/pages/run/descent/LineageGraph.ts";
import { championStory } from "../../../src/ui/pages/run/story/championStory.ts";
import { storyText } from "../../../src/ui/pages/run/story/storyText.ts";
import { historyOf } from "../support/histories.ts";
import { generationReport } from "../support/reports.ts";

type Agent = Pick<MemberReport, "index" | "parent" | "fitness" | "mutation" | "hyperparameters"> &
  Partial<MemberReport>;

const report = (generation: number, agents: readonly Agent[]): GenerationReport => {
  const fitnesses = agents.map(({ fitness }) => fitness);
  const made = generationReport(generation, fitnesses);
  return { ...made, members: made.members.map((member, slot) => ({ ...member, ...agents[slot] })) };
};

const agent = (index: number, parent: number | null, fitness: number, more: Partial<Agent> = {}): Agent => ({
  index,
  parent,
  fitness,
  mutation: "None",
  hyperparameters: { lr: 0.01 },
  ...more,
});

const cut = (lr: number) => ({ mutation: "lr", hyperparameters: { lr } });

/** Agent 0 is overtaken by clones of agent 1, whose learning rate is cut twice. */
const reports = [
  report(1, [agent(0, null, 60), agent(1, null, 50), agent(2, null, 10)]),
  report(2, [agent(0, 0, 61), agent(3, 1, 150, cut(0.005)), agent(1, 1, 70)]),
  report(3, [
    agent(4, 3, 170, { hyperparameters: { lr: 0.005 }, mutation: "encoder.add_layer" }),
    agent(3, 3, 160, { hyperparameters: { lr: 0.005 }, mutation: "lr" }),
    agent(5, 1, 72),
  ]),
  report(4, [
    agent(4, 4, 300, { hyperparameters: { lr: 0.005 }, mutation: "encoder.add_layer" }),
    agent(6, 4, 500, cut(0.0025)),
    agent(7, 3, 165, { hyperparameters: { lr: 0.005 } }),
  ]),
];

const told = (given: readonly GenerationReport[], row = given.length - 1, champion: number | null = null) => {
  const columns = historyOf(given);
  return championStory(columns, lineageGraph(columns), row, champion);
};

describe("the story of the best agent", () => {
  it("tells its founder, the changes that its line kept, and what such mutations gained in the run", () => {
    const story = told(reports);
    expect(story).toMatchObject({
      index: 6,
      fitness: 500,
      founder: { index: 1, generation: 1, fitness: 50, rank: 2 },
      generations: 3,
      steps: [
        { generation: 2, index: 3, slot: 1 },
        { generation: 3, index: 4, slot: 0 },
        { generation: 4, index: 6, slot: 1 },
      ],
      // Generations 2 to 4: 150 beside 70, 170 beside 160, and 500 beside 300.
      gains: { gains: 3, gain: (80 + 10 + 200) / 3 },
      genes: [
        {
          name: "lr",
          from: 0.01,
          to: 0.0025,
          cuts: 2,
          rises: 0,
          first: { index: 3, generation: 2 },
          gains: { gains: 2, gain: 140 },
        },
      ],
      architecture: { steps: [{ index: 4 }], gains: { gains: 1, gain: 10 } },
      alone: 3,
    });
    expect(story && storyText(story).map(({ text }) => text)).toEqual([
      "Its line began with agent #1 in generation 1, at 50.0, rank 2 of 3.",
      "It reached 500.0 after 3 generations with 3 mutations. Their mean gain over unmutated siblings: not enough evidence (+96.7 [-142.0, +335.4], n = 3).",
      "Not enough evidence that it is ahead of #4, the next best in generation 4: +200.0, episodes unknown.",
      "Two cuts of lr took it from 0.01 to 0.0025. Gain of all cuts of it in this run: not enough evidence (+140.0 [-622.4, +902.4], n = 2).",
      "One architecture mutation lasted: encoder.add_layer. Gain of all of this kind in this run: not enough evidence (+10.0, n = 1).",
      "Since generation 3 all 3 members have descended from agent #1.",
    ]);
  });

  it("credits a hyperparameter only where its mutations are told apart from their siblings", () => {
    // Agent 0 stays at 50, and its copies with half its learning rate reach 80 to 82.
    const evident = [0, 1, 2, 3].map((row) =>
      report(row + 1, [
        agent(0, row === 0 ? null : 0, 50),
        row === 0 ? agent(1, null, 50) : agent(1 + row, 0, 79 + row, cut(0.005)),
      ]),
    );
    const story = told(evident);
    expect(story && storyText(story).map(({ text }) => text)).toContain(
      "One cut of lr took it from 0.01 to 0.005. Gain of all cuts of it in this run: +31.0 [+28.5, +33.5], n = 3.",
    );
  });

  it("credits no hyperparameter whose importance is not told apart from 0", () => {
    // Forty settings win against one, which a single member has: too few to tell from chance.
    const log = Array.from({ length: 41 }, (_, row) =>
      report(row + 1, [
        agent(0, row === 0 ? null : 0, 50),
        row === 0 ? agent(1, null, 50) : agent(1 + row, 0, 60 + (row % 2), cut(0.005 + row / 1e5)),
      ]),
    );
    const story = told(log);
    expect(story?.genes[0]).toMatchObject({ gains: { gains: 40, gain: 10.5 }, isDoubted: true });
    expect(
      story &&
        storyText(story)
          .map(({ text }) => text)
          .join(),
    ).toContain("in this run: not enough evidence (+10.5 [+10.3, +10.7], n = 40)");
  });

  it("tells a lead by the evaluations of both with their noise, never by one episode", () => {
    const leadText = (...evaluations: readonly (readonly number[])[]) => {
      const agents = evaluations.map((returns, slot) =>
        agent(slot, null, mean(returns), { evaluation: { returns, lengths: [] } }),
      );
      const story = told([report(1, agents)]);
      return story && storyText(story).find(({ text }) => text.includes("ahead"))?.text;
    };
    // Ten episodes with a standard error of 3.
    const around = (value: number) => Array.from({ length: 10 }, (_, at) => value + (at % 2 === 0 ? 9 : -9));
    expect(leadText(around(400), around(380))).toBe(
      "It is ahead of #1, the next best in generation 1: +20.0 [+10.4, +29.6], 10 episodes each.",
    );
    expect(leadText(around(385), around(380))).toContain("Not enough evidence");
    expect(leadText([500], [9])).toBe(
      "Not enough evidence that it is ahead of #1, the next best in generation 1: +491.0, 1 episode each.",
    );
  });

  it("is about the elite of an earlier generation, or about a champion that is no longer the elite", () => {
    expect(told(reports, 0)).toMatchObject({ index: 0, generations: 0, steps: [], alone: null });
    expect(told(reports, 3, 3)).toMatchObject({ index: 3, generation: 3, fitness: 160 });
  });

  it("needs neither selection nor fitness in every generation", () => {
    expect(told([report(1, [agent(0, null, Number.NaN)])])).toBeNull();
    const rare = [1, Number.NaN, 3].map((fitness, i) =>
      report(i + 1, [agent(0, i === 0 ? null : 0, fitness)]),
    );
    const story = told(rare);
    expect(story).toMatchObject({ steps: [], gains: { gains: 0 } });
    expect(story && storyText(story).map(({ text }) => text)[1]).toBe(
      "It reached 3.0 after 2 generations without a mutation.",
    );
  });

  /** A run whose generations select and mutate at random. */
  const runs = fc
    .record({
      population: fc.integer({ min: 1, max: 5 }),
      draws: fc.array(
        fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 15, maxLength: 15 }),
        {
          minLength: 1,
          maxLength: 12,
        },
      ),
    })
    .map(({ population, draws }) => {
      let next = population;
      let before: Agent[] = [];
      return draws.map((numbers, row) => {
        const made = Array.from({ length: population }, (_, slot): Agent => {
          const [which = 0, what = 0, score = 0] = numbers.slice(3 * slot, 3 * slot + 3);
          const fitness = score < 0.1 ? Number.NaN : Math.round(1000 * score);
          const parent = before[Math.min(before.length - 1, Math.floor(which * before.length))];
          if (row === 0 || parent === undefined) return agent(slot, null, fitness);
          const survives = what < 0.3 && !numbers.slice(0, 3 * slot).includes(which);
          const taken = before[slot];
          if (survives && taken !== undefined) return { ...taken, parent: taken.index, fitness };
          const lr = (parent.hyperparameters.lr ?? 0) * (what < 0.6 ? 0.5 : what < 0.8 ? 2 : 1);
          const mutation = what < 0.8 ? "lr" : what < 0.9 ? "encoder.add_node" : "param";
          return { ...agent(next++, parent.index, fitness), mutation, hyperparameters: { lr } };
        });
        before = made;
        return report(row + 1, made);
      });
    });

  it("has facts that follow from the log (property)", () => {
    fc.assert(
      fc.property(runs, (log) => {
        const story = told(log);
        const fitnessesOf = ({ members }: GenerationReport) => members.map(({ fitness }) => fitness);
        expect(story === null).toBe(!log.flatMap(fitnessesOf).some(Number.isFinite));
        if (story === null) return;
        const rowOf = (generation: number) => log[generation - 1]?.members ?? [];
        const found = (row: readonly MemberReport[], index: number | null) =>
          row.find((member) => member.index === index);
        // The elite is the fittest of the last generation with a fitness.
        const last = rowOf(story.generation);
        const fitnesses = last.map(({ fitness }) => fitness).filter(Number.isFinite);
        expect(story.fitness).toBe(Math.max(...fitnesses));
        // Its line, walked back through the reports.
        const line: MemberReport[] = [];
        let at = found(last, story.index);
        for (let generation = story.generation; at !== undefined; generation -= 1) {
          line.unshift(at);
          const row = rowOf(generation - 1);
          at = found(row, at.index) ?? found(row, at.parent);
        }
        expect(story.founder.index).toBe(line[0]?.index);
        expect(story.generations).toBe(line.length - 1);
        const rates = line.map(({ hyperparameters }) => hyperparameters.lr ?? 0);
        const moves = rates.slice(1).map((rate, i) => Math.sign(rate - (rates[i] ?? 0)));
        const count = (sign: number): number => moves.filter((move) => move === sign).length;
        const gene = { from: rates[0], to: rates.at(-1), cuts: count(-1), rises: count(1) };
        expect(story.genes).toMatchObject(gene.cuts + gene.rises > 0 ? [gene] : []);
        for (const { text } of storyText(story)) expect(text).not.toMatch(/NaN|undefined|null|Infinity/);
      }),
    );
  });
});
