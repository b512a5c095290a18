/** Statistics of the observations of whole episodes: gathered while these run, merged at their end. */
import {
  add,
  cast,
  div,
  maximum,
  mean,
  mul,
  not,
  reshape,
  square,
  sub,
  sum,
  type Tensor,
  zeros,
} from "../../kernels/index.ts";
import type { Space } from "../spaces.ts";
import type { Gathering } from "./episodes.ts";
import { type Normalization, normalizedColumns } from "./normalization.ts";
import { countOutliers, entering, knownStatistics, mergeMoments } from "./runningStatistics.ts";

interface ObservedMoments {
  readonly gathering: Gathering;
  /** Merges what was gathered into the statistics. */
  readonly learn: (gathered: readonly Tensor[]) => void;
}

/**
 * @param first Observations that the episodes start with, [n, ...]. Sums are of differences from their mean, so that an
 *   offset costs few digits.
 * @param centreOf Replaces that mean, [size] (default: nothing does).
 * @returns null for an agent that takes observations as they are.
 */
export function observedMoments(
  settings: Normalization | undefined,
  space: Space,
  first: Tensor,
  centreOf: (mean: Tensor) => Tensor = (own) => own,
): ObservedMoments | null {
  const columns = normalizedColumns(settings, space, first);
  if (!columns) return null;
  const size = columns.shape[1] as number;
  const known = knownStatistics("observations", size);
  const centre = centreOf(mean(entering(known, columns).rows, 0));
  return {
    gathering: {
      start: Array.from({ length: 4 }, () => zeros([size])),
      next: (values, obs, alive) => {
        const [count, first, second, outliers] = values as [Tensor, Tensor, Tensor, Tensor];
        const seen = normalizedColumns(settings, space, obs) as Tensor;
        const { rows, isLeftOut, outlier } = entering(known, seen);
        const counted = reshape(alive, [alive.shape[0] ?? 1, 1]);
        const weight = mul(cast(not(isLeftOut), "f32"), counted);
        const centred = sub(rows, centre);
        return [
          add(count, sum(weight, 0)),
          add(first, sum(mul(centred, weight), 0)),
          add(second, sum(mul(square(centred), weight), 0)),
          add(outliers, sum(mul(outlier, counted), 0)),
        ];
      },
    },
    learn: (gathered) => {
      const [more, first, second, outliers] = gathered as [Tensor, Tensor, Tensor, Tensor];
      const n = maximum(more, 1);
      const shift = div(first, n);
      countOutliers("observations", outliers);
      mergeMoments("observations", known, {
        more,
        difference: add(sub(centre, known.mean), shift),
        spread: maximum(sub(div(second, n), square(shift)), 0),
      });
    },
  };
}
