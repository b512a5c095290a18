"""Compares rlkit's models of MuJoCo's tasks with Gymnasium's, in every compiled number that physics depends on.

    npx tsx tests/rl/inside/environments/mujoco/writeModels.ts FOLDER
    python scripts/mujoco/compare_models.py FOLDER

Needs `pip install gymnasium==1.3.0 mujoco==3.14.0`. Ends with status 1 if any number differs.
"""

import pathlib
import sys

import gymnasium
import mujoco
import numpy as np

TASKS = [
    "InvertedPendulum", "InvertedDoublePendulum", "Reacher", "Pusher", "Swimmer", "Hopper",
    "HalfCheetah", "Walker2d", "Ant", "Humanoid", "HumanoidStandup",
]

# Looks, names, user data, bounding volumes of the renderer, and the sizes of buffers.
IGNORED = (
    "tex_", "mat_", "light_", "cam_", "skin_", "text_", "key_", "numeric_", "tuple_", "hfield_", "mesh_",
    "flex_", "plugin", "names", "paths", "oct_", "name_",
)
IGNORED_FIELDS = {
    "geom_rgba", "geom_matid", "geom_user", "geom_group", "site_rgba", "site_matid", "site_group", "site_user",
    "site_size", "jnt_group", "tendon_rgba", "tendon_group", "tendon_matid", "tendon_width", "actuator_group",
    "body_user", "jnt_user", "actuator_user", "tendon_user", "sensor_user", "signature", "narena", "nbuffer",
    "nconmax", "njmax", "nnames", "nnames_map", "npaths", "nmat", "ntex", "ntexdata", "nlight", "ncam", "nkey",
    "nnumeric", "nnumericdata", "nuser_geom", "njnt_user", "nstack",
}


def numbers(model):
    found = {}
    for name in dir(model):
        if name.startswith("_") or name.startswith(IGNORED) or name in IGNORED_FIELDS:
            continue
        value = getattr(model, name)
        if isinstance(value, np.ndarray) or isinstance(value, (int, float)):
            found[name] = np.asarray(value)
    for name in dir(model.opt):
        if not name.startswith("_") and isinstance(getattr(model.opt, name), (np.ndarray, int, float)):
            found["opt." + name] = np.asarray(getattr(model.opt, name))
    return found


differences = 0
for task in TASKS:
    theirs = numbers(gymnasium.make(f"{task}-v5").unwrapped.model)
    path = pathlib.Path(sys.argv[1], f"{task}.xml")
    ours = numbers(mujoco.MjModel.from_xml_string(path.read_text()))
    unequal = []
    for name in theirs:
        a, b = theirs[name], ours[name]
        if a.shape != b.shape:
            unequal.append(f"{name}: shapes {a.shape} and {b.shape}")
        elif not np.array_equal(a, b):
            unequal.append(f"{name}: largest difference {np.abs(a.astype(float) - b).max():.3g}")
    differences += len(unequal)
    count = sum(a.size for a in theirs.values())
    print(f"{task}: {len(theirs)} fields of {count} numbers, {len(unequal)} fields differ")
    for line in unequal:
        print("   ", line)
sys.exit(1 if differences else 0)
