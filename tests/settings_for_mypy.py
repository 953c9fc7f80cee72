"""The settings as the type checker's plugin reads them: with the environment of the suite."""

from tests import environment  # noqa: F401  (first: it fills in what the settings demand)
from wrapper_project.settings import *  # noqa: F403
