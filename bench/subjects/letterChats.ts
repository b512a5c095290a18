/**
 * Chats about neighbours in the alphabet, in the shapes in which people have them, and a model of 10 million parameters
 * with random weights that knows their words.
 */
import { Random } from "../../src/evolution/index.ts";
import { loadTokenizer, memoryFolder, parseConfig, weightsOf } from "../../src/llm/models.ts";
import { wordTokenizer } from "./wordTokenizer.ts";

const LETTERS = "abcdefghijkl".split("");
const NAMES = ["ada", "alan", "grace", "edsger", "barbara", "donald", "john", "kurt"];
const QUESTIONS = [
  ["which letter comes after X ?", 1],
  ["please tell me what follows X .", 1],
  ["X is one letter . what is the next ?", 1],
  ["which letter comes before X ?", -1],
  ["please tell me what precedes X .", -1],
  ["X is one letter . what is the last one before it ?", -1],
] as const;
/** Two manners of answering, each with two endings. */
const ENDINGS = [".", "!"];
const CURT = "Y";
const POLITE = "Y , dear NAME , with pleasure";
/** What chats hold: four curt answers of five. */
const MANNERS = [CURT, CURT, CURT, CURT, POLITE];

interface Message {
  readonly role: "user" | "assistant";
  readonly content: string;
}

/** A question with its answer: the right letter, and the name of who asks. */
interface Exchange {
  readonly question: string;
  readonly letter: string;
  readonly name: string;
}

const allExchanges: readonly Exchange[] = NAMES.flatMap((name) =>
  QUESTIONS.flatMap(([question, distance]) =>
    LETTERS.flatMap((x, i) => {
      const letter = LETTERS[i + distance];
      return letter === undefined
        ? []
        : [{ question: `${name} : ${question.replace("X", x)}`, letter, name }];
    }),
  ),
);

const write = (manner: string, ending: string, { letter, name }: Exchange): string =>
  `${manner.replace("Y", letter).replace("NAME", name)} ${ending}`;

export const isRight = (text: string, letter: string): boolean => text.trim().startsWith(`${letter} `);
export const isPolite = (text: string): boolean => text.includes("with pleasure");

const HELD_OUT = 100;

/** Rows of every kind. None of the questions of the test splits is in a training split. */
export function letterChats(seed: number, rows: number) {
  const random = new Random({ seed });
  const pick = <T>(values: readonly T[]): T => values[random.integer(values.length)] as T; // Not empty.
  const shuffled = allExchanges.map((one) => [random.uniform(), one] as const).toSorted(([a], [b]) => a - b);
  const [test, train] = [shuffled.slice(0, HELD_OUT), shuffled.slice(HELD_OUT)].map((part) =>
    part.map(([, one]) => one),
  ) as [Exchange[], Exchange[]]; // Two parts.
  const turn = (one: Exchange): Message[] => [
    { role: "user", content: one.question },
    { role: "assistant", content: write(pick(MANNERS), pick(ENDINGS), one) },
  ];
  const prompt = ({ question }: Exchange): Message[] => [{ role: "user", content: question }];
  const preference = (one: Exchange) => {
    const ending = pick(ENDINGS);
    const answer = (manner: string): Message[] => [
      { role: "assistant", content: write(manner, ending, one) },
    ];
    return { prompt: prompt(one), chosen: answer(POLITE), rejected: answer(CURT) };
  };
  const rewarded = (one: Exchange) => ({ prompt: prompt(one), answer: one.letter });
  return {
    sft: {
      train: Array.from({ length: rows }, (_, i) => ({
        messages: i % 3 === 0 ? [...turn(pick(train)), ...turn(pick(train))] : turn(pick(train)),
      })),
      test: test.map((one) => ({ messages: turn(one) })),
    },
    dpo: { train: Array.from({ length: rows }, () => preference(pick(train))), test: test.map(preference) },
    grpo: { train: Array.from({ length: rows }, () => rewarded(pick(train))), test: test.map(rewarded) },
  };
}

const SPECIAL = ["<|pad|>", "<|im_start|>", "<|im_end|>"];
const ANSWER = "{% generation %}{{ message.content }} <|im_end|>{% endgeneration %}";
const MESSAGE = `<|im_start|> {{ message.role }} {% if message.role == 'assistant' %}${ANSWER}{% else %}{{ message.content }} <|im_end|>{% endif %} `;
const TEMPLATE = `{% for message in messages %}${MESSAGE}{% endfor %}{% if add_generation_prompt %}<|im_start|> assistant {% endif %}`;

/** Words, each of which is a token. */
function vocabulary(): string[] {
  const texts = [...QUESTIONS.map(([question]) => question), CURT, POLITE].join(" ").split(" ");
  return [
    ...new Set([...SPECIAL, "user", "assistant", ":", ...ENDINGS, ...NAMES, ...LETTERS, ...texts]),
  ].filter((word) => !["X", "Y", "NAME"].includes(word));
}

export async function letterTokenizer() {
  const [pad = "", begin = "", end = ""] = SPECIAL;
  const files = wordTokenizer(vocabulary(), { pad, end, others: [begin] }, TEMPLATE);
  const bytes = Array.from(files, ([name, text]) => [name, new TextEncoder().encode(text)] as const);
  return (await loadTokenizer(memoryFolder(new Map(bytes)))).tokenizer;
}

/** A Llama of 10 million parameters. */
export const letterModel = (vocab_size: number) =>
  parseConfig(
    {
      architectures: ["LlamaForCausalLM"],
      model_type: "llama",
      vocab_size,
      hidden_size: 320,
      intermediate_size: 880,
      num_hidden_layers: 8,
      num_attention_heads: 5,
      num_key_value_heads: 5,
      max_position_embeddings: 128,
      rms_norm_eps: 1e-5,
      rope_theta: 10_000,
      hidden_act: "silu",
      tie_word_embeddings: true,
    },
    "config.json",
  );

/** Normal weights with a standard deviation of 0.02, and ones for norms. */
export function randomWeights(
  config: ReturnType<typeof parseConfig>,
  seed: number,
): Map<string, Float32Array> {
  const random = new Random({ seed });
  return new Map(
    weightsOf(config).map(({ name, shape }) => {
      const values = new Float32Array(shape.reduce((a, b) => a * b, 1));
      return [name, shape.length === 1 ? values.fill(1) : values.map(() => 0.02 * random.normal())];
    }),
  );
}
