import { trainsOnText } from "../../../../specs/sections.ts";
import type { Template } from "../../../../specs/templates.ts";

/** An environment, with the templates that train in it. */
export interface Task {
  readonly environment: string;
  /** Whether the environment trains a language model. */
  readonly text: boolean;
  readonly templates: readonly [Template, ...Template[]];
}

/** Groups templates by environment, in order of first appearance. */
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
