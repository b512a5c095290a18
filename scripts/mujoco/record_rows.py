"""Records single steps of Gymnasium's MuJoCo tasks for tests/rl/inside/environments/mujoco/steps.json.

    python scripts/mujoco/record_rows.py > tests/rl/inside/environments/mujoco/steps.json

Each row is [state, action, observation, reward, terminated]. The state is qpos ++ qvel, rounded to 32 bits before it is set
in a simulation that was reset. Needs `pip install gymnasium==1.3.0 mujoco==3.14.0`.
"""

import json
import warnings

import gymnasium
import mujoco
import numpy as np

warnings.simplefilter("ignore")

ROWS = {"Ant": 16, "Humanoid": 8, "HumanoidStandup": 8}
INF = float("inf")
# Tasks with arguments; None in a range stands for no bound.
VARIANTS = [
    ("InvertedPendulum", {"frame_skip": 3}),
    ("InvertedDoublePendulum", {"healthy_reward": 3}),
    ("Reacher", {"reward_dist_weight": 2, "reward_control_weight": 0.5}),
    ("Pusher", {"reward_near_weight": 1, "reward_dist_weight": 2, "reward_control_weight": 0.3, "frame_skip": 2}),
    ("Swimmer", {"exclude_current_positions_from_observation": False, "forward_reward_weight": 2}),
    ("Hopper", {"healthy_z_range": [1.1, None], "healthy_angle_range": [-0.05, 0.1], "healthy_state_range": [-2, 3]}),
    ("Hopper", {"terminate_when_unhealthy": False, "exclude_current_positions_from_observation": False}),
    ("HalfCheetah", {"frame_skip": 2, "ctrl_cost_weight": 1, "exclude_current_positions_from_observation": False}),
    ("Walker2d", {"healthy_reward": 2, "healthy_z_range": [None, 1.3], "forward_reward_weight": 3}),
    ("Ant", {"include_cfrc_ext_in_observation": False, "main_body": "aux_2", "contact_force_range": [-0.1, 0.2],
             "contact_cost_weight": 0.1, "exclude_current_positions_from_observation": False}),
    ("Ant", {"main_body": 4, "healthy_z_range": [0.5, 0.8], "include_cfrc_ext_in_observation": False}),
    ("Humanoid", {"include_cinert_in_observation": False, "include_cvel_in_observation": False,
                  "include_qfrc_actuator_in_observation": False, "contact_cost_range": [0.5, 2],
                  "contact_cost_weight": 1e-3}),
    ("HumanoidStandup", {"include_cinert_in_observation": False, "include_cvel_in_observation": False,
                         "include_cfrc_ext_in_observation": False, "impact_cost_weight": 1e-3,
                         "exclude_current_positions_from_observation": False}),
]
TASKS = ["InvertedPendulum", "InvertedDoublePendulum", "Reacher", "Pusher", "Swimmer", "Hopper", "HalfCheetah",
         "Walker2d", "Ant", "Humanoid", "HumanoidStandup"]


def bounded(value):
    if not isinstance(value, list):
        return value
    low, high = value
    return (-INF if low is None else low, INF if high is None else high)


def short(values):
    return [float(f"{x:.8g}") for x in np.asarray(values, dtype=np.float64).ravel()]


def record(task, options, count):
    env = gymnasium.make(f"{task}-v5", **{name: bounded(value) for name, value in options.items()})
    inner = env.unwrapped
    rng = np.random.default_rng(7)
    env.action_space.seed(7)
    rows = []
    ends = 0
    for seed in range(count):
        env.reset(seed=seed)
        # States of a random policy, which holds an action for some steps.
        action = env.action_space.sample()
        for _ in range(int(rng.integers(0, 60))):
            if rng.random() < 0.3:
                action = env.action_space.sample()
            _, _, terminated, truncated, _ = env.step(action)
            if (terminated or truncated) and not (ends * 4 < seed):
                env.reset(seed=1000 + seed)
            elif terminated or truncated:
                ends += 1
                break
        nq = inner.model.nq
        state = np.concatenate([inner.data.qpos, inner.data.qvel]).astype(np.float32).astype(np.float64)
        # Actions beyond the bounds are allowed.
        action = (1.3 * env.action_space.sample()).astype(np.float32)
        mujoco.mj_resetData(inner.model, inner.data)
        inner.set_state(state[:nq], state[nq:])
        observation, reward, terminated, _, _ = inner.step(action)
        row = [[float(x) for x in np.asarray(part, dtype=np.float32)] for part in (state, action)]
        rows.append([[float(str(np.float32(x))) for x in part] for part in row]
                    + [short(observation), float(f"{float(reward):.12g}"), bool(terminated)])
    return {"id": f"{task}-v5", "options": options, "rows": rows}


recorded = [record(task, {}, ROWS.get(task, 24)) for task in TASKS]
recorded += [record(task, options, 4) for task, options in VARIANTS]
print("[\n" + ",\n".join(json.dumps(one, separators=(",", ":")) for one in recorded) + "\n]")
