import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { importOptional, includeModule } from "../../../src/kernels/devices.ts";
import { installCommand } from "../../../src/kernels/optionalPackage.ts";

const { peerDependencies, peerDependenciesMeta, devDependencies } = JSON.parse(
  readFileSync("package.json", "utf8"),
) as Readonly<Record<string, Readonly<Record<string, string>>>>;

describe("packages that rlkit does not install", () => {
  it.each(["@mujoco/mujoco", "h5wasm", "onnxruntime-web", "webgpu"] as const)(
    "%s is an optional peer, in the range of the command that installs it, and tested in this range",
    (name) => {
      const range = peerDependencies?.[name];
      expect(installCommand(name)).toBe(`npm install ${name}@${range}`);
      expect(peerDependenciesMeta?.[name]).toEqual({ optional: true });
      expect(devDependencies?.[name]?.startsWith(`${range}.`)).toBe(true);
    },
  );

  it("are imported by name, or as the program includes them", async () => {
    expect(await importOptional("h5wasm", "files", "h5wasm/node")).toHaveProperty("ready");
    includeModule("webgpu/included", async () => "included");
    expect(await importOptional("webgpu", "files", "webgpu/included")).toBe("included");
  });

  it("are asked for with the command that installs them", async () => {
    const missing = importOptional("h5wasm", "HDF5 files", "rlkit-no-such-package");
    await expect(missing).rejects.toThrow(
      'HDF5 files need the package h5wasm, which is not installed; run "npm install h5wasm@0.10"',
    );
    await expect(
      importOptional("h5wasm", "HDF5 files", "data:text/javascript,throw 'broken'"),
    ).rejects.toThrow(
      'need the package h5wasm, which could not be loaded (broken); run "npm install h5wasm@0.10"',
    );
  });
});
