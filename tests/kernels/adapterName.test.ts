import { describe, expect, it } from "vitest";
import { adapterName, isSoftwareAdapter } from "../../src/kernels/webgpu.ts";
import { softwareAdapter } from "./support/softwareAdapter.ts";

type AdapterFacts = Parameters<typeof adapterName>[0];

const info = (known: Partial<AdapterFacts>): AdapterFacts => ({
  vendor: "",
  architecture: "",
  device: "",
  description: "",
  isFallbackAdapter: false,
  ...known,
});

describe("the name of an adapter", () => {
  it.each([
    [{ vendor: "nvidia", architecture: "ampere", description: "NVIDIA RTX A2000" }, "NVIDIA RTX A2000"],
    [{ vendor: "apple", architecture: "metal-3" }, "apple metal-3"],
    [{ vendor: "intel" }, "intel"],
    [{}, "unnamed adapter"],
    [{ vendor: "google", architecture: "swiftshader" }, "google swiftshader (software, on the CPU)"],
    [
      { description: "llvmpipe (LLVM 15.0.6, 256 bits)" },
      "llvmpipe (LLVM 15.0.6, 256 bits) (software, on the CPU)",
    ],
    [
      { description: "Microsoft Basic Render Driver" },
      "Microsoft Basic Render Driver (software, on the CPU)",
    ],
  ])("of %j is %s", (known, name) => {
    expect(adapterName(info(known))).toBe(name);
  });

  it("says so when the browser marks an adapter as its fallback, and of the one these tests run on", async () => {
    expect(isSoftwareAdapter(info({ vendor: "acme", isFallbackAdapter: true }))).toBe(true);
    expect(isSoftwareAdapter((await softwareAdapter()).info)).toBe(true);
  });
});
