/** Data sets of a store that is a directory, as a platform's worker has it: nothing outside it is read. */
import { mkdir, symlink } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { nodeFileStore } from "../../../src/storage/node/nodeFileStore.ts";
import { type DatasetPlace } from "../../../src/training/options/datasetOption.ts";
import { openGiven } from "../../../src/training/plan.ts";
import { minariBytes } from "../../datasets/support/hdf5Files.ts";
import { withTemporaryDirectory } from "../../storage/support/temporaryDirectory.ts";
import { EPISODES, STEPS } from "../support/tinyData.ts";

const MAIN = "data/main_data.hdf5";

/** Runs `work` with a directory of data sets, and a data set beside that directory. */
const withData = (work: (parent: string, open: (place: DatasetPlace) => Promise<number>) => Promise<void>) =>
  withTemporaryDirectory(async (parent) => {
    const disk = nodeFileStore();
    const bytes = await minariBytes(EPISODES);
    for (const folder of ["inside/own", "inside/hub/cartpole/random-v0", "secret"])
      await disk.write(join(parent, folder, MAIN), bytes);
    const store = nodeFileStore(join(parent, "inside"));
    await work(parent, async (place) => {
      const { dataset, close } = await openGiven(place, { store });
      const { total_steps } = dataset;
      close();
      return total_steps;
    });
  });

it("a data set of the directory is read by its path and by its id", () =>
  withData(async (parent, open) => {
    expect(await open({ dataset_path: "own" })).toBe(STEPS);
    expect(await open({ dataset_path: `own/${MAIN}` })).toBe(STEPS);
    expect(await open({ hub_dataset_id: "cartpole/random-v0" })).toBe(STEPS);
    await symlink(join(parent, "inside/own"), join(parent, "inside/alias"));
    expect(await open({ dataset_path: "alias" })).toBe(STEPS);
  }));

it("a path out of the directory is refused", () =>
  withData(async (parent, open) => {
    const secret = join(parent, "secret");
    await expect(open({ dataset_path: secret })).rejects.toThrow("no such file or folder");
    await expect(open({ dataset_path: `file://${secret}` })).rejects.toThrow("no such file or folder");
    for (const dataset_path of ["../secret", `../secret/${MAIN}`, "own/../../secret"])
      await expect(open({ dataset_path })).rejects.toThrow('the part ".." is not allowed');
  }));

it("a link out of the directory is refused, also inside a data set", () =>
  withData(async (parent, open) => {
    await symlink(join(parent, "secret"), join(parent, "inside/folder"));
    await symlink(join(parent, "secret", MAIN), join(parent, "inside/file.hdf5"));
    await mkdir(join(parent, "inside/linked/data"), { recursive: true });
    await symlink(join(parent, "secret", MAIN), join(parent, "inside/linked", MAIN));
    await symlink(join(parent, "secret", MAIN), join(parent, "inside/own/data/metadata.json"));
    for (const dataset_path of ["folder", "file.hdf5", "linked", "own", `own/${MAIN}`])
      await expect(open({ dataset_path })).rejects.toThrow("is a link that leads out of its directory");
  }));
