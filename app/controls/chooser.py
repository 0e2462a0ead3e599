"""The choice of system: the mode switch and the preset menu."""

from __future__ import annotations

from collections.abc import Callable

import panel_material_ui as pmui
import param
from panel.viewable import Viewable

from app.binding import Binding
from app.motion.presets import MODES, PRESETS, presets_of
from app.state import Session

OWN_FILE = "file: "  # Prefix of the menu's value for a file of the user's own; no preset has such a name


OPEN, OPEN_WORDS = "open: ", "Open a robot file…"
"""The menu's last entry, which is not a motion: its value and its label."""


class Chooser(param.Parameterized):
    """Two menus of the available systems.

    Args:
        open_file: opens the dialog for a file of the user's own.
    """

    session = param.ClassSelector(class_=Session)

    def __init__(self, session: Session, open_file: Callable[[], None] = lambda: None, **params: object) -> None:
        self._open_file = open_file
        self._mode = pmui.RadioButtonGroup(
            options=list(MODES), value=MODES[0], size="small", margin=(8, 8, 8, 8), css_classes=["mode"], sx=SWITCH
        )
        self._preset = pmui.Select(
            label="Machine",
            options={},
            sizing_mode="stretch_width",
            size="small",
            margin=(12, 8),
            sx=MENU,
            theme_config=LABEL,
            css_classes=["motion"],
        )
        self._modes = Binding(self._mode, lambda: session.mode_ahead, session.open_mode)
        self._presets = Binding(self._preset, self._shown, self._choose)
        super().__init__(session=session, **params)
        session.opening.param.watch(lambda _: self._modes.follow(), "awaited")

    @param.depends("session.run", "session.message", watch=True, on_init=True)
    def _follow(self) -> None:
        """Shows what runs; after a choice that failed, this differs from the choice."""
        options = {preset.title: preset.name for preset in presets_of(self.session.mode)}
        if not self.session.preset.name:
            options[self.session.preset.title] = self._shown()
        options[OPEN_WORDS] = OPEN
        self._modes.follow()
        self._presets.follow(options=options)

    def _shown(self) -> str:
        """The present motion's value; different for each machine: the browser caches the label of each value."""
        return self.session.preset.name or f"{OWN_FILE}{self.session.preset.title}"

    def _choose(self, name: str) -> None:
        if name in PRESETS:
            self.session.open_preset(name)
        elif name == OPEN:
            self._open_file()

    @property
    def parts(self) -> tuple[Viewable, Viewable]:
        """The two menus, for a bar that places them where it has room."""
        return self._mode, self._preset


WHITE = "rgba(255, 255, 255, 0.92)"
SWITCH = {
    "& .MuiToggleButton-root": {
        "color": WHITE,
        "borderColor": "rgba(255, 255, 255, 0.4)",
        "whiteSpace": "nowrap",
        "textTransform": "none",
        "padding": "4px 14px",
        "fontSize": "0.95rem",
        "@media (max-width: 1320px)": {"padding": "4px 8px", "fontSize": "0.85rem"},
    },
    "& .MuiToggleButton-root:hover": {"backgroundColor": "rgba(255, 255, 255, 0.12)"},
    "&& .MuiToggleButton-root.MuiToggleButton-root.Mui-selected": {"backgroundColor": WHITE, "color": "#12324F"},
}
WHITE_WORD = {"root": {"color": "#FFFFFF", "&.Mui-focused": {"color": "#FFFFFF"}}}
LABEL = {"components": {"MuiInputLabel": {"styleOverrides": WHITE_WORD}}}
MENU = {
    "color": WHITE,
    "fontSize": "0.9rem",
    "& .MuiSelect-select": {"paddingLeft": "10px"},
    "& .MuiOutlinedInput-notchedOutline": {"borderColor": "rgba(255, 255, 255, 0.4)"},
    "& .MuiSvgIcon-root": {"color": WHITE},
}
