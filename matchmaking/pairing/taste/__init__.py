"""Who enjoys playing with whom, from what players have said: arrays in, arrays out."""
