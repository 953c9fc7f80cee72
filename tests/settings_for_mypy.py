"""The settings for the type checker's plugin, with the environment of the suite."""

from tests import environment  # noqa: F401  (first, because it sets required variables)
from wrapper_project.settings import *  # noqa: F403
