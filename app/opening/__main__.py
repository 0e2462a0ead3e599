"""``python -m app.opening``: writes the motion of every packaged machine into assets/openings."""

from app.motion.presets import PRESETS
from app.opening.handlers import FILES
from app.opening.packing import packed_opening

FILES.mkdir(exist_ok=True)
for preset in PRESETS:
    (FILES / f"{preset}.gz").write_bytes(packed_opening(preset))
    print(preset)
