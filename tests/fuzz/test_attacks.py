"""Hostile robot files, and unusual systems."""

from tests.fuzz import files, systems
from tests.fuzz.attack import attack

garbled_models = files.garbled((files.MODEL,))
rearranged_models = files.rearranged((files.MODEL,), files.MODEL_TAGS, files.MODEL_NAMES, files.MODEL_VALUES)
test_garbled_models_of_mujoco = attack(garbled_models, files.model_reads_or_refuses, files.FOUND_MODELS, 0.2)
test_rearranged_models_of_mujoco = attack(rearranged_models, files.model_reads_or_refuses, share=0.2)
test_garbled_robot_files = attack(files.garbled(), files.reads_or_refuses, files.FOUND, 1.0)
test_rearranged_robot_files = attack(files.rearranged(), files.reads_or_refuses, share=1.0)
test_reports_on_garbled_robot_files = attack(files.garbled(), files.reports_or_refuses, files.FOUND)
test_reports_on_rearranged_robot_files = attack(files.rearranged(), files.reports_or_refuses)
test_every_form_answers_as_the_dense_solve = attack(systems.cases(), systems.answers, systems.FOUND, 1.0)
