"""What operators say of how a match ended: the places of its teams, and the correction of a result that counts."""
