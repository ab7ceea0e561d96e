"""TrueSkill: ratings with a deviation from games of any number of teams of any size."""

from ratings.systems.trueskill.parameters import TrueSkillParameters
from ratings.systems.trueskill.system import TrueSkill, conservative

__all__ = ["TrueSkill", "TrueSkillParameters", "conservative"]
