"""Filters of rooms: what players must be like to come in, by the conditions that queues go by.

A room is a ticket that wants something of others, and so are those who would come. What a filter asks is a condition of
`matchmaking.pairing.conditions`, or one of a game's own; two that only rooms have stand in `conditions`. On normal
ladders nobody's rating is even read, so no filter, list or reason can tell one.
"""
