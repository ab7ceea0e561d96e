"""Friends, profiles and who may."""
