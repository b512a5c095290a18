import { expect, it } from "vitest";
import { listAlgorithms } from "../../../src/manifests/index.ts";
import { templates } from "../../../src/manifests/templates.ts";
import { tasksOf, taskTextOf } from "../../../src/ui/pages/editor/gallery/tasks.ts";

const algorithms = listAlgorithms().map(({ name }) => name);

it.each(tasksOf(templates))(
  "the card of $environment has a title and words that fit each algorithm",
  (task) => {
    const { title, words } = taskTextOf(task.environment);
    expect(title).not.toBe(task.environment);
    expect(words).toMatch(/^[A-Z].*\.$/);
    expect(words).not.toMatch(/Q-learner|polic|bandit|critic/i);
    for (const name of algorithms) expect(words.split(/\W+/)).not.toContain(name);
  },
);
