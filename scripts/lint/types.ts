import type { RuleTester } from "oxlint/plugins-dev";

/** Oxlint does not export the types of its plugin interface by name; these are drawn from its rule tester. */
type AnyRule = Parameters<RuleTester["run"]>[1];

export type Rule = Exclude<AnyRule, { createOnce: unknown }>;
export type Context = Parameters<Rule["create"]>[0];
export type Visitor = ReturnType<Rule["create"]>;

type NodeOf<Kind extends keyof Visitor> = Parameters<NonNullable<Visitor[Kind]>>[0];
export type Expression = NodeOf<"MemberExpression">["object"];
export type Reportable = Parameters<Context["sourceCode"]["getLoc"]>[0];
