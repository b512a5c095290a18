import fc from "fast-check";
import { expect, it } from "vitest";
import { decodeLanes, encodeLanes } from "../../../src/training/workloads.ts";

it("a file of lanes gives back every byte of the host's", () => {
  fc.assert(
    fc.property(fc.option(fc.uint8Array({ maxLength: 9 }), { nil: undefined }), fc.nat(), (host, agent) => {
      const lanes = {
        agent,
        buffers: { "episode.running": Float32Array.of(1, Number.NaN), "env.steps": Int32Array.of(-1) },
        ...(host && { host }),
      };
      expect(decodeLanes(encodeLanes(lanes), "lanes")).toEqual(lanes);
    }),
  );
});

it("a file of something else is refused", () => {
  const text = new TextDecoder("latin1").decode(
    encodeLanes({ agent: 1, buffers: {}, host: Uint8Array.of(1, 2, 3) }),
  );
  const changed = Uint8Array.from(text.replace('"host_bytes":"3"', '"host_bytes":"9"'), (c) =>
    c.charCodeAt(0),
  );
  expect(() => decodeLanes(changed, "lanes")).toThrow("has no lanes");
});
