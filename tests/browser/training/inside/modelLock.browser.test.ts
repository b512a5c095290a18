/** Answers of a chat and turns of runs, kept apart by the browser's locks. */
import { describe, expect, it } from "vitest";
import { betweenAnswers, betweenTurns } from "../../../../src/training/llm/modelLock.ts";

/** Work that ends when the test says so. */
function held() {
  let end = (): void => undefined;
  const over = new Promise<void>((resolve) => {
    end = resolve;
  });
  return { over, end };
}

const forever = new AbortController().signal;

describe("answers between turns of runs", () => {
  it("begin at once where nothing trains", async () => {
    let queued = 0;
    const onQueued = (): void => void queued++;
    expect(await betweenTurns(async () => "answer", { onQueued, signal: forever })).toBe("answer");
    expect(queued).toBe(0);
  });

  it("wait for all turns that have begun, and later turns wait for them", async () => {
    const order: string[] = [];
    const [first, second, answer] = [held(), held(), held()];
    const does =
      (name: string, { over }: { readonly over: Promise<void> }) =>
      async () => {
        order.push(`${name} begins`);
        await over;
        order.push(`${name} ends`);
      };
    const turns = [betweenAnswers(does("first", first)), betweenAnswers(does("second", second))];
    // Turns of several members overlap.
    await expect.poll(() => order).toEqual(["first begins", "second begins"]);
    const onQueued = (): void => void order.push("queued");
    const answered = betweenTurns(does("answer", answer), { onQueued, signal: forever });
    await expect.poll(() => order.at(-1)).toBe("queued");
    const later = betweenAnswers(async () => void order.push("later"));
    first.end();
    second.end();
    await expect.poll(() => order.at(-1)).toBe("answer begins");
    answer.end();
    await Promise.all([...turns, answered, later]);
    expect(order.slice(-3)).toEqual(["answer begins", "answer ends", "later"]);
  });

  it("can be given up while they wait", async () => {
    const turn = held();
    const training = betweenAnswers(() => turn.over);
    const ending = new AbortController();
    const given = betweenTurns(async () => "answer", {
      onQueued: () => ending.abort(),
      signal: ending.signal,
    });
    await expect(given).rejects.toThrow(/abort/i);
    turn.end();
    await training;
  });

  it("end with the error of what they do", async () => {
    const fails = async (): Promise<never> => {
      throw new Error("no memory");
    };
    await expect(betweenAnswers(fails)).rejects.toThrow("no memory");
    await expect(betweenTurns(fails, { onQueued: () => undefined, signal: forever })).rejects.toThrow(
      "no memory",
    );
  });
});
