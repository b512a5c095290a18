import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { listDatasets, listLlmEnvironments } from "../../../src/llm/environments.ts";
import { builtInModelIds } from "../../../src/llm/models.ts";
import { listAlgorithms, manifestJsonSchema, TrainingSpec } from "../../../src/manifests/index.ts";
import { listEnvironments } from "../../../src/rl/environments.ts";
import { textChange } from "../../../src/ui/components/codeMirror.ts";
import {
  type FormNode,
  groupAt,
  keyIn,
  NETWORK_KINDS,
  nodeAt,
  startingValue,
  unknownName,
} from "../../../src/ui/pages/editor/form/formNodes.ts";
import { type FormSchema, formOfSchema } from "../../../src/ui/pages/editor/form/formOfSchema.ts";
import { suggestionsAt } from "../../../src/ui/pages/editor/form/useField.ts";
import { yamlPathAt } from "../../../src/ui/pages/editor/text/manifestHelp.ts";

const form = formOfSchema(manifestJsonSchema() as FormSchema);
const at = (values: unknown, ...path: string[]): FormNode | null => nodeAt(form, values, path);

describe("the form", () => {
  it("has all sections", () => {
    expect(form.children.map(({ key }) => key)).toEqual([
      "apiVersion",
      "algorithm",
      "environment",
      "training",
      "network",
      "mutation",
      "replay_buffer",
      "selection_strategy",
    ]);
  });

  it("has every field of the training section", () => {
    const training = at({}, "training");
    const keys = Object.keys(TrainingSpec.parse({}));
    expect(training?.kind).toBe("group");
    expect(
      groupAt(training ?? form, {})
        ?.children.map(({ key }) => key)
        .sort(),
    ).toEqual(keys.sort());
  });

  it("has the fields of the algorithm that the text names", () => {
    expect(at({ algorithm: { name: "DQN" } }, "algorithm", "tau")?.kind).toBe("number");
    expect(at({ algorithm: { name: "PPO" } }, "algorithm", "tau")).toBeNull();
    expect(at({ algorithm: { name: "PPO" } }, "algorithm", "gae_lambda")?.unset).toBe("0.95");
  });

  it("has those of the closest algorithm if the text names none, and no others", () => {
    const fields = (name: unknown) => {
      const algorithm = at({}, "algorithm");
      return algorithm && groupAt(algorithm, { name })?.children.map(({ key }) => key);
    };
    expect(fields("PP0")).toEqual(fields("PPO"));
    expect(fields("Recurrent PPO")).toEqual(fields("PPO"));
    expect(fields("nothing like it")).toBeUndefined();
    const algorithm = at({}, "algorithm");
    const unknown = (name: unknown) => algorithm?.kind === "choice" && unknownName(algorithm, { name });
    expect(["PP0", "PPO", "Recurrent PPO", undefined].map(unknown)).toEqual(["PP0", null, null, null]);
  });

  it("offers each algorithm under one name, and arch in one place", () => {
    const algorithm = at({}, "algorithm");
    const names = algorithm?.kind === "choice" ? algorithm.tag?.names : undefined;
    expect(names).toEqual(listAlgorithms().map(({ name }) => name));
    expect(at({ network: { encoder_config: { arch: "mlp" } } }, "network", "arch")).toBeNull();
  });

  it("knows the kinds of fields", () => {
    expect(at({}, "training", "hpo")).toMatchObject({ kind: "enum", values: ["false", "true", "search"] });
    expect(at({}, "training", "sum_scores")).toMatchObject({ kind: "boolean", fallback: true });
    expect(at({}, "network", "encoder_config", "hidden_size")).toMatchObject({
      kind: "numbers",
      unit: "nodes",
    });
    expect(at({}, "network", "encoder_config", "activation")).toMatchObject({ kind: "enum" });
    expect(at({}, "network", "encoder_config", "layer_norm")).toMatchObject({
      kind: "boolean",
      fallback: null,
    });
    expect(at({}, "environment", "name")).toMatchObject({ kind: "text", required: true });
    expect(at({}, "environment", "env_config")).toMatchObject({ kind: "free", advanced: true });
    expect(at({}, "mutation", "rl_hp_selection")).toMatchObject({ kind: "record" });
    expect(at({}, "mutation", "rl_hp_selection", "lr", "min")).toMatchObject({
      kind: "number",
      required: true,
    });
  });

  it("has no field without a help text", () => {
    const silent: string[] = [];
    const visit = (node: FormNode): void => {
      if (node !== form && node.description === "") silent.push(node.key);
      if (node.kind === "group") node.children.forEach(visit);
      // Options and items are named by the node that holds them.
      if (node.kind === "choice") for (const option of node.options) option.children.forEach(visit);
      if (node.kind === "record") node.item.children.forEach(visit);
    };
    visit(form);
    expect(silent).toEqual([]);
  });

  it("finds a section under its other name", () => {
    const selection = at({}, "selection_strategy");
    const values = { tournament_selection: { tournament_size: 3 } };
    expect(selection && keyIn(values, selection)).toBe("tournament_selection");
    expect(selection && keyIn({}, selection)).toBe("selection_strategy");
    const size = at({}, "training", "pop_size");
    expect(size && keyIn({ population_size: 3 }, size)).toBe("population_size");
  });

  it("begins a section with a setting, because an empty one could mean something of its own", () => {
    const mutation = at({}, "mutation");
    const group = mutation && groupAt(mutation, undefined);
    expect(group && startingValue(group)).toEqual({
      probabilities: {
        no_mut: 0.4,
        arch_mut: 0.2,
        new_layer: 0.2,
        params_mut: 0.2,
        act_mut: 0,
        rl_hp_mut: 0.2,
      },
    });
  });

  it("leaves networks by agent to the text, and finds the section of those that are not", () => {
    const open = { latent_dim: 8 };
    expect(at({ network: { a_0: open, b_0: open } }, "network", "latent_dim")).toBeNull();
    expect(at({ network: open }, "network", "latent_dim")).toMatchObject({ kind: "number" });
    const network = form.children.find(({ key }) => key === "network");
    expect(network).toMatchObject({ kind: "choice" });
    expect(network?.kind === "choice" ? network.options.length : 0).toBe(NETWORK_KINDS.length);
  });

  it("tells whole networks from open ones", () => {
    const arch = (values: unknown) => at({ network: values }, "network", "encoder_config", "arch");
    expect(arch({ encoder_config: { hidden_size: [8] } })).toBeNull();
    expect(arch({ encoder_config: { arch: "mlp" } })?.kind).toBe("enum");
  });
});

describe("yamlPathAt", () => {
  const lines = `algorithm:
  name: DQN

  # a comment
mutation:
  rl_hp_selection:
    lr:
      min: 0.1
    
`.split("\n");

  it.each([
    [0, [], "algorithm"],
    [1, ["algorithm"], "name"],
    [7, ["mutation", "rl_hp_selection", "lr"], "min"],
    [8, ["mutation", "rl_hp_selection"], null],
    [9, [], null],
  ])("finds the place of line %i", (line, parents, key) => {
    expect(yamlPathAt(lines, line)).toEqual({ parents, key });
  });
});

describe("textChange", () => {
  it("turns one text into the other", () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), fc.string(), fc.string(), (head, before, after, tail) => {
        const [from, to] = [head + before + tail, head + after + tail];
        const change = textChange(from, to);
        const result =
          change === null ? from : from.slice(0, change.from) + change.insert + from.slice(change.to);
        expect(result).toBe(to);
        expect(change === null ? 0 : change.to - change.from).toBeLessThanOrEqual(before.length);
      }),
    );
  });
});

describe("what the form suggests", () => {
  it("is what is built in", () => {
    expect(suggestionsAt(["environment", "name"])).toEqual(listEnvironments());
    expect(suggestionsAt(["environment", "entrypoint"])).toEqual(listLlmEnvironments());
    expect(suggestionsAt(["environment", "dataset"])).toEqual(listDatasets());
    for (const section of ["network", "algorithm"])
      expect(suggestionsAt([section, "pretrained_model_name_or_path"])).toEqual(builtInModelIds);
    expect(suggestionsAt(["algorithm", "name"])).toEqual([]);
  });
});
