import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { formatRoute, parseRoute, type Route, RUN_TABS } from "../../../src/ui/routes/route.ts";
import { RUN_GROUPS } from "../../../src/ui/routes/runsQuery.ts";

const name = fc.stringMatching(/^[\w.][\w.-]{0,20}$/);
const text = fc.string({ minLength: 1 });

const plot = fc.stringMatching(/^[\w.*+-]{0,40}$/);

const panels = fc.constantFrom("", "curves~~~loss!text~w~A%20name");

const anyRoute: fc.Arbitrary<Route> = fc.oneof(
  fc.record({
    page: fc.constant("runs" as const),
    q: fc.string(),
    sort: fc.option(fc.record({ column: name, descending: fc.boolean() })),
    group: fc.option(fc.constantFrom(...RUN_GROUPS)),
    columns: fc.uniqueArray(name, { maxLength: 5 }),
    curves: fc.uniqueArray(name, { maxLength: 5 }),
    panels,
    view: fc.option(text),
  }),
  fc.record({
    page: fc.constant("editor" as const),
    source: fc.option(
      fc.oneof(
        fc.record({ kind: fc.constantFrom("empty" as const, "draft" as const) }),
        fc.record({ kind: fc.constantFrom("template" as const, "run" as const), id: text }),
        fc.record({ kind: fc.constant("spec" as const), text }),
      ),
    ),
    format: fc.constantFrom("yaml" as const, "json" as const),
  }),
  fc.record({
    page: fc.constant("run" as const),
    id: text,
    tab: fc.constantFrom(...RUN_TABS),
    axis: fc.constantFrom("steps" as const, "generation" as const, "time" as const),
    view: fc.constantFrom("chart" as const, "table" as const),
    tree: fc.constantFrom("lanes" as const, "fitness" as const),
    across: fc.constantFrom("generation" as const, "steps" as const, "time" as const),
    member: fc.option(fc.nat(999)),
    generation: fc.option(fc.nat(99_999)),
    program: fc.option(text),
    plot,
  }),
  fc.record({ page: fc.constant("compare" as const), runs: fc.array(text), panels, plot }),
  fc.record({ page: fc.constant("play" as const), agent: fc.option(text) }),
  fc.record({
    page: fc.constant("environments" as const),
    name: fc.option(fc.oneof(fc.constant(""), text)),
    builtIn: fc.option(text),
    shared: fc.option(text),
    search: fc.oneof(fc.constant(""), text),
    kind: fc.constantFrom("", "control", "teams"),
  }),
  fc.record({ page: fc.constantFrom("storage" as const, "settings" as const, "help" as const) }),
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

  it("find the list of runs where the addresses of runs begin", () => {
    for (const hash of ["#/runs", "#/runs/", "#/runs?q=ppo"])
      expect(parseRoute(hash)).toMatchObject({ page: "runs", q: hash.includes("ppo") ? "ppo" : "" });
    expect(parseRoute("#/run")).toEqual({ page: "unknown", path: "/run" });
  });

  it("drop view state that they do not know", () => {
    expect(parseRoute("#/runs/ab?axis=sideways&member=-1&generation=x&colour=red")).toEqual(
      parseRoute("#/runs/ab"),
    );
  });

  it("drop columns and sorting of the list that no column can have", () => {
    expect(parseRoute("#/?columns=a,,b b,a,-c&sort=<x>&group=colour")).toMatchObject({
      columns: ["a"],
      sort: null,
      group: null,
    });
  });

  it.each(["#/nowhere", "#/runs/a/b", "#/new/x", "#/storage/x"])("tell that %s is no page", (hash) => {
    expect(parseRoute(hash)).toEqual({ page: "unknown", path: hash.slice(1) });
  });

  it("take a malformed escape for a name", () => {
    expect(parseRoute("#/runs/%E0%A4%A")).toMatchObject({ page: "run", id: "%E0%A4%A" });
  });
});
