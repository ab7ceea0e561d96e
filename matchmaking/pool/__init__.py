"""The life of a pool: who searches, plays, comes and goes, by hour and weekday; read from what is stored anyway."""
