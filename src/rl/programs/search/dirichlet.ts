/** Random distributions over legal actions. */
import { boxMuller, type RandomKey, randomUniform } from "../../../kernels/functions.ts";
import {
  add,
  and,
  constant,
  type Dim,
  div,
  greater,
  less,
  log,
  maximum,
  mul,
  mulDims,
  or,
  reshape,
  scan,
  select,
  softmax,
  sqrt,
  square,
  sub,
  type Tensor,
  zeros,
} from "../../../kernels/index.ts";
import { NEVER } from "./SearchRule.ts";

/** Trials of a draw. Each is accepted with a probability above 0.95, so that none is left over in practice. */
const TRIALS = 6;
/** Streams of a draw; each trial is a step of its own. */
const STREAM_OF_BOOST = 16;

/** log(1 - u), finite: u lies in [0, 1). */
const logOf = (uniform: Tensor): Tensor => log(sub(1, uniform));

/**
 * Draws from the symmetric Dirichlet distribution over the legal actions of each lane, f32 [n, actions]. Gamma numbers of
 * shape alpha + 1 by rejection (Marsaglia and Tsang 2000, "A simple method for generating gamma variables"), times
 * u^(1 / alpha); logarithms keep those of small alpha from vanishing.
 *
 * @param key Its step must have room: trials use the steps `step * 6` to `step * 6 + 5`.
 * @param legal 1 for legal actions, f32 [n, actions].
 * @param alpha Above 0, f32 scalar or a number.
 */
export function dirichlet(key: RandomKey, legal: Tensor, alpha: Tensor | number): Tensor {
  const [n, actions] = legal.shape as [Dim, Dim];
  const lanes = mulDims(n, actions);
  // Shape alpha + 1, less a third.
  const d = add(constant(2 / 3), alpha);
  const c = div(1 / 3, sqrt(d));
  const first = mul(key.step, TRIALS);
  const { carry } = scan({ count: TRIALS, carry: [zeros([lanes])] }, ([log_cube], _x, t) => {
    const [u, v, w] = randomUniform({ ...key, step: add(first, t) }, lanes);
    const [x] = boxMuller([u, v]) as [Tensor];
    const root = add(mul(x, c), 1);
    const log_root = mul(log(maximum(root, 1e-30)), 3);
    const cube = mul(root, square(root));
    const bound = add(mul(square(x), 0.5), mul(d, add(sub(1, cube), log_root)));
    const isAccepted = and(greater(root, 0), less(logOf(w), bound));
    const known = log_cube as Tensor;
    // Accepted draws stay: 0 stands for none, which is the logarithm of the mean.
    return { carry: [select(or(greater(known, 0), less(known, 0)), known, select(isAccepted, log_root, 0))] };
  });
  const [u] = randomUniform({ ...key, stream: key.stream + STREAM_OF_BOOST, step: key.step }, lanes);
  const logarithms = add(carry[0] as Tensor, div(logOf(u), alpha));
  return softmax(select(greater(legal, 0), reshape(logarithms, [n, actions]), NEVER));
}
