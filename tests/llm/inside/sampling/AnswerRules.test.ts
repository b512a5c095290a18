import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Tokenizer } from "../../../../src/llm/index.ts";
import { type AnswerFields, AnswerRules } from "../../../../src/llm/sampling/AnswerRules.ts";
import { Automaton, DEAD } from "../../../../src/llm/sampling/pattern/Automaton.ts";
import { testTokenizer } from "../../support/testTokenizer.ts";

const PIECES = ["a", "b", "1", ".", "[ab]", "[^a]", "\\d", "\\W", "[a-b1]", "[\\d]", "\\x61", "\\u0062"];
const COUNTS = ["*", "+", "?", "{2}", "{1,}", "{0,2}", "*?", "+?", "??", "{1,2}?"];

/** Regular expressions over a, b and 1. */
const { pattern: patterns } = fc.letrec<{ pattern: string }>((tie) => ({
  pattern: fc.oneof(
    { depthSize: "small" },
    fc.constantFrom(...PIECES),
    fc.tuple(tie("pattern"), tie("pattern")).map(([x, y]) => x + y),
    fc.tuple(tie("pattern"), tie("pattern")).map(([x, y]) => `(${x}|${y})`),
    fc.tuple(tie("pattern"), fc.constantFrom(...COUNTS)).map(([x, count]) => `(?:${x})${count}`),
  ),
}));
const texts = fc.string({ unit: fc.constantFrom("a", "b", "1"), maxLength: 6 });

const matches = (pattern: string, text: string): boolean => {
  const automaton = new Automaton(pattern);
  const state = automaton.after(automaton.start, text);
  return state !== DEAD && automaton.accepts(state);
};

describe("an automaton", () => {
  it("matches what a regular expression matches as a whole", () => {
    fc.assert(
      fc.property(patterns, fc.array(texts, { minLength: 1, maxLength: 8 }), (pattern, given) => {
        const whole = new RegExp(`^(?:${pattern})$`);
        for (const text of given) expect(matches(pattern, text)).toBe(whole.test(text));
      }),
      { numRuns: 300 },
    );
  });

  it("reads names of groups, spaces, escapes, and characters of two units", () => {
    expect(matches("(?<first>\\s*)[😀-😂]\\.\\n", " \t😁.\n")).toBe(true);
    expect(matches("a.b", "a\nb")).toBe(false);
    expect(matches("{a}|[\\]\\b-]", "{a}")).toBe(true);
    expect(matches("{a}|[\\]\\b-]", "-")).toBe(true);
    expect(matches("", "")).toBe(true);
  });

  it.each([
    ["(?=a)b", '"(?=" is a lookaround'],
    ["(?<!a)b", '"(?<" is a lookaround'],
    ["(a)\\1", '"\\\\1" is no character'],
    ["a\\b", '"\\\\b" is no character'],
    ["(^a|b)", '"^" is an anchor'],
    ["(?:a{500}){500}", "too large; use fewer repetitions"],
  ])("refuses %s", (pattern, message) => {
    expect(() => new Automaton(pattern)).toThrow(message);
  });
});

const fieldsOf = (fields: Partial<AnswerFields>): AnswerFields => ({
  thinking_token_budget: null,
  constrain_answer_pattern: null,
  answer_continuation: false,
  ...fields,
});

/** What may come behind a text, each of whose tokens may come where it stands; null for all. */
function following(tokenizer: Tokenizer, fields: Partial<AnswerFields>, text: string): string[] | null {
  const rules = AnswerRules.of(fieldsOf(fields), tokenizer, [tokenizer.eos_token_id]);
  const guide = rules?.begin();
  for (const id of tokenizer.encode(text)) {
    expect(guide?.allowed?.[id] ?? 1).toBe(1);
    guide?.take(id);
  }
  const allowed = guide?.allowed ?? null;
  if (allowed === null) return null;
  const named = [...allowed].flatMap((may, id) =>
    may === 1 ? [tokenizer.decode([id], { skip_special_tokens: false })] : [],
  );
  return named.toSorted();
}

describe("answer rules", () => {
  const tokenizer = testTokenizer({ merges: ["12", "no", "</think>"] });
  const constrain_answer_pattern = "(yes|no|\\d{1,2})";
  const digits = Array.from("0123456789");

  it("are none without pattern and budget", () => {
    expect(AnswerRules.of(fieldsOf({}), tokenizer, [])).toBeNull();
  });

  it("let through tokens that a match may go on with, and the end where it is whole", () => {
    const after = (text: string) => following(tokenizer, { constrain_answer_pattern }, text);
    expect(after("")).toEqual([...digits, "12", "n", "no", "y"].toSorted());
    expect(after("n")).toEqual(["o"]);
    expect(after("no")).toEqual(["<eos>"]);
    expect(after("12")).toEqual(["<eos>"]);
    expect(after("3")).toEqual([...digits, "<eos>"].toSorted());
  });

  it("let it go on as it likes behind the answer, where that is asked for", () => {
    const fields = { constrain_answer_pattern, answer_continuation: true };
    expect(following(tokenizer, fields, "ye")).toEqual(["s"]);
    expect(following(tokenizer, fields, "yes")).toBeNull();
    expect(following(tokenizer, fields, "yes, 12")).toBeNull();
  });

  it("give a thought its tokens, and then write its end", () => {
    const fields = { thinking_token_budget: 3, constrain_answer_pattern: "[ab]" };
    const thinking = following(tokenizer, fields, "so");
    expect(thinking).toContain("q");
    expect(thinking).not.toContain("<eos>");
    expect(following(tokenizer, fields, "so ")).toEqual(["</think>"]);
    expect(following(tokenizer, fields, "so </think>")).toEqual(["a", "b"]);
    expect(following(tokenizer, fields, "s</think>a")).toEqual(["<eos>"]);
    expect(following(tokenizer, { ...fields, thinking_token_budget: 0 }, "")).toEqual(["</think>"]);
    expect(following(tokenizer, { thinking_token_budget: 2 }, "a")).toBeNull();
    expect(following(tokenizer, { thinking_token_budget: 2 }, "ab</think>c")).toBeNull();
  });

  it("write the end of a thought token by token, where it is no token of its own", () => {
    const plain = testTokenizer();
    const fields = { thinking_token_budget: 1, constrain_answer_pattern: "a" };
    for (const [i, letter] of Array.from("</think>").entries())
      expect(following(plain, fields, `x${"</think>".slice(0, i)}`)).toEqual([letter]);
    expect(following(plain, fields, "x</think>")).toEqual(["a"]);
  });
});
