"""Problems of reports, appeals and names."""

from http import HTTPStatus

from django.utils.translation import gettext_lazy as _

from api.contract.problem import Problem

__all__ = ["OF_MODERATION"]

OF_MODERATION = [
    Problem("wrong_report", HTTPStatus.UNPROCESSABLE_ENTITY, _("The report or appeal says too little"),
            _("Leaving, bad manners and cheating name a match; something else and an appeal need a text.")),
    Problem("reports_itself", HTTPStatus.UNPROCESSABLE_ENTITY, _("You cannot report yourself"),
            _("The player to report is the one who reports.")),
    Problem("not_in_match_together", HTTPStatus.CONFLICT, _("Not a match of both"),
            _("A report names a match in which both players took part.")),
    Problem("report_open", HTTPStatus.CONFLICT, _("Already reported"),
            _("The player has reported the other one, for the same match or both times for none, and no moderator has "
              "looked at it yet. `report` is its id.")),
    Problem("too_many_reports", HTTPStatus.TOO_MANY_REQUESTS, _("Too many reports"),
            _("A player reports `most` others in a day. `at` is when the next report is taken.")),
    Problem("not_appealable", HTTPStatus.CONFLICT, _("Nothing to appeal against"),
            _("Name one sanction in force, or one reset of the name, of the player's own.")),
    Problem("already_appealed", HTTPStatus.CONFLICT, _("Already appealed"),
            _("Each is appealed against once. `appeal` is the id; of an appeal against an offence, "
              "`offence` is that of the offence.")),
    Problem("name_changes_used_up", HTTPStatus.CONFLICT, _("No change of the name left"),
            _("Names change `most` times in 30 days. `at` is when the next change can be; null: never.")),
    Problem("name_held", HTTPStatus.CONFLICT, _("The name is held"),
            _("Another player was called so until lately, and nobody else may take the name for a time.")),
    Problem("name_locked", HTTPStatus.CONFLICT, _("The name is fixed"),
            _("A moderator or admin has fixed the player's name.")),
    Problem("case_taken", HTTPStatus.CONFLICT, _("Another moderator has the case"),
            _("One moderator has a case at a time, for some minutes. At the desk only.")),
    Problem("case_decided", HTTPStatus.CONFLICT, _("The case is decided"),
            _("A case is decided once. At the desk only.")),
    Problem("own_decision", HTTPStatus.CONFLICT, _("Your own decision"),
            _("An appeal is decided by another moderator than what it is against. At the desk only.")),
    Problem("wrong_act", HTTPStatus.UNPROCESSABLE_ENTITY, _("That cannot be done about the case"),
            _("It does not fit the case as it is now, or lacks something. At the desk only.")),
]  # fmt: skip
