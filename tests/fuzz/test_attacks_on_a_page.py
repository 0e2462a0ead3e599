"""Hostile addresses, session and lecture files, and what a browser never says."""

from tests.fuzz import addresses, messages, sessions
from tests.fuzz.attack import attack

test_links = attack(addresses.queries(), addresses.follows_or_refuses, addresses.FOUND)
test_machines_of_links = attack(addresses.builds(), addresses.follows_or_refuses, addresses.MACHINES, 0.25)
test_sessions = attack(sessions.files(), sessions.opens_or_refuses, sessions.FOUND)
test_lectures = attack(sessions.lectures(), sessions.lecture_opens_or_refuses)
test_messages = attack(messages.told(), messages.changes_nothing_or_what_it_says, messages.FOUND, 0.25)
