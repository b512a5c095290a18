import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { formatRoute, parseRoute, type Route } from "../../src/ui/routes/route.ts";

const anyRoute: fc.Arbitrary<Route> = fc.oneof(
  fc.constant<Route>({ page: "home" }),
  fc
    .record({
      template: fc.option(fc.string()),
      run: fc.option(fc.string()),
      format: fc.constantFrom("yaml" as const, "json" as const),
    })
    .map((entry): Route => ({ page: "editor", ...entry, run: entry.template === null ? entry.run : null })),
  fc.record({
    page: fc.constant("run" as const),
    id: fc.string({ minLength: 1 }),
    axis: fc.constantFrom("steps" as const, "generation" as const, "time" as const),
    view: fc.constantFrom("chart" as const, "table" as const),
    member: fc.option(fc.nat(999)),
    generation: fc.option(fc.nat(99_999)),
  }),
  fc.record({
    page: fc.constant("kernels" as const),
    id: fc.string({ minLength: 1 }),
    program: fc.option(fc.string()),
  }),
);

describe("routes", () => {
  it("come back from the address as they went in", () => {
    fc.assert(
      fc.property(anyRoute, (route) => {
        expect(parseRoute(formatRoute(route))).toEqual(route);
      }),
    );
  });

  it("have short addresses where all is default", () => {
    expect(formatRoute(parseRoute("#/runs/ab?axis=steps&view=chart"))).toBe("#/runs/ab");
    expect(formatRoute(parseRoute(""))).toBe("#/");
  });

  it("drop view state that they do not know", () => {
    expect(parseRoute("#/runs/ab?axis=sideways&member=-1&generation=x&colour=red")).toEqual(
      parseRoute("#/runs/ab"),
    );
  });

  it.each(["#/nowhere", "#/runs", "#/runs/a/b", "#/new/x"])("tell that %s is no page", (hash) => {
    expect(parseRoute(hash)).toEqual({ page: "unknown", path: hash.slice(1) });
  });

  it("take a malformed escape for a name", () => {
    expect(parseRoute("#/runs/%E0%A4%A")).toMatchObject({ page: "run", id: "%E0%A4%A" });
  });
});
