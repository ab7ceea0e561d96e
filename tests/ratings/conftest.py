"""What the tests of the admin pages of ratings share."""

from typing import TYPE_CHECKING

from tests.worlds import shared

if TYPE_CHECKING:  # pytest reads this file before Django is ready where the folder is named to it
    from django.test import Client

    from tests.ratings.admin_cast import World


@shared
def world() -> "World":
    """Four matches, a track of each kind."""
    from tests.ratings.admin_cast import make_world

    return make_world()


@shared
def client() -> "Client":
    """Signed in as a superuser."""
    from tests.ratings.admin_cast import operator

    return operator()
