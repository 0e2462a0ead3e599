"""``python -m app.opening [PRESET ...]``: writes the motions of these or all presets into assets/openings."""

import sys

from app.motion.presets import PRESETS
from app.opening.handlers import FILES
from app.opening.packing import packed_opening

FILES.mkdir(exist_ok=True)
for preset in sys.argv[1:] or PRESETS:
    (FILES / f"{preset}.gz").write_bytes(packed_opening(preset))
    print(preset)
