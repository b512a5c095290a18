import { describe, expect, it } from "vitest";
import { HyperparameterConfig, Mutations, RLParameter } from "../../../src/evolution/index.ts";
import { type SteeringRound, steeredPopulation } from "../../../src/training/loop/steeredPopulation.ts";
import { EvolvedMember } from "../../../src/training/loop/WorkloadDefinition.ts";
import { type Member, type SteeredChange, SteeringScript } from "../../../src/training/loop.ts";

type Toy = EvolvedMember<Member>;
const hp_config = new HyperparameterConfig({ lr: new RLParameter({ min: 0.001, max: 1 }) });
const mutation = new Mutations({
  no_mutation: 1,
  architecture: 0,
  new_layer_prob: 0,
  parameters: 0,
  activation: 0,
  rl_hp: 0,
});

const member = (index: number): Toy =>
  new EvolvedMember<Member>(
    { index, parent: null, hyperparameters: { lr: index / 100 }, fitness: [index], steps: 0, mut: "None" },
    hp_config,
  );
/** Members 1 to 4; selection kept 4 as elite and cloned it twice and 3 once. */
const members = [1, 2, 3, 4].map(member);
const selected = (): Toy[] => [
  members[3]?.clone() as Toy,
  members[3]?.clone(5) as Toy,
  members[2]?.clone(6) as Toy,
  members[3]?.clone(7) as Toy,
];
const steer = (actions: readonly SteeredChange[], round: Partial<SteeringRound<Toy>> = {}) =>
  steeredPopulation<Toy>({
    members,
    next: selected(),
    actions,
    protected: new Set(),
    elite: 4,
    mutation,
    generation: 9,
    ...round,
  });
const identities = (population: readonly Toy[]) => population.map(({ index, parent }) => [index, parent]);

describe("a steered population", () => {
  it("is what selection made where nobody steers", () => {
    expect(identities(steer([]))).toEqual(identities(selected()));
  });

  it("gives a member that is steered its own place, unless one that survived has it", () => {
    const set = (index: number): SteeredChange => ({ kind: "set", index, hyperparameter: "lr", value: 0.5 });
    const second = steer([set(2)]);
    expect(identities(second)).toEqual([
      [4, 4],
      [2, 2],
      [6, 3],
      [7, 4],
    ]);
    expect(second.map(({ hyperparameters }) => hyperparameters.lr)).toEqual([0.04, 0.5, 0.03, 0.04]);
    // The elite stands in the first place, so that the first member takes the last clone's.
    expect(identities(steer([set(1)]))).toEqual([
      [4, 4],
      [5, 4],
      [6, 3],
      [1, 1],
    ]);
    // The elite is there already.
    expect(identities(steer([set(4)]))).toEqual(identities(selected()));
  });

  it("puts clones where they are asked for, under new identities", () => {
    expect(identities(steer([{ kind: "clone", index: 3, over: 2 }]))).toEqual([
      [4, 4],
      [8, 3],
      [6, 3],
      [7, 4],
    ]);
    expect(identities(steer([{ kind: "clone", index: 3, over: 4 }]))).toEqual([
      [8, 3],
      [5, 4],
      [6, 3],
      [7, 4],
    ]);
    expect(
      identities(
        steer([
          { kind: "replace", index: 3 },
          { kind: "replace", index: 2 },
        ]),
      ),
    ).toEqual([
      [4, 4],
      [9, 4],
      [8, 4],
      [7, 4],
    ]);
  });

  it("keeps protected members as they were evaluated", () => {
    const next = selected();
    next[0]?.setHyperparameter("lr", 0.9);
    const kept = steer([], { next, protected: new Set([2, 4]) });
    expect(identities(kept)).toEqual([
      [4, 4],
      [2, 2],
      [6, 3],
      [7, 4],
    ]);
    expect(kept[0]?.hyperparameters.lr).toBe(0.04);
  });

  it("mutates a member alone, the same way each time, and in its own way each time it is asked for", () => {
    const mutate: SteeredChange = { kind: "mutate", index: 2, what: "hyperparameter" };
    const [once, again, twice] = [steer([mutate]), steer([mutate]), steer([mutate, mutate])];
    expect(once[1]).toMatchObject({ index: 2, mut: "lr" });
    expect(once[1]?.hyperparameters.lr).not.toBe(0.02);
    expect(again[1]?.hyperparameters).toEqual(once[1]?.hyperparameters);
    expect(twice[1]?.hyperparameters).not.toEqual(once[1]?.hyperparameters);
    expect(members[1]?.hyperparameters.lr).toBe(0.02);
  });
});

describe("a steering script", () => {
  it("knows what acts when, and who is protected then", () => {
    const script = new SteeringScript([
      { generation: 2, action: { kind: "protect", index: 7, on: true } },
      { generation: 5, action: { kind: "protect", index: 7, on: false } },
    ]);
    script.add({ generation: 2, action: { kind: "replace", index: 1 } });
    expect(script.at(2).map(({ action }) => action.kind)).toEqual(["protect", "replace"]);
    expect([1, 2, 4, 5].map((generation) => [...script.protectedAt(generation)])).toEqual([[], [7], [7], []]);
  });

  it("leaves out what was cancelled, and keeps the positions of the rest", () => {
    const script = new SteeringScript([
      { generation: 2, action: { kind: "protect", index: 7, on: true } },
      { generation: 2, action: { kind: "replace", index: 1 } },
      { generation: 2, action: { kind: "cancel", entry: 0 } },
    ]);
    expect(script.at(2)).toEqual([{ generation: 2, action: { kind: "replace", index: 1 }, position: 1 }]);
    expect([...script.protectedAt(9)]).toEqual([]);
  });
});
