import { describe, expect, it } from "vitest";
import { readSetting } from "../../../src/ui/languageModels/Chat.tsx";
import { Conversation, turnsToRead } from "../../../src/ui/languageModels/Conversation.ts";
import { samplingOf } from "../../../src/ui/languageModels/modelChoices.ts";
import type { ChatAnswer, ChatNews, LanguageCalls } from "../../../src/workers/pages.ts";

interface Asked {
  readonly turns: readonly string[];
  readonly tell: (news: ChatNews) => void;
  readonly end: (answer: ChatAnswer | Error) => void;
}

const answer = (text: string, ended: ChatAnswer["ended"] = "end"): ChatAnswer => ({
  text,
  tokens: 3,
  prompt_tokens: 1,
  ended,
});

/** Calls that wait for the test, and what was asked and opened. */
function fakeCalls() {
  const asked: Asked[] = [];
  const opened: string[] = [];
  const stopped: string[] = [];
  const calls = {
    holds: async (key: string) => opened.at(-1) === key,
    openModel: async (key: string) => {
      opened.push(key);
      return { templated: true, context: 64 };
    },
    answer: (request, onNews) =>
      new Promise((resolve, reject) => {
        asked.push({
          turns: request.turns.map(({ role, content }) => `${role}: ${content}`),
          tell: onNews,
          end: (result) => (result instanceof Error ? reject(result) : resolve(result)),
        });
      }),
    stopAnswer: async (id: string) => {
      stopped.push(id);
    },
  } satisfies Partial<LanguageCalls>;
  // A conversation makes no other calls.
  return { asked, opened, stopped, calls: calls as unknown as LanguageCalls };
}

const settings = samplingOf(null);
const source = async () => ({ key: "m", manifest: {}, member: null });

describe("a conversation with a model", () => {
  it("shows the answer as it is written, and goes on with it", async () => {
    const { asked, opened, calls } = fakeCalls();
    const talk = new Conversation(calls);
    const state = () => talk.state.getState();
    const first = talk.send("hello", source, settings, "be brief");
    await expect.poll(() => asked.length).toBe(1);
    expect(asked[0]?.turns).toEqual(["system: be brief", "user: hello"]);
    asked[0]?.tell({ kind: "queued", behind: "turn" });
    expect(state().waiting).toMatch(/^Queued: a run is training/);
    asked[0]?.tell({ kind: "text", text: "Go", tokens: 1 });
    expect(state()).toMatchObject({ waiting: null, writing: "Go" });
    // Another message waits until the answer is complete.
    await talk.send("too early", source, settings, "");
    asked[0]?.end(answer("Good day"));
    await first;
    expect(state().writing).toBeNull();
    expect(state().turns.map(({ content }) => content)).toEqual(["hello", "Good day"]);
    expect(state().turns[1]?.note).toMatch(/^3 tokens in .* s, complete$/);

    const second = talk.send("and?", source, settings, "");
    await expect.poll(() => asked.length).toBe(2);
    expect(asked[1]?.turns).toEqual(["user: hello", "assistant: Good day", "user: and?"]);
    talk.stop();
    asked[1]?.end(answer("We", "stopped"));
    await second;
    expect(state().turns.at(-1)?.note).toMatch(/stopped$/);
    expect(opened).toEqual(["m"]);
  });

  it("says what failed, and keeps what was said before", async () => {
    const { asked, calls } = fakeCalls();
    const talk = new Conversation(calls);
    const sent = talk.send("hello", source, settings, "");
    await expect.poll(() => asked.length).toBe(1);
    asked[0]?.end(new Error("chat template: roles must alternate"));
    await sent;
    expect(talk.state.getState()).toMatchObject({
      turns: [],
      writing: null,
      problem: "chat template: roles must alternate",
    });
  });

  it("begins anew with the model as it is then", async () => {
    const { asked, opened, stopped, calls } = fakeCalls();
    let generation = 0;
    const talk = new Conversation(calls);
    const source = async () => ({ key: `m ${++generation}`, manifest: {}, member: null });
    void talk.send("hello", source, settings, "");
    await expect.poll(() => asked.length).toBe(1);
    talk.clear();
    expect(stopped).toHaveLength(1);
    asked[0]?.tell({ kind: "text", text: "late", tokens: 1 });
    expect(talk.state.getState()).toMatchObject({ turns: [], writing: null });
    void talk.send("again", source, settings, "");
    await expect.poll(() => asked.length).toBe(2);
    expect(opened).toEqual(["m 1", "m 2"]);
    asked[0]?.end(answer("too late", "stopped"));
    asked[1]?.end(answer("yes"));
    await expect
      .poll(() => talk.state.getState().turns.map(({ content }) => content))
      .toEqual(["again", "yes"]);
  });

  it("asks for nothing if it is stopped while the model opens", async () => {
    const { asked, calls } = fakeCalls();
    const talk = new Conversation(calls);
    const sent = talk.send("hello", source, settings, "");
    talk.stop();
    await sent;
    expect(asked).toEqual([]);
    const { turns, writing } = talk.state.getState();
    expect([turns.map(({ content }) => content), writing]).toEqual([["hello"], null]);
  });

  it("has no system prompt where no template writes one", () => {
    const turns = [{ role: "user", content: "a" }] as const;
    expect(turnsToRead(turns, "be brief", { templated: false, context: 8 })).toEqual(turns);
    expect(turnsToRead(turns, "  ", { templated: true, context: 8 })).toEqual(turns);
  });
});

describe("sampling settings", () => {
  it("are numbers in their ranges", () => {
    expect(readSetting("temperature", "0.5")).toBe(0.5);
    for (const [name, text] of [
      ["top_p", "1.5"],
      ["top_k", "1.5"],
      ["max_output_tokens", "0"],
      ["seed", ""],
    ] as const)
      expect(readSetting(name, text)).toBeNull();
  });

  it("are at first those of the run's algorithm", () => {
    expect(samplingOf({ algorithm: { temperature: 0.9, max_output_tokens: 8 } })).toMatchObject({
      temperature: 0.9,
      max_output_tokens: 8,
    });
    expect(samplingOf({ algorithm: { name: "DPO" } }).temperature).toBe(0);
  });
});
