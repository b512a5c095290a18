/** Warnings of a run about numbers that agents' running statistics have not taken as they were. */
import type { AgentState } from "../../agents/members.ts";
import { normalizedRuns, placeInElement, type Space } from "../../rl/spaces.ts";

/** A number has another warning when its count has grown by this factor. */
const GROWN = 10;

export class OutlierWarnings {
  /** Names of the columns of statistics, in order. */
  readonly #names: { readonly observations: readonly string[]; readonly rewards: readonly string[] };
  readonly #said = new Map<string, number>();

  constructor(space: Space | null) {
    const runs = space === null ? [] : normalizedRuns(space);
    this.#names = {
      observations: runs.flatMap(({ start, size }) =>
        Array.from({ length: size }, (_, i) => `observation${placeInElement(space as Space, start + i)}`),
      ),
      rewards: space?.kind === "Agents" ? space.ids.map((id) => `return of ${id}`) : ["return"],
    };
  }

  /** New warnings, at most one for each number. @param members After their turns. */
  of(members: readonly Pick<AgentState, "index" | "normalization">[]): readonly string[] {
    return (["observations", "rewards"] as const).flatMap((of) =>
      this.#names[of].flatMap((name, column) => {
        const counts = members.map(({ normalization }) => normalization?.[of]?.outliers?.[column] ?? 0);
        const most = Math.max(0, ...counts);
        const said = this.#said.get(name) ?? 0;
        if (most === 0 || most < GROWN * said) return [];
        this.#said.set(name, most);
        const member = members[counts.indexOf(most)]?.index;
        const found = most === 1 ? "found an outlier" : `found ${most} outliers`;
        return [
          `${name} of agent ${member}: ${found}, more than 100 deviations from its mean or beyond 1e12; running statistics cut or leave out such values, see whether the environment means them`,
        ];
      }),
    );
  }
}
