"""PyTorch and JAX with Ox88's arrays, as the pages have it. Each runs in a process of its own: they start threads.

PyTorch is not among what tests install: its wheels for Linux bring 4 GB of CUDA.
"""

import importlib.util

import pytest

from tests.conftest import RunPython

PLANES = """
import numpy as np, ox88, {module}
positions = ox88.Positions.from_fens([ox88.STARTPOS] * 100)
for dtype in (np.bool_, np.uint8, np.int32, np.float16, np.float32):
    planes = positions.planes(dtype)
    taken = {module}.from_dlpack(planes)
    assert {address} == planes.ctypes.data, dtype  # Without a copy.
    assert np.array_equal(np.asarray(taken), planes)
"""
FEATURES = """
import numpy as np, ox88, torch
positions = ox88.Positions.from_fens([ox88.STARTPOS, "4k3/8/8/8/8/8/4P3/4K3 b - - 0 1", "4k3/8/8/8/8/8/8/R3K3 w Q -"])
features = positions.features("halfkp")
bag = torch.nn.EmbeddingBag(40960, 256, mode="sum", include_last_offset=True)
weights = bag.weight.detach()
for side in (0, 1):
    found = bag(torch.tensor(features.indices[side]), torch.tensor(features.offsets)).detach()
    expected = [weights[row[side].tolist()].sum(0) for row in features]
    assert torch.allclose(found, torch.stack(expected), atol=1e-5)
"""
CODE = {
    "planes in torch": PLANES.format(module="torch", address="taken.data_ptr()"),
    "planes in jax": PLANES.format(module="jax.numpy", address="taken.unsafe_buffer_pointer()"),
    "features in torch": FEATURES,
}


@pytest.mark.slow
@pytest.mark.parametrize("name", CODE)
def test_arrays_in_a_framework(name: str, run_python: RunPython) -> None:
    framework = name.rpartition(" ")[2]
    if importlib.util.find_spec(framework) is None:
        pytest.skip(f"{framework} is not installed")
    done = run_python("-c", CODE[name], env={"JAX_PLATFORMS": "cpu"})
    assert done.returncode == 0, done.stderr
