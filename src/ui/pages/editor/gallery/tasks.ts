import type { Template } from "../../../../specs/templates/Template.ts";
import { trainsOnText } from "../../../../specs/textEnvironments.ts";

/** What there is to learn, with the templates that learn it. */
export interface Task {
  readonly environment: string;
  /** Whether a language model learns there. */
  readonly text: boolean;
  readonly templates: readonly [Template, ...Template[]];
}

/** Templates by their environments, in the order in which those come first. */
export function tasksOf(templates: readonly Template[]): readonly Task[] {
  const tasks = new Map<string, Task>();
  for (const template of templates) {
    const environment = template.manifest.environment.name;
    const known = tasks.get(environment);
    tasks.set(environment, {
      environment,
      text: trainsOnText(template.manifest),
      templates: known === undefined ? [template] : [...known.templates, template],
    });
  }
  return [...tasks.values()];
}
