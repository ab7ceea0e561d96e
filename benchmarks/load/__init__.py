"""A load of requests over HTTP: prepared beforehand, sent by processes of their own, each answer with its time."""
