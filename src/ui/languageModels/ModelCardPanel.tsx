import type { ReactNode } from "react";
import type { ModelCard } from "../../workers/pages.ts";
import { type Fact, Facts, fact } from "../components/Facts.tsx";
import { Panel } from "../components/Panel.tsx";
import { Table } from "../components/Table.tsx";
import { formatBytes, formatCount, formatShort, formatThings } from "../lib/format.ts";
import "./languageModels.css";

type Family = NonNullable<ModelCard["model"]>["config"]["family"];

const FAMILIES: Readonly<Record<Family, string>> = {
  llama: "Llama",
  mistral: "Mistral",
  qwen2: "Qwen2",
  qwen3: "Qwen3",
  smollm3: "SmolLM3",
  gemma2: "Gemma 2",
  gemma3_text: "Gemma 3",
  olmo2: "OLMo 2",
  phi: "Phi",
  phi3: "Phi-3",
  gpt2: "GPT-2",
};

function modelFacts({ model, licence }: ModelCard): readonly Fact[] {
  const named: readonly Fact[] = licence === null ? [] : [["Licence", licence]];
  if (model === null) return named;
  const { config, parameters, chat_template, lora_r } = model;
  const heads =
    config.num_key_value_heads === config.num_heads
      ? formatThings(config.num_heads, "head")
      : `${config.num_heads} heads, ${config.num_key_value_heads} for keys and values`;
  return [
    ["Architecture", `${FAMILIES[config.family]}, ${formatThings(config.num_layers, "layer")}`],
    ["Width", `${formatCount(config.hidden_size)}, ${heads}`],
    ["Parameters", formatShort(parameters)],
    ["Vocabulary", formatThings(config.vocab_size, "token")],
    ["Context", formatThings(config.max_position_embeddings, "token")],
    ["Chat template", chat_template ? "yes" : "none"],
    ["Trained", lora_r === null ? "all weights" : `LoRA adapters of rank ${formatCount(lora_r)}`],
    ...named,
  ];
}

function memoryFacts({ estimate }: ModelCard): readonly Fact[] {
  if (estimate === null) return [];
  const { base_bytes, host_bytes, acting_bytes, population_bytes, cache_bytes, transient_bytes } = estimate;
  const part = (name: string, bytes: number): readonly Fact[] =>
    bytes === 0 ? [] : [[name, formatBytes(bytes)]];
  return [
    fact("Together", <strong>about {formatBytes(estimate.total_bytes)}</strong>),
    ["Base", formatBytes(base_bytes + host_bytes)],
    ["Members' own weights", formatBytes(population_bytes)],
    ...part("Caches", cache_bytes),
    ["Largest step", formatBytes(transient_bytes)],
    ...part("ONNX Runtime", acting_bytes),
    ["Longest sequence", formatThings(estimate.longest, "token")],
  ];
}

interface Props {
  readonly card: ModelCard;
  /** Content beside the heading. */
  readonly head?: ReactNode;
}

/** The base model of a manifest and the memory that its run needs, before anything is loaded. */
export function ModelCardPanel({ card, head }: Props) {
  const { id, files, problems, warnings, estimate } = card;
  if (id === null) return null;
  const bytes = files.reduce((sum, { size }) => sum + size, 0);
  return (
    <Panel
      title="Model"
      className="model-card rigid scrolls"
      head={
        <>
          <code className="breaks">{id}</code>
          {head}
        </>
      }
    >
      {problems.map((problem) => (
        <p key={problem} className="callout callout--error model-card__note breaks" role="alert">
          {problem}
        </p>
      ))}
      {warnings.map((warning) => (
        <p key={warning} className="callout callout--warning model-card__note breaks">
          {warning}
        </p>
      ))}
      <Facts
        className="facts facts--grid panel__body model-card__facts"
        label="Model"
        rows={modelFacts(card)}
      />
      {estimate !== null && (
        <>
          <h3 className="model-card__heading">Memory in one training thread</h3>
          <Facts
            className="facts facts--grid panel__body model-card__facts"
            label="Memory"
            rows={memoryFacts(card)}
          />
        </>
      )}
      {files.length > 0 && (
        <details className="model-card__files rule-above">
          <summary>
            {formatThings(files.length, "file")}, {formatBytes(bytes)}
          </summary>
          <Table
            columns={[
              { head: "File", cell: ({ name }) => name },
              { head: "Size", number: true, cell: ({ size }) => formatBytes(size) },
            ]}
            rows={files}
            keyOf={({ name }) => name}
          />
        </details>
      )}
    </Panel>
  );
}
