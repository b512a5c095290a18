/** A process that measures the runs it is sent, one at a time. Its arguments are files of own contenders. */
import { measure } from "./measure.ts";
import { findRecipes, recipes } from "./recipes.ts";
import type { Answer, Job } from "./results.ts";
import { findTask } from "./tasks.ts";

const own = await findRecipes(process.argv.slice(2));

async function answer({ task, recipe: name, seed }: Job): Promise<Answer> {
  try {
    const recipe = [...own, ...recipes].find((r) => r.name === name);
    if (!recipe) throw new RangeError(`no recipe "${name}"`);
    return { outcome: await measure(findTask(task), recipe, seed) };
  } catch (error) {
    return { error: error instanceof Error ? error.message : String(error) };
  }
}

process.on("message", (job: Job) => {
  void answer(job).then((result) => process.send?.(result));
});
