"""Why a match was made: what is kept with an offer."""
