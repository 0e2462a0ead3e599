"""Taking the object again after it was let go."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

import dynamics as dyn
from app.motion.grips import as_held

WITHIN_REACH = 0.03
"""Metres between a tip and the place on the object that it held, up to which it just takes hold again."""


@dataclass(frozen=True, eq=False)
class Regrasp:
    """Holds the object again the way ``held`` does.

    A tip that still touches the object takes hold where it is. An object that has fallen away is first put
    back into the first arm's hand, at the hand's velocity: nobody can catch it at thirty pictures a second.
    """

    time: float
    held: dyn.System

    def apply(self, system: dyn.System, state: dyn.State) -> tuple[dyn.System, dyn.State, str]:
        contacts = self.held.contacts
        if not contacts or state.object_pose is None:
            raise dyn.ModelError("this system was never held, so it cannot be taken hold of again.")
        solution = dyn.forward_dynamics(system, state)
        places = [solution.link_pose[contact.link] @ contact.tip_pose for contact in contacts]
        wanted = [state.object_pose @ contact.object_pose for contact in contacts]
        apart = max(float(np.linalg.norm(a[:3, 3] - b[:3, 3])) for a, b in zip(places, wanted, strict=True))
        if apart <= WITHIN_REACH:
            kinds = {contact.tip: as_held(contact) for contact in contacts}
            event = dyn.Grasp(self.time, [kinds.get(tip) for tip in range(system.n_tips)])
            return event.apply(system, state)
        hand = solution.link_velocity[contacts[0].link]
        pose = places[0] @ np.linalg.inv(contacts[0].object_pose)
        lever = pose[:3, 3] - solution.link_pose[contacts[0].link][:3, 3]
        velocity = np.concatenate([hand[:3], hand[3:] + np.cross(hand[:3], lever)])
        back = self.held.state(q=state.q, qd=state.qd, object_pose=pose, object_velocity=velocity)
        return self.held, dyn.project(self.held, back), "put back"
